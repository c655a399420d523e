# What made a result is told by a method for its class, beside the verb. It is asked for here, since
# prints in all rooms want to know whether a result can be made again.

# @return (stabilect_procedure, or NULL) see new_procedure().
procedure_of <- function(x) UseMethod("procedure_of")

#' @exportS3Method
procedure_of.default <- function(x) { # nolint: object_name_linter.
  NULL
}
