# The methods section of a report: a paragraph to copy, and its references.

# @param study (study, or NULL) data of the report; others (list) its further results.
# @return list(paragraph = string, references = character).
methods_of <- function(fit, study = NULL, others = list()) {
  own <- if (inherits(fit, "stabilect_signals")) methods_signals(fit) else methods_of_rule(fit)
  null <- methods_null(fit)
  further <- Filter(length, lapply(unname(others), methods_further))
  sources <- unique(c(own[[2]], null[[2]], unlist(lapply(further, `[`, -1L))))
  version <- utils::packageVersion("stabilect")
  closing <- sprintf(
    "All computations were made in R %s with stabilect %s (seed %s).", getRversion(), version,
    figure(fit$made$seed)
  )
  list(
    paragraph = paste(
      c(
        own[[1]], methods_samples(fit, own[[1]]), null[[1]], methods_error(fit$oob),
        unlist(lapply(further, `[[`, 1L)), closing
      ),
      collapse = " "
    ),
    references = c(sources, if (!is.null(fit$study$missing$n_draws)) {
      "Tanner MA, Wong WH (1987). The calculation of posterior distributions by data augmentation.
       Journal of the American Statistical Association 82, 528-540."
    }, sprintf(
      "The stabilect authors. stabilect: Stable Feature Selection from Many Resamples. R package
       version %s.", version
    ))
  )
}

# What is known of samples, where the sentences on the runs do not say it.
methods_samples <- function(fit, said) {
  z <- fit$study$roles$covariates
  groups <- fit$study$roles$within
  c(
    if (!is.null(z) && !grepl("adjusted for", said, fixed = TRUE)) {
      sprintf("The analysis was adjusted for %s.", toString(colnames(z)))
    },
    if (!is.null(groups)) sprintf("Samples were compared within %d groups.", nlevels(groups)),
    methods_missing(fit$study$missing)
  )
}

# @param missing of kept_missing(), or NULL.
methods_missing <- function(missing) {
  if (is.null(missing)) {
    return(NULL)
  }
  how <- if (is.null(missing$n_draws)) {
    "were replaced by the medians of their features"
  } else {
    sprintf(
      paste(
        "were imputed without the outcome, from the ten most correlated features and a detection",
        "curve (data augmentation, Tanner and Wong 1987; %d draws)"
      ), missing$n_draws
    )
  }
  sprintf(
    "The missing values (%s of all, in %s) %s.", as_percent(missing$all),
    count_of(length(missing$share), "feature"), how
  )
}

methods_error <- function(oob) {
  if (!is.null(oob)) {
    paste(
      "The error was estimated out of bag: each sample was predicted by a model whose features",
      "were chosen from the resamples without it."
    )
  }
}

methods_signals <- function(fit) {
  any <- if (!is.null(fit$dependence)) {
    paste(
      "Dependence of any kind was tested by the largest Hilbert-Schmidt independence criterion",
      "(Gretton et al. 2005, without bias as in Song et al. 2012), against the same permutations,",
      "family-wise (Westfall and Young 1993)."
    )
  }
  named <- list(
    sprintf(
      paste(
        "Signal was tested by the largest correlation with the outcome against %s. %s were named",
        "by Bayesian variable selection (George and McCulloch 1993) with %s and a background of",
        "small effects and principal components: each has a posterior probability of at least %s",
        "that it, or one correlated with it above 0.7 in absolute value, carries signal."
      ),
      describe_null_design(fit), if (is.null(fit$members)) "Features" else "Means of clusters",
      if (is.null(fit$study$levels)) "t errors" else "a probit link", figure(named_from)
    ),
    unname(cited["george"])
  )
  if (is.null(any)) {
    return(named)
  }
  list(paste(named[[1]], any), unname(cited[c("george", "gretton", "song", "westfall")]))
}

# The sentence about permutations of the response.
methods_null <- function(fit) {
  if (is.null(fit$null$n_permutations)) {
    return(list(NULL, character()))
  }
  n <- fit$null$n_permutations
  n_whole <- fit$null$n_whole
  list(
    paste0(
      if (is.null(n_whole) || n_whole >= n) {
        sprintf("The whole procedure was repeated on %d permutations of the response", n)
      } else {
        sprintf(
          "The response was permuted %d times; the paths were followed for all of these, the %s %d",
          n, "out-of-bag error was estimated again for", n_whole
        )
      },
      "; p values of features (p_fwer) are adjusted for their number (Westfall and Young 1993)."
    ),
    unname(cited["westfall"])
  )
}

# What was done beside the list: a sentence, and what it cites; NULL if the list's own tell it.
methods_further <- function(x) UseMethod("methods_further")

#' @exportS3Method
methods_further.default <- function(x) NULL # nolint: object_name_linter.

#' @exportS3Method
methods_further.stabilect_signals <- function(x) { # nolint: object_name_linter.
  as.list(unlist(methods_signals(x)))
}

#' @exportS3Method
methods_further.stabilect_replication <- function(x) { # nolint: object_name_linter.
  list(sprintf(
    "What another study would find again was measured by repeating the procedure on %s.",
    paste(count_of(x$asked$n_pairs, "pair"), "of disjoint halves of the samples")
  ))
}

#' @exportS3Method
methods_further.stabilect_error_rates <- function(x) { # nolint: object_name_linter.
  list(sprintf(
    paste(
      "What such lists get right was measured by repeating the procedure on %s of each strength,",
      "made from the observed features%s."
    ),
    count_of(x$asked$n_simulations, "simulated outcome"),
    if (is.na(x$observed)) "" else " and as easy to predict as the observed one"
  ))
}

#' @exportS3Method
methods_further.stabilect_validation <- function(x) { # nolint: object_name_linter.
  list(sprintf(
    "The model was evaluated on %s that had no part in its making.",
    count_of(x$made$n, "new sample")
  ))
}

#' @exportS3Method
methods_further.stabilect_stability <- function(x) { # nolint: object_name_linter.
  if ("nogueira" %in% x$table$index) {
    list(
      "The agreement of the runs is measured by Nogueira's index (Nogueira et al. 2018).",
      unname(cited["nogueira"])
    )
  }
}
