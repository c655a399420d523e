# The pictures of results by the rule of their list.

rule_pictures <- new_registry()
# @param make function(): list(own, others), named lists of function(x, n): pictures of results of
#   the rule, and of results of any rule.
register_pictures <- rule_pictures$add

pictures_of_cutoff <- function() {
  list(
    frequency = stable_picture, strength = strength_picture,
    paths = function(x, n) stable_paths_picture(x)
  )
}

register_pictures("cutoff", function() list(own = pictures_of_cutoff()))
register_pictures("calibrated", function() {
  list(own = pictures_of_cutoff(), others = list(cutoffs = function(x, n) cutoffs_picture(x)))
})
register_pictures("integrated", function() {
  list(own = list(
    frequency = pfer_picture, strength = strength_picture,
    paths = function(x, n) integrated_paths_picture(x)
  ))
})

pictures_of_rule <- function(rule) {
  known <- rule_pictures$all()
  # Of rules that are there.
  others <- lapply(known[intersect(names(known), names(list_rules()))], `[[`, "others")
  c(known[[rule]]$own, do.call(c, unname(others)))
}

#' @rdname stability_selection-methods
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_stability_selection <- function(object, type = "frequency", n = 20, ...) {
  open_picture(...)
  pictures <- pictures_of_rule(object$asked$rule)
  type <- check_choice(type, names(pictures))
  pictures[[type]](object, check_count(n))
}
