# The integrated bound: the expected false positives up to a feature (pfer), or their share (fdr),
# by integrated path stability selection (Melikechi and Miller 2025). The default where neither q
# nor the cutoff is given.

register_rule("integrated", function() {
  new_list_rule(
    "integrated", place = 1, wanted = wants_integrated, ask = ask_integrated,
    fits = check_integrated_units, size = size_of_integrated, again = complete_integrated,
    bound = "integrated", plan = plan_integrated,
    shorter = function(asked, q) replace(asked, "q", q),
    # Models of different runs differ in size at one penalty, those of many samples less, and twice
    # the mean size is also computed.
    limit = function(q, unit, n) min((if (n > many_samples) 3L else 4L) * q, unit$n_open),
    read = read_integrated,
    title = function(x) title_of_stable(x, "Integrated stability selection"),
    details = function(x) list(describe_integrated_bound(x$bound), sensitivity_section(x$bound)),
    verdict = describe_integrated, nothing = explain_integrated, robust = describe_sensitivity,
    caution = function(x) if (length(x$features) > 0L) caution_of_integrated(x),
    measures = function(table) c("pfer", "fdr", "frequency"),
    scored = function(table) which(table$score > 0)
  )
})

# Chosen for `pfer` or `fdr` alone, or no number; `q`, `cutoff` or another assumption choose the
# bound by a cutoff.
wants_integrated <- function(given) {
  if (!is.null(given$bound)) {
    return(given$bound == "integrated")
  }
  !is.null(given$fdr) || is.null(given$q) && is.null(given$cutoff) &&
    identical(given$assumption, "unimodal")
}

# A number of false positives, by default at most one, or their share.
ask_integrated <- function(asked, given) {
  refuse(!is.null(asked$pfer) && !is.null(given$fdr), "Give {.arg pfer} or {.arg fdr}, not both.")
  word <- if (is.null(given$fdr)) "{.code bound = \"integrated\"}" else "{.arg fdr}"
  refuse(!is.null(asked$cutoff),
    c(paste(word, "does not go with {.arg cutoff}."),
      i = "{.arg q} and {.arg pfer} or {.arg fdr} do."
    )
  )
  refuse(asked$assumption != "unimodal",
    c("{.code assumption = \"{asked$assumption}\"} is about the bound of {.arg q}, {.arg cutoff} and
       {.arg pfer}.",
      i = paste("Leave it out with", paste0(word, "."))
    )
  )
  refuse(identical(given$score_rule, "step"),
    c("{.code score_rule = \"step\"} counts steps; {.code bound = \"integrated\"}, the default for
       {.arg pfer} or {.arg fdr} alone, compares runs at the same penalties.",
      i = "Leave out {.arg score_rule}, or give {.arg q} or {.arg cutoff}."
    )
  )
  if (is.null(given$fdr)) {
    if (is.null(asked$pfer)) asked$pfer <- 1
    return(asked)
  }
  asked$fdr <- check_fraction(given$fdr, open_right = TRUE, name = "fdr")
  asked
}

# Scores are of features.
check_integrated_units <- function(asked, unit) {
  refuse(unit$grouped,
    c("{.arg clusters} do not go with {.arg fdr} or {.code bound = \"integrated\"}.",
      i = "Give {.arg pfer} alone, or two of {.arg q}, {.arg cutoff} and {.arg pfer}."
    )
  )
}

# The default of q is the mean model size at the lowest penalty: n / 10, unless the bound at that
# penalty alone exceeds 0.05, the value of the authors.
size_of_integrated <- function(asked, study, unit, draws, longest) {
  check_pfer_of(asked$pfer, unit$n_open)
  if (is.null(asked$q)) {
    q <- seq_len(max(1, min(study$n %/% 10, unit$n_open)))
    low <- null_product(q, unit$n_open, max(2, draws$n_runs %/% 2)) <= 0.05
    asked$q <- max(1L, q[low])
  }
  asked
}

# Another call keeps q unless it is given, and pfer or fdr unless one of them is.
complete_integrated <- function(given, x, same) {
  if (is.null(given$q) && same) given$q <- x$bound$q
  if (is.null(given$pfer) && is.null(given$fdr) && same) {
    given[c("pfer", "fdr")] <- x$asked[c("pfer", "fdr")]
  }
  given$bound <- "integrated"
  given$assumption <- "unimodal"
  given
}

plan_integrated <- function(asked, unit, draws) {
  refuse(is.null(draws$pair),
    c("{.code bound = \"integrated\"}, the default for {.arg pfer} or {.arg fdr} alone, needs
       complementary pairs of subsamples.",
      i = "Use {.fn resample_pairs}, or two of {.arg q}, {.arg cutoff} and {.arg pfer} with
           {.code assumption = \"none\"}."
    )
  )
  q <- check_count(asked$q, name = "q", max = unit$n_open)
  list(q = q)
}

read_integrated <- function(record, runs, asked, plan, unit) {
  draws <- runs$draws
  status <- whole_pairs(runs$status, draws$pair)
  ok <- which(status == "ok")
  if (length(ok) < 2L) abort_no_run(status)
  norms <- path_norms(asked, draws, record)
  changes <- path_changes(runs$paths, norms, ok)
  looked <- lapply(c(1, 1 / 2, 2) * asked$q, function(q) {
    parts <- integrate_changes(changes, lowest_penalty(changes, q), record$p, unit$n_open)
    parts$pfer <- expected_false(parts, unit$n_open)
    parts$fdr <- replace(rep(1, record$p), unit$open, false_share(parts$pfer[unit$open]))
    parts$selected <- meets_promise(parts, asked)
    c(list(q = q), parts)
  })
  main <- looked[[1]]
  lower <- main$lambda[1]
  sets <- path_sets(runs$paths, function(size, lambda, b) sum(lambda / norms[b] > lower))
  selection <- sets_to_selection(
    sets, record, status,
    sprintf("integrated stability selection, q = %d: %s", asked$q, format(draws$plan)), draws
  )
  bound <- new_integrated_bound(looked, unit$n_open, asked, length(ok) %/% 2L)
  table <- integrated_table(unit$rows(record, selection, runs$paths), selection, draws$pair, main)
  new_stable_result(table, bound, selection, runs, asked, record, 0L)
}

# The smallest pfer first; equal ones by their frequencies.
integrated_table <- function(rows, selection, pair, parts) {
  table <- frequency_table(rows, selection, Inf, simultaneous = share_of_pairs(selection, pair))
  at <- match(table$feature, selection$feature_names)
  table <- data.frame(
    table[c("feature", "direction", "same_sign")], score = parts$score[at], pfer = parts$pfer[at],
    fdr = parts$fdr[at], table[c("frequency", "simultaneous")], selected = parts$selected[at]
  )
  table <- table[order(table$pfer, method = "radix"), ]
  rownames(table) <- NULL
  table
}

# The number of features, and the promise for lists made like this. The theorem is about a rate
# fixed beforehand, not about the pfer of the last feature.
describe_integrated <- function(x) {
  m <- length(x$features)
  if (m == 0L) {
    return(sprintf("none: no feature has a %s", describe_promise(x$asked)))
  }
  if (is.null(x$asked$fdr)) {
    return(sprintf(
      "%s; at most %s expected %s (pfer <= %s)", count_of(m, "feature"), figure(x$asked$pfer),
      if (x$asked$pfer == 1) "false positive" else "false positives", figure(x$asked$pfer)
    ))
  }
  sprintf(
    "%s; at most %s expected false positives (fdr <= %s), where there is any signal",
    count_of(m, "feature"), as_percent(x$asked$fdr), figure(x$asked$fdr)
  )
}

# What stands out by chance in all samples does so in many pairs (`experiments/integrated`).
caution_of_integrated <- function(x) {
  small <- !is.null(x$asked$fdr) || x$asked$pfer < 1
  paste0(
    assumed_noise(x), "; it leaves out that pairs share samples: ",
    if (small && length(x$features) <= 2L && is.null(x$null)) {
      "without any signal, lists of one or two are up to twice as frequent as such a rate says"
    } else {
      "?stability_selection has what it delivers"
    }
  )
}

#' @exportS3Method
facts_of.stabilect_integrated_bound <- function(x, n = 10L) {
  new_facts(
    "Bound of integrated stability selection",
    design = describe_integrated_bound(x), sections = list(new_section(x$sensitivity, Inf))
  )
}

# The assumptions of the rates.
describe_integrated_bound <- function(x) {
  if (x$ranked) {
    return(sprintf(
      "frequencies among the k best of %s features, averaged over log k up to q = %s",
      figure(x$n_total, big.mark = ","), figure(x$q)
    ))
  }
  sprintf(
    paste(
      "frequencies averaged over lambda %s to %s, where %s of %s features are selected on",
      "average (q = %s)"
    ),
    figure(x$lambda[2], digits = 3), figure(x$lambda[1], digits = 3), figure(x$size, digits = 3),
    figure(x$n_total, big.mark = ","), figure(x$q)
  )
}

# Dependence of one list on q: with half of it, and with twice as much.
describe_sensitivity <- function(x) {
  other <- x$bound$sensitivity
  if (all(includes_all(other$best_pfer, x$bound$n_total))) {
    return(NULL)
  }
  number <- other$n_selected[c(1L, 3L)]
  model <- words_of_runs(x$asked)$model
  if (all(other$n_selected == 0L)) {
    return(NULL)
  }
  if (number[1] == number[2]) {
    return(sprintf(
      "of the list: smaller and larger %ss give %s", model, count_of(number[1], "feature")
    ))
  }
  sprintf(
    "of the list: smaller %ss give %s, larger ones %d", model, count_of(number[1], "feature"),
    number[2]
  )
}

sensitivity_section <- function(bound) {
  new_section(bound$sensitivity, Inf, "The same list with models half and twice as large (q)",
    below = "best_pfer: of the first feature"
  )
}

# Why no feature reaches the rate, and which rate one would reach.
explain_integrated <- function(x) {
  best <- x$table[1, ]
  words <- words_of_runs(x$asked)
  if (best$score == 0) {
    most <- x$table[which.max(x$table$frequency), ]
    return(sprintf(
      "no feature is in more than half of the %ss at any %s; largest frequency %s (%s)",
      words$model, words$scale, figure(most$frequency, digits = 2), most$feature
    ))
  }
  c(
    sprintf(
      "the best, %s, has a pfer of %s; the smallest fdr is %s", best$feature,
      figure(best$pfer, digits = 2), figure(min(x$table$fdr), digits = 2)
    ),
    sprintf(
      "with so many features and pairs, one in all %ss of all runs would have a pfer of %s",
      words$model, figure(x$bound$integral, digits = 2)
    )
  )
}
