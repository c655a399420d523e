# The likelihood of verbs with many paths.

# What the paths of many runs maximise: NULL for plain least squares, which has exact paths, or
# list(family, alpha, covariates (double matrix), strata, and, if given, ties, weights and offset)
# for path_job().
# @param paths of path_control().
ask_likelihood <- function(study, paths) {
  family <- family_of(paths$family, study$response)
  strata <- check_strata(paths$strata, family, study$n)
  likelihood <- c(
    list(alpha = paths$alpha, covariates = study_covariates(study$covariates, study)),
    likelihood_within(study, family, strata)
  )
  rows <- Filter(length, check_sample_values(paths$weights, paths$offset, family, study))
  refuse(length(rows) > 0L && !is.null(study$within),
    "{.arg {names(rows)[1]}} cannot be combined with {.arg within}."
  )
  likelihood[names(rows)] <- rows
  family <- likelihood$family
  likelihood$ties <- check_ties(paths$ties, family)
  if (is_plain(likelihood)) {
    return(NULL)
  }
  refuse(paths$score_rule == "step",
    c("{.code score_rule = \"step\"} counts the steps of a path of plain least squares.",
      i = "Take {.code score_rule = \"size\"}."
    )
  )
  n <- if (is.null(rows$weights)) study$n else sum(rows$weights > 0)
  check_free(ncol(likelihood$covariates), floor(n / 2), likelihood$covariates)
  likelihood
}

# Within groups a family is replaced by the conditional likelihood, with the groups as strata.
# @return list(family, strata (integer, n, or NULL)).
likelihood_within <- function(study, family, strata) {
  if (is.null(study$within)) {
    return(list(family = family, strata = strata))
  }
  stands <- family_record(family)$within
  refuse(is.null(stands),
    c("{family_record(family)$words} cannot compare within groups of {.arg within}.",
      i = "Leave {.arg family} out for least squares, or give two classes and {.val binomial}."
    )
  )
  if (!family_record(stands)$matched) {
    return(list(family = stands, strata = NULL))
  }
  classes <- study$response$levels
  cases <- tabulate(study$blocks[study$response$codes == 2L], nlevels(study$blocks))
  refuse(any(cases > 1L),
    c("{.arg family} {.val {family}} within groups needs at most one sample of {.val {classes[2]}}
        in each, but group {.val {levels(study$blocks)[which(cases > 1L)[1]]}} has more.",
      i = "A class with one sample in each group must be the second, as in {.code factor(y,
        c(\"{classes[2]}\", \"{classes[1]}\"))}. Else leave {.arg family} out for least squares."
    )
  )
  list(family = stands, strata = as.integer(study$blocks))
}

# The model of a result in words, for prints; NULL for plain least squares.
describe_likelihood <- function(likelihood) {
  if (is.null(likelihood)) {
    return(NULL)
  }
  paste0(
    family_record(likelihood$family)$words,
    if (likelihood$alpha < 1) sprintf(", elastic net with alpha %s", figure(likelihood$alpha)),
    if (identical(likelihood$ties, "breslow")) ", ties as in Breslow"
  )
}

# The covariates that it adjusts for, and weights of samples and penalty; NULL without any.
# @param blocks (data frame, or NULL) field of a result.
describe_adjusted <- function(asked, blocks = NULL) {
  likelihood <- asked$likelihood
  held <- colnames(likelihood$covariates)
  weights <- likelihood$weights
  c(
    if (length(held) > 0L) paste("adjusted for", describe_held(held)),
    if (!is.null(likelihood$strata) && !family_record(likelihood$family)$matched) {
      sprintf("%d strata", max(likelihood$strata))
    },
    if (!is.null(weights)) {
      shown <- figures(range(weights), digits = 3)
      sprintf("paths with weights of samples from %s to %s", shown[1], shown[2])
    },
    if (!is.null(likelihood$offset)) "with an offset",
    describe_penalty(asked$penalty, blocks)
  )
}

# Penalty weights of a verb that counts features.
# @return (numeric, p, with the names of the features) or NULL if all are 1; the block of each
#   feature (factor) if every run chooses the weights.
ask_penalty <- function(paths, study) {
  if (is.character(paths$penalty)) {
    check_choice(paths$penalty, "blocks", "penalty")
    refuse(is.null(study$block_of_features),
      c("{.code penalty = \"blocks\"} needs blocks of features, which {.arg x} does not have.",
        i = "Give {.arg x} as a list of matrices, {.code list(clinical = , expression = )}."
      )
    )
    refuse(!is.null(paths$weights) || !is.null(paths$offset),
      "{.code penalty = \"blocks\"} is not for {.arg weights} or {.arg offset} of samples."
    )
    return(study$block_of_features)
  }
  penalty <- check_penalty(weights_of_blocks(paths$penalty, study), study$feature_names)
  if (is.null(penalty) || all(penalty == 1)) {
    return(NULL)
  }
  kept <- study$feature_names[penalty == 0]
  refuse(length(kept) > 0L,
    c("{.arg penalty} is 0 for {.val {kept[1]}}, which would be in every model and could not be
        counted.",
      i = "Give it as {.arg covariates} to keep it in every model, or a weight > 0."
    )
  )
  stats::setNames(penalty, study$feature_names)
}

# Names of blocks stand for their features; a weight of a single feature takes precedence.
weights_of_blocks <- function(penalty, study) {
  block <- study$block_of_features
  whole <- setdiff(intersect(names(penalty), levels(block)), study$feature_names)
  if (length(whole) == 0L) {
    return(penalty)
  }
  members <- block[block %in% whole]
  all <- c(
    penalty[!names(penalty) %in% whole],
    stats::setNames(penalty[as.character(members)], names(members))
  )
  all[!duplicated(names(all))]
}

# The study with the weights of its features, for whatever follows paths.
with_penalty <- function(study, asked) {
  penalty <- unname(asked$penalty[study$feature_names])
  if (is.factor(penalty)) penalty <- droplevels(penalty)
  study$penalty <- penalty
  study
}

# @param penalty of ask_penalty(). @param blocks (data frame, or NULL) field of a result.
describe_penalty <- function(penalty, blocks = NULL) {
  if (is.factor(penalty)) {
    two <- function(column) vapply(blocks[[column]], figure, "", digits = 2)
    each <- sprintf(
      "%s %s (%s to %s)", blocks$block, two("weight"), two("weight_lowest"), two("weight_highest")
    )
    return(paste(
      c("penalty weights by block, chosen in every run", if (!is.null(blocks)) toString(each)),
      collapse = ": "
    ))
  }
  out <- sum(is.infinite(penalty))
  range <- unique(range(penalty[is.finite(penalty)], 1))
  c(
    if (length(range) > 1L) {
      sprintf("penalty weights from %s", paste(figures(range(penalty[is.finite(penalty)])),
        collapse = " to "))
    },
    if (out > 0L) sprintf("%s left out (penalty weight Inf)", count_of(out, "feature"))
  )
}
