# What is said of the origin of a result, see R/base-origin.R.

# One line for later readers of the result, in summary() and reports.
describe_origin <- function(x) {
  sprintf("Made by stabilect %s: %s", x$made$version, x$made$call)
}

# For update() of stats.
#' @rawNamespace S3method(stats::getCall,stabilect)
getCall.stabilect <- function(x, ...) {
  refuse_dots(...)
  call <- tryCatch(str2lang(x$made$call), error = function(e) NULL)
  given <- grep("^<", all.vars(call), value = TRUE)
  is_whole <- is.call(call) && length(given) == 0L && is.null(x$made$merged)
  refuse(!is_whole, c(
    "`update()` needs the call that made this result, with names for all values.",
    x = if (is.call(call)) "The call is {.code {x$made$call}}." else "None is kept.",
    i = "Call the verb again with the arguments that you want."
  ), call = NULL)
  call
}
