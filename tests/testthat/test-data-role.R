# Laws that hold for every role of samples and of features.

n <- 48L
d <- withr::with_seed(7, {
  x <- matrix(rnorm(n * 20), n, 20, dimnames = list(NULL, paste0("g", 1:20)))
  age <- rnorm(n)
  list(x = x, y = x[, 1] + x[, 2] + age + rnorm(n), age = age)
})
groups <- factor(rep(seq_len(n / 2), each = 2L))
# Several views are a list.
views <- function(rows, k = 10L) list(one = d$x[rows, seq_len(k)], two = d$x[rows, -seq_len(k)])
skip_if_not_installed("survival")
times <- survival::Surv(exp(-d$y / 2), rep(c(1, 1, 0, 1), n / 4))
given <- list(
  covariates = list(covariates = data.frame(age = d$age)),
  strata = list(strata = rep(1:2, n / 2), y = times),
  weights = list(weights = rep(1:3, n / 3)),
  offset = list(offset = d$age),
  blocks = list(),
  within = list(within = groups),
  views = list(),
  penalty = list(penalty = rep(c(1, 2, Inf, 0.5), 5)),
  clusters = list(clusters = rep(paste0("c", 1:10), 2)),
  jitter = list(jitter = rep(c(0, 0.4), 10))
)
other <- list(
  covariates = list(covariates = data.frame(age = d$age^2)),
  strata = list(strata = rep(2:1, n / 2)),
  weights = list(weights = rep(3:1, n / 3)), offset = list(offset = -d$age), blocks = list(),
  within = list(), views = list(views = 5L),
  penalty = list(penalty = rep(1:4, 5)),
  clusters = list(clusters = rep(paste0("c", 1:10), each = 2)),
  jitter = list(jitter = rep(0.3, 20))
)
ns <- asNamespace("stabilect")
# Roles that the plan keeps too.
in_plan <- c("blocks", "within")

# @param rows (integer) samples. @param change (list) other values.
run <- function(role, rows = seq_len(n), change = list(), ..., seed = 1) {
  own <- utils::modifyList(given[[role]], change)
  y <- if (is.null(own$y)) d$y else own$y
  own$y <- NULL
  k <- own$views
  own$views <- NULL
  role_of <- ns$role_registry$all()[[role]]
  if (role_of$of == "samples" && length(own) > 0L) {
    own[[1]] <- if (is.data.frame(own[[1]])) own[[1]][rows, , drop = FALSE] else own[[1]][rows]
  }
  x <- d$x[rows, ]
  if (role == "blocks") x <- prepare_study(x, y[rows], blocks = groups[rows])
  if (role == "views") x <- views(rows, if (is.null(k)) 10L else k)
  data <- c(list(x = x), if (role != "blocks") list(y = y[rows]))
  settings <- utils::modifyList(list(q = 3, cutoff = 0.7, permute = 0, seed = seed), list(...))
  do.call(stability_selection, c(data, own, settings))
}

test_that("every role is known, kept and said", {
  expect_setequal(names(given), names(ns$role_registry$all()))
  for (role in names(given)) {
    fit <- run(role, n_pairs = 6)
    expect_setequal(names(ns$roles_of_result(fit)), c(role, if (role == "within") "blocks"))
    words <- ns$role_registry$all()[[role]]$words(fit$study$roles[[role]], fit)
    words <- c(words, ns$role_registry$all()[[role]]$data(fit$study$roles[[role]]))
    for (word in words) expect_match(paste(format(fit), collapse = " "), word, fixed = TRUE)
  }
})

test_that("merged runs are the whole, and runs of other values are refused", {
  for (role in names(given)) {
    blocks <- if (role %in% in_plan) groups
    draws <- draw_resamples(resample_pairs(8, blocks = blocks), d$y, seed = 3)
    whole <- run(role, resampling = draws)
    parts <- list(run(role, resampling = draws[1:6]), run(role, resampling = draws[7:16]))
    merged <- merge_runs(parts)
    expect_identical(merged$table, whole$table)
    expect_identical(merged$study$roles, whole$study$roles)
    if (length(other[[role]]) > 0L) {
      wrong <- run(role, change = other[[role]], resampling = draws[7:16])
      expect_error(merge_runs(parts[[1]], wrong), role, class = "stabilect_error_merge")
    }
  }
})

test_that("a checkpoint belongs to its values", {
  for (role in names(given)) {
    file <- withr::local_tempfile()
    whole <- run(role, n_pairs = 6)
    first <- run(role, n_pairs = 6, checkpoint = file)
    again <- run(role, n_pairs = 6, checkpoint = file)
    expect_identical(first$table, whole$table)
    expect_identical(again$table, whole$table)
    if (length(other[[role]]) > 0L) {
      expect_error(run(role, change = other[[role]], n_pairs = 6, checkpoint = file), "checkpoint")
    }
  }
})

test_that("a part of the samples is the verb on this part", {
  rows <- which(rep(c(TRUE, TRUE, TRUE, TRUE, FALSE, FALSE), n / 6))
  for (role in names(given)) {
    fit <- run(role, n_pairs = 6)
    y <- if (is.null(given[[role]]$y)) d$y else given[[role]]$y
    study <- ns$study_again(d$x, y, fit, "stability_selection", "a test")$study
    part <- ns$carry_out_on(ns$procedure_of(fit), study, rows, 5L, 1L)
    plan <- resample_pairs(6, stratify = fit$resamples$plan$stratify)
    own <- run(role, rows, resampling = plan, seed = 5)
    expect_identical(part$resamples$counts, own$resamples$counts)
    expect_equal(part$table$frequency, own$table$frequency)
    expect_identical(part$table$feature, own$table$feature)
  }
})

test_that("permuted data keep the values with their samples", {
  for (role in setdiff(names(given), c("strata", "blocks"))) {
    fit <- run(role, n_pairs = 4, permute = 20)
    expect_identical(fit$null$n_permutations, 20L)
    expect_lte(fit$null$p, 1)
  }
})

test_that("a value that says nothing is as if not given", {
  neutral <- list(
    strata = list(strata = rep("a", n)), weights = list(weights = rep(1, n)),
    offset = list(offset = rep(0, n)), penalty = list(penalty = rep(1, 20)),
    jitter = list(jitter = 0)
  )
  for (role in names(neutral)) {
    y <- if (role == "strata") times else d$y
    fit <- function(...) {
      stability_selection(d$x, y, q = 3, cutoff = 0.7, n_pairs = 4, permute = 9, ..., seed = 1)
    }
    plain <- fit()
    given <- do.call(fit, neutral[[role]])
    expect_identical(without_call(given)$table, plain$table)
    expect_identical(given$null$p, plain$null$p)
    expect_length(ns$roles_of_result(given), 0L)
  }
  # It is checked all the same.
  expect_error(
    stability_selection(d$x, d$y, q = 3, cutoff = 0.7, strata = rep("a", n)), "strata",
    class = "stabilect_error_input"
  )
})

test_that("blocks may have any labels", {
  classes <- factor(ifelse(d$y > stats::median(d$y), "high", "low"))
  # Pairs of one class.
  pair <- (stats::ave(seq_len(n), classes, FUN = seq_along) + 1L) %/% 2L
  code <- as.integer(factor(paste(classes, pair)))
  labels <- list(code, paste0("k", max(code) - code), factor(paste("litter", code)))
  fits <- lapply(labels, function(blocks) {
    fit <- stability_selection(
      prepare_study(d$x, classes, blocks = blocks), q = 3, cutoff = 0.7, n_pairs = 4, seed = 1
    )
    list(fit$table, fit$resamples$counts)
  })
  expect_identical(fits[[2]], fits[[1]])
  expect_identical(fits[[3]], fits[[1]])
})

test_that("matched sets that runs tear apart are told, with the way to keep them whole", {
  torn <- function(...) {
    fit <- stability_selection(..., q = 2, pfer = 1, n_pairs = 6, seed = 1)
    grepl("runs tear apart strata of 2 samples", paste(capture.output(fit), collapse = " "))
  }
  expect_true(torn(d$x, times, strata = groups))
  expect_false(torn(prepare_study(d$x, times, blocks = groups), strata = groups))
  expect_false(torn(d$x, times, strata = rep(1:2, n / 2)))
})
