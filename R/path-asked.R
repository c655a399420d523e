# The likelihood of verbs with many paths.

# What the paths of many runs maximise: NULL for plain least squares, which has exact paths, or
# list(family, alpha, and, for survival times, ties).
# @param paths of path_control().
ask_likelihood <- function(study, paths) {
  family <- family_of(paths$family, study$response)
  if (!is.null(study$response$within)) family <- family_within(family)
  likelihood <- list(alpha = paths$alpha, family = family)
  if (paths$ties != "efron" || family_record(family)$strata) {
    likelihood$ties <- check_ties(paths$ties, family)
  }
  if (is_plain(likelihood, study$response)) {
    return(NULL)
  }
  refuse(paths$score_rule == "step",
    c("{.code score_rule = \"step\"} counts the steps of a path of plain least squares.",
      i = "Take {.code score_rule = \"size\"}."
    )
  )
  check_half_free(study)
  likelihood
}

# Covariates must leave degrees of freedom in half of the samples.
check_half_free <- function(study) {
  weights <- study$response$weights
  n <- if (is.null(weights)) study$n else sum(weights > 0)
  z <- study$response$covariates
  if (!is.null(z)) check_free(ncol(z), floor(n / 2), z)
}

# The model of a result in words, for prints; NULL for plain least squares.
describe_likelihood <- function(likelihood) {
  paste0(
    family_record(likelihood$family)$words,
    if (likelihood$alpha < 1) sprintf(", elastic net with alpha %s", figure(likelihood$alpha)),
    if (identical(likelihood$ties, "breslow")) ", ties as in Breslow"
  )
}

# Penalty weights of a verb that counts features.
# @return (numeric, p, with the names of the features) or NULL if all are 1; the view of each
#   feature (factor) if every run chooses the weights.
ask_penalty <- function(penalty, study) {
  if (is.character(penalty)) {
    check_choice(penalty, "views", "penalty")
    refuse(is.null(study$features$views),
      c("{.code penalty = \"views\"} needs views, which {.arg x} does not have.",
        i = "Give {.arg x} as a list of matrices, {.code list(clinical = , expression = )}."
      )
    )
    refuse(has_row_values(study$response),
      "{.code penalty = \"views\"} is not for {.arg weights} or {.arg offset} of samples."
    )
    return(study$features$views)
  }
  if (!is.null(study$features$views)) penalty <- weights_of_views(penalty, study)
  penalty <- check_penalty(penalty, study$feature_names)
  kept <- study$feature_names[penalty == 0]
  refuse(length(kept) > 0L,
    c("{.arg penalty} is 0 for {.val {kept[1]}}, which would be in every model and could not be
        counted.",
      i = "Give it as {.arg covariates} to keep it in every model, or a weight > 0."
    )
  )
  stats::setNames(penalty, study$feature_names)
}

# Names of views stand for their features; a weight of a single feature takes precedence.
weights_of_views <- function(penalty, study) {
  view <- study$features$views
  whole <- setdiff(intersect(names(penalty), levels(view)), study$feature_names)
  if (length(whole) == 0L) {
    return(penalty)
  }
  members <- view[view %in% whole]
  all <- c(
    penalty[!names(penalty) %in% whole],
    stats::setNames(penalty[as.character(members)], names(members))
  )
  all[!duplicated(names(all))]
}

# @param penalty of ask_penalty(). @param views (data frame, or NULL) field of a result.
describe_penalty <- function(penalty, views = NULL) {
  if (is.factor(penalty)) {
    two <- function(column) vapply(views[[column]], figure, "", digits = 2)
    each <- sprintf(
      "%s %s (%s to %s)", views$view, two("weight"), two("weight_lowest"), two("weight_highest")
    )
    return(paste(
      c("penalty weights by view, chosen in every run", if (!is.null(views)) toString(each)),
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
