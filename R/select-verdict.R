# The sentences with which prints of results open: is there a signal, and what does that rest on.

# The verdict, and whether permutations were made.
# @param sentences (character) the verdict.
print_signal <- function(sentences, x) {
  print_verdict(c(sentences, if (is.null(x$null)) describe_missing_null(x)))
}

# Is there a signal? Permutations decide where they were made, since they do not depend on where the
# list is cut; otherwise the interval of the out-of-bag error.
# @return (string) "Signal", "Undecided", "No evidence of a signal" or "Not known".
verdict_on_signal <- function(x) {
  if (!is.null(x$null)) {
    return(verdict_of_null(x$null))
  }
  oob <- x$oob
  if (length(x$features) == 0L || is.null(oob)) {
    return("Not known")
  }
  if (isTRUE(oob$upper < oob$baseline)) {
    "Signal"
  } else if (isTRUE(oob$error < oob$baseline)) {
    "Undecided"
  } else {
    "No evidence of a signal"
  }
}

# The verdict of a result with an out-of-bag error, or without one.
describe_signal <- function(x) {
  if (!is.null(x$null)) {
    return(describe_null(x))
  }
  verdict <- verdict_on_signal(x)
  oob <- x$oob
  if (verdict == "Not known") {
    why <- if (length(x$features) == 0L) {
      sprintf("no %s is selected, so that nothing is predicted", unit_word(x$asked))
    } else {
      "no error was estimated"
    }
    return(sprintf("Whether there is a signal is not known: %s.", why))
  }
  oob <- shown_oob(oob)
  c(
    sprintf(
      "%s: the out-of-bag %s of the whole procedure is %s%s; %s gives %s.", verdict, oob$measure,
      figure(oob$error, digits = 2), describe_limits(oob), reference_of(oob),
      figure(oob$baseline, digits = 2)
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
    " (%s%% interval %s to %s)", figure(100 * oob$conf_level), figure(oob$lower, digits = 2),
    figure(oob$upper, digits = 2)
  )
}

# The verdict by permutations of the response, which says what the interval of the error cannot.
# @param x (result) with or without `null` and `oob`.
describe_null <- function(x) {
  null <- x$null
  if (is.null(null)) {
    return(NULL)
  }
  verdict <- verdict_of_null(null)
  c(
    if (verdict == "Undecided") {
      describe_undecided(x)
    } else {
      sprintf(
        "%s: %s (%s of the response%s).", verdict, describe_p(null$p),
        count_of(null$n_permutations, "permutation"),
        if (isTRUE(null$stopped)) sprintf(", stopped early of %d", null$n_asked) else ""
      )
    },
    describe_permuted_error(null$error, x$oob),
    if (verdict == "No evidence of a signal") "The features below may be there by chance."
  )
}

# The error has no p value of its own in a print: one set of permutations, one p.
describe_permuted_error <- function(error, oob) {
  if (is.null(oob)) {
    return(NULL)
  }
  error <- shown_permuted(error, oob)
  oob <- shown_oob(oob)
  other <- if (is.null(error)) {
    sprintf("%s gives %s", reference_of(oob), figure(oob$baseline, digits = 2))
  } else {
    sprintf(
      "permuted responses gave %s on average (sd %s)", figure(error$mean, digits = 2),
      figure(error$sd, digits = 2)
    )
  }
  sprintf(
    "The out-of-bag %s of the whole procedure is %s%s; %s.", oob$measure,
    figure(oob$error, digits = 2), describe_limits(oob), other
  )
}

# Why these permutations give no verdict, and how many would.
describe_undecided <- function(x) {
  null <- x$null
  count <- count_of(null$n_permutations, "permutation")
  if (isTRUE(null$complete)) {
    return(sprintf(
      "Undecided: %s, and these samples have only %d arrangements, so that p is at least %s.",
      describe_p(null$p), null$n_permutations + 1L, figure(smallest_p(null), digits = 2)
    ))
  }
  smallest <- isTRUE(null$p <= smallest_p(null) + 1e-12)
  enough <- min(n_deciding_permutations, null$n_possible - 1)
  c(
    if (smallest) {
      sprintf(
        "Undecided: %s is the smallest value that %s can give.", describe_p(null$p), count
      )
    } else {
      sprintf("Undecided: %s (%s of the response).", describe_p(null$p), count)
    },
    sprintf("So few do not decide; %s.", describe_enough(x, enough))
  )
}

format_p <- function(p) if (p < 0.001) "< 0.001" else paste("=", figure(p, digits = 2))

describe_missing_null <- function(x) {
  sprintf(
    "Permutations of the response were not made; %s.", describe_enough(x, n_deciding_permutations)
  )
}

# What a number of permutations would take, where that was measured in this session.
describe_enough <- function(x, n) {
  seconds <- seconds_of(x)
  call <- sprintf("`permute = %d`", as.integer(n))
  if (is.null(seconds)) {
    return(sprintf("%s would decide", call))
  }
  time <- gsub(" ", "\u00a0", describe_seconds(n * seconds), fixed = TRUE)
  sprintf("%s would take %s", call, time)
}
