# The methods section of a report: a paragraph to copy, and its references.

# @return list(paragraph = string, references = character).
methods_of <- function(fit) {
  own <- switch(class(fit)[1],
    stabilect_fealect = methods_fealect(fit),
    stabilect_stability_selection = methods_stable(fit),
    stabilect_bolasso = methods_bolasso(fit),
    stabilect_ensemble = methods_ensemble(fit),
    stabilect_signals = methods_signals(fit),
    list("The analysis was made with the package stabilect.", character())
  )
  null <- methods_null(fit)
  version <- utils::packageVersion("stabilect")
  closing <- sprintf(
    "All computations were made in R %s with stabilect %s (seed %s).", getRversion(), version,
    figure(fit$made$seed)
  )
  list(
    paragraph = paste(c(own[[1]], null[[1]], closing), collapse = " "),
    references = c(own[[2]], null[[2]])
  )
}

cited <- c(
  zare = paste(
    "Zare H, Haffari G, Gupta A, Brinkman RR (2013). Scoring relevancy of features based on",
    "combinatorial analysis of Lasso with application to lymphoma diagnosis. BMC Genomics",
    "14(Suppl 1):S14."
  ),
  efron = paste(
    "Efron B, Hastie T, Johnstone I, Tibshirani R (2004). Least angle regression. Annals of",
    "Statistics 32:407-499."
  ),
  buhlmann = paste(
    "Meinshausen N, Buehlmann P (2010). Stability selection. Journal of the Royal Statistical",
    "Society B 72:417-473."
  ),
  shah = paste(
    "Shah RD, Samworth RJ (2013). Variable selection with error control: another look at",
    "stability selection. Journal of the Royal Statistical Society B 75:55-80."
  ),
  bodinier = paste(
    "Bodinier B, Filippi S, Nost TH, Chiquet J, Chadeau-Hyam M (2023). Automated calibration for",
    "stability selection in penalised regression and graphical models. Journal of the Royal",
    "Statistical Society C 72:1375-1393."
  ),
  melikechi = paste(
    "Melikechi O, Miller JW (2025). Integrated path stability selection. Journal of the American",
    "Statistical Association."
  ),
  bach = paste(
    "Bach F (2008). Bolasso: model consistent lasso estimation through the bootstrap.",
    "Proceedings of the 25th International Conference on Machine Learning, 33-40."
  ),
  dernoncourt = paste(
    "Dernoncourt D, Hanczar B, Zucker JD (2014). Analysis of feature selection stability on",
    "high dimension and small sample data. Computational Statistics and Data Analysis",
    "71:681-693."
  ),
  faletto = "Faletto G, Bien J (2022). Cluster stability selection. arXiv:2201.00494.",
  gsell = paste(
    "G'Sell MG, Wager S, Chouldechova A, Tibshirani R (2016). Sequential selection procedures",
    "and false discovery rate control. Journal of the Royal Statistical Society B 78:423-444."
  ),
  wang = paste(
    "Wang G, Sarkar A, Carbonetto P, Stephens M (2020). A simple new approach to variable",
    "selection in regression, with application to genetic fine mapping. Journal of the Royal",
    "Statistical Society B 82:1273-1300."
  ),
  westfall = "Westfall PH, Young SS (1993). Resampling-based multiple testing. Wiley, New York."
)

# The kind of paths, and their source.
describe_paths <- function(likelihood) {
  if (is.null(likelihood)) {
    return("exact lasso paths (Efron et al. 2004)")
  }
  sprintf("lasso paths (%s)", model_in_words(likelihood))
}

model_in_words <- function(likelihood) {
  paste(c(describe_likelihood(likelihood), describe_adjusted(likelihood)), collapse = ", ")
}

source_of_paths <- function(likelihood) if (is.null(likelihood)) "efron"

methods_fealect <- function(fit) {
  grouped <- !is.null(fit$asked$clusters)
  list(
    sprintf(
      paste(
        "%s were scored by FeaLect (Zare et al. 2013): %s",
        "were followed on resamples (%s), and a %s's score is the mean over runs",
        "of its shares in the models of all sizes%s. %s."
      ),
      if (grouped) sprintf("%d clusters of features", nlevels(fit$asked$clusters)) else "Features",
      describe_paths(fit$asked$likelihood), format(fit$resamples$plan), unit_word(fit$asked),
      if (grouped) ", of clusters of which they hold a feature" else "",
      switch(fit$cut,
        bend = "The list is cut at the bend of the score curve, a fit of three line segments",
        sprintf(
          "The score curve, a fit of three line segments, gave no cut; the list has the %ss %s",
          unit_word(fit$asked),
          if (fit$cut == "majority") {
            "in at least half of the runs"
          } else {
            "with at least half of the best score"
          }
        )
      )
    ),
    unname(cited[c("zare", source_of_paths(fit$asked$likelihood))])
  )
}

methods_stable <- function(fit) {
  if (is_integrated(fit$asked)) {
    return(methods_integrated(fit))
  }
  bound <- fit$bound
  unit <- paste0(unit_word(fit$asked), "s")
  clusters <- !is.null(fit$asked$clusters)
  list(
    sprintf(
      paste(
        "%s were selected by %sstability selection (Meinshausen and Buehlmann 2010; Shah",
        "and Samworth 2013%s): the first %s %s of %s",
        "on resamples (%s); selected are those in at least %s of the runs, for which at most",
        "%s falsely selected %s are expected (bound of type \"%s\").%s"
      ),
      if (clusters) sprintf("%d clusters of features", bound$n_total) else "Features",
      if (clusters) "cluster " else "", if (clusters) "; Faletto and Bien 2022" else "",
      figure(bound$q), unit, describe_paths(fit$asked$likelihood), format(fit$resamples$plan),
      figure(bound$cutoff, digits = 3),
      figure(bound$pfer, digits = 2), unit, bound$assumption, methods_calibrated(fit$asked)
    ),
    unname(cited[c(
      "buhlmann", "shah", if (is_calibrated(fit$asked)) "bodinier", if (clusters) "faletto",
      source_of_paths(fit$asked$likelihood)
    )])
  )
}

methods_calibrated <- function(asked) {
  if (!is_calibrated(asked)) {
    return("")
  }
  paste(
    " Number and cutoff were chosen by the largest calibration score (Bodinier et al. 2023) of the",
    "same runs, for which that bound does not account."
  )
}

methods_integrated <- function(fit) {
  list(
    sprintf(
      paste(
        "Features were selected by integrated path stability selection (Melikechi and Miller",
        "2025): %s were followed on resamples (%s), and shares of runs above one half were",
        "integrated, squared, over penalties at which models have at most %s features on average;",
        "selected are features with %s."
      ),
      describe_paths(fit$asked$likelihood), format(fit$resamples$plan), figure(fit$bound$q),
      gsub("`", "", describe_rate(fit$asked))
    ),
    unname(cited[c("melikechi", "shah", source_of_paths(fit$asked$likelihood))])
  )
}

methods_bolasso <- function(fit) {
  likelihood <- fit$asked$likelihood
  list(
    sprintf(
      paste(
        "Features were selected by the Bolasso (Bach 2008): the lasso%s at lambda = %s on",
        "resamples (%s); selected are the features in at least %s of the runs."
      ),
      if (is.null(likelihood)) "" else sprintf(" (%s)", model_in_words(likelihood)),
      figure(fit$lambda, digits = 3), format(fit$resamples$plan), figure(fit$asked$cutoff)
    ),
    unname(cited[c("bach", source_of_paths(likelihood))])
  )
}

methods_ensemble <- function(fit) {
  list(
    sprintf(
      paste(
        "Features were selected by an ensemble (Dernoncourt et al. 2014): %s on resamples",
        "(%s), the runs aggregated by %s."
      ),
      toString(unique(fit$runs$selector)), format(fit$resamples$plan),
      fit$asked$aggregation$label
    ),
    unname(cited["dernoncourt"])
  )
}

methods_signals <- function(fit) {
  list(
    sprintf(
      paste(
        "Signal was tested by the largest correlation with the response against %s. %s",
        "were named by forward steps in a spectrally trimmed metric, stopped by ForwardStop",
        "(G'Sell et al. 2016) and pruned backwards; credible sets are those of SuSiE (Wang et",
        "al. 2020). Error rates of such names are known from simulations only."
      ),
      describe_null_draws(fit), if (is.null(fit$members)) "Features" else "Means of clusters"
    ),
    unname(cited[c("gsell", "wang")])
  )
}

# The sentence about permutations of the response.
methods_null <- function(fit) {
  if (is.null(fit$null$n_permutations)) {
    return(list(NULL, character()))
  }
  list(
    sprintf(
      paste(
        "The whole procedure was repeated on %d permutations of the response; p values of",
        "features (p_fwer) are adjusted for their number (Westfall and Young 1993)."
      ),
      fit$null$n_permutations
    ),
    unname(cited["westfall"])
  )
}
