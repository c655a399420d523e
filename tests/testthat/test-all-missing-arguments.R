# An argument that is not there is refused by all exports in one way.

# Those that may be left out although they have no default: prepared data bring their response.
optional <- c(
  "fealect y", "select_ensemble y", "eliminate_features y", "evaluate_elimination y",
  "hybrid_rfe y", "tune_tradeoff y", "evaluate_selectors y", "lars_path y", "lasso_path y",
  "fit_model y", "estimate_stability y",
  "score_features y", "feature_importance y", "find_signals y",
  "estimate_error_rates y", "evaluate_replication y", "estimate_sample_size y", "split_test y",
  "plot_values y", "test_signature y", "alternative_lists y", "feature_effects y",
  "compare_cohorts y", "validate_model y"
)
# FeaLect takes these and does not look at them.
ignored <- paste(
  "compute.logistic.score", c("considered.features", "training.samples", "validating.samples")
)

# `x` says whether these are about data or about a result, and is looked at first.
by_x <- c("stability_selection", "bolasso", "estimate_stability")

needed_arguments <- function(name) {
  arguments <- formals(getExportedValue("stabilect", name))
  needed <- vapply(arguments, function(one) is.symbol(one) && !nzchar(as.character(one)), NA)
  setdiff(names(arguments)[needed], "...")
}

test_that("every export refuses a call without an argument that it needs, and looks at no other", {
  exports <- getNamespaceExports("stabilect")
  exports <- Filter(function(name) is.function(getExportedValue("stabilect", name)), exports)
  n_cases <- 0L
  for (name in exports) {
    needed <- needed_arguments(name)
    spared <- sub(paste0(name, " "), "", c(optional, ignored), fixed = TRUE)
    for (absent in setdiff(needed, spared)) {
      others <- setdiff(needed, absent)
      if (name %in% by_x) others <- setdiff(others, "x")
      given <- stats::setNames(rep(list(quote(stop("looked at"))), length(others)), others)
      if (name %in% by_x && absent != "x") given$x <- quote(matrix(0, 4, 2))
      call <- as.call(c(as.name(name), given))
      error <- tryCatch(eval(call, list2env(list(), parent = asNamespace("stabilect"))),
        error = identity
      )
      expect_s3_class(error, "stabilect_error")
      text <- cli::ansi_strip(conditionMessage(error)[1])
      expect_match(text, paste0("`", absent, "` is absent but must be supplied"), info = name)
      n_cases <- n_cases + 1L
    }
  }
  expect_gt(n_cases, 70L)
})

test_that("a response that is nowhere is refused, too", {
  x <- matrix(stats::rnorm(40), 10)
  fit <- stability_selection(x, stats::rnorm(10), q = 1, n_pairs = 2, seed = 1)
  verbs <- sub(" y", "", optional)
  # Without the package it says that first.
  if (!is_installed("ggplot2")) verbs <- setdiff(verbs, "plot_values")
  for (name in verbs) {
    verb <- getExportedValue("stabilect", name)
    others <- setdiff(needed_arguments(name), c("x", "y"))
    more <- list(
      selector = selector_filter("t"), selectors = selector_filter("t"), grid = list(n_stable = 1),
      model = 1, object = fealect, features = 1
    )[others]
    if (name == "estimate_stability") more$n_features <- 2
    if (name == "feature_effects") more$object <- fit
    data <- list(x = x)
    if (name == "validate_model") {
      names(data) <- "newdata"
      more <- list(object = fit_model(x, stats::rnorm(10)))
    }
    error <- tryCatch(do.call(verb, c(data, more)), error = identity)
    expect_s3_class(error, "stabilect_error")
    expect_match(cli::ansi_strip(conditionMessage(error)), "`y` is absent", info = name)
  }
})
