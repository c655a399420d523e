# Which penalty of the final model of several classes predicts best on real data? Out-of-bag errors
# and log losses of fealect() (24 runs of at most 20 features) on four sets with three to seven
# classes, by `lambda`.
#
#   STABILECT_DATA=<folder of the data sets> Rscript experiments/honest-error/lambda-classes.R
#
# writes results/lambda-classes.csv; two minutes on two cores.

library(stabilect)

source_folder <- Sys.getenv("STABILECT_DATA")
sets <- c("khan", "lymphoma3_spls", "skf_lung_small", "skf_GLIOMA")

log_loss_of <- function(oob, levels) {
  links <- as.matrix(oob[paste0("link_", levels)])
  odds <- exp(links - apply(links, 1, max))
  odds <- odds / rowSums(odds)
  colnames(odds) <- levels
  known <- !is.na(oob$predicted)
  measure_predictions(
    oob$observed[known], oob$predicted[known], odds[known, ], metric = "log_loss"
  )[[1]]
}

rows <- lapply(sets, function(set) {
  data <- readRDS(file.path(source_folder, paste0(set, ".rds")))
  x <- as.matrix(data$x)
  if (is.null(colnames(x))) colnames(x) <- paste0("f", seq_len(ncol(x)))
  y <- factor(data$y)
  do.call(rbind, lapply(c(1, 3, 10, 30, 100), function(lambda) {
    fit <- suppressWarnings(fealect(
      x, y, n_runs = 24, n_boot = 0, max_features = 20, lambda = lambda, seed = 1, n_threads = 2,
      progress = FALSE
    ))
    data.frame(
      set = set, n = nrow(x), classes = nlevels(y), features = length(fit$model$features),
      lambda = lambda, error = fit$oob$error, log_loss = log_loss_of(fit$oob$predictions, levels(y))
    )
  }))
})
folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
table <- do.call(rbind, rows)
table[c("error", "log_loss")] <- round(table[c("error", "log_loss")], 3)
utils::write.csv(
  table, file.path(folder, "results", "lambda-classes.csv"), row.names = FALSE, quote = FALSE
)
