# A family of likelihoods is a record: whom it is for, how the core reads the response, and what a
# path of it says. Results and settings keep the name.

# @param name (string) as users give it; place (number): the order of messages; words (string).
# @param takes (character) outcomes.
# @param response function(response, strata): for the core, without the family's name.
# @param deviance function(links, response, rows): of samples, a column for each point; links: list
#   of a matrix (samples x points), or of one for each class.
# @param types function(levels): of predict(), the default first; respond function(link): the fitted
#   value.
# @param coded function(response): as it enters the path.
# @param squares (flag) least squares: plain ones have an engine of their own, numbers
#   have residuals.
# @param has_level (flag) an intercept? by_class (flag): coefficients for each class?
# @param together (flag) is a deviance of samples as a whole, which needs those of the path?
# @param separable (flag) can features tell the response completely? strata (flag): any?
# @param asked (flag) must users ask for it, as no response tells?
# @param within (string, or NULL) the family that compares within groups in its place; matched
#   (flag): such a family, whose strata are the groups, and which users do not name. @param engine
#   (string) its name in the core.
new_family <- function(name, place, words, takes, response, deviance, types, respond = identity,
                       coded = identity, squares = FALSE, has_level = TRUE, by_class = FALSE,
                       together = FALSE, separable = FALSE, strata = FALSE, asked = FALSE,
                       within = NULL, matched = FALSE, engine = name) {
  force(engine)
  as.list(environment())
}

family_registry <- new_registry()
# The files of families call this.
register_family <- function(name, ...) family_registry$add(name, function() new_family(name, ...))
family_record <- function(family) family_registry$all()[[family]]
families <- function() names(Filter(function(one) !one$matched, family_registry$all()))

# The types of response that a family can use.
# @param family (string, or NULL for those that need not be asked for).
family_takes <- function(family) {
  if (!is.null(family)) {
    return(family_record(family)$takes)
  }
  known <- Filter(function(one) !one$asked && !one$matched, family_registry$all())
  takes <- unlist(lapply(known, `[[`, "takes"))
  intersect(names(outcome_records()), takes)
}

# Two classes are least squares unless another family is asked for, as in Zare et al. (2013).
family_of <- function(family, response) {
  if (!is.null(family)) {
    return(family)
  }
  outcome_of(response)$family
}

# Plain least squares, whose paths are exact.
# @param likelihood list(family, alpha). @param response (stabilect_response, or NULL).
is_plain <- function(likelihood, response = NULL) {
  of_samples <- c("covariates", "weights", "offset")
  family_record(likelihood$family)$squares && likelihood$alpha == 1 &&
    !any(of_samples %in% names(response))
}

# Covariates, weights and an offset belong to the samples, which then all differ.
holds_samples <- function(response) !is.null(response$covariates) || has_row_values(response)

has_row_values <- function(response) !is.null(response$weights) || !is.null(response$offset)

# The response for the core.
# @param response with its strata and offset. @param ties (string, or NULL) "efron" or "breslow",
#   for survival times.
likelihood_response <- function(response, family, ties = NULL) {
  one <- family_record(family)
  offset <- response$offset
  read <- c(list(family = one$engine), one$response(response, response$strata))
  if (identical(ties, "breslow")) read$ties <- ties
  if (is.null(offset)) {
    return(read)
  }
  if (one$squares) {
    read$y <- read$y - offset
    return(read)
  }
  c(read, list(offset = as.matrix(offset)))
}

# The given penalties, or the end of the default ones.
lambda_options <- function(lambda, x) {
  list(
    lambda = as.double(lambda), lambda_ratio = if (nrow(x) > ncol(x)) 1e-4 else 0.01
  )
}

# Families that no outcome tells.
asked_families <- function() {
  Filter(function(one) one$asked && !one$matched, family_registry$all())
}

# The outcomes that a verb takes, if the user asks for a family or not.
takes_with <- function(verb, family) {
  if (is.null(family)) {
    return(takes_of(verb))
  }
  family_takes(check_choice(family, names(asked_families())))
}

# The family with which the data of a result are read again, or NULL.
family_of_result <- function(object) {
  if (inherits(object, "stabilect_result")) asked_family(object$study$type)
}

# The family with which responses of a type are read, or NULL.
asked_family <- function(type) {
  asked <- Filter(function(one) length(intersect(type, one$takes)) > 0L, asked_families())
  if (length(asked) > 0L) names(asked)
}
