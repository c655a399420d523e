# The items of two checklists for authors, answered from the results.
x <- as.matrix(mcl_sll[, 2:61])
y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))
fit <- fealect(x, y, n_runs = 20, n_boot = 0, seed = 1)
short <- stability_selection(x, y, pfer = 2, n_pairs = 10, seed = 1)

answer <- function(topic, fit, others = list(), study = NULL, field = "answer") {
  table <- checklist_of(fit, others, study)
  table[[field]][table$item == topic]
}

# "3a-3c, 4" is 3a, 3b, 3c, 4.
numbers_of <- function(text) {
  parts <- unlist(strsplit(text[!is.na(text)], ", "))
  unlist(lapply(parts, function(part) {
    ends <- strsplit(part, "-", fixed = TRUE)[[1]]
    if (length(ends) == 1L) {
      return(part)
    }
    number <- sub("[a-z]$", "", ends[1])
    at <- match(sub("^[0-9]+", "", ends), letters)
    paste0(number, letters[at[1]:at[2]])
  }))
}

test_that("every item of both checklists has its place, but for model updating", {
  table <- do.call(rbind, lapply(checklist_items(), function(one) {
    data.frame(tripod = one$tripod, remark = one$remark)
  }))
  # Collins et al. (2024), table 2.
  tripod <- c(
    1, 2, paste0(3, letters[1:3]), 4, "5a", "5b", paste0(6, letters[1:3]), 7,
    paste0(8, letters[1:3]), paste0(9, letters[1:3]), 10, 11, paste0(12, letters[1:7]), 13:17,
    paste0(18, letters[1:6]), 19, paste0(20, letters[1:3]), 21, 22, "23a", "23b", 24:26,
    paste0(27, letters[1:3])
  )
  expect_length(tripod, 52L)
  expect_setequal(numbers_of(table$tripod), setdiff(tripod, c("12f", "24")))
  expect_identical(anyDuplicated(numbers_of(table$tripod)), 0L)
  expect_setequal(numbers_of(table$remark), as.character(1:20))
})

test_that("answers have the numbers of the results", {
  expect_match(answer("Performance", fit), describe_error_rate(fit$oob), fixed = TRUE)
  expect_match(answer("Numbers analysed", fit), "22 samples", fixed = TRUE)
  expect_match(answer("Outcome", fit), "15 SLL, 7 MCL", fixed = TRUE)
  expect_match(answer("Candidate features", fit), count_of(fit$study$p, "feature"), fixed = TRUE)
  expect_match(answer("Code sharing", fit), "seed 1", fixed = TRUE)
  expect_match(answer("Data sharing", fit), fit$study$hash, fixed = TRUE)
  expect_match(answer("Selection and model", short), "at most 2", fixed = TRUE)
  expect_match(answer("Full model", fit), count_of(length(fit$model$features), "feature"))
  expect_match(answer("Output of the model", fit), "above 0.5")
  expect_match(answer("Missing data", fit), "no value is missing")
})

test_that("what the results do not know is left to the authors by name", {
  left <- function(...) answer(..., field = "left")
  expect_match(left("Participants", fit), "source of data")
  expect_match(left("Full model", short), "list without a model")
  expect_identical(left("Full model", fit), "")
  expect_match(left("Performance", short), "an error on samples that did not choose")
  expect_match(left("New data", fit), "none were predicted")
  expect_match(left("Relation to known variables", fit), "adjusted for none")
  expect_match(left("Centres, batches, pairs", fit), "told of none")
  table <- checklist_of(fit, list(), NULL)
  expect_true(all(nzchar(table$answer) | nzchar(table$left)))
  expect_false(anyNA(table$answer) || anyNA(table$left))
})

test_that("further results and roles change the answers", {
  z <- data.frame(age = sin(1:22))
  adjusted <- fealect(x, y, covariates = z, n_runs = 20, n_boot = 0, permute = 3, seed = 1)
  expect_match(answer("Relation to known variables", adjusted), "adjusted for age")
  expect_match(answer("Performance", adjusted), "with the covariates alone")
  expect_match(answer("Further analyses", adjusted), "3 permutations: p = ")
  paired <- stability_selection(
    x, y, pfer = 2, resampling = resample_pairs(5, blocks = rep(1:11, 2)), seed = 1
  )
  expect_match(answer("Centres, batches, pairs", paired), "11 blocks")
  some <- rep(c(TRUE, TRUE, FALSE), length.out = 22)
  model <- fit_model(x[some, ], y[some], features = colnames(x)[1:2])
  others <- list(
    New = validate_model(model, x[!some, ], y[!some]),
    Effects = feature_effects(fit, x, y, features = fit$table$feature[1:3]),
    Again = evaluate_replication(short, x, y, n_pairs = 3, seed = 1), List = fit
  )
  said <- function(topic) answer(topic, short, others)
  expect_match(said("Aim"), "evaluated on 7 new samples")
  expect_match(said("Performance"), "on 7 new samples .*section \"New\".*section \"List\"")
  expect_match(said("Measures of performance"), "on new samples: .*auc")
  expect_match(said("Effect of each feature"), "95.% intervals.*3 features .section \"Effects\"")
  expect_match(said("Further analyses"), "section \"Again\".*further sections .*: List")
})

test_that("prepared data say what was filled in or left out", {
  holes <- x
  holes[cbind(1:4, 1:4)] <- NA
  omitted <- fealect(prepare_study(holes, y, na = "omit"), n_runs = 5, n_boot = 0, seed = 1)
  expect_match(answer("Missing data", omitted), "4 of 22 samples left out")
  filled <- fealect(prepare_study(holes, y, na = "median"), n_runs = 5, n_boot = 0, seed = 1)
  expect_match(answer("Missing data", filled), "replaced by the medians")
  expect_match(answer("Data preparation", filled), "prepare_study")
})

test_that("each outcome has its checklist, and a result without features none", {
  skip_if_not_installed("survival")
  for (outcome in list(x[, 1] + sin(1:22), survival::Surv(1:22, rep(0:1, 11)))) {
    result <- fealect(x[, -1], outcome, n_runs = 5, n_boot = 0, seed = 1)
    table <- checklist_of(result, list(), NULL)
    expect_identical(table$item, checklist_of(fit, list(), NULL)$item)
    expect_match(answer("Class imbalance", result), "no class")
  }
  plan <- evaluate_replication(short, x, y, n_pairs = 3, seed = 1)
  expect_null(checklist_of(plan, list(), NULL))
  expect_null(section_checklist(plan, list(), NULL))
})

test_that("the section cites both checklists and marks what is left", {
  section <- paste(section_checklist(fit, list(), NULL), collapse = "\n")
  for (source in cited_checklists) expect_match(section, source, fixed = TRUE)
  left <- checklist_of(fit, list(), NULL)$left
  marks <- gregexpr("<em>left to the authors:", section, fixed = TRUE)[[1]]
  expect_length(marks, sum(nzchar(left)))
})
