#' Compare the stabilities of several selectors
#'
#' All pairs of selections are tested against each other with [test_stability()], paired where they
#' share their resamples, with p values adjusted for their number.
#'
#' @param selections (named list of at least two) selections, or anything that [as_selection()]
#'   takes.
#' @inheritParams test_stability
#' @param p_adjust (string) adjustment of the p values, a method of [stats::p.adjust()].
#' @return An object of class `stabilect_stability_comparison`, a list with `stabilities` (data
#'   frame, one row per selection: `selection`, `n_runs`, `estimate`, `lower`, `upper`, `se`),
#'   `pairs` (data frame, one row per pair: `a`, `b`, `difference` (a minus b), `lower`, `upper`
#'   (unadjusted interval), `se`, `p_value`, `p_adjusted`, `paired`), `index`, `p_adjust` and
#'   `conf_level`. `as.data.frame()` gives `pairs`.
#' @section Errors:
#' Class `stabilect_error_input`, as [test_stability()].
#' @family stability
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' draws <- draw_resamples(resample_subsample(20), mcl_sll$MCL, seed = 1)
#' fits <- lapply(c(three = 3, ten = 10, twenty = 20), function(k) {
#'   fealect(x, mcl_sll$MCL, resampling = draws, max_features = k)
#' })
#' compare_stability(fits)
#' @export
compare_stability <- function(selections, index = "nogueira", p_adjust = "holm", conf_level = 0.95,
                              ...) {
  check_given()
  ok <- is.list(selections) && length(selections) >= 2L && !is.null(names(selections)) &&
    all(nzchar(names(selections))) && !anyDuplicated(names(selections))
  refuse(!ok, "{.arg selections} must be a list of at least two selections with distinct names.")
  p_adjust <- check_choice(p_adjust, stats::p.adjust.methods)
  selections <- lapply(selections, as_selection)
  rows <- lapply(names(selections), function(name) {
    one <- stability(selections[[name]], index, conf_level, ...)
    cbind(
      data.frame(selection = name, n_runs = one$n_runs),
      one$table[1, c("estimate", "lower", "upper", "se")]
    )
  })
  pairs <- utils::combn(names(selections), 2L, simplify = FALSE)
  pairs <- tables(pairs, function(pair) {
    compare_pair(pair, selections, index, conf_level, ...)
  })
  pairs$p_adjusted <- stats::p.adjust(pairs$p_value, p_adjust)
  order <- c("a", "b", "difference", "lower", "upper", "se", "p_value", "p_adjusted", "paired")
  stabilities <- do.call(rbind, rows)
  rownames(stabilities) <- NULL
  of_class("stabilect_stability_comparison",
    stabilities = stabilities, pairs = pairs[order], index = index, p_adjust = p_adjust,
    conf_level = conf_level
  )
}

compare_pair <- function(pair, selections, index, conf_level, ...) {
  x <- selections[[pair[1]]]
  y <- selections[[pair[2]]]
  test <- test_stability(x, y, index, conf_level = conf_level, ...)
  data.frame(
    a = pair[1], b = pair[2], difference = unname(test$estimate[1] - test$estimate[2]),
    lower = test$conf.int[1], upper = test$conf.int[2], se = test$stderr,
    p_value = unname(test$p.value), paired = resolve_pairing(NULL, x, y)
  )
}

#' @exportS3Method
facts_of.stabilect_stability_comparison <- function(x, n = 10L) {
  best_first <- order(-x$stabilities$estimate, method = "radix")
  best <- x$stabilities[best_first[1], ]
  differ <- sum(x$pairs$p_value <= 0.05, na.rm = TRUE)
  new_facts(
    sprintf("Stability (%s) of %d selections", x$index, nrow(x$stabilities)),
    verdict = list(Best = c(
      sprintf("most stable: %s, %s", best[[1]], figure(best$estimate, digits = 2)),
      sprintf(
        "%d of %s differ%s (p <= 0.05)", differ, count_of(nrow(x$pairs), "pair"),
        if (differ == 1L) "s" else ""
      )
    )),
    sections = list(
      new_section(x$stabilities[best_first, ], n),
      new_section(
        x$pairs, n, sprintf("Differences (a - b); p values adjusted by %s", x$p_adjust)
      )
    )
  )
}

#' @rdname compare_stability
#' @param x (object of class `stabilect_stability_comparison`)
#' @param row.names,optional Not used.
#' @export
as.data.frame.stabilect_stability_comparison <- function(x, row.names = NULL, optional = FALSE,
                                                         ...) {
  x$pairs
}
