# List rules are records: which one is asked, what it refuses, and that nothing else asks.

ns <- asNamespace("stabilect")

rule_data <- withr::with_seed(3, {
  x <- matrix(rnorm(24 * 8), 24, dimnames = list(NULL, paste0("v", 1:8)))
  list(
    x = x, y = factor(ifelse(x[, 1] + rnorm(24) / 2 > 0, "ill", "well")),
    clusters = stats::setNames(rep(1:4, 2), colnames(x))
  )
})

rule_fit <- function(..., n_pairs = 8, seed = 1) {
  d <- rule_data
  stability_selection(d$x, d$y, ..., n_pairs = n_pairs, seed = seed, progress = FALSE)
}

test_that("every rule refuses what it does not go with, in the same order", {
  d <- rule_data
  skip_if_not_installed("ggplot2")
  until <- until_stable(0.01)
  bound <- rule_fit(q = 2, cutoff = 0.8)
  rate <- rule_fit(pfer = 1)
  clusters <- rule_fit(q = 1, cutoff = 0.8, clusters = d$clusters, permute = 0)
  plain <- resample_subsample(6)
  subsamples <- stability_selection(
    d$x, d$y, q = 2, assumption = "none", resampling = plain, seed = 1, progress = FALSE
  )
  short <- fealect(d$x, d$y, n_runs = 8, max_features = 3, n_boot = 0, seed = 1, progress = FALSE)
  expect_refusals({
    rule_fit(cutoff = "calibrated", bound = "integrated")
    rule_fit(pfer = 1, fdr = 0.2)
    rule_fit(fdr = 0.2, pfer = 1)
    rule_fit(q = 2, cutoff = 0.8, pfer = 1)
    rule_fit(fdr = 0.1, assumption = "none")
    rule_fit(fdr = 0.1, bound = "cutoff")
    rule_fit(fdr = 0.1, clusters = d$clusters)
    rule_fit(bound = "integrated", clusters = d$clusters)
    rule_fit(score_rule = "step")
    rule_fit(pfer = 1, score_rule = "step", clusters = d$clusters)
    rule_fit(q = 2, score_rule = "step", clusters = d$clusters)
    rule_fit(cutoff = "calibrate")
    rule_fit(cutoff = 2)
    rule_fit(pfer = 0)
    rule_fit(fdr = 1)
    rule_fit(q = 9)
    rule_fit(q = 9, pfer = 1, bound = "integrated")
    rule_fit(q = 5, clusters = d$clusters)
    rule_fit(q = 5, cutoff = "calibrated", clusters = d$clusters)
    rule_fit(q = 4, cutoff = 0.55)
    rule_fit(pfer = 1e-9, cutoff = 0.75)
    rule_fit(cutoff = "calibrated", pfer = 1e-9)
    rule_fit(cutoff = "calibrated", until = until)
    rule_fit(cutoff = 0.8, until = until)
    stability_selection(d$x, d$y, resampling = plain)
    stability_selection(d$x, d$y, q = 2, resampling = plain)
    stability_selection(d$x, d$y, cutoff = "calibrated", resampling = plain)
    stability_selection(bound)
    stability_selection(bound, q = 2, cutoff = 0.8, pfer = 1)
    stability_selection(bound, q = 9, assumption = "none")
    stability_selection(bound, q = 7, pfer = 1, bound = "integrated")
    stability_selection(bound, bound = "integrated", cutoff = 0.9)
    stability_selection(rate, q = 2, cutoff = "calibrated", pfer = 1, bound = "integrated")
    stability_selection(clusters, bound = "integrated")
    stability_selection(subsamples, bound = "integrated")
    stability_selection(short, q = 4, assumption = "none")
    stability_selection(short)
    merge_runs(bound, rate)
    merge_runs(bound, stability_selection(bound, cutoff = "calibrated"))
    ggplot2::autoplot(bound, type = "cut")
  })
})

test_that("clusters are bounded by a cutoff", {
  d <- rule_data
  fit <- rule_fit(clusters = d$clusters, permute = 0)
  expect_identical(fit$asked$rule, "cutoff")
  expect_identical(fit$asked$pfer, 1)
  expect_identical(fit$table, rule_fit(pfer = 1, clusters = d$clusters, permute = 0)$table)
  expect_identical(
    fit$table, rule_fit(q = fit$bound$q, pfer = 1, clusters = d$clusters, permute = 0)$table
  )
  expect_identical(fit$bound$n_total, 4L)
  scored <- fealect(
    d$x, d$y, resampling = resample_pairs(8), clusters = d$clusters, seed = 1, progress = FALSE
  )
  expect_identical(stability_selection(scored, pfer = 1)$bound$q, fit$bound$q)
})

test_that("rows of equal rates are in the order of their frequencies, then in none of columns", {
  d <- rule_data
  x <- cbind(d$x[, 8:1], flat = 0 * d$x[, 1] + rep(0:1, 12))
  run <- function(x) {
    suppressWarnings(stability_selection(
      x, d$y, pfer = 1, n_pairs = 8, seed = 1, progress = FALSE
    ))$table
  }
  table <- run(x)
  expect_true(anyDuplicated(table$pfer) > 0)
  expect_true(anyDuplicated(table[c("pfer", "frequency")]) > 0)
  column <- match(table$feature, colnames(x))
  expect_identical(order(table$pfer, -table$frequency), seq_len(nrow(table)))
  expect_identical(run(x[, 9:1])$feature, table$feature)
  # A tie in pfer that frequencies part against the order of the columns.
  same <- which(diff(table$pfer) == 0)
  expect_true(any(diff(table$frequency)[same] < 0 & diff(column)[same] < 0))
})

# Until the frame `env` ends, the registry lacks a rule, or has another one.
set_rule <- function(name, make, env = parent.frame()) {
  force(env)
  set_record(ns$register_rule, name, make, env)
}

set_record <- function(register, name, make, env) {
  # Adding NULL takes the record out.
  before <- environment(register)$makers[[name]]
  set <- function(make) register(name, make)
  withr::defer(set(before), env)
  set(make)
}

test_that("the calibrated rule can be taken out and put back", {
  d <- rule_data
  all_kinds <- function() {
    list(
      rule_fit(q = 2, cutoff = 0.8), rule_fit(pfer = 1, bound = "integrated"),
      rule_fit(q = 1, cutoff = 0.8, clusters = d$clusters, permute = 3)
    )
  }
  with <- all_kinds()
  calibrated <- rule_fit(cutoff = "calibrated", permute = 0)
  local({
    set_rule("calibrated", NULL)
    expect_identical(lapply(all_kinds(), `[[`, "table"), lapply(with, `[[`, "table"))
    expect_identical(lapply(with, function(fit) ggplot2::autoplot(fit)$data), lapply(
      all_kinds(), function(fit) ggplot2::autoplot(fit)$data
    ))
    expect_error(rule_fit(cutoff = "calibrated"), "must be a number in \\(0, 1\\]")
    expect_error(ggplot2::autoplot(with[[1]], type = "cutoffs"), "\"strength\", or \"paths\"")
  })
  expect_identical(rule_fit(cutoff = "calibrated", permute = 0), calibrated)
  expect_s3_class(ggplot2::autoplot(with[[1]], type = "cutoffs"), "ggplot")
})

test_that("it is in two files and one of its picture, which no other knows", {
  folder <- sources("R")
  files <- list.files(folder, "[.]R$")
  own <- files[startsWith(files, "list-calibrated")]
  expect_length(own, 2L)
  # Its picture is registered by name.
  own <- c(own, "show-cutoffs.R")
  defined <- unlist(lapply(file.path(folder, own), function(file) {
    expressions <- as.list(parse(file))
    assigned <- Filter(function(e) identical(e[[1]], quote(`<-`)), expressions)
    vapply(assigned, function(e) as.character(e[[2]]), "")
  }))
  used <- unique(unlist(lapply(file.path(folder, setdiff(files, own)), function(file) {
    all.names(parse(file))
  })))
  expect_true("calibrate_runs" %in% defined)
  expect_identical(intersect(defined, used), "cutoffs_picture")
})

# Questions of which rule made a list, or whether its units are clusters.
questions_in <- function(e) {
  if (!is.call(e)) {
    return(0L)
  }
  part_named <- function(v, names) {
    is.symbol(v) && as.character(v) %in% names ||
      is.call(v) && identical(v[[1]], quote(`$`)) && as.character(v[[3]]) %in% names
  }
  head <- if (is.symbol(e[[1]])) as.character(e[[1]]) else ""
  clusters <- head == "is.null" && part_named(e[[2]], "clusters")
  compares <- head %in% c("==", "!=", "%in%", "switch", "identical") && length(e) > 2L
  rules <- compares && is.call(e[[2]]) && part_named(e[[2]], "rule") ||
    head == "identical" && any(vapply(as.list(e)[-1], identical, NA, "calibrated"))
  removed <- head %in% c("is_integrated", "is_calibrated")
  clusters + rules + removed + sum(vapply(as.list(e), function(part) {
    if (missing(part)) 0L else as.integer(questions_in(part))
  }, 0L))
}

test_that("no place outside the records asks for the rule or the units", {
  expect_identical(questions_in(quote(if (is.null(x$asked$clusters)) 1)), 1L)
  expect_identical(questions_in(quote(x$asked$rule == "bound")), 1L)
  folder <- sources("R")
  files <- setdiff(list.files(folder, "[.]R$"), "RcppExports.R")
  asked <- vapply(files, function(file) {
    sum(vapply(as.list(parse(file.path(folder, file))), questions_in, 0L))
  }, 0L)
  # What alternative_lists() takes away at once is an argument of its own, for lists of any kind.
  expect_identical(asked[asked > 0L], c(
    `evaluate-alternatives-steps.R` = 1L, `evaluate-alternatives.R` = 1L,
    `select-unit.R` = 1L
  ))
})

test_that("results keep the name of their rule, and no functions", {
  d <- rule_data
  fits <- list(
    cutoff = rule_fit(q = 2, cutoff = 0.8),
    integrated = rule_fit(pfer = 1, bound = "integrated"),
    calibrated = rule_fit(cutoff = "calibrated", permute = 0),
    bend = fealect(d$x, d$y, n_runs = 8, n_boot = 0, clusters = d$clusters, seed = 1),
    share = bolasso(d$x, d$y, lambda = 0.1, n_runs = 8, seed = 1),
    best = select_ensemble(d$x, d$y, selector_filter("t"), resample_bootstrap(8), seed = 1)
  )
  expect_setequal(names(fits), names(ns$list_rules()))
  named <- vapply(fits, function(fit) fit$asked$rule, "")
  expect_identical(named, stats::setNames(nm = names(fits)))
  for (fit in fits[-6]) {
    fit$made$call <- NULL
    kept <- unlist(rapply(unclass(fit), is.function, how = "unlist"))
    expect_false(any(kept))
    rule <- ns$rule_of(fit$asked)
    expect_true(is.character(rule$verdict(fit)))
    expect_length(ns$rule_methods$all()[[fit$asked$rule]](fit), 2L)
  }
})

# A rule that the package does not have: what is in most runs, whatever chance would give.
most_rule <- function() {
  ns$new_list_rule(
    "most", place = 2.5, cutoff = "most",
    size = function(asked, ...) if (is.null(asked$q)) replace(asked, "q", 2L) else asked,
    plan = function(asked, unit, draws) list(q = asked$q, cutoff = 0.5),
    read = function(record, runs, asked, plan, unit) {
      sets <- unit$sets(runs$paths, plan$q, asked$score_rule)
      features <- ns$stable_selection(sets, record, runs, runs$draws, plan$q)
      selection <- unit$gather(features)
      table <- ns$frequency_table(
        unit$rows(record, features, runs$paths), selection, 0.5, unit$last
      )
      bound <- list(q = plan$q, cutoff = 0.5)
      ns$new_stable_result(
        table, bound, selection, runs, asked, record, 0L, unit$fields(record, features)
      )
    },
    title = function(x) "Most runs", verdict = function(x) {
      sprintf("%s in most runs", ns$count_of(length(x$features), ns$unit_word(x$study)))
    },
    by_frequency = TRUE
  )
}

test_that("a rule that is added is asked, read, printed, drawn, merged and repeated", {
  d <- rule_data
  set_rule("most", most_rule)
  set_record(ns$register_pictures, "most", function() {
    list(own = list(bars = function(x, n) ggplot2::ggplot(x$table)))
  }, environment())
  fit <- rule_fit(cutoff = "most", permute = 3)
  expect_identical(fit$features, fit$table$feature[fit$table$frequency >= 0.5])
  expect_match(format(fit), "Most runs", all = FALSE)
  expect_match(format(fit), "in most runs", all = FALSE)
  expect_null(fit$null$cutoff)
  expect_identical(fit$null$n_permutations, 3L)
  clusters <- rule_fit(cutoff = "most", q = 1, clusters = d$clusters, permute = 0)
  expect_match(format(clusters), "clusters? in most runs", all = FALSE)
  expect_s3_class(ggplot2::autoplot(fit, type = "bars"), "ggplot")
  expect_s3_class(ggplot2::autoplot(fit, type = "cutoffs"), "ggplot")
  expect_identical(stability_selection(fit, fdr = 0.2)$asked$rule, "integrated")
  again <- stability_selection(rule_fit(q = 2, cutoff = 0.8), cutoff = "most")
  expect_identical(again$table, rule_fit(cutoff = "most")$table)
  merged <- merge_runs(rule_fit(cutoff = "most"), rule_fit(cutoff = "most", seed = 2))
  expect_identical(merged$made$n_runs, 32L)
  expect_error(rule_fit(cutoff = "more"), "\"calibrated\" or \"most\"")
  judged <- estimate_error_rates(
    fit, d$x, d$y, n_true = 2, r_squared = 0.5, n_simulations = 2, seed = 1
  )
  expect_true("frequency" %in% judged$table$cut)
  replicated <- evaluate_replication(fit, d$x, d$y, n_pairs = 2, seed = 1)
  expect_s3_class(replicated, "stabilect_replication")
})
