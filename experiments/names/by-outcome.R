# Probabilities of the names of each kind of outcome, and how often these were right:
# results/by-outcome.csv, from the stored names of this experiment and, for other outcomes than
# numbers and two classes, of `times`, `counts` and `classes`. Rscript by-outcome.R

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
root <- if (length(file) > 0L) dirname(file) else "."
read <- function(experiment) {
  utils::read.csv(file.path(root, "..", experiment, "results", "names.csv"))
}
own <- readRDS(file.path(root, "results", "names.rds"))
own <- own[own$naming == "posterior", ]
own$kind <- own$cell
times <- read("times")
# Since then no feature is named where so few have the event.
times <- times[!times$covariate & times$truth != "none" & times$outcome != "censored_80", ]
times$kind <- paste(times$outcome, times$truth, sep = "_")
counts <- read("counts")
counts <- counts[counts$truth != "none", ]
counts$kind <- "counts"
classes <- read("classes")
classes <- classes[classes$truth != "none", ]
classes$kind <- paste0("several_", classes$truth)

columns <- c("kind", "probability", "named", "r")
names <- rbind(own[columns], times[columns], counts[columns], classes[columns])
names <- names[names$named, ]
rows <- lapply(split(names, factor(names$kind, unique(names$kind))), function(rows) {
  right <- mean(rows$r > 0.7)
  data.frame(
    kind = rows$kind[1L], names = nrow(rows), probability = mean(rows$probability), right,
    right_se = sqrt(right * (1 - right) / nrow(rows)), unrelated = mean(rows$r <= 0.5)
  )
})
table <- do.call(rbind, rows)
numbers <- vapply(table, is.double, NA)
table[numbers] <- lapply(table[numbers], round, 4)
utils::write.csv(table, file.path(root, "results", "by-outcome.csv"), row.names = FALSE)
