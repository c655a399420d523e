#' The table of stability indices
#'
#' Every index that [stability()] knows, with what it needs and which properties it has.
#'
#' @return (data frame, one row per index; it prints the first columns) `index` (name to give to
#'   [stability()]), `label`, `family` (`"sets"`, `"similarity"`, `"weights"` or `"ranks"`),
#'   `lower`, `upper` (text: the range; m is the number of runs, p that of features; `"none"`
#'   without a finite bound), `needs` (text: what it needs besides the sets), `options` (text: what
#'   `...` of [stability()] takes for it), `frequency` (computed from selection frequencies, cost
#'   linear in the number of runs), the properties of Nogueira et al. (2018) and of Hamer and Dupont
#'   (2021, section 2.1): `fully_defined`, `strictly_monotone`, `bounded`,
#'   `maximum_if_deterministic`, `corrected` (expectation 0 for random runs of any given sizes, as
#'   it stands); `correctable` (the argument `corrected = TRUE` makes it so), and `reference`. For
#'   every index higher is more stable.
#' @family stability
#' @examples
#' indices <- list_stability_indices()
#' indices[indices$corrected & indices$family == "sets", c("index", "label", "lower", "upper")]
#' @export
list_stability_indices <- function() {
  table <- tables(index_records(), function(record) {
    data.frame(
      index = record$name, label = record$label, family = record$family,
      lower = record$bounds[1], upper = record$bounds[2],
      needs = paste(record$needs, collapse = ", "),
      options = paste(own_options(record), collapse = ", "), frequency = record$frequency,
      as.list(record$properties), correctable = is_correctable(record),
      reference = record$reference
    )
  })
  new_listing(table, c("index", "label", "needs"))
}
