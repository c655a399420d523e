# The print of prepared data.

#' @rdname prepare_study
#' @export
print.stabilect_data <- function(x, ...) {
  count <- function(n, what) paste0(n, " ", what, if (n != 1L) "s")
  cat(sprintf(
    "<stabilect_data> %s x %s from %s %s\n", count(nrow(x$x), "sample"),
    count(ncol(x$x), "feature"), if (grepl("^[AEIOU]", x$form)) "an" else "a", x$form
  ))
  cat("response: ", describe_response(x$y), "\n", sep = "")
  if (!is.null(x$blocks)) {
    kind <- if (x$within) "compared within groups" else "blocks"
    cat(sprintf("%s: %d\n", kind, length(unique(x$blocks))))
  }
  if (!is.null(x$views)) print_text(describe_views(x$views))
  if (!is.null(x$covariates)) {
    cat("covariates: ", describe_held(names(x$covariates)), "\n", sep = "")
  }
  if (length(x$notes) > 0L) cat(paste0(x$notes, "\n"), sep = "")
  batch <- batch_of_data(x)
  if (!is.null(batch)) print_text(paste("Caution:", batch))
  invisible(x)
}

describe_response <- function(y) {
  if (is.null(y)) {
    return("none yet")
  }
  if (is_survival(y)) {
    values <- surv_matrix(y)
    return(describe_events(sum(values[, 2L]), median_follow_up(values[, 1L], values[, 2L])))
  }
  y <- if (is.matrix(y)) y[, 1L] else y
  values <- sort(unique(y))
  if (is.numeric(y) && length(values) > 2L) {
    return(sprintf("numbers from %s to %s", figure(min(values)), figure(max(values))))
  }
  sizes <- table(y)
  shown <- utils::head(sizes, 10L)
  more <- if (length(sizes) > 10L) sprintf(", and %d more", length(sizes) - 10L) else ""
  paste0(paste(names(shown), shown, sep = ": ", collapse = ", "), more)
}
