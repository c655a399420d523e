# Results without the environments of their functions, which differ from call to call.
strip_closures <- function(x) {
  if (is.function(x)) {
    return(NULL)
  }
  if (is.list(x) && !is.data.frame(x)) {
    attributes <- attributes(x)
    x <- lapply(x, strip_closures)
    attributes(x) <- attributes
  }
  x
}

# The columns that a formula names, by R's own reading of it.
labels_of <- function(formula, data) {
  gsub("`", "", attr(stats::terms(formula, data = data), "term.labels"))
}
