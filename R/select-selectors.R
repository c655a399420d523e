# What verbs check of the selectors that they are given.

# A list of selectors with unique names. Selectors whose arguments are drawn come as functions.
# @param label (string) name for such a function.
check_selectors <- function(selector, parameters = NULL, label = "selector") {
  if (!is.null(parameters)) {
    check_parameters(selector, parameters)
    return(stats::setNames(list(selector), if (nchar(label) > 40L) "selector" else label))
  }
  if (inherits(selector, "stabilect_selector")) {
    return(stats::setNames(list(selector), selector$name))
  }
  if (!is.list(selector) || length(selector) == 0L) {
    check_selector(selector)
  }
  lapply(selector, check_selector)
  labels <- vapply(selector, function(one) one$name, "")
  given <- names(selector)
  if (!is.null(given)) labels <- ifelse(given == "", labels, given)
  stats::setNames(selector, make.unique(labels, sep = "_"))
}

check_parameters <- function(selector, parameters) {
  refuse(!is.function(selector),
    "With {.arg parameters}, {.arg selector} must be the function that makes the selector, such
      as {.code selector_filter} without brackets, not {describe_value(selector)}."
  )
  ok <- is.vector(parameters, "list") && length(parameters) > 0L && all(lengths(parameters) > 0L)
  refuse(!ok || is.null(names(parameters)) || anyDuplicated(names(parameters)),
    "{.arg parameters} must be a list of values with the names of arguments, not
      {describe_value(parameters)}."
  )
  unknown <- setdiff(names(parameters), names(formals(selector)))
  refuse(length(unknown) > 0L && !"..." %in% names(formals(selector)),
    "{.arg parameters} names {.val {unknown[1]}}, but {.arg selector} has the arguments
      {.val {names(formals(selector))}}."
  )
}

# The outcome must suit all selectors. With `parameters`, selectors are unknown before the runs.
check_selectors_take <- function(selectors, study) {
  for (one in Filter(Negate(is.function), selectors)) {
    check_takes(study$response, one$responses, one$label)
    refuse(!is.null(study$response$within) && one$name == "trex",
      c("{one$label} needs independent samples, and {.arg within} has groups.",
        i = "{.fn stability_selection} takes {.arg within}."
      )
    )
  }
}
