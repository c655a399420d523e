# A method for the class of a result, beside its verb, returns the procedure that made it. The
# generic is here because prints of all rooms ask for it.

# @return (stabilect_procedure, or NULL) see new_procedure().
procedure_of <- function(x) UseMethod("procedure_of")

#' @exportS3Method
procedure_of.default <- function(x) { # nolint: object_name_linter.
  NULL
}
