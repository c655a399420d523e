# Tables of available choices with more columns than fit on a line.

# @param table (data frame).
# @param shown (character) columns to print.
# @param flags (named list, or NULL) columns of flags printed as one column, by its name: the names
#   of those that are TRUE.
new_listing <- function(table, shown, flags = NULL) {
  structure(
    table, listing = list(shown = shown, flags = flags),
    class = c("stabilect_listing", "data.frame")
  )
}

#' @export
print.stabilect_listing <- function(x, ...) {
  about <- attr(x, "listing")
  table <- as.data.frame(x)
  whole <- all(c(about$shown, unlist(about$flags)) %in% names(table))
  # Parts of the table without its columns print as data frames.
  if (is.null(about) || !whole) {
    print(table, ...)
    return(invisible(x))
  }
  out <- table[about$shown]
  for (name in names(about$flags)) {
    columns <- about$flags[[name]]
    out[[name]] <- vapply(seq_len(nrow(table)), function(i) {
      is_true <- unlist(table[i, columns])
      if (all(is_true)) "all" else toString(columns[is_true])
    }, "")
  }
  names(out) <- gsub("_", " ", names(out))
  print(figure(figure(out), justify = "left"), row.names = FALSE, right = FALSE)
  more <- setdiff(names(table), c(about$shown, unlist(about$flags)))
  cat(strwrap(
    sprintf("as.data.frame() also has the columns %s", toString(more)),
    width = 80
  ), sep = "\n")
  invisible(x)
}

#' @export
as.data.frame.stabilect_listing <- function(x, row.names = NULL, # nolint: object_name_linter.
                                            optional = FALSE, ...) {
  attr(x, "listing") <- NULL
  class(x) <- "data.frame"
  x
}
