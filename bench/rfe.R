# Recursive feature elimination side by side with loops in R and caret::rfe(), at the size of the
# prostate data of Singh et al.: 102 x 12600, two classes, 5 folds. From the package's root:
# Rscript bench/rfe.R
#
# All see the same folds and drop 20 per cent of the features at a time; in each fold the models
# predict the samples that are left out at every size, as RFE with cross-validation has to. The
# loops standardise once per fold. All run on one thread, stabilect without the final refit.
# Processor seconds: medians of five for stabilect, single runs for others; where one would take
# long, some folds are timed and scaled, and the row says so. The last row is the elapsed time of
# stabilect on one thread against that on two.

source(file.path("bench", "bench-helpers.R"))
suppressPackageStartupMessages(library(stabilect))

# The machine of LIBLINEAR, as in the loop over it.
penalised_svm <- function() learner_svm(intercept = "penalised")

n <- 102L
p <- 12600L
n_folds <- 5L
data <- expression_like(n, p, 1)
x <- data$x
colnames(x) <- paste0("g", seq_len(p))
y <- data$y
folds <- draw_resamples(resample_folds(n_folds, stratify = TRUE), y, seed = 1)

ours <- function(learner, n_threads = 1L, clock = cpu_seconds) {
  run <- function() {
    eliminate_features(x, y, learner, search_sizes(step = 0.2), folds, refit = FALSE, seed = 1,
      n_threads = n_threads, progress = FALSE)
  }
  run()
  stats::median(vapply(1:5, function(i) clock(run()), 0))
}

row <- function(case, stabilect, other, seconds, scaled = "") {
  data.frame(
    case = sprintf("%s n=%d p=%d folds=%d", case, n, p, n_folds), stabilect = stabilect,
    other = other, other_seconds = seconds, ratio = seconds / stabilect, scaled = scaled
  )
}

# fit(z, y) returns list(w (weights), predict (function of new z)).
loop <- function(fold, fit) {
  bag <- as.matrix(folds)[, fold] > 0
  centre <- colMeans(x[bag, ])
  spread <- sqrt(colMeans((x[bag, ] - rep(centre, each = sum(bag)))^2))
  z <- (x - rep(centre, each = n)) / rep(spread, each = n)
  active <- seq_len(p)
  accuracy <- double()
  repeat {
    model <- fit(z[bag, active, drop = FALSE], y[bag])
    accuracy <- c(accuracy, mean(model$predict(z[!bag, active, drop = FALSE]) == y[!bag]))
    if (length(active) == 1L) break
    n_out <- max(1, floor(0.2 * length(active)))
    active <- active[-order(abs(model$w), -active)[seq_len(n_out)]]
  }
  accuracy
}

liblinear <- function(epsilon) {
  function(z, y) {
    fit <- LiblineaR::LiblineaR(z, y, type = 1, cost = 1, bias = 1, epsilon = epsilon)
    list(w = fit$W[seq_len(ncol(z))], predict = function(new) stats::predict(fit, new)$predictions)
  }
}

svm_e1071 <- function(z, y) {
  fit <- e1071::svm(z, y, kernel = "linear", cost = 1, scale = FALSE)
  list(w = crossprod(fit$coefs, fit$SV), predict = function(new) stats::predict(fit, new))
}

# glmnet refuses single columns: the last size is left out by padding.
ridge_glmnet <- function(z, y) {
  k <- ncol(z)
  if (k == 1L) z <- cbind(z, 0)
  fit <- glmnet::glmnet(z, y, "binomial", alpha = 0, lambda = 3 / nrow(z), standardize = FALSE)
  list(w = fit$beta[seq_len(k)], predict = function(new) {
    if (k == 1L) new <- cbind(new, 0)
    stats::predict(fit, new, type = "class")
  })
}

compare <- function(case, ours, package, label, fit, n_timed) {
  if (!requireNamespace(package, quietly = TRUE)) {
    return(NULL)
  }
  some <- cpu_seconds(for (fold in seq_len(n_timed)) loop(fold, fit))
  row(case, ours, label, some * n_folds / n_timed,
    if (n_timed < n_folds) sprintf("%d of %d folds timed", n_timed, n_folds) else ""
  )
}

# caret with its own SVM functions (kernlab, linear kernel): the default rankings are ROC filters,
# so that the weights are given here. It evaluates the same sizes.
caret_seconds <- function() {
  functions <- caret::lrFuncs
  functions$fit <- function(x, y, first, last, ...) {
    kernlab::ksvm(as.matrix(x), y, kernel = "vanilladot", kpar = list(), C = 1, scaled = FALSE)
  }
  functions$pred <- function(object, x) data.frame(pred = kernlab::predict(object, as.matrix(x)))
  functions$rank <- function(object, x, y) {
    w <- crossprod(kernlab::coef(object)[[1]], as.matrix(x)[kernlab::alphaindex(object)[[1]], ])
    at <- order(-abs(w))
    data.frame(Overall = abs(w)[at], var = colnames(x)[at])
  }
  functions$summary <- caret::defaultSummary
  sizes <- p
  while (sizes[1] > 1) sizes <- c(sizes[1] - max(1, floor(0.2 * sizes[1])), sizes)
  bag <- lapply(seq_len(n_folds), function(fold) which(as.matrix(folds)[, fold] > 0))
  control <- caret::rfeControl(
    functions = functions, method = "cv", index = bag, rerank = TRUE, allowParallel = FALSE
  )
  z <- as.data.frame(scale(x))
  cpu_seconds(caret::rfe(z, y, sizes = sizes[-length(sizes)], rfeControl = control))
}

svm <- ours(penalised_svm())
logistic <- ours(learner_logistic())
rows <- list(
  compare("SVM-RFE step 0.2", svm, "LiblineaR", "LiblineaR, default epsilon (0.01)",
    liblinear(0.01), n_folds),
  compare("SVM-RFE step 0.2", svm, "LiblineaR", "LiblineaR, epsilon 1e-3", liblinear(1e-3), 2L),
  compare("SVM-RFE step 0.2", svm, "e1071", "e1071::svm", svm_e1071, 1L),
  compare("logistic-RFE step 0.2", logistic, "glmnet", "glmnet", ridge_glmnet, 2L)
)
if (requireNamespace("caret", quietly = TRUE) && requireNamespace("kernlab", quietly = TRUE)) {
  rows <- c(rows, list(row("SVM-RFE step 0.2", svm, "caret::rfe, kernlab", caret_seconds())))
}
rows <- c(rows, list(row(
  "SVM-RFE step 0.2, elapsed, two threads", ours(penalised_svm(), 2L, seconds),
  "stabilect on one thread", ours(penalised_svm(), 1L, seconds)
)))
record("rfe", do.call(rbind, rows), file = file.path("bench", "rfe.csv"))
