#' List of stability indices and their properties
#'
#' Every index of [stability()], with its needs and properties.
#'
#' @return (data frame, one row per index; the print shows the first columns)
#'   * `index` (name for [stability()]), `label`, `family` (`"sets"`, `"similarity"`, `"weights"` or
#'     `"ranks"`);
#'   * `lower`, `upper` (text: the range for m runs and p features; `"none"` without a finite
#'     bound);
#'   * `needs` (text: what it needs besides the sets), `options` (text: its options in `...` of
#'     [stability()]);
#'   * `frequency` (flag: computed from selection frequencies, cost linear in the number of runs);
#'   * the properties of Nogueira et al. (2018) and of Hamer and Dupont (2021, section 2.1), for the
#'     uncorrected index: `fully_defined`, `strictly_monotone`, `bounded`,
#'     `maximum_if_deterministic`, `corrected` (expectation 0 for random runs of any given sizes);
#'   * `correctable` (flag: `corrected = TRUE` gives it expectation 0), and `reference`.
#'
#'   For every index, higher is more stable.
#' @family stability
#' @examples
#' indices <- list_stability_indices()
#' indices[indices$corrected & indices$family == "sets", c("index", "label", "lower", "upper")]
#' @export
list_stability_indices <- function() {
  rows <- lapply(index_records(), function(record) {
    data.frame(
      index = record$name, label = record$label, family = record$family,
      lower = record$bounds[1], upper = record$bounds[2],
      needs = paste(record$needs, collapse = ", "),
      options = paste(own_options(record), collapse = ", "), frequency = record$frequency,
      as.list(record$properties), correctable = is_correctable(record),
      reference = record$reference
    )
  })
  table <- do.call(rbind, rows)
  rownames(table) <- NULL
  new_listing(table, c("index", "label", "needs"))
}
