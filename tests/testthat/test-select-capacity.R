capacity_data <- withr::with_seed(4, {
  x <- matrix(stats::rnorm(40 * 300), 40, dimnames = list(NULL, paste0("g", 1:300)))
  list(x = x, y = x[, 1] + stats::rnorm(40) / 2)
})

# The hint of a call, or "".
hint_of <- function(code) {
  said <- ""
  withCallingHandlers(code, stabilect_message_capacity = function(m) {
    said <<- gsub("\\s+", " ", cli::ansi_strip(conditionMessage(m)))
    invokeRestart("muffleMessage")
  })
  said
}

# Each call as in a session of its own.
first_hint <- function(code) {
  withr::local_options(rlib_message_verbosity = "verbose")
  hint_of(code)
}

run_capacity <- function(...) {
  d <- capacity_data
  stability_selection(d$x, d$y, ..., n_pairs = 4, seed = 1, progress = FALSE)
}

test_that("the default of q is below the q of a cutoff of 0.75 and the samples of a run", {
  for (p in c(50, 500, 5000)) {
    for (n_run in c(10, 40, 1000)) {
      for (pfer in c(0.1, 1, 5)) {
        most <- error_bound(p, cutoff = 0.75, pfer = pfer)$q
        q <- fitting_q(p, n_run, pfer, 50, "unimodal")
        expect_lte(q, min(most, n_run))
        expect_gte(q, min(most, n_run) / 2 - 0.5)
        expect_lte(error_bound(p, q = q, pfer = pfer)$pfer, pfer * (1 + 1e-9))
      }
    }
  }
  expect_identical(fitting_q(5, 10, 1e-4, 50, "unimodal"), 1L)
  fit <- run_capacity(bound = "cutoff")
  expect_identical(fit$bound$q, fitting_q(300, 20, 1, 4, "unimodal"))
  expect_lte(fit$bound$pfer, 1)
  expect_null(fit$asked$q)
  # The same q by hand means the same.
  by_hand <- run_capacity(q = fit$bound$q, pfer = 1)
  expect_identical(by_hand$table, fit$table)
  expect_identical(by_hand$bound, fit$bound)
  # By the samples of each half: parts of the data keep the promise, with a q of their own.
  half <- question(
    capacity_data$x, capacity_data$y, fit, "evaluate_replication", "a replication"
  )
  part <- answer_on(half$procedure, half$study, 1:20, 1, 1)
  expect_identical(part$bound$q, fitting_q(300, 10, 1, 4, "unimodal"))
  expect_identical(part$asked$pfer, 1)
  both <- c(fit, stability_selection(
    capacity_data$x, capacity_data$y, bound = "cutoff", n_pairs = 4, seed = 2, progress = FALSE
  ))
  expect_identical(both$asked["pfer"], fit$asked["pfer"])
  expect_lte(both$bound$q, fit$bound$q)
})

test_that("a q above what a run can select is told, once, with the numbers", {
  fits <- fitting_q(300, 20, 1, 4, "unimodal")
  said <- first_hint(given <- run_capacity(q = 25, cutoff = 0.9))
  expect_match(said, paste(
    "`q` = 25 is more than a run can select: a lasso of its 20 samples ends at 19 features."
  ), fixed = TRUE)
  expect_match(said, sprintf("Take `q` = %d with `pfer`, or give `pfer` alone", fits), fixed = TRUE)
  # All runs end there, and not before.
  expect_identical(given$made$n_short, 8L)
  expect_true(all(Matrix::colSums(given$selection$selected) == 19))
  expect_identical(first_hint(fit <- run_capacity(q = 19, cutoff = 0.9)), "")
  expect_identical(fit$made$n_short, 0L)
  followed <- first_hint(run_capacity(cutoff = 0.9, pfer = 10))
  expect_match(followed, "`q` = [0-9]+ \\(from `cutoff` and `pfer`\\) is more")
  expect_match(first_hint(run_capacity(q = 25, bound = "integrated")), "`q` = 25 is more")
  expect_match(first_hint(run_capacity(q = 25, cutoff = 0.9, permute = 2)), "of its 20 samples")
  rlang::reset_message_verbosity("stabilect_message_capacity 26 20")
  expect_match(hint_of(run_capacity(q = 26, cutoff = 0.9)), "26 is more")
  expect_identical(hint_of(run_capacity(q = 26, cutoff = 0.9)), "")
})

test_that("covariates take samples; models that can be larger are not told of", {
  z <- withr::with_seed(1, cbind(age = stats::rnorm(40), dose = stats::rnorm(40)))
  said <- first_hint(fit <- run_capacity(q = 18, cutoff = 0.9, covariates = z))
  expect_match(said, "ends at 17 features")
  expect_identical(fit$made$n_short, 8L)
  expect_identical(first_hint(run_capacity(q = 25, cutoff = 0.9, alpha = 0.5)), "")
  by_t <- selector_filter("pearson")
  expect_identical(first_hint(run_capacity(q = 25, cutoff = 0.9, selector = by_t)), "")
})

test_that("halves of a replication are told of", {
  fit <- run_capacity(q = 12, cutoff = 0.9)
  d <- capacity_data
  said <- first_hint(evaluate_replication(fit, d$x, d$y, n_pairs = 1, n_features = 5, seed = 1))
  expect_match(said, "`q` = 12 is more than a run can select: a lasso of its 10 samples ends at 9")
  rate <- run_capacity(pfer = 1, bound = "cutoff")
  expect_identical(
    first_hint(evaluate_replication(rate, d$x, d$y, n_pairs = 1, n_features = 5, seed = 1)), ""
  )
})

run_colon <- function(...) {
  stability_selection(log2(colon_genes$x), colon_genes$y, ..., seed = 1, progress = FALSE)
}

test_that("what rules for q find is on the pages as in the table", {
  folder <- experiment("promise-q")
  table <- utils::read.csv(file.path(folder, "results", "rules.csv"))
  lists <- utils::read.csv(file.path(folder, "results", "lists.csv"))
  expect_identical(nrow(lists), 1530L)
  expect_true(all(lists$repetitions == 50))
  chosen <- "cutoff 0.75 and m, reciprocals added"
  # The rule of the package, and no other finds more at the usual promise.
  own <- unique(lists[lists$pfer == 1, c("p", "half")])
  for (k in seq_len(nrow(own))) {
    q <- fitting_q(own$p[k], own$half[k], 1, 50, "unimodal")
    most <- error_bound(own$p[k], cutoff = 0.75, pfer = 1)$q
    expect_equal(q, round(1 / (1 / most + 1 / own$half[k])))
  }
  usual <- table[table$pfer == 1, ]
  by_cutoff <- usual[usual$rule != "integrated", ]
  expect_identical(by_cutoff$rule[which.max(by_cutoff$true)], chosen)
  expect_identical(by_cutoff$rule[which.max(by_cutoff$share_of_best)], chosen)
  expect_true(all(table$null_max[table$rule == chosen] <= unique(table$pfer)))
  value <- function(rule, column) usual[[column]][usual$rule == rule]
  share <- function(rule) 100 * value(rule, "share_of_best")
  expect_says(
    "R/select-capacity.R", "found %s %% of what the best q found on average, where the q of",
    sprintf("%.0f", share(chosen))
  )
  expect_says("R/select-capacity.R", "0.75 found %s %%", sprintf("%.0f", share("cutoff 0.75")))
  expect_says(
    "R/select-capacity.R", "At most %s features were named without signal",
    sprintf("%.2f", value(chosen, "null_max"))
  )
  # One outcome, on which another q finds more.
  few <- run_colon(q = 10, pfer = 1)
  more <- run_colon(pfer = 1, bound = "cutoff")
  expect_length(few$features, 2L)
  expect_length(more$features, 0L)
  expect_identical(more$bound[c("q", "cutoff")], list(q = 18L, cutoff = 0.55))
  expect_identical(more$table$frequency[1], 0.53)
  readme <- readLines(file.path(folder, "README.md"))
  for (k in seq_len(nrow(table))) {
    cells <- with(table[k, ], sprintf(
      "| %s | %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |", format(pfer), rule, true,
      share_of_best, least_share, unrelated_max, null, null_max
    ))
    expect_true(cells %in% readme, info = cells)
  }
})
