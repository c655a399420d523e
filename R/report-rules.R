# What a methods section says of a list, by its rule.

rule_methods <- new_registry()
# @param make function(): function(x), which returns list(sentences, names of `cited`).
register_methods <- rule_methods$add

register_methods("bend", function() methods_bend)
register_methods("best", function() methods_best)
register_methods("cutoff", function() methods_cutoff)
register_methods("calibrated", function() methods_calibrated)
register_methods("integrated", function() methods_integrated)
register_methods("share", function() methods_share)

methods_of_rule <- function(fit) {
  rule <- fit$asked$rule
  say <- if (is.character(rule)) rule_methods$all()[[rule]]
  if (is.null(say)) {
    return(list("The analysis was made with the package stabilect.", character()))
  }
  own <- say(fit)
  list(own[[1]], unname(cited[own[[2]]]))
}

methods_bend <- function(x) {
  unit <- unit_of(x$study)
  list(
    sprintf(
      paste(
        "%s were scored by FeaLect (Zare et al. 2013): %s",
        "were followed on resamples (%s), and a %s's score is the mean over runs",
        "of its shares in the models of all sizes%s. %s."
      ),
      unit$several, describe_paths(x), format(x$resamples$plan), unit$word,
      if (unit$grouped) ", of clusters of which they hold a feature" else "",
      switch(x$cut,
        bend = "The list is cut at the bend of the score curve, a fit of three line segments",
        sprintf(
          "The score curve, a fit of three line segments, gave no cut; the list has the %ss %s",
          unit$word,
          if (x$cut == "majority") {
            "in at least half of the runs"
          } else {
            "with at least half of the best score"
          }
        )
      )
    ),
    c("zare", source_of_paths(x$asked))
  )
}

methods_best <- function(x) {
  list(
    sprintf(
      paste(
        "Features were selected by an ensemble (Dernoncourt et al. 2014): %s on resamples",
        "(%s), the runs aggregated by %s."
      ),
      toString(unique(x$runs$selector)), format(x$resamples$plan), x$asked$aggregation$label
    ),
    "dernoncourt"
  )
}

methods_cutoff <- function(x) {
  bound <- x$bound
  unit <- unit_of(x$study)
  units <- paste0(unit$word, "s")
  list(
    sprintf(
      paste(
        "%s were selected by %sstability selection (Meinshausen and Buehlmann 2010; Shah",
        "and Samworth 2013%s): the first %s %s of %s",
        "on resamples (%s); selected are those in at least %s of the runs, for which at most",
        "%s falsely selected %s are expected (bound of type \"%s\")."
      ),
      unit$several, unit$kind, unit$source, figure(bound$q), units,
      describe_paths(x), format(x$resamples$plan),
      figure(bound$cutoff, digits = 3), figure(bound$pfer, digits = 2), units, bound$assumption
    ),
    c("buhlmann", "shah", unit$cited, source_of_paths(x$asked))
  )
}

methods_calibrated <- function(x) {
  own <- methods_cutoff(x)
  chosen <- paste(
    "Number and cutoff were chosen by the largest calibration score (Bodinier et al. 2023) of the",
    "same runs, for which that bound does not account."
  )
  list(paste(own[[1]], chosen), append(own[[2]], "bodinier", 2L))
}

methods_integrated <- function(x) {
  list(
    sprintf(
      paste(
        "Features were selected by integrated path stability selection (Melikechi and Miller",
        "2025): %s were followed on resamples (%s), and shares of runs above one half were",
        "integrated, squared, over %s features%s; selected are features with %s."
      ),
      describe_paths(x), format(x$resamples$plan),
      paste(if (x$bound$ranked) "lists of 1 to" else "penalties at which models have at most",
        figure(x$bound$q)),
      if (x$bound$ranked) ", on the log scale" else " on average",
      gsub("`", "", describe_promise(x$asked))
    ),
    c("melikechi", "shah", source_of_paths(x$asked))
  )
}

methods_share <- function(x) {
  words <- model_in_words(x)
  list(
    sprintf(
      paste(
        "Features were selected by the Bolasso (Bach 2008): the lasso%s at lambda = %s on",
        "resamples (%s); selected are the features in at least %s of the runs."
      ),
      if (nzchar(words)) sprintf(" (%s)", words) else "",
      figure(x$lambda, digits = 3), format(x$resamples$plan), figure(x$asked$cutoff)
    ),
    c("bach", source_of_paths(x$asked))
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
  george = paste(
    "George EI, McCulloch RE (1993). Variable selection via Gibbs sampling. Journal of the",
    "American Statistical Association 88:881-889."
  ),
  gretton = paste(
    "Gretton A, Bousquet O, Smola A, Schoelkopf B (2005). Measuring statistical dependence with",
    "Hilbert-Schmidt norms. Algorithmic Learning Theory, 63-77."
  ),
  nogueira = paste(
    "Nogueira S, Sechidis K, Brown G (2018). On the stability of feature selection algorithms.",
    "Journal of Machine Learning Research 18(174):1-54."
  ),
  song = paste(
    "Song L, Smola A, Gretton A, Bedo J, Borgwardt K (2012). Feature selection via dependence",
    "maximization. Journal of Machine Learning Research 13:1393-1434."
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
  x$views <- NULL
  likelihood <- x$asked$likelihood
  paste(c(if (!is.null(likelihood)) describe_likelihood(likelihood), describe_roles(x)),
    collapse = ", ")
}

source_of_paths <- function(asked) {
  if (is.null(asked$likelihood) && is.null(asked$selector)) "efron"
}
