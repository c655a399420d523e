# The methods section of a report: a paragraph to copy, and its references.

# @param study (study, or NULL) data of the report.
# @return list(paragraph = string, references = character).
methods_of <- function(fit, study = NULL) {
  own <- if (inherits(fit, "stabilect_signals")) methods_signals(fit) else methods_of_rule(fit)
  null <- methods_null(fit)
  version <- utils::packageVersion("stabilect")
  closing <- sprintf(
    "All computations were made in R %s with stabilect %s (seed %s).", getRversion(), version,
    figure(fit$made$seed)
  )
  list(
    paragraph = paste(
      c(own[[1]], methods_samples(fit, own[[1]]), null[[1]], methods_error(fit$oob), closing),
      collapse = " "
    ),
    references = c(own[[2]], null[[2]], sprintf(
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
    if (!is.null(groups)) sprintf("Samples were compared within %d groups.", nlevels(groups))
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
  george = paste(
    "George EI, McCulloch RE (1993). Variable selection via Gibbs sampling. Journal of the",
    "American Statistical Association 88:881-889."
  ),
  westfall = "Westfall PH, Young SS (1993). Resampling-based multiple testing. Wiley, New York."
)

# The kind of paths, and their source.
describe_paths <- function(x) {
  asked <- x$asked
  words <- model_in_words(x)
  if (!is.null(asked$selector)) {
    return(paste("rankings by", asked$selector$label))
  }
  if (is.null(asked$likelihood)) {
    plain <- "exact lasso paths (Efron et al. 2004)"
    return(paste(c(plain, if (nzchar(words)) words), collapse = " with "))
  }
  sprintf("lasso paths (%s)", words)
}

model_in_words <- function(x) {
  x$blocks <- NULL
  likelihood <- x$asked$likelihood
  paste(c(if (!is.null(likelihood)) describe_likelihood(likelihood), describe_roles(x)),
    collapse = ", ")
}

source_of_paths <- function(asked) {
  if (is.null(asked$likelihood) && is.null(asked$selector)) "efron"
}

# As the rule of the list says it.
methods_of_rule <- function(fit) {
  own <- rule_of(fit$asked)$methods(fit)
  if (is.null(own)) {
    return(list("The analysis was made with the package stabilect.", character()))
  }
  list(own[[1]], unname(cited[own[[2]]]))
}

methods_signals <- function(fit) {
  list(
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
