# Checks of lasso_path().

# @return (integer, n: codes from 1, or NULL).
check_strata <- function(strata, family, n) {
  one <- family_record(family)
  refuse(!one$strata,
    c("{.arg strata} are for survival times, not for {one$words}.",
      i = "Give them as {.arg covariates}, as a factor."
    )
  )
  refuse(!is.atomic(strata) || length(strata) != n,
    "{.arg strata} must be a vector with one value for each of the {n} row{?s} of {.arg x},
      not {describe_value(strata)}."
  )
  refuse_blank(strata, "{.arg strata}")
  refuse(anyNA(strata), "{.arg strata} has NA at position {which(is.na(strata))[1]}.")
  match(strata, sort(unique(strata), method = "radix"))
}

# @return (string, or NULL for a likelihood without times).
check_ties <- function(ties, family) {
  timed <- family_record(family)$strata
  refuse(!timed && ties != "efron",
    "{.arg ties} are for survival times, not for {family_record(family)$words}."
  )
  if (timed) ties
}

# One weight for each feature, from all weights or from some by name.
check_penalty <- function(penalty, feature_names) {
  p <- length(feature_names)
  refuse(!is.numeric(penalty) || !is.null(dim(penalty)),
    "{.arg penalty} must be numbers, not {describe_value(penalty)}."
  )
  given <- names(penalty)
  refuse(is.null(given) && length(penalty) != p,
    c("{.arg penalty} has {length(penalty)} value{?s} but {.arg x} has {p} column{?s}.",
      i = "Give one for each feature, or for some of them by name."
    )
  )
  refuse_at(setdiff(given, feature_names),
    "{.arg penalty} names {.val {at}}, which is not a feature of {.arg x}."
  )
  refuse_at(given[duplicated(given)], "{.arg penalty} has two values for {.val {at}}.")
  refuse_at(is.na(penalty) | penalty < 0,
    c("{.arg penalty} has {figure(penalty[[at]])} at position {at}; weights are
        >= 0.",
      i = "0 keeps a feature in the model, {.code Inf} leaves it out."
    )
  )
  all <- rep(1, p)
  all[if (is.null(given)) seq_len(p) else match(given, feature_names)] <- penalty
  refuse(!any(all > 0 & is.finite(all)),
    "{.arg penalty} leaves no feature to select: all are 0 or Inf."
  )
  all
}

# The exponential of a wider range is not a number.
widest_offset <- 500

# One value for each row, or for `by_class` families one for each row and class.
# @param of (string) the argument whose rows are meant.
check_offset <- function(offset, family, n, levels, of = "x") {
  if (is.null(offset)) {
    return(NULL)
  }
  one <- family_record(family)
  wanted <- c(n, if (one$by_class) length(levels))
  size <- if (one$by_class) dim(offset) else length(offset)
  refuse(!is.numeric(offset) || !identical(as.integer(size), as.integer(wanted)),
    c("{.arg offset} must be {if (one$by_class) 'a numeric matrix' else 'numbers'}, one for each of
        the {n} row{?s} of {.arg {of}}{if (one$by_class) ' and each class'}, not
        {describe_value(offset)}.",
      i = if (one$by_class) "Its columns are the classes {.val {levels}}, in this order."
    )
  )
  refuse_at(!is.finite(offset),
    "{.arg offset} must be finite, but has {figure(offset[at])} at position {at}."
  )
  range <- range(offset)
  refuse(!one$squares && diff(range) > widest_offset,
    c("{.arg offset} ranges from {figure(range[1])} to {figure(range[2])}, too far for the
        exponential of {one$words}.",
      i = "It is added to the linear predictor: for counts give {.code log(exposure)}."
    )
  )
  offset <- if (one$by_class) matrix(offset, n, dimnames = NULL) else as.vector(offset)
  storage.mode(offset) <- "double"
  offset
}

check_lambdas <- function(lambda) {
  if (is.null(lambda)) {
    return(NULL)
  }
  refuse(!is.numeric(lambda) || length(lambda) == 0L,
    "{.arg lambda} must be numbers or NULL, not {describe_value(lambda)}."
  )
  refuse_at(!is.finite(lambda) | lambda < 0,
    "{.arg lambda} must be finite and >= 0, but has {figure(lambda[at])} at position
      {at}."
  )
  sort(unique(as.double(lambda)), decreasing = TRUE)
}

# Without a penalty, the data must determine all coefficients.
check_no_limit <- function(asked, study) {
  z <- held_columns(study$response)
  weights <- study$response$weights
  free <- ncol(z) + sum(asked$penalty == 0)
  n <- if (is.null(weights)) study$n else sum(weights > 0)
  check_free(free, n, z)
  refuse(any(asked$lambda == 0) && study$p + ncol(z) + 2L > n,
    c("{.code lambda = 0} needs fewer features than samples, not {study$p} and {n}.",
      i = "Take a smaller {.arg x}, or a {.arg lambda} > 0."
    )
  )
}

# @param n (number) samples of a run. @param z (matrix, or NULL) the covariates.
check_free <- function(free, n, z = NULL) {
  refuse(free + 2L > n,
    c("{free} covariate{?s} (or unpenalised feature{?s}) leave nothing to explain in {n}
        sample{?s}.", i = many_levels(z)
    )
  )
}

check_followed <- function(status) {
  refuse(status == "separated",
    c("The covariates separate the responses completely: their coefficients have no limit.",
      i = join_or_leave_out
    )
  )
  refuse(status == "class_absent", "A class of {.arg y} has no row with positive {.arg weights}.")
  refuse(status == "one_response",
    "{.arg y} has nothing to explain among the rows with positive {.arg weights}."
  )
}

check_tolerance <- function(tolerance) {
  tolerance <- check_positive(tolerance)
  refuse(tolerance > 1e-4, "{.arg tolerance} must be at most 1e-4, not {tolerance}.")
  tolerance
}
