# Data sets of Hamer and Dupont (2021), Tables 3 and 4, as the scripts of this folder use them.
# Found by experiment_data(), see its help page. The features with the largest variance are kept:
# `p_front` of them in section 7.1 (Table 3), at most 5000 in section 7.2.

# `here` is the folder of the script that reads this file.
folder <- file.path(here, "results")
dir.create(folder, showWarnings = FALSE)

hamer_sets <- data.frame(
  name = c(
    "singh", "alon", "chiaretti", "gravier", "borovecki", "arcene",
    "ionosphere", "sonar", "breast", "gastro", "lsvt"
  ),
  file = c(
    "singh", "alon", "chiaretti", "gravier", "borovecki", "skf_arcene",
    "ionosphere", "sonar", "wdbc", "gastro_WL", "lsvt"
  ),
  p_front = c(1250, 2000, 5000, 2905, 1000, 5000, Inf, Inf, Inf, Inf, Inf)
)

most_variable <- function(x, p) {
  if (p >= ncol(x)) {
    return(x)
  }
  spread <- apply(x, 2L, stats::var)
  x[, sort(order(-spread)[seq_len(p)]), drop = FALSE]
}

# alon is the data of the package, which are the file's to five digits, so that anybody can run it.
# The paper calls its task on gastro, which has three classes, binary and says no more. Of the tasks
# and lights, the hyperplasic lesions against the others come near to its Table 5.
read_hamer <- function(name, p = 5000) {
  file <- hamer_sets$file[hamer_sets$name == name]
  data <- if (name == "alon") colon_genes else experiment_data(file)
  x <- data$x
  if (is.null(colnames(x))) colnames(x) <- paste0("V", seq_len(ncol(x)))
  y <- data$y
  if (name == "gastro") y <- factor(y == "hyperplasic", labels = c("other", "hyperplasic"))
  list(x = most_variable(x, p), y = droplevels(y))
}

wanted_size <- function(p) min(20, sqrt(p))

# Significant digits enough for every table here.
write_results <- function(table, path) {
  is_real <- vapply(table, is.double, NA)
  table[is_real] <- lapply(table[is_real], signif, digits = 4)
  utils::write.csv(table, path, row.names = FALSE)
}
