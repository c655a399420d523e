# Figure 4 of Brzezinski (2020) with the author's support vector machine and folds (run-svm.R),
# first outer fold of arcene. Rscript experiments/brzezinski/curves-svm.R writes
# results/curves-svm.csv; methods that are stored are not run again.

library(stabilect)

here <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(here) > 0L) dirname(here) else "."
# The learner, folds and searches of run-svm.R, without its runs.
lines <- readLines(file.path(here, "run-svm.R"))
eval(parse(text = lines[grep("^folder <- ", lines):(grep("^run_one <- ", lines) - 1L)]))

data <- experiment_data("skf_arcene")
storage.mode(data$x) <- "double"
y <- factor(data$y)
train <- row_folds(y, 10) != 1
low <- apply(data$x[train, ], 2L, min)
width <- apply(data$x[train, ], 2L, max) - low
z <- t((t(data$x[train, ]) - low) / ifelse(width == 0, 1, width))
inner <- row_folds(y[train], 5)
plan <- resample_custom(lapply(1:5, function(k) which(inner != k)), n = sum(train))

curve_of <- function(method, search) {
  fit <- eliminate_features(
    z, droplevels(y[train]), learner, search, plan, tie = "smallest", size_rule = "best",
    refit = FALSE, seed = 1, progress = FALSE
  )
  data.frame(
    data = "arcene", classifier = "SVM", method = method, chosen = fit$n_features,
    size = fit$sizes$size, score = signif(fit$sizes$score, 5)
  )
}

run_pair <- function(cell) {
  ours <- curve_of(cell$search, searches[[cell$search]])
  plain <- if (cell$search == "FRFE") "RFE_F" else sub("SRFE", "RFE", cell$search)
  step <- ncol(z) %/% nrow(ours) + 1
  cbind(search = cell$search, rbind(ours, curve_of(plain, search_sizes(step = step))))
}

run_cells(folder, "curves-svm", data.frame(search = names(searches)), run_pair, seed = 1)
