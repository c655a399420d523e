# Real weak selectors and real ensembles.

sizes <- c(1L, 2L, 5L, 10L, 20L, 30L, 50L, 100L)

# Sets of the ensembles of `size` that the weak selectors of one fold make, each used once:
# n_features x blocks, columns of x.
block_sets <- function(selection, size, n_features) {
  n_blocks <- selection$n_runs %/% size
  vapply(seq_len(n_blocks), function(k) {
    runs <- (k - 1L) * size + seq_len(size)
    ranking <- aggregate(selection[runs], aggregate_by("mean_rank"), n_features = n_features)
    match(ranking$features, selection$feature_names)
  }, integer(n_features))
}

# Accuracy of a forest that learns from the other half, on the sample left out: 1 or 0.
hit_of_set <- function(x, y, rows, out, features, run_seed) {
  fit <- ranger::ranger(
    x = x[rows, features, drop = FALSE], y = droplevels(y[rows]), num.trees = 500,
    seed = run_seed, num.threads = 1
  )
  guess <- stats::predict(fit, x[out, features, drop = FALSE], num.threads = 1)$predictions
  as.character(guess) == as.character(y[out])
}

run_fold <- function(case, set, n_features, fold, fold_seed) {
  x <- set$x[-fold, , drop = FALSE]
  set.seed(fold_seed)
  rows <- weak_rows(case$reading, nrow(x), case$n_weak)
  took <- system.time({
    ensemble <- select_ensemble(
      x, set$y[-fold], case_selector(case, ncol(x)), resample_custom(rows$rows, n = nrow(x)),
      aggregate_by("mean_rank"), n_features = n_features, seed = fold_seed, progress = FALSE
    )
  }, gcFirst = FALSE)[["elapsed"]]
  selection <- ensemble$selection
  if (any(selection$status != "ok")) stop("A run failed: ", toString(unique(selection$status)))
  used <- sizes[sizes <= case$n_weak]
  blocks <- lapply(used, function(size) block_sets(selection, size, n_features))
  others <- (seq_len(nrow(set$x))[-fold])[rows$predictor]
  hits <- if (case$selector == "forest" && case$reading == "one_half") {
    vapply(blocks, function(b) {
      as.numeric(hit_of_set(set$x, set$y, others, fold, b[, 1], fold_seed))
    }, 0)
  }
  list(sizes = used, blocks = blocks, hits = hits, seconds = took)
}

# Mean Jaccard of all pairs of columns of a matrix of sets.
mean_jaccard <- function(sets, p) {
  inside <- matrix(0, p, ncol(sets))
  inside[cbind(c(sets), rep(seq_len(ncol(sets)), each = nrow(sets)))] <- 1
  inside <- inside[rowSums(inside) > 0, , drop = FALSE]
  both <- crossprod(inside)
  j <- both / (2 * nrow(sets) - both)
  mean(j[upper.tri(j)])
}

run_case <- function(case, set = experiment_data(sets$file[sets$data == case$data])) {
  info <- sets[sets$data == case$data, ]
  # Names of samples would only be checked again and again.
  set$x <- unname(set$x)
  storage.mode(set$x) <- "double"
  colnames(set$x) <- paste0("V", seq_len(ncol(set$x)))
  set.seed(seed)
  seeds <- sample.int(.Machine$integer.max, info$n)
  folds <- lapply(seq_len(info$n), function(i) run_fold(case, set, info$n_features, i, seeds[i]))
  used <- folds[[1]]$sizes
  # Of every fold the b-th ensemble: n sets, of which one stability.
  stability <- lapply(seq_along(used), function(s) {
    vapply(seq_len(ncol(folds[[1]]$blocks[[s]])), function(b) {
      mean_jaccard(vapply(folds, function(f) f$blocks[[s]][, b], integer(info$n_features)), info$p)
    }, 0)
  })
  single <- lapply(seq_len(case$n_weak), function(b) {
    vapply(folds, function(f) f$blocks[[1]][, b], integer(info$n_features))
  })
  counts <- vapply(single, function(s) tabulate(s, info$p), integer(info$p))
  list(
    case = case, sizes = used, stability = stability,
    accuracy = if (!is.null(folds[[1]]$hits)) {
      Reduce(`+`, lapply(folds, function(f) f$hits)) / info$n
    },
    seconds = sum(vapply(folds, function(f) f$seconds, 0)),
    # For each repetition, how many features were selected 0, 1, ..., n times.
    spectrum = apply(counts, 2L, function(k) tabulate(k + 1L, info$n + 1L)),
    # The sets of the first repetitions, n_features x n each, best feature first.
    runs = single[seq_len(min(5L, case$n_weak))]
  )
}

case_path <- function(name) file.path(folder, "cases", paste0(name, ".rds"))

run_cases <- function(pattern = NA) {
  wanted <- if (is.na(pattern)) cases else cases[grepl(pattern, cases$case), ]
  for (i in seq_len(nrow(wanted))) {
    path <- case_path(wanted$case[i])
    if (file.exists(path)) next
    result <- run_case(wanted[i, ])
    saveRDS(result, path, compress = "xz")
    cat(format(Sys.time(), "%H:%M:%S"), wanted$case[i], round(result$seconds), "s,",
      paste0(result$sizes, ":", signif(vapply(result$stability, mean, 0), 3)), "\n"
    )
  }
}

read_cases <- function() {
  done <- cases$case[file.exists(case_path(cases$case))]
  stats::setNames(lapply(done, function(name) readRDS(case_path(name))), done)
}
