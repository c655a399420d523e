# The bound: two of q, cutoff and pfer give the third (Meinshausen & Buehlmann 2010; Shah & Samworth
# 2013). The list contains the features in at least the cutoff of the runs.

register_rule("cutoff", function() {
  new_list_rule(
    "cutoff", place = 3, wanted = function(given) TRUE, ask = ask_bound, usual = usual_bound,
    again = complete_bound, size = size_of_bound, plan = plan_bound, shorter = shorter_bound,
    until = until_bound, read = read_bound,
    claim = claim_of_bound, title = title_of_stable,
    details = function(x) list(details_of_bound(x)), verdict = describe_stable,
    nothing = explain_nothing,
    caution = function(x) c(unit_of(x$study)$caution(x), caution_of_concave(x$bound$assumption)),
    measures = measures_of_bound,
    by_frequency = TRUE
  )
})

# @param asked (list) q, cutoff and pfer, some of them NULL, not all.
ask_bound <- function(asked, given) {
  known <- given_of_three(asked)
  refuse(all(known),
    c("Give one or two of {.arg q}, {.arg cutoff} and {.arg pfer}, not all three: the third
       follows.",
      i = "Or ask for one number only: {.arg pfer} false positives, or their share, {.arg fdr}."
    )
  )
  refuse(!is.null(given$fdr),
    "{.code bound = \"cutoff\"} bounds no {.arg fdr}: leave {.arg bound} out."
  )
  if (sum(known) == 1L && known[["q"]]) asked$cutoff <- usual_cutoff
  # With pfer alone q follows from the samples of a run, see fitting_q().
  if (!known[["q"]] && !known[["pfer"]]) asked$pfer <- usual_pfer
  asked
}

given_of_three <- function(given) {
  vapply(given[c("q", "cutoff", "pfer")], Negate(is.null), NA)
}

# @return (character) names of those with their usual value; NULL if none.
usual_bound <- function(given, asked) {
  known <- given_of_three(asked)
  if (sum(known) == 1L) known[["q"]] <- TRUE
  usual <- names(which(known & !given_of_three(given)))
  if (length(usual) > 0L) usual
}

# Where paths of a result end, the default of q does, too.
size_of_bound <- function(asked, study, unit, draws, longest) {
  if (!is.null(longest) && is.null(asked$q) && is.null(asked$cutoff)) {
    asked$q <- min(q_of_promise(asked, unit, draws), longest)
  }
  asked
}

q_of_promise <- function(asked, unit, draws) {
  fitting_q(
    unit$n_open, samples_of_runs(draws), asked$pfer, max(2L, draws$n_runs %/% 2L), asked$assumption
  )
}

shorter_bound <- function(asked, q) {
  if (is.null(asked$cutoff)) replace(asked, "q", q) else shorter_paths(asked, q)
}

# One argument alone keeps the q of the result, or for a new q its cutoff.
complete_bound <- function(given, x, same) {
  known <- given_of_three(given)
  if (all(known)) abort_unasked()
  if (sum(known) == 1L) {
    if (!known[["q"]]) {
      given$q <- x$bound$q
    } else if (!is.na(x$bound$cutoff)) {
      given$cutoff <- x$bound$cutoff
    }
  }
  given
}

plan_bound <- function(asked, unit, draws) {
  check_bound_draws(asked, unit, draws)
  if (is.null(asked$q) && is.null(asked$cutoff)) asked$q <- q_of_promise(asked, unit, draws)
  bound <- solve_bound(
    unit$n_open, asked$q, asked$cutoff, asked$pfer, max(2L, draws$n_runs %/% 2L), asked$assumption
  )
  bound$unit <- unit$tag
  list(q = bound$q, cutoff = bound$cutoff, bound = bound)
}

check_bound_draws <- function(asked, unit, draws) {
  refuse(asked$assumption != "none" && is.null(draws$pair),
    c("{.code assumption = \"{asked$assumption}\"} needs complementary pairs of subsamples.",
      i = "Use {.fn resample_pairs}, or {.code assumption = \"none\"}.",
      i = "Given halves must be in the order of {.fn resample_custom}."
    )
  )
  unit$check_q(asked$q)
}

until_bound <- function(asked, plan) {
  refuse(is.null(asked$q),
    c("With {.arg until}, {.arg q} must be given: otherwise it would follow from the number of
       pairs.",
      i = "Here, all runs would have {.arg q} = {plan$q}."
    )
  )
}

# The same q and cutoff with fewer pairs.
bound_of_rest <- function(bound, n_pairs) {
  rest <- solve_bound(bound$n_total, bound$q, bound$cutoff, NULL, n_pairs, bound$assumption)
  rest$asked <- bound$asked
  rest$unit <- bound$unit
  rest
}

read_bound <- function(record, runs, asked, plan, unit) {
  bound <- plan$bound
  features <- stable_selection(
    unit$sets(runs$paths, bound$q, asked$score_rule), record, runs, runs$draws, bound$q
  )
  selection <- unit$gather(features)
  left <- ok_runs(selection)
  if (length(left) < 2L) abort_no_run(selection$status)
  if (length(left) < selection$n_runs) {
    bound <- bound_of_rest(bound, length(left) %/% 2L)
  }
  if (!unit$grouped && !is.null(record$roles$views)) {
    bound$by_view <- bound_views(bound, selection, unit, record)
  }
  table <- frequency_table(
    unit$rows(record, features, runs$paths), selection, bound$cutoff, unit$last,
    simultaneous = share_of_pairs(selection, runs$draws$pair)
  )
  # After q steps a path can have fewer features because some left.
  short <- if (asked$score_rule == "size") Matrix::colSums(selection$selected)[left] < bound$q
  new_stable_result(
    table, bound, selection, runs, asked, record, sum(short), unit$fields(record, features)
  )
}

# The theorem for each view by itself, with the mean number of its features in a run as
# its q: noise features need to be equally likely within a view only.
# @return (data frame) view, n_total, q (mean number in a run), pfer; NULL without views.
bound_views <- function(bound, selection, unit, record) {
  view <- record$roles$views
  runs <- ok_runs(selection)
  often <- Matrix::rowMeans(selection$selected[, runs, drop = FALSE])
  rows <- lapply(levels(view), function(name) {
    own <- view == name & unit$open
    q <- sum(often[own])
    pfer <- if (q == 0) {
      0
    } else {
      bound_pfer(sum(own), q, bound$cutoff, bound$n_pairs, bound$assumption)
    }
    data.frame(view = name, n_total = sum(own), q = q, pfer = pfer)
  })
  do.call(rbind, rows)
}

claim_of_bound <- function(x) {
  x$bound[c("n_total", "q", "cutoff", "n_pairs", "assumption", "pfer")]
}

# The assumptions of the bound; which of the three were given, and which follow.
details_of_bound <- function(x) {
  usual <- x$made$usual
  given <- setdiff(names(which(given_of_three(x$asked))), usual)
  value <- function(name) figure(if (name == "pfer") x$asked$pfer else x$bound[[name]])
  rest <- setdiff(c("q", "cutoff", "pfer"), c(given, usual))
  parts <- c(
    if (length(given) > 0L) paste("given:", paste(given, collapse = " and ")),
    if (length(usual) > 0L) {
      by_default <- paste(usual, "=", vapply(usual, value, ""))
      paste(paste(by_default, collapse = " and "), "by default")
    },
    paste(paste(rest, collapse = " and "), if (length(rest) == 1L) "follows" else "follow")
  )
  c(describe_bound(x$bound), paste(parts, collapse = "; "))
}

# The number of features, and of false positives allowed by the bound.
describe_stable <- function(x) {
  unit <- unit_word(x$study)
  bound <- x$bound
  m <- length(x$features)
  if (m == 0L) {
    return(sprintf(
      "none: no %s of %s is in %s of the runs or more; bound: %s", unit,
      figure(bound$n_total, big.mark = ","), as_percent(bound$cutoff), describe_pfer(bound)
    ))
  }
  sprintf(
    "%s of %s, %s in at least %s of the runs%s; %s", figure(m), count_of(bound$n_total, unit),
    if (m == 1L) "which is" else "each", as_percent(bound$cutoff),
    if ("cutoff" %in% x$made$usual) " (the default)" else "", describe_pfer(bound)
  )
}

# Explains whether no feature is selected because of the data or because of the bound.
explain_nothing <- function(x) {
  best <- x$table[1, ]
  bound <- x$bound
  at <- bound_pfer(bound$n_total, bound$q, best$frequency, bound$n_pairs, bound$assumption)
  c(
    sprintf(
      "the most frequent, %s, is in %s of the runs (%s by chance)", best$feature,
      as_percent(best$frequency), as_percent(bound$q / bound$n_total)
    ),
    if (is.finite(at)) {
      sprintf(
        "a cutoff of %s would keep it, with at most %s expected false positives",
        figure(best$frequency, digits = 2), figure(at, digits = 2)
      )
    } else {
      "no bound holds at so low a cutoff"
    },
    if (x$made$n_short > 0L) {
      sprintf(
        "%s ended before q = %d %ss: a smaller q costs nothing", count_of(x$made$n_short, "run"),
        bound$q, unit_word(x$study)
      )
    }
  )
}

measures_of_bound <- function(table) {
  c("frequency", if (!anyNA(table$simultaneous)) "simultaneous")
}
