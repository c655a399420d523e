# The sentences with which prints of results open: is there a signal, and what does that rest on.

# The verdict, and whether permutations were made.
# @param sentences (character) the verdict.
print_signal <- function(sentences, x) {
  print_verdict(c(sentences, if (is.null(x$null)) describe_missing_null(x)))
}

# The verdict of a result with an out-of-bag error.
describe_signal <- function(x) {
  oob <- x$oob
  if (length(x$features) == 0L) {
    return(sprintf(
      "No model: no %s is above the cut, so that nothing is predicted.", unit_word(x$asked)
    ))
  }
  if (!is.null(x$null$error)) {
    return(describe_null(x$null, oob))
  }
  if (is.null(oob)) {
    return(c(
      "Whether there is a signal is not known: no error was estimated.", describe_null(x$null)
    ))
  }
  reference <- reference_of(oob)
  verdict <- if (isTRUE(oob$upper < oob$baseline)) {
    "Signal"
  } else if (isTRUE(oob$error < oob$baseline)) {
    "Undecided"
  } else {
    "No evidence of a signal"
  }
  oob <- shown_oob(oob)
  c(
    sprintf(
      "%s: the out-of-bag %s of the whole procedure is %s%s; %s gives %s.", verdict, oob$measure,
      format(oob$error, digits = 2), describe_limits(oob), reference,
      format(oob$baseline, digits = 2)
    ),
    if (verdict != "Signal") "The features below may be there by chance.",
    sprintf("This rests on predictions of %d samples by models that had not seen them.", oob$n)
  )
}

describe_limits <- function(oob) {
  if (is.na(oob$lower)) {
    return("")
  }
  sprintf(
    " (%s%% interval %s to %s)", format(100 * oob$conf_level), format(oob$lower, digits = 2),
    format(oob$upper, digits = 2)
  )
}

# The verdict by permutations of the response, which says what the interval of the error cannot.
# @param null (list, or NULL) of a result: `p` (any signal), `n_permutations` and, where an error
#   was estimated, `error` (list: p, mean, sd).
# @param oob (stabilect_oob, or NULL) the error that the permutations are compared with.
describe_null <- function(null, oob = NULL) {
  if (is.null(null)) {
    return(NULL)
  }
  found <- isTRUE(null$p <= 0.05)
  error <- shown_permuted(null$error, oob)
  oob <- shown_oob(oob)
  c(
    sprintf(
      "%s: p %s (%s of the response).", if (found) "Signal" else "No evidence of a signal",
      format_p(null$p), count_of(null$n_permutations, "permutation")
    ),
    if (!is.null(error) && !is.null(oob)) {
      sprintf(
        paste(
          "The out-of-bag %s of the whole procedure is %s; permuted responses gave %s on average",
          "(sd %s, p %s)."
        ),
        oob$measure, format(oob$error, digits = 2), format(error$mean, digits = 2),
        format(error$sd, digits = 2), format_p(error$p)
      )
    },
    if (!found) "The features below may be there by chance."
  )
}

format_p <- function(p) if (p < 0.001) "< 0.001" else paste("=", format(p, digits = 2))

describe_missing_null <- function(x) {
  # Paths by likelihood are not permuted.
  if (!is.null(x$asked$likelihood)) {
    return(NULL)
  }
  seconds <- seconds_of(clock_key(x))
  if (is.null(seconds)) {
    return("Permutations of the response were not made, see `permute`.")
  }
  sprintf(
    "Permutations of the response were not made; `permute = 20` would take %s.",
    gsub(" ", "\u00a0", describe_seconds(20 * seconds), fixed = TRUE)
  )
}

# What tells results of a session apart.
clock_key <- function(x) {
  rlang::hash(list(class(x)[1], x$study$hash, x$resamples$fingerprint))
}

# A result, with the time that it took remembered.
timed <- function(result, began) {
  remember_seconds(clock_key(result), began)
  result
}

# The columns of a table of features that a print shows: what is evidence first.
evidence_columns <- function(table, measures) {
  known <- c("feature", "direction", "p_value", "q_value", "by_chance")
  c(intersect(known, names(table)), measures)
}
