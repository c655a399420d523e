# Table 1, and the numbers that the text gives for each set; Tables 2 and 4.
sets <- read_csv("paper-sets")
names(sets)[match(c("name", "n_target"), names(sets))] <- c("data", "n_features")
sets$n_useful <- c(60, 150, 200)
paper <- read_csv("paper")
at <- match(paste("Table 4", sets$data), paste(paper$item, paper$data))
sets[c("t_uniform", "t_uniform_sd")] <- paper[at, c("value", "sd")]
table2 <- paper[paper$item == "Table 2", c("data", "n_tree", "value", "sd")]
names(table2)[3:4] <- c("paper", "paper_sd")
