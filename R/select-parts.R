#' What there is to choose from
#'
#' The selectors of the package, or the stability indices, each with what it needs and where it
#' comes from. [selector_custom()] and [selector_screened()] are not among the selectors: they make
#' selectors of functions and of other selectors.
#'
#' @param name (string) `"selectors"` or `"indices"`.
#' @return (data frame, of which some columns are printed) For selectors, one row each: `selector`
#'   (the call that makes it), `method`, `binary`, `multiclass`, `numeric`, `survival` (flags: which
#'   responses it takes), `engine` (`"C++"`, or the package that does the work), `set` (flag: it
#'   selects a set of features and not only scores them), `reference`.
#'
#'   For indices, one row each: `index` (name to give to [stability()]), `label`, `family`
#'   (`"sets"`, `"similarity"`, `"weights"` or `"ranks"`), `lower`, `upper` (text: the range; m is
#'   the number of runs, p of features; `"none"` without a finite bound), `needs` (text: what it
#'   needs besides the sets), `options` (text: what `...` of [stability()] takes for it),
#'   `frequency` (computed from selection frequencies, cost linear in the number of runs), the
#'   properties of Nogueira et al. (2018) and of Hamer and Dupont (2021, section 2.1):
#'   `fully_defined`, `strictly_monotone`, `bounded`, `maximum_if_deterministic`, `corrected`
#'   (expectation 0 for random runs of any given sizes, uncorrected); `correctable` (the argument
#'   `corrected = TRUE` makes it so), and `reference`. For every index higher is more stable.
#' @family selectors
#' @examples
#' list_parts("selectors")[, c("selector", "method", "engine")]
#' indices <- list_parts("indices")
#' indices[indices$corrected & indices$family == "sets", c("index", "label", "lower", "upper")]
#' @export
list_parts <- function(name = c("selectors", "indices")) {
  name <- check_choice(name, c("selectors", "indices"))
  if (name == "selectors") list_selectors() else list_stability_indices()
}
