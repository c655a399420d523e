# Samples compared within groups: pairs, matched sets, repeated samples of one patient.
#
# Every run draws groups whole, with equal counts. The mean of a group in a run is then its mean in
# the data, and centring once, at the entrance, is centring inside every run: no run learns of a
# sample that it left out.

# Verbs that compare within groups, for messages.
within_verbs <- c(
  "find_signals", "fealect", "stability_selection", "bolasso", "select_ensemble", "lars_path",
  "lasso_path", "fit_model"
)

# The groups of prepared data and those that a verb got must be the same.
# @param given (n labels, or NULL) of the verb; data (list) values of the data, by role;
#   knows (flag): does the verb compare within groups?
check_within_use <- function(given, data, knows, what) {
  refuse(!is.null(data$within) && !knows,
    c("{.arg x} is prepared data with {.arg within}, and {what} does not compare within groups.",
      i = "{.fn {within_verbs}} do."
    )
  )
  groups <- if (is.null(data$within)) data$blocks else data$within
  codes <- function(labels) match(labels, unique(labels))
  refuse(!is.null(given) && !is.null(groups) && length(given) == length(groups) &&
    !identical(codes(given), codes(groups)),
  c("{.arg within} has other groups than the {.arg blocks} of {.arg x}, which is prepared data.",
    i = "Give them once, as {.arg within}."
  ))
}

# @param least (number) of groups.
# @return (factor) levels in the order of the samples.
check_within <- function(labels, n, least = 2L) {
  refuse(!is.atomic(labels) || !is.null(dim(labels)),
    "{.arg within} must be a vector with one label per sample, not {describe_value(labels)}."
  )
  refuse(length(labels) != n,
    c("{.arg within} has {length(labels)} label{?s}, but there are {n} samples.",
      i = if (rlang::is_string(labels)) {
        "{.code prepare_study(data, within = \"{labels}\")} takes a column of a data frame."
      }
    )
  )
  refuse_blank(labels, "{.arg within}")
  refuse_at(is.na(labels), "{.arg within} has NA at position {at}: leave this sample out.")
  groups <- factor(as.character(labels), unique(as.character(labels)))
  alone <- which(tabulate(groups)[groups] == 1L)
  refuse(length(alone) > 0L,
    c("Sample {alone[1]} is alone in its group of {.arg within},
        {.val {as.character(groups)[alone[1]]}}: there is nothing to compare it with.",
      i = "Leave out every sample that is alone, in {.arg x} and {.arg y} also: number
        {list_some(as.character(alone))}."
    )
  )
  refuse(nlevels(groups) < least, "{.arg within} has one group, and needs at least two.")
  groups
}

# The study with features and outcome as differences from the mean of their group.
# @param family (string, or NULL if the outcome decides).
compare_within <- function(study, groups, family = NULL) {
  refuse(!is.matrix(study$x) || !is.null(study$factors),
    c("{.arg within} needs {.arg x} in memory, with numbers only.",
      i = "{.code prepare_study(factors = \"columns\")} makes numbers of categories."
    )
  )
  one <- outcome_of(study$response)
  refuse(!one$compares_within,
    c("{.arg within} compares two classes or numbers, not {one$words}.",
      i = "For survival times give strata, and draw them whole:
        {.code stability_selection(x, y, strata = patient,
        resampling = resample_pairs(50, blocks = patient))}."
    )
  )
  strata <- strata_within(study$response, groups, family)
  study$response <- response_within(study$response, groups)
  centred <- centre_within(study$x, groups)
  study$imputed <- centre_imputed(study$imputed, study$x, centred)
  study$x <- centred
  study <- set_role(set_role(study, "within", groups), "blocks", groups)
  if (is.null(strata)) study else set_role(study, "strata", strata)
}

# The family that compares within groups in place of another one.
family_within <- function(family) {
  stands <- family_record(family)$within
  refuse(is.null(stands),
    c("{family_record(family)$words} cannot compare within groups of {.arg within}.",
      i = "Leave {.arg family} out for least squares, or give two classes and {.val binomial}."
    )
  )
  stands
}

# The groups are the strata of a conditional likelihood. @return (integer, n, or NULL).
strata_within <- function(response, groups, family) {
  if (is.null(family) || !family_record(family_within(family))$matched) {
    return(NULL)
  }
  classes <- response$levels
  cases <- tabulate(groups[response$codes == 2L], nlevels(groups))
  refuse(any(cases > 1L),
    c("{.arg family} {.val {family}} within groups needs at most one sample of {.val {classes[2]}}
        in each, but group {.val {levels(groups)[which(cases > 1L)[1]]}} has more.",
      i = "A class with one sample in each group must be the second, as in {.code factor(y,
        c(\"{classes[2]}\", \"{classes[1]}\"))}. Else leave {.arg family} out for least squares."
    )
  )
  as.integer(groups)
}

# Differences from the mean of the group; exactly 0 where all samples of a group are equal.
# @param groups (factor, n, or NULL to change nothing).
centre_within <- function(columns, groups) {
  if (is.null(groups) || length(columns) == 0L) {
    return(columns)
  }
  codes <- as.integer(groups)
  rest <- columns - (rowsum(columns, codes) / tabulate(codes))[codes, , drop = FALSE]
  rest[, cpp_column_sizes(rest) <= 1e-13 * cpp_column_sizes(columns)] <- 0
  rest
}

# Covariates that are the same for all samples of a group explain nothing within it.
covariates_within <- function(z, groups) {
  z <- centre_within(z, groups)
  flat <- if (!is.null(groups)) colnames(z)[colSums(z != 0) == 0]
  refuse(length(flat) > 0L,
    c("{.arg covariates} {.val {flat}} {?is/are} the same for all samples of each group of
        {.arg within}.",
      i = "Leave {cli::qty(length(flat))}{?it/them} out: comparisons within groups adjust for
        {?it/them} already."
    )
  )
  z
}

# Centring inside a run needs all samples of a group equally often.
check_even_groups <- function(draws) {
  codes <- as.integer(draws$plan$blocks)
  uneven <- which(draws$counts != draws$counts[match(codes, codes), , drop = FALSE], arr.ind = TRUE)
  refuse(nrow(uneven) > 0L,
    c("Run {uneven[1, 2]} draws the samples of group
        {.val {as.character(draws$plan$blocks)[uneven[1, 1]]}} with different counts, and
        {.arg within} needs equal ones.",
      i = "{.fn resample_bootstrap}, {.fn resample_subsample} and {.fn resample_pairs} draw so."
    )
  )
}

# New samples of a result that compares within groups: their groups are needed, too.
# @return list(x, groups (factor, or NULL)).
new_groups <- function(newdata, record) {
  prepared <- inherits(newdata, "stabilect_data")
  if (is.null(record$roles$within)) {
    return(list(x = if (prepared) newdata$x else newdata))
  }
  refuse(!prepared || !isTRUE(newdata$within),
    c("The model compares samples within groups, and {.arg newdata} has none.",
      i = "Give {.code newdata = prepare_study(newdata, within = )}, for example the patient of
        each sample."
    )
  )
  list(x = newdata$x, groups = check_within(newdata$blocks, nrow(newdata$x), 1L))
}

# A patient is no covariate.
# @param z (matrix, or NULL) of read_covariates(). @return (string, cli, or NULL) advice.
many_levels <- function(z) {
  levels <- Filter(function(one) length(one) > 5L, attr(z, "levels"))
  if (length(levels) > 0L) {
    sprintf(
      "\"%s\" has %d levels: if its samples are compared with each other, as in pairs, give it as
      {.arg within}, here or to {.fn prepare_study}.", names(levels)[1], length(levels[[1]])
    )
  }
}
