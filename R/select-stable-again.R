# Stability selection from the runs of a result, without new runs.

# Reads the paths of fealect() again: they contain every prefix.
stable_of_fealect <- function(x, given, assumption = assumptions, ...) {
  refuse_dots(...)
  if (is.null(given$bound) && is.null(given$fdr)) given$bound <- unit_of(x$study)$bound
  asked <- c(
    do.call(ask_list, c(given, list(assumption = assumption))),
    list(score_rule = x$asked$score_rule, weakness = 1), list(likelihood = x$asked$likelihood)
  )
  longest <- limit_of(x$asked, x$study$n)
  again <- plan_again(x, asked, longest)
  refuse(!is.null(longest) && again$plan$q > longest,
    "The paths of {.arg x} end at {longest} {unit_word(x$study)}s ({.arg max_features}), but
      {.arg q} is {again$plan$q}."
  )
  warn_short_paths(again, unit_of(x$study), longest, x$study$n)
  fit <- select_again(x, again$asked, again$plan)
  fit$made$usual <- rule_of(asked)$usual(given, again$asked)
  fit
}

# Reads the runs of stability_selection() again with another q, cutoff or bound.
stable_of_stable <- function(x, given, ...) {
  refuse_dots(...)
  if (all(vapply(given, is.null, NA))) abort_unasked()
  given$assumption <- x$asked$assumption
  if (is.null(given$bound) && is_other_number(given)) given$bound <- rule_of(x$asked)$bound
  rule <- rule_wanted(given)
  given <- rule$again(given, x, identical(rule$name, x$asked$rule))
  asked <- c(
    do.call(ask_list, given), x$asked[c("score_rule", "weakness")],
    list(likelihood = x$asked$likelihood)
  )
  again <- plan_again(x, asked)
  unit <- unit_of(x$study)
  largest <- choose_first(.Machine$integer.max, "size")
  longest <- max(lengths(path_sets(unit$paths(x$paths), largest)))
  before <- rule_of(x$asked)
  held <- before$held(x)
  refuse(again$plan$q > max(longest, held),
    "The paths of {.arg x} were run for at most {held} {unit$word}s, but
      {.arg q} is {again$plan$q}: give {.fn stability_selection} the data."
  )
  ends <- before$limit(held, unit, x$study$n)
  if (longest >= ends) warn_short_paths(again, unit, ends, x$study$n)
  select_again(x, again$asked, again$plan)
}

# Rules that read more of a path than q features find less in one that ends early.
# @param ends (integer, or NULL) features at which the paths end.
warn_short_paths <- function(again, unit, ends, n) {
  wanted <- rule_of(again$asked)$limit(again$plan$q, unit, n)
  if (!is.null(ends) && ends < wanted) {
    warn(
      c("The paths of {.arg x} end at {ends} {unit$word}s, and this bound with {.arg q} =
          {again$plan$q} reads {wanted}.",
        i = "It may find fewer than {.fn stability_selection} with the data, or a smaller {.arg q}."
      ),
      class = "short_paths"
    )
  }
}

# Another q or pfer alone: bounded as the result is.
is_other_number <- function(given) {
  is.null(given$q) != is.null(given$pfer) && is.null(given$cutoff) && is.null(given$fdr)
}

abort_unasked <- function() {
  abort("Give one or two of {.arg q}, {.arg cutoff} and {.arg pfer}, or {.arg fdr}.")
}

# @param longest (integer, or NULL) where the paths of the result x end.
# @return list(asked, plan) for its runs and units.
plan_again <- function(x, asked, longest = NULL) {
  rule <- rule_of(asked)
  asked["selector"] <- x$asked["selector"]
  unit <- unit_of(x$study)
  rule$fits(asked, unit)
  asked <- rule$size(asked, x$study, unit, x$resamples, longest)
  list(asked = asked, plan = rule$plan(asked, unit, x$resamples))
}
