# The lines on signal and error at the start of verdicts.

# The facts under Signal, and their caution.
# @param x (result) with or without `null` and `oob`.
signal_facts <- function(x) {
  list(
    Signal = describe_signal(x),
    Error = if (!is.null(x$oob) && length(x$features) > 0L) {
      c(describe_error_rate(x$oob, x$null$error), describe_left_samples(x$oob))
    },
    Caution = caution_of_signal(x)
  )
}

# Is there a signal? Permutations decide if there are any, because they do not depend on the cut of
# the list; otherwise the interval of the out-of-bag error.
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

describe_signal <- function(x) {
  null <- x$null
  if (is.null(null)) {
    return(sprintf(
      "not tested by permutations; %s", describe_enough(x, n_deciding_permutations)
    ))
  }
  verdict <- verdict_of_null(null)
  if (verdict == "Undecided") {
    return(describe_undecided(x))
  }
  single <- sprintf(
    "%s for the best %s (%s of the outcome%s)", describe_p(null$p), unit_word(x$study),
    describe_draws(null$n_permutations, null$complete),
    if (isTRUE(null$stopped)) sprintf(", stopped early of %d", null$n_asked) else ""
  )
  state <- function(yes) if (yes) "yes" else "no evidence"
  # The error is of all features of the list together, p of the best one alone. Where the answers
  # differ, each says what it is about.
  together <- if (!is.null(null$error)) {
    sprintf("together: %s, %s", state(predicts_together(x)), describe_p_of_error(null))
  }
  if (predicts_together(x) && verdict != "Signal") {
    return(c(together, sprintf("one by one: %s, %s", state(FALSE), single)))
  }
  c(sprintf("%s: %s", state(verdict == "Signal"), single), together)
}

describe_p_of_error <- function(null) {
  n <- length(null$error$values)
  sprintf(
    "%s for the out-of-bag error (%s)", describe_p(null$error$p),
    describe_draws(n, null$complete && n == null$n_permutations)
  )
}

# Do the features of the list together predict better than lists of permuted outcomes?
predicts_together <- function(x) isTRUE(x$null$error$p <= 0.05)

# Warns if the list below may be chance.
caution_of_signal <- function(x) {
  verdict <- verdict_on_signal(x)
  if (length(x$features) == 0L || !verdict %in% c("Undecided", "No evidence of a signal")) {
    return(NULL)
  }
  if (is.null(x$null)) {
    oob <- shown_oob(x$oob)
    number <- if (is_rate(oob)) as_percent else format_two
    beyond <- number(oob$baseline)
    why <- if (verdict == "Undecided") {
      sprintf("the interval of the error contains %s", beyond)
    } else {
      sprintf("the %s is no better than %s", if (is_rate(oob)) "error" else oob$measure, beyond)
    }
    # Of a rare class the error may be no better, and the order of the samples still be right.
    if (isTRUE(oob$auc_lower > oob$auc_baseline)) {
      return(sprintf("%s, but the AUC is above chance (%s)", why, format_two(oob$auc)))
    }
    # Of many samples some are judged: the width is of these, and says nothing of the list.
    if (verdict == "Undecided" && !is.null(x$oob$n_samples)) {
      return(sprintf(
        "%s, with %s of %s samples judged: more samples with an outcome tell (validate_model())",
        why, figure(x$oob$n, big.mark = ","), figure(x$oob$n_samples, big.mark = ",")
      ))
    }
    return(sprintf("%s: all features of the list may be there by chance", why))
  }
  if (verdict == "No evidence of a signal") {
    if (predicts_together(x)) {
      "together they predict better than by chance: use their order, and claim no single one"
    } else {
      "all features of the list may be there by chance"
    }
  }
}

# Why these permutations give no verdict, and how many would.
describe_undecided <- function(x) {
  null <- x$null
  count <- count_of(null$n_permutations, "permutation")
  if (isTRUE(null$complete)) {
    return(sprintf(
      "undecided: %s; these samples have only %d arrangements, so p is at least %s",
      describe_p(null$p), null$n_permutations + 1L, figure(smallest_p(null), digits = 2)
    ))
  }
  smallest <- isTRUE(null$p <= smallest_p(null) + 1e-12)
  enough <- min(n_deciding_permutations, null$n_possible - 1)
  sprintf(
    "undecided: %s; %s",
    if (smallest) {
      sprintf("%s is the smallest value that %s can give", describe_p(null$p), count)
    } else {
      sprintf("%s (%s of the outcome), too few to decide", describe_p(null$p), count)
    },
    describe_enough(x, enough)
  )
}

# The time for a number of permutations, if measured in this session.
describe_enough <- function(x, n) {
  seconds <- seconds_of(x)
  call <- sprintf("`permute = %d`", as.integer(n))
  if (is.null(seconds)) {
    return(sprintf("%s would decide", call))
  }
  seconds <- seconds * permutations_as_whole(n, procedure_of(x))
  time <- gsub(" ", "\u00a0", describe_seconds(seconds), fixed = TRUE)
  sprintf("%s would take %s", call, time)
}
