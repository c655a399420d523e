# FeaLect, Bolasso, Bolasso-S, stability selection and cross-validated Lars on a real data set: test
# error, number of features and stability over splits. Read by experiments/zare/real-sets.R and by
# vignette("paper-zare"). Sets other than colon and mcl_sll are found by experiment_data().

n_runs <- 100

read_set <- function(name) {
  if (name == "colon") {
    return(list(x = log2(colon_genes$x), y = colon_genes$y))
  }
  if (name == "mcl_sll") {
    return(list(x = as.matrix(mcl_sll[, -1]), y = factor(mcl_sll$MCL, 0:1, c("SLL", "MCL"))))
  }
  set <- experiment_data(name)[c("x", "y")]
  # fit_model() and as_selection() work with names.
  if (is.null(colnames(set$x))) colnames(set$x) <- paste0("V", seq_len(ncol(set$x)))
  set
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
    # Line 10 of Algorithm 1: the third segment, whether or not the curve really bends.
    FeaLect = scores$three_segment$g3,
    # The package's own gate: nothing where the bend is within noise.
    "FeaLect, gated" = scores$three_segment$features,
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

# to_lars: mean difference of the error to that of Lars in the same splits.
summarise_method <- function(name, method, splits) {
  sets <- lapply(splits, function(split) split$sets[[method]])
  error_of <- function(one) {
    at <- match(one, names(splits[[1]]$sets))
    vapply(splits, function(split) split$error[at], 0)
  }
  error <- error_of(method)
  difference <- error - error_of("Lars")
  size <- lengths(sets)
  data.frame(
    set = name, method = method, splits = length(splits), error = mean(error),
    error_sd = stats::sd(error), to_lars = mean(difference),
    to_lars_se = stats::sd(difference) / sqrt(length(splits)), features = mean(size),
    smallest = min(size), largest = max(size), empty = mean(size == 0)
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

rounded <- function(rows) {
  is_real <- vapply(rows, is.double, NA)
  rows[is_real] <- lapply(rows[is_real], signif, digits = 4)
  rows
}

run_splits <- function(name, n_splits, which = seq_len(n_splits)) {
  data <- read_set(name)
  plan <- resample_subsample(n_splits, 2 / 3, stratify = TRUE)
  drawn <- draw_resamples(plan, data$y, seed = 1)
  lapply(which, function(b) one_split(data$x, data$y, split(drawn, "out")[[b]], seed = b))
}

# Test error and number of features in every split: two rows a split, a column for each method.
split_table <- function(name, splits) {
  methods <- names(splits[[1]]$sets)
  rows <- lapply(splits, function(split) rbind(split$error, lengths(split$sets)))
  values <- do.call(rbind, rows)
  colnames(values) <- methods
  rounded(data.frame(
    set = name, split = rep(seq_along(splits), each = 2L), measure = c("error", "features"),
    values, check.names = FALSE
  ))
}

# One row per method.
summary_table <- function(name, splits) {
  data <- read_set(name)
  rounded(do.call(rbind, lapply(names(splits[[1]]$sets), function(method) {
    data.frame(
      summarise_method(name, method, splits), stability_of(splits, method, colnames(data$x)),
      n = nrow(data$x), p = ncol(data$x)
    )
  })))
}

# Two score curves of the lymphoma data from as many subsamples each, with seeds of their own, so
# that no subsample is in two of them (Figures 1 and 2 of the paper).
score_curves <- function(n_subsamples) {
  data <- read_set("mcl_sll")
  do.call(rbind, lapply(1:2, function(i) {
    scores <- fealect(
      data$x, data$y, n_runs = n_subsamples, n_boot = 0, oob = FALSE, seed = n_subsamples + i
    )
    table <- scores$table[order(scores$table$feature, method = "radix"), ]
    data.frame(
      subsamples = n_subsamples, curve = i, feature = table$feature,
      score = signif(table$score, 6), se = signif(table$se, 4), frequency = table$frequency,
      above_cut = table$feature %in% scores$features
    )
  }))
}
