# The table of all indices, for list_available().
list_stability_indices <- function() {
  table <- bind_rows_of(index_records(), function(record) {
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
