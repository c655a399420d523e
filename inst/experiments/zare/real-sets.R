# Test error, number of features and stability of FeaLect, Bolasso, Bolasso-S and cross-validated
# Lars on six real data sets (Zare et al. 2013 compare FeaLect, Bolasso and Lars on six sets).
# Rscript real-sets.R [splits]; writes results/real-sets.csv beside this file. The data are found by
# experiment_data(), see its help page; colon and mcl_sll come with the package.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
dir.create(folder, showWarnings = FALSE)
n_splits <- c(as.integer(commandArgs(trailingOnly = TRUE)), 20L)[1]
n_runs <- 100

read_set <- function(name) {
  if (name == "colon") {
    return(list(x = log2(colon_genes$x), y = colon_genes$y))
  }
  if (name == "mcl_sll") {
    return(list(x = as.matrix(mcl_sll[, -1]), y = factor(mcl_sll$MCL, 0:1, c("SLL", "MCL"))))
  }
  experiment_data(name)[c("x", "y")]
}

wrong <- function(model, x, y) mean(stats::predict(model, x) != y)

# Every method sees the training part only. Bolasso's cross-validation chooses the penalty of the
# lasso on the whole training part: that lasso is the cross-validated Lars of the paper, which
# predicts by the sign of its fit; all others by fit_model() on their features.
one_split <- function(x, y, test, seed) {
  train <- setdiff(seq_along(y), test)
  inside <- list(x = x[train, , drop = FALSE], y = y[train])
  outside <- list(x = x[test, , drop = FALSE], y = y[test])
  scores <- fealect(inside$x, inside$y, n_runs = n_runs, n_boot = 0, oob = FALSE, seed = seed)
  bootstrap <- bolasso(inside$x, inside$y, n_runs = n_runs, seed = seed)
  pairs <- stability_selection(
    inside$x, inside$y,
    cutoff = 0.75, pfer = 1, n_pairs = n_runs / 2, seed = seed
  )
  path <- lars_path(inside$x, inside$y)
  at <- bootstrap$lambda * sqrt(length(train))
  lars <- stats::coef(path, at = at, mode = "lambda")
  sets <- list(
    FeaLect = scores$features,
    "FeaLect, best 10" = scores$table$feature[1:10],
    Bolasso = bootstrap$features,
    "Bolasso-S" = with(bootstrap$table, feature[frequency >= 0.9 - 1e-9]),
    "stability selection" = pairs$features,
    "Lars, refitted" = names(lars)[lars != 0],
    "all features" = colnames(x)
  )
  error <- vapply(sets, function(set) {
    wrong(fit_model(inside$x, inside$y, set), outside$x, outside$y)
  }, 0)
  sign_of_lars <- stats::predict(path, outside$x, at = at, mode = "lambda")
  sets <- c(sets, list(Lars = sets[["Lars, refitted"]], "no features" = character()))
  larger <- names(which.max(table(inside$y)))
  error <- c(error, mean(sign_of_lars != outside$y), mean(larger != outside$y))
  list(sets = sets, error = unname(error))
}

summarise_method <- function(name, method, splits) {
  sets <- lapply(splits, function(split) split$sets[[method]])
  at <- match(method, names(splits[[1]]$sets))
  error <- vapply(splits, function(split) split$error[at], 0)
  size <- lengths(sets)
  data.frame(
    set = name, method = method, splits = length(splits), error = mean(error),
    error_sd = stats::sd(error), features = mean(size), smallest = min(size), largest = max(size),
    empty = mean(size == 0)
  )
}

stability_of <- function(splits, method, feature_names) {
  sets <- lapply(splits, function(split) split$sets[[method]])
  # All splits without any feature, or with all of them: the index is not defined.
  if (all(lengths(sets) == 0L) || all(lengths(sets) == length(feature_names))) {
    return(data.frame(stability = NA_real_, lower = NA_real_, upper = NA_real_))
  }
  runs <- as_selection(sets, feature_names = feature_names, n_total = length(feature_names))
  estimate <- stability(runs, "nogueira")$table
  data.frame(
    stability = estimate$estimate, lower = estimate$lower, upper = estimate$upper
  )
}

compare_on <- function(name) {
  data <- read_set(name)
  # fit_model() and as_selection() work with names.
  if (is.null(colnames(data$x))) colnames(data$x) <- paste0("V", seq_len(ncol(data$x)))
  plan <- resample_subsample(n_splits, 2 / 3, stratify = TRUE)
  drawn <- draw_resamples(plan, data$y, seed = 1)
  splits <- lapply(seq_len(n_splits), function(b) {
    one_split(data$x, data$y, out_of_bag(drawn, b), seed = b)
  })
  message(name)
  do.call(rbind, lapply(names(splits[[1]]$sets), function(method) {
    data.frame(
      summarise_method(name, method, splits), stability_of(splits, method, colnames(data$x)),
      n = nrow(data$x), p = ncol(data$x)
    )
  }))
}

sets <- c("mcl_sll", "colon", "sonar", "ionosphere", "wdbc", "lsvt")
results <- do.call(rbind, lapply(sets, compare_on))
is_real <- vapply(results, is.double, NA)
results[is_real] <- lapply(results[is_real], signif, digits = 4)
utils::write.csv(results, file.path(folder, "real-sets.csv"), row.names = FALSE)
options(width = 150)
print(results, digits = 3, row.names = FALSE)
