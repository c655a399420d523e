# Selectors from penalised least squares and likelihood paths.

#' Lasso and elastic net selectors
#'
#' Follows the path of every run (see [lars_path()] and [lasso_path()]). Scores features by their
#' part in the models of the path, or by their coefficients in the model of a given size.
#'
#' @param criterion (string) one of
#'   * `"contribution"`: the FeaLect score of the run, \eqn{\sum_k [j \in F_k] / k} over its models
#'     of k features (Zare et al. 2013, see [fealect()]);
#'   * `"entry"`: the order of entry, p for the first feature, p - 1 for the second, ..., the same
#'     for features that enter together;
#'   * `"coefficient"`: the size of the coefficient in one model on the path of glmnet, see Details.
#' @param max_features (whole number >= 1, or `NULL`) size of the largest model of a path that
#'   counts; `NULL` follows every path to its end, of more than 1,000 samples to 250 features (100
#'   by likelihood). With `max_features = k` this is the lasso with a target of k features. For
#'   `"coefficient"` the size of the model; `NULL` takes the number given to [select_ensemble()] or
#'   [score_features()].
#' @param family (string, or `NULL`) likelihood, see [lasso_path()]; `NULL` takes Cox regression for
#'   survival times, otherwise least squares. For `"coefficient"` only `NULL` is allowed.
#' @param alpha (number in (0, 1\]) share of the lasso penalty; 1 is the lasso.
#' @details
#' Features in none of the counted models score 0; the others are the set that a run selects.
#'
#' Paths are least squares on the outcome (two classes coded -1 and 1), with features of norm one in
#' the run, unless `family` is given. Survival times enter by the partial likelihood of Cox
#' regression.
#'
#' `criterion = "coefficient"` fits numbers by least squares, two classes by logistic regression and
#' several by multinomial regression with grouped coefficients, on 200 values of lambda. It takes
#' the last model on the path with at most `max_features` features. If the first model with any
#' features is larger, it is cut to its largest coefficients. The score is the size of the
#' coefficient on the scale of standardised features (Euclidean norm over classes).
#' @return (`stabilect_selector`) for [select_ensemble()] and [score_features()].
#' @section Errors:
#' Class `stabilect_error_input` for parameters out of range, and if `criterion = "coefficient"`
#' runs without a number of features; `stabilect_error_package` if glmnet is not installed.
#' @references Zare H, Haffari G, Gupta A, Brinkman RR (2013). Scoring relevancy of features based
#'   on combinatorial analysis of Lasso with application to lymphoma diagnosis. *BMC Genomics*
#'   14(Suppl 1), S14. \doi{10.1186/1471-2164-14-S1-S14}
#' @family selectors
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' scores <- score_features(x, mcl_sll$MCL, selector_lasso_path(max_features = 10))
#' head(scores[order(scores$rank), ])
#' @export
selector_lasso_path <- function(criterion = c("contribution", "entry", "coefficient"),
                                max_features = NULL, family = NULL, alpha = 1) {
  rule <- check_choice(criterion, c("contribution", "entry", "coefficient"))
  family <- check_family(family)
  if (rule == "coefficient") {
    refuse(!is.null(family), "{.arg family} follows from the response for {.val coefficient}.")
    return(coefficient_selector(check_fraction(alpha), check_count(max_features, null_ok = TRUE)))
  }
  params <- list(
    criterion = rule, max_features = check_count(max_features, null_ok = TRUE),
    family = family, alpha = check_fraction(alpha)
  )
  refuse(!is.null(family) && family_record(family)$asked,
    "{.arg family} must be one that follows from a response: counts are numbers here."
  )
  run <- function(x, y, weights, control) {
    out <- score_paths_of(x, y, weights, params, control)
    status <- status_of_runs(y, weights)
    failed <- status == "ok" & out$status %in% failed_path
    status[failed] <- gsub("_", " ", out$status[failed])
    value <- if (rule == "entry") entry_scores(out$paths, ncol(x)) else run_columns(out$scores, x)
    value[, status != "ok"] <- 0
    new_runs(value, status, colnames(x), selected = positive_pattern(value, colnames(x)))
  }
  new_selector("lasso_path", "lasso path", params, family_takes(family), run)
}

# The paths of runs, by least squares or by likelihood.
score_paths_of <- function(x, y, weights, params, control) {
  counts <- weights
  storage.mode(counts) <- "double"
  family <- family_of(params$family, y)
  squares <- is_plain(list(family = family, alpha = params$alpha))
  limit <- no_limit(end_of_paths(params, nrow(x), squares, control))
  ties <- list(tie_names = cpp_name_numbers(colnames(x)), tie_seeds = control$ties)
  if (squares) {
    options <- c(list(limit = limit, keep_paths = params$criterion == "entry"), ties)
    return(cpp_score_paths(x, as.double(y$y), counts, options, control$n_threads, control$report))
  }
  cpp_likelihood_scores(
    x, likelihood_response(y, family), matrix(0, nrow(x), 0L), counts,
    c(
      list(alpha = params$alpha, max_features = limit, each_size = TRUE), lambda_options(NULL, x),
      ties
    ),
    control$n_threads, control$report
  )
}

# Features at which paths end, NULL for none: lists of a size need paths of as many.
end_of_paths <- function(params, n, squares, control) {
  if (!is.null(params$max_features)) {
    return(params$max_features)
  }
  longest <- longest_path(n, squares)
  if (!is.null(longest)) max(longest, control$n_features)
}

# The compressed scores of all runs as one matrix, p x B.
run_columns <- function(scores, x) {
  n_runs <- length(scores$p) - 1L
  value <- matrix(0, ncol(x), n_runs)
  value[cbind(scores$i + 1L, rep(seq_len(n_runs), diff(scores$p)))] <- scores$x
  value
}

# p for the features of the first step, minus the number of features that entered earlier for
# others. Only the first entry counts; leaving does not.
entry_scores <- function(paths, p) {
  events <- path_events(paths)
  entry <- which(is_first_entry(events))
  run <- events$run[entry]
  step <- events$step[entry]
  value <- matrix(0, p, length(paths$run_steps))
  value[cbind(events$feature[entry], run)] <- p - (match(step, step) - match(run, run))
  value
}

# The coefficients of the model with `n_features` features on the path of glmnet.
coefficient_selector <- function(alpha, n_features) {
  check_package("glmnet", "selector")
  run <- function(x, y, weights, control) {
    size <- wanted_features(
      n_features, control, ncol(x), "selector_lasso_path", "max_features"
    )
    labels <- tame_response(response_labels(y))
    x <- tame_columns(x)
    out <- score_each_run(x, y, weights, control, function(rows, seed) {
      # Counts as weights: glmnet sees each row once.
      counts <- tabulate(rows, nrow(x))
      kept <- which(counts > 0L)
      elastic_net_scores(
        x[kept, , drop = FALSE], labels[kept], as.double(counts[kept]), alpha, size, seed
      )
    })
    out$selected <- positive_pattern(out$score, colnames(x))
    out
  }
  new_selector("elastic_net", "elastic net", list(alpha = alpha, n_features = n_features),
    c("binary", "multiclass", "numeric"), run
  )
}

elastic_net_scores <- function(x, y, weights, alpha, size, seed) {
  if (is.factor(y)) y <- droplevels(y)
  family <- if (!is.factor(y)) "gaussian" else if (nlevels(y) > 2L) "multinomial" else "binomial"
  more <- if (family == "multinomial") list(type.multinomial = "grouped")
  limit <- min(ncol(x), 2L * size + 20L)
  # glmnet warns when a path ends early, which is intended here.
  fit <- suppressWarnings(do.call(glmnet::glmnet, c(
    list(x, y, family = family, weights = weights, alpha = alpha, nlambda = 200, dfmax = limit),
    more
  )))
  beta <- if (is.list(fit$beta)) fit$beta else list(fit$beta)
  squares <- Reduce(`+`, lapply(beta, function(b) as.matrix(b)^2))
  model <- choose_model(colSums(squares > 0), size)
  centre <- colSums(x * weights) / sum(weights)
  spread <- sqrt(colSums(sweep(x, 2L, centre)^2 * weights) / sum(weights))
  score <- sqrt(squares[, model]) * spread
  keep_best(score, colnames(x), size, seed)
}

# Scores of 0 for all but the `size` best.
keep_best <- function(score, names, size, seed) {
  replace(score, order_best(names, score, seed = seed)[-seq_len(size)], 0)
}

# The last model with at most `size` features, else the smallest with any.
choose_model <- function(sizes, size) {
  fitting <- which(sizes > 0 & sizes <= size)
  if (length(fitting) > 0L) {
    return(max(fitting))
  }
  any_feature <- which(sizes > 0)
  if (length(any_feature) == 0L) {
    stop("no feature entered")
  }
  any_feature[1L]
}
