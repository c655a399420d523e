# The same bits and the same prints whatever the session is set to, and from one call to the next.

session_calls <- c(attack_calls(), rlang::exprs(
  bolasso_by_folds = bolasso(m$x, m$y, n_runs = 5, seed = 1),
  bolasso_of_classes = bolasso(m$x, m$y, family = "binomial", n_runs = 4, seed = 1),
  fealect_permuted = fealect(m$x, m$y, n_runs = 6, permute = 9, seed = 1),
  stable_permuted = stability_selection(
    m$x, m$y, q = 2, cutoff = 0.9, n_pairs = 4, permute = 9, seed = 1
  ),
  coefficients = coef(lars_path(m$x, m$y, max_features = 3)),
  path_at = coef(lars_path(m$x, m$y), at = c(1e-5, 0.25, 1), mode = "fraction"),
  curves = predict_curves(m$x)
))

# Survival curves, whose columns are named by times.
predict_curves <- function(x) {
  fit <- fit_model(x, survival::Surv(exp(x[, 1]) + 1e5, rep(1:0, 10)), c("g1", "g2"))
  predict(fit, x[1:3, ], type = "survival", times = c(1e5 + 0.5, 100001))
}

# Functions written in the call itself are others in each call.
session_custom <- c("learner_custom", "selector_custom")

# By the user's own generator, as in the package FeaLect, or drawn by the call itself.
session_random <- c("FeaLect", "random.subset", "compute.balanced", "three_segment")

# What is not called in a session: by the user's own generator, and what takes most of the time.
session_omits <- function(setting) {
  slow <- c("estimate_error_rates", "estimate_sample_size", "estimate_stability")
  c(
    if (setting %in% c("other generators", "old sampling")) session_random,
    if (setting != "scipen -9") slow
  )
}

# @return list(result, text (lines printed by the package), warnings).
in_session <- function(name, envir) {
  warned <- character()
  result <- withr::with_seed(1, withCallingHandlers(
    suppressMessages(eval(session_calls[[name]], envir)),
    warning = function(w) {
      # With warn = 2, it is an error.
      if (getOption("warn") < 2) {
        warned <<- c(warned, conditionMessage(w))
        invokeRestart("muffleWarning")
      }
    }
  ))
  # The field of the package FeaLect.
  if (name == "FeaLect") result$time.taken <- NULL
  text <- if (any(startsWith(class(result), "stabilect"))) {
    summary <- own_summary(result)
    utils::capture.output({
      print(result)
      if (!is.null(summary)) print(summary)
    })
  }
  list(result = result, text = text, warnings = warned)
}

# Other summaries are data frames, which R prints.
own_summary <- function(x) {
  made <- tryCatch(summary(x), error = function(e) NULL)
  if (any(startsWith(class(made), "stabilect"))) made
}

# How long something would take is no part of it.
without_times <- function(text) {
  text <- paste(text, collapse = "\n")
  text <- gsub("less than a second|about [0-9.]+ (s|min)", "a time", text)
  # Lines may break elsewhere.
  gsub("[[:space:]]+", if (grepl("a time", text)) " " else "\n", text)
}

# The different words, since tables fold in a narrow window.
words_of <- function(text) {
  sort(unique(strsplit(without_times(text), "[[:space:]]+")[[1]]), method = "radix")
}

session_envir <- function() {
  material <- list(m = attack_material(), predict_curves = predict_curves)
  list2env(material, parent = asNamespace("stabilect"))
}

# What a session can be set to, by R and by its user.
session_settings <- list(
  `OutDec ","` = function(...) withr::local_options(OutDec = ",", ...),
  `scipen 100` = function(...) withr::local_options(scipen = 100, ...),
  `scipen -9` = function(...) withr::local_options(scipen = -9, ...),
  `digits 3` = function(...) withr::local_options(digits = 3, ...),
  `digits 15` = function(...) withr::local_options(digits = 15, ...),
  `na.action, contrasts` = function(...) {
    withr::local_options(na.action = "na.fail", contrasts = c("contr.sum", "contr.helmert"), ...)
  },
  `warn 2` = function(...) withr::local_options(warn = 2, ...),
  `width 40` = function(...) withr::local_options(width = 40, ...),
  `C locale` = function(...) local_if_known("C", ...),
  `Turkish locale` = function(...) local_if_known("tr_TR.UTF-8", ...),
  `other generators` = function(...) local_kinds("Wichmann-Hill", "Box-Muller", ...),
  `old sampling` = function(...) local_kinds(sample.kind = "Rounding", ...)
)

local_kinds <- function(..., .local_envir) {
  old <- RNGkind()
  suppressWarnings(RNGkind(...))
  withr::defer(RNGkind(old[1], old[2], old[3]), envir = .local_envir)
}

# A locale that the machine does not have changes nothing.
local_if_known <- function(locale, .local_envir) {
  for (category in c("LC_COLLATE", "LC_CTYPE", "LC_TIME")) {
    old <- Sys.getlocale(category)
    known <- nzchar(suppressWarnings(Sys.setlocale(category, locale)))
    if (known) {
      withr::defer(Sys.setlocale(category, old), envir = .local_envir)
    }
  }
}

test_that("all verbs give the same bits and prints in every session", {
  envir <- session_envir()
  if (!requireNamespace("survival", quietly = TRUE)) session_calls$curves <- NULL
  usual <- sapply(names(session_calls), in_session, envir, simplify = FALSE)
  for (setting in names(session_settings)) {
    local({
      session_settings[[setting]](.local_envir = environment())
      for (name in setdiff(names(session_calls), session_omits(setting))) {
        # A warning of ours is an error here.
        if (getOption("warn") == 2 && length(usual[[name]]$warnings) > 0L) next
        found <- in_session(name, envir)
        info <- paste0(name, ", ", setting)
        plain <- if (name %in% session_custom) strip_closures else base::identity
        expect_identical(plain(found$result), plain(usual[[name]]$result), info = info)
        seen <- if (setting == "width 40") words_of else without_times
        expect_identical(seen(found$text), seen(usual[[name]]$text), info = info)
        expect_identical(found$warnings, usual[[name]]$warnings, info = info)
      }
    })
  }
})

test_that("two same calls give identical results, with the same hash", {
  envir <- session_envir()
  for (name in setdiff(names(session_calls), session_custom)) {
    if (name == "curves" && !requireNamespace("survival", quietly = TRUE)) next
    one <- in_session(name, envir)$result
    two <- in_session(name, envir)$result
    expect_identical(one, two, info = name)
    expect_true(identical(one, two), info = name)
    expect_identical(serialize(one, NULL), serialize(two, NULL), info = name)
  }
})

test_that("rules of the same arguments are one object, but not with a user's own values", {
  expect_true(identical(selector_filter("t"), selector_filter("t")))
  expect_false(identical(selector_filter("t"), selector_filter("welch")))
  counter <- function() {
    n <- 0
    function(x, y) {
      n <<- n + 1
      colMeans(x) + 100 * n
    }
  }
  x <- matrix(c(1, 4, 2, 5, 3, 7, 1, 1), 4, dimnames = list(NULL, c("a", "b")))
  y <- c(0, 0, 1, 1)
  first <- score_features(x, y, selector_custom(counter()))
  expect_identical(score_features(x, y, selector_custom(counter())), first)
})

test_that("pictures are drawn in every session, and leave its options alone", {
  skip_if_not_installed("ggplot2")
  skip_on_cran()
  envir <- session_envir()
  withr::local_pdf(NULL)
  drawn <- c(
    "fealect", "stability_selection", "select_ensemble", "eliminate_features", "lars_path",
    "estimate_stability", "tune_tradeoff", "find_signals"
  )
  for (name in drawn) {
    result <- in_session(name, envir)$result
    withr::with_options(list(OutDec = ",", scipen = -9, warn = 2), {
      before <- options()
      expect_error(suppressMessages(plot(result)), NA, info = name)
      expect_identical(options(), before, info = name)
    })
  }
})
