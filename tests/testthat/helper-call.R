# Results carry the call that made them; this one compares results of calls that are written in
# different ways.
without_call <- function(result) {
  result$made["call"] <- list(NULL)
  result
}

# Were both made on the same resamples? Of draws, selections or results.
same_resamples <- function(a, b) {
  fingerprint <- lapply(list(a, b), function(x) {
    if (is.null(x$fingerprint)) x$resamples$fingerprint else x$fingerprint
  })
  is.character(fingerprint[[1]]) && identical(fingerprint[[1]], fingerprint[[2]])
}

# The value of one index alone.
value_of_index <- function(runs, index = "nogueira", ...) stability(runs, index, ...)$table$estimate
