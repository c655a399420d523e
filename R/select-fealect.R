#' Score features by lasso paths on many resamples
#'
#' Runs the lasso path on many subsamples, scores every feature by the models in which it takes
#' part, and cuts the sorted scores where the curve bends up (FeaLect; Zare et al. 2013). Returns
#' the scores with their standard errors, the informative features with an interval for their
#' number, a final model, and an out-of-bag error of the whole procedure.
#'
#' @param x (numeric matrix, n samples x p features) or a data frame of numbers, or a sparse Matrix;
#'   no missing values, n >= 3. Unnamed columns are called `V1`, `V2`, ... Formulas, Bioconductor
#'   containers and prepared data go in as well, see [prepare_data()].
#' @param y (n values) response: two classes (factor, character, logical, 0/1 or -1/1), which enter
#'   the least squares as -1 and 1, or numbers.
#' @param n_runs (whole number >= 1) number of subsamples, m in the paper.
#' @param fraction (number in (0, 1)) size of a subsample relative to n, gamma in the paper; sizes
#'   are rounded down.
#' @param max_features (whole number >= 1, or `NULL`) the largest model of a path that counts;
#'   `NULL` follows every path to its end.
#' @param resampling (`stabilect_resampling` or `stabilect_resamples`, or `NULL`) other resamples
#'   than `n_runs` subsamples of size `fraction`: a plan such as `resample_bootstrap(200)`, or drawn
#'   ones that are to be shared with another analysis.
#' @param score_rule (string) which model counts for k: `"size"`, the one with exactly k features
#'   (the paper), or `"step"`, the one after step k of the path (the R package FeaLect).
#' @param min_segment (whole number >= 1) smallest number of features in a bent part of the score
#'   curve, see [three_segment()].
#' @param n_boot (whole number >= 0) how often the runs are resampled for the interval of the number
#'   of informative features; 0 for no interval.
#' @param conf_level (number in (0, 1)) confidence level of that interval.
#' @param method,lambda (string; number >= 0) of the final model, see [fit_model()].
#' @param oob (flag) estimate the out-of-bag error?
#' @param seed (whole number from 0 to 2^31 - 1, or `NULL`) `NULL` takes one integer from R's
#'   generator, so that [set.seed()] works.
#' @param n_threads (whole number >= 1) threads; the result is the same for any number.
#' @param progress (flag) show a progress bar when it takes long?
#' @param checkpoint (string, or `NULL`) name of a file in which finished runs are kept, so that a
#'   call that was killed goes on where it was when it is repeated, with the same result. A file
#'   that was made with other data, another seed or other settings is refused. See
#'   `vignette("scaling-out")`.
#' @param until (`stabilect_until`, or `NULL`) a rule by which to stop before all runs of the plan
#'   are done, see [until_stable()].
#'
#' @details
#' **Score.** Let \eqn{F_k^b} be the set of features in the model of run b when exactly k features
#' are selected. Then (Eq. 2 and 3)
#' \deqn{S_k^b(f) = \frac{1}{k} [f \in F_k^b], \quad
#'       S(f) = \sum_k \frac{1}{m} \sum_{b=1}^m S_k^b(f).}
#' A lasso path can meet a size several times, because features may leave: the first model of that
#' size counts, the one at the largest lambda. A size that is skipped because several features enter
#' together contributes nothing.
#'
#' **Threshold.** [three_segment()] fits a quadratic - linear - quadratic curve to the sorted
#' logarithms of the positive scores; the features above its upper knot are informative when the
#' curve really bends up there, and none are when it does not (`threshold$reason` says why). It is a
#' preselection: with 10 of 1,000 features informative, the list held 8 to 10 of them and 80 to 160
#' others (`vignette("fealect")`). The order of the scores is worth more than the cut; for a short
#' list with few false features use [stability_selection()].
#'
#' The interval of their number, and `support`, come from drawing the runs with replacement `n_boot`
#' times: they say what other *subsamples of the same data* would give, not what new data would. A
#' draw with replacement holds fewer distinct runs, which moves the knot to fewer features; so the
#' interval takes only its width from the replicates and is laid around the estimate, and `support`
#' errs on the low side. Over 40 seeds each, 95 % intervals so made held the median of the estimates
#' in 93 and 98 % of the cases on colon (100 and 400 runs) and in 95 and 100 % on mcl_sll; plain
#' percentiles of the replicates in 48 and 53 % on colon.
#'
#' **Out-of-bag error.** For each sample, the scores, the threshold and the final model are made
#' anew from the runs that did not contain it, with the final model fitted without it; then it is
#' predicted. No part of what predicts a sample has seen it, so the error is that of the whole
#' procedure with about `n_runs * (1 - fraction)` runs, at no further path. When the plan has
#' blocks, the final model is fitted without the whole block of the sample, and the standard error
#' is over blocks.
#'
#' **What the R package FeaLect 1.20 does instead.** It draws with replacement and then drops
#' duplicates (about 0.53 n distinct rows for `fraction = 0.75`), balances the classes by
#' oversampling, counts the model after step k of the path (`score_rule = "step"`), sums over runs
#' instead of averaging, and has no threshold. `resampling = resample_bootstrap(100, 3/4, balance =
#' TRUE)` comes close; there, rows drawn twice have twice the weight.
#'
#' **Failed runs.** A subsample with one class is drawn again, at most 1000 times (see
#' [draw_resamples()]). A run that still fails is kept with its reason in `selection$status` and
#' left out of the averages.
#'
#' @return An object of class `stabilect_fealect`, a list with
#' \describe{
#'   \item{scores}{(data frame, p rows, best first) `feature`, `score` \eqn{S(f)}, `se` (its
#'     standard error over runs, `NA` for one run), `frequency` (share of runs in which the feature
#'     was in a model that counts), `support` (share of the `n_boot` replicates in which it is above
#'     the threshold; `NA` when `n_boot = 0`), `informative` (flag).}
#'   \item{informative}{(character) informative features, best first; empty when there are none.}
#'   \item{n_informative}{(data frame, one row) `estimate`, `lower`, `upper`, `conf_level`; the
#'     limits are `NA` when `n_boot = 0`.}
#'   \item{threshold}{(`stabilect_three_segment`) the curve and its knots, see [three_segment()].}
#'   \item{model}{(`stabilect_model`) final model on the informative features, see [fit_model()].}
#'   \item{oob}{(`stabilect_oob`) `error` (misclassification rate, or mean squared error),
#'     `baseline` (the same without features), `se`, `n`, `measure` (string) and `predictions` (data
#'     frame: `sample`, `observed`, `predicted`, `link`, `n_runs`, `n_informative`; `NA` for samples
#'     in every run). `NULL` when `oob = FALSE` or no sample was ever left out.}
#'   \item{convergence}{(data frame) `n_runs`, `correlation` (of the scores of the first `n_runs`
#'     runs with those of the other runs), `overlap` (share of the best features in common, as many
#'     as are informative or ten).}
#'   \item{selection}{(`stabilect_selection`) scores of every run, see [selection].}
#'   \item{paths}{(list) events and lambda of all paths in compact form, for `plot()`.}
#'   \item{resamples}{(`stabilect_resamples`)}
#'   \item{settings}{(list) `n`, `p`, `levels`, `class_sizes`, `max_features`, `score_rule`,
#'     `min_segment`, `n_boot`, `conf_level`, `n_failed`, `n_runs_ok`, `seed`, and `until` or
#'     `merged`, see [until_stable()] and [merge_runs()].}
#' }
#' @section Errors:
#' Class `stabilect_error_input`, with the argument, the place and what to do: missing or infinite
#' values, fewer than three samples, one class or more than two, lengths or names that disagree, a
#' `fraction` outside (0, 1), all columns constant. Class `stabilect_error_runs` when no run
#' succeeded. An interrupt ends the call; it never returns part of the runs.
#' @references Zare H, Haffari G, Gupta A, Brinkman RR (2013). Scoring relevancy of features based
#'   on combinatorial analysis of Lasso with application to lymphoma diagnosis. *BMC Genomics*
#'   14(Suppl 1), S14. \doi{10.1186/1471-2164-14-S1-S14}
#' @family fealect
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' y <- factor(mcl_sll$MCL, levels = c(0, 1), labels = c("SLL", "MCL"))
#' fit <- fealect(x, y, n_runs = 100, seed = 1)
#' fit
#' head(as.data.frame(fit))
#' predict(fit, x[1:3, ])
#' @export
fealect <- function(x, y, n_runs = 100, fraction = 3 / 4, max_features = NULL, resampling = NULL,
                    score_rule = c("size", "step"), min_segment = 1, n_boot = 200,
                    conf_level = 0.95, method = NULL, lambda = NULL, oob = TRUE, seed = NULL,
                    n_threads = 1, progress = interactive(), checkpoint = NULL, until = NULL) {
  input <- read_input(x, y)
  data <- check_xy(input$x, input$y)
  check_varying(data$x)
  warn_leak(data)
  if (is.null(resampling)) {
    n_runs <- check_count(n_runs, "n_runs")
    fraction <- check_fraction(fraction, "fraction", open_right = TRUE)
    resampling <- resample_subsample(n_runs, fraction)
  } else if (!missing(n_runs) || !missing(fraction)) {
    abort("Give either {.arg resampling}, or {.arg n_runs} and {.arg fraction}, not both.")
  }
  settings <- list(
    max_features = check_count(max_features, "max_features", null_ok = TRUE),
    score_rule = check_choice(score_rule, "score_rule", c("size", "step")),
    min_segment = check_count(min_segment, "min_segment"),
    n_boot = check_count(n_boot, "n_boot", min = 0),
    conf_level = check_fraction(conf_level, "conf_level", open_right = TRUE)
  )
  method <- if (is.null(method)) default_method(data$type) else check_method(method, data$type)
  lambda <- check_lambda(lambda, method)
  oob <- check_flag(oob, "oob")
  progress <- check_flag(progress, "progress")
  n_threads <- check_threads(n_threads)
  resampling <- plan_with_blocks(resampling, input$blocks)
  resamples <- resolve_resamples(resampling, observed_response(data), nrow(data$x), seed)

  done <- run_until(until, resamples, checkpoint, function(resamples, checkpoint) {
    run_fealect_paths(data, resamples, settings, n_threads, progress, checkpoint)
  }, function(runs) list(runs$selection))
  runs <- done$runs
  resamples <- done$resamples
  settings$until <- done$until
  fit <- threshold_scores(runs$selection, settings, resamples$seed, n_threads)
  informative <- fit$threshold$informative
  fit <- new_fealect(
    data = data, fit = fit, runs = runs, resamples = resamples, settings = settings,
    model = fit_model(data$x, observed_response(data), informative, method, lambda),
    oob = if (oob) oob_error(data, runs$selection, resamples, settings, method, lambda, n_threads)
  )
  with_input_notes(fit, input$notes, input$coding)
}

default_method <- function(type) if (type == "binary") "ridge_logistic" else "least_squares"

check_varying <- function(x, call = rlang::caller_env()) {
  for (j in seq_len(ncol(x))) {
    if (any(x[, j] != x[1L, j])) {
      return(invisible(x))
    }
  }
  abort("All {ncol(x)} column{?s} of {.arg x} are constant; there is nothing to select from.",
    call = call
  )
}

# The commonest slip with a table read from a file: the response is still among the features.
warn_leak <- function(data, call = rlang::caller_env()) {
  # Constant columns have no correlation, and cor() says so.
  correlation <- suppressWarnings(stats::cor(data$x, data$y))
  leak <- which(abs(correlation) > 1 - 1e-10)
  if (length(leak) > 0L) {
    cli::cli_warn(
      c("Column {leak[1]} ({.val {data$feature_names[leak[1]]}}) of {.arg x} tells {.arg y}
         exactly.",
        i = "Leave it out if it is the response itself."
      ),
      class = "stabilect_warning_leak", call = call
    )
  }
}

# A plan is drawn for these samples; drawn resamples are checked against them.
resolve_resamples <- function(resampling, y, n, seed, call = rlang::caller_env()) {
  if (inherits(resampling, "stabilect_resampling")) {
    return(draw_resamples(resampling, y, seed = seed))
  }
  if (!inherits(resampling, "stabilect_resamples")) {
    abort("{.arg resampling} must come from a {.code resample_*()} function or from
      {.fun draw_resamples}, not be {describe_value(resampling)}.", call = call)
  }
  if (resampling$n != n) {
    abort("{.arg resampling} was drawn for {resampling$n} samples, but {.arg x} has {n}.",
      call = call
    )
  }
  resampling
}

run_fealect_paths <- function(data, resamples, settings, n_threads, progress, checkpoint,
                              call = rlang::caller_env()) {
  limit <- if (is.null(settings$max_features)) -1L else settings$max_features
  out <- run_lasso_paths(
    data, resamples, settings$score_rule, limit, n_threads, progress, checkpoint = checkpoint,
    call = call
  )
  if (all(out$status != "ok")) {
    abort_no_run(out$status, call)
  }
  score <- Matrix::sparseMatrix(
    i = out$scores$i, p = out$scores$p, x = out$scores$x, index1 = FALSE,
    dims = c(ncol(data$x), length(out$status)), dimnames = list(data$feature_names, NULL)
  )
  selection <- new_selection(
    score = score, selected = methods::as(score, "nMatrix"), status = out$status,
    method = paste("fealect:", format(resamples$plan)), resamples = resamples,
    seed = resamples$seed, data_hash = out$data_hash
  )
  list(selection = selection, paths = out$paths)
}

new_fealect <- function(data, fit, runs, resamples, settings, model, oob) {
  selection <- runs$selection
  scores <- score_table(selection, fit)
  settings$n <- nrow(data$x)
  settings$p <- ncol(data$x)
  settings$levels <- data$levels
  settings$class_sizes <- if (!is.null(data$levels)) tabulate((data$y + 3) / 2, 2L)
  settings$n_failed <- sum(selection$status != "ok")
  settings$n_runs_ok <- length(ok_runs(selection))
  settings$seed <- resamples$seed
  structure(
    list(
      scores = scores, informative = fit$threshold$informative,
      n_informative = fit$n_informative, threshold = fit$threshold, model = model, oob = oob,
      convergence = score_convergence(selection, length(fit$threshold$informative)),
      selection = selection, paths = runs$paths, resamples = resamples, settings = settings
    ),
    class = "stabilect_fealect"
  )
}
