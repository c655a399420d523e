#' Stability selection
#'
#' Keeps the features that the lasso selects in at least a share `cutoff` of many subsamples, with a
#' bound on the expected number of false ones (Meinshausen and Buehlmann 2010; complementary pairs:
#' Shah and Samworth 2013).
#'
#' @param x (numeric matrix, n x p, or what [fealect()] takes) data; or the result of [fealect()],
#'   whose paths are used again: no path is run twice.
#' @param y (n values) response, as for [fealect()].
#' @param q,cutoff,pfer exactly two of: how many features each run selects (whole number), the
#'   smallest selection frequency of a stable feature (number), the bound on the expected number of
#'   false ones (number > 0). The third follows, see [solve_error_bound()].
#' @param n_pairs (whole number >= 2) complementary pairs of halves of the samples; two runs each.
#' @param assumption (string) `"unimodal"`, `"r_concave"` or `"none"`, see [pfer_bound()].
#' @param resampling (`stabilect_resampling` or `stabilect_resamples`, or `NULL`) other resamples;
#'   anything but pairs allows `assumption = "none"` only, and should draw halves. For samples in
#'   blocks, `resample_pairs(n_pairs, blocks = )`: the bounds ask for independent halves.
#' @param rule (string) what a run selects: `"size"`, the first model with q features, or `"step"`,
#'   the model after q steps of the path, as `stabs::lars.lasso()` does.
#' @param weakness (number in (0, 1\]) below 1: randomised lasso, in which every run multiplies each
#'   scaled column by a number drawn from \[weakness, 1).
#' @param seed,n_threads,progress,checkpoint as for [fealect()].
#' @param until (`stabilect_until`, or `NULL`) a rule by which to stop before all runs of the plan
#'   are done, see [until_stable()].
#' @param ... Not used.
#'
#' @details A pair with a failed run is dropped as a whole; the bound is then recomputed with the
#' pairs that are left, and the result says so. p counts all columns, constant ones too.
#'
#' @return An object of class `stabilect_stability_selection`, a list with
#' \describe{
#'   \item{features}{(character) stable features, most frequent first; may be empty.}
#'   \item{frequency}{(data frame, p rows, most frequent first) `feature`, `frequency`,
#'     `simultaneous` (share of pairs that selected it in both runs; `NA` without pairs), `stable`.}
#'   \item{bound}{(`stabilect_error_bound`) q, cutoff and the bound that holds for the runs used,
#'     see [solve_error_bound()].}
#'   \item{selection}{(`stabilect_selection`) what every run selected.}
#'   \item{paths, resamples}{as in [fealect()].}
#'   \item{settings}{(list) `n`, `p`, `rule`, `weakness`, `n_runs`, `n_dropped` (runs left out),
#'     `n_short` (runs that ended before q features; 0 for `rule = "step"`), `seed`, and `until` or
#'     `merged`, see [until_stable()] and [merge_runs()].}
#' }
#' [rethreshold()] changes q, cutoff or the bound without running anything again.
#' @section Errors:
#' Class `stabilect_error_input` as [fealect()]; `stabilect_error_bound` for combinations of `q`,
#' `cutoff` and `pfer` that no bound allows; `stabilect_error_runs` when no run, or no pair, is
#' left.
#' @references Meinshausen N, Buehlmann P (2010). Stability selection. *Journal of the Royal
#'   Statistical Society B* 72, 417-473.
#'
#'   Shah RD, Samworth RJ (2013). Variable selection with error control: another look at stability
#'   selection. *Journal of the Royal Statistical Society B* 75, 55-80.
#' @family stability selection
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- stability_selection(x, mcl_sll$MCL, q = 10, pfer = 1, seed = 1)
#' fit
#' rethreshold(fit, cutoff = 0.6)
#' @export
stability_selection <- function(x, ...) UseMethod("stability_selection")

#' @rdname stability_selection
#' @export
stability_selection.default <- function(x, y, q = NULL, cutoff = NULL, pfer = NULL, n_pairs = 50,
                                        assumption = c("unimodal", "r_concave", "none"),
                                        resampling = NULL, rule = c("size", "step"),
                                        weakness = 1, seed = NULL, n_threads = 1,
                                        progress = interactive(), checkpoint = NULL, ...,
                                        until = NULL) {
  rlang::check_dots_empty()
  input <- read_input(x, y)
  data <- check_xy(input$x, input$y)
  check_varying(data$x)
  warn_leak(data)
  assumption <- check_choice(assumption, "assumption", c("unimodal", "r_concave", "none"))
  n_pairs <- check_count(n_pairs, "n_pairs", min = 2)
  rule <- check_choice(rule, "rule", c("size", "step"))
  weakness <- check_fraction(weakness, "weakness")
  progress <- check_flag(progress, "progress")
  n_threads <- check_threads(n_threads)
  if (is.null(resampling)) resampling <- resample_pairs(n_pairs)
  resampling <- plan_with_blocks(resampling, input$blocks)
  resamples <- resolve_resamples(resampling, observed_response(data), nrow(data$x), seed)
  wanted <- find_bound(ncol(data$x), q, cutoff, pfer, resamples, NULL, assumption)
  done <- run_stable_paths(wanted, resamples, checkpoint, function(resamples, checkpoint) {
    run_lasso_paths(
      data, resamples, rule, wanted$q, n_threads, progress, weakness, "Stability selection",
      checkpoint
    )
  }, shape_of_data(data), rule, until)
  fit <- new_stability_selection(
    shape_of_data(data), done$runs, done$resamples, done$wanted,
    c(list(rule = rule, weakness = weakness), list(until = done$until)[!is.null(done$until)])
  )
  with_input_notes(fit, input$notes)
}

#' @rdname stability_selection
#' @export
stability_selection.stabilect_fealect <- function(x, q = NULL, cutoff = NULL, pfer = NULL,
                                                  assumption = c("unimodal", "r_concave", "none"),
                                                  ...) {
  rlang::check_dots_empty()
  assumption <- check_choice(assumption, "assumption", c("unimodal", "r_concave", "none"))
  wanted <- find_bound(x$settings$p, q, cutoff, pfer, x$resamples, NULL, assumption)
  longest <- x$settings$max_features
  if (!is.null(longest) && wanted$q > longest) {
    abort("The paths of {.arg x} end at {longest} features ({.arg max_features}), but {.arg q} is
      {wanted$q}.")
  }
  runs <- list(
    paths = x$paths, status = x$selection$status, data_hash = x$selection$data_hash
  )
  fit <- new_stability_selection(
    shape_of_result(x), runs, x$resamples, wanted, list(rule = x$settings$score_rule, weakness = 1)
  )
  with_input_notes(fit, x$settings$input_notes)
}

new_stability_selection <- function(shape, runs, resamples, wanted, settings,
                                    call = rlang::caller_env()) {
  status <- whole_pairs(runs$status, resamples$pair)
  pair <- resamples$pair
  if (sum(status == "ok") < 2L) {
    abort_no_run(runs$status, call)
  }
  sets <- path_sets(runs$paths, choose_first(wanted$q, settings$rule))
  method <- sprintf("stability selection, q = %d: %s", wanted$q, format(resamples$plan))
  selection <- sets_to_selection(sets, shape, status, method, resamples, runs$data_hash)
  bound <- wanted
  if (any(status != "ok")) {
    bound <- find_bound(
      shape$p, wanted$q, wanted$cutoff, NULL, resamples, sum(status == "ok") %/% 2L,
      wanted$assumption, call
    )
    bound[c("asked", "given")] <- wanted[c("asked", "given")]
  }
  frequency <- stable_frequency(selection, pair, bound$cutoff)
  settings$n <- shape$n
  settings$p <- shape$p
  settings$n_runs <- length(status)
  settings$n_dropped <- sum(status != "ok")
  # After q steps a path can have fewer features because some left.
  short <- lengths(sets)[status == "ok"] < wanted$q
  settings$n_short <- if (settings$rule == "size") sum(short) else 0L
  settings$seed <- resamples$seed
  structure(
    list(
      features = frequency$feature[frequency$stable], frequency = frequency, bound = bound,
      selection = selection, paths = runs$paths, resamples = resamples, settings = settings,
      status = runs$status
    ),
    class = "stabilect_stability_selection"
  )
}

stable_frequency <- function(selection, pair, cutoff) {
  runs <- ok_runs(selection)
  frequency <- mean_selected(selection)
  both <- rep(NA_real_, length(frequency))
  if (!is.null(pair)) {
    # The two runs of a pair side by side.
    runs <- runs[order(pair[runs], method = "radix")]
    odd <- selection$selected[, runs[c(TRUE, FALSE)], drop = FALSE]
    even <- selection$selected[, runs[c(FALSE, TRUE)], drop = FALSE]
    both <- unname(Matrix::rowMeans(odd & even))
  }
  table <- data.frame(
    feature = selection$feature_names, frequency = frequency, simultaneous = both,
    stable = frequency >= cutoff - 1e-9
  )
  table <- table[order(-table$frequency, method = "radix"), ]
  rownames(table) <- NULL
  table
}
