#' Table of selectors or stability indices
#'
#' The selectors of the package, or the stability indices, with requirements and references.
#' [selector_custom()] and [selector_screened()] are not in the table of selectors: they make
#' selectors from functions and from other selectors.
#'
#' @param name (string) `"selectors"` or `"indices"`.
#' @return (data frame, some columns of which are printed) For selectors, one row each: `selector`
#'   (the call that makes it), `method`, `binary`, `multiclass`, `ordered`, `numeric`, `survival`
#'   (flags: outcomes that it supports; ordered classes mostly without their order), `engine`
#'   (`"C++"`, or the package that does the work), `set` (flag: it selects a set of features, not
#'   only scores), `reference`.
#'
#'   For indices, one row each: `index` (name for [stability()]), `label`, `family` (`"sets"`,
#'   `"similarity"`, `"weights"` or `"ranks"`), `lower`, `upper` (text: the range; m is the number
#'   of runs, p of features; `"none"` without a finite bound), `needs` (text: what it needs besides
#'   the sets), `options` (text: its options in `...` of [stability()]), `frequency` (computed from
#'   selection frequencies, cost linear in the number of runs), and `reference`. Properties of
#'   Nogueira et al. (2018) and of Hamer and Dupont (2021, section 2.1): `fully_defined`,
#'   `strictly_monotone`, `bounded`, `maximum_if_deterministic`, `corrected` (without correction,
#'   expectation 0 for random runs of any given sizes); `correctable` (`corrected = TRUE` makes it
#'   so). Higher always means more stable.
#' @family selectors
#' @examples
#' list_available("selectors")[, c("selector", "method", "engine")]
#' indices <- list_available("indices")
#' indices[indices$corrected & indices$family == "sets", c("index", "label", "lower", "upper")]
#' @export
list_available <- function(name = c("selectors", "indices")) {
  name <- check_choice(name, c("selectors", "indices"))
  if (name == "selectors") list_selectors() else list_stability_indices()
}
