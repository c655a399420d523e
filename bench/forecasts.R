# What calls of some seconds to minutes say of their time, and what they take.
#
#   Rscript bench/forecasts.R [part of a name]
#
# `first`: time of the whole call as first said, NA where nothing was (calls of less than ten
# seconds); `ratio`: beside the true one; `messages`: how often it was said.

suppressPackageStartupMessages(library(stabilect))
source(file.path("bench", "bench-helpers.R"))

draw <- function(n, p, outcome = "numbers") {
  withr::with_seed(n + p, {
    x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p))))
    link <- drop(x[, 1:10] %*% rep(c(1, -1), 5)) * max(7 / sqrt(n), 0.3)
    y <- switch(outcome,
      numbers = link + stats::rnorm(n),
      classes = factor(ifelse(link + stats::rnorm(n) > 0, "b", "a")),
      three = cut(link + stats::rnorm(n), 3, c("a", "b", "c")),
      survival = survival::Surv(stats::rexp(n, exp(link)), stats::rbinom(n, 1, 0.7))
    )
    if (outcome == "three") y <- factor(as.character(y))
    list(x = x, y = y)
  })
}

on <- function(n, p, outcome, verb, ...) {
  given <- list(...)
  function() {
    data <- draw(n, p, outcome)
    function() do.call(verb, c(unname(data), given, list(seed = 1)))
  }
}
# A question about a fit, which is made before.
about <- function(n, p, outcome, fit, question, ...) {
  given <- list(...)
  function() {
    data <- draw(n, p, outcome)
    object <- do.call(fit, c(unname(data), list(seed = 1)))
    function() do.call(question, c(list(object), unname(data), given, list(seed = 1)))
  }
}
# Real survival times and covariates, with simulated markers that follow the risk.
with_markers <- function(risk, y, covariates, verb, p = 200, ...) {
  given <- list(...)
  function() {
    n <- length(risk)
    x <- withr::with_seed(1, matrix(stats::rnorm(n * p), n))
    dimnames(x) <- list(NULL, paste0("m", seq_len(p)))
    x[, 1:5] <- x[, 1:5] + drop(scale(risk)) / 2
    function() do.call(verb, c(list(x, y, covariates = covariates), given, list(seed = 1)))
  }
}
of_pbc <- function(verb, ...) {
  d <- survival::pbc[1:312, ]
  y <- survival::Surv(d$time, d$status == 2)
  with_markers(log(d$bili), y, d[c("age", "sex", "edema")], verb, ...)
}
of_nwtco <- function(verb, ...) {
  d <- survival::nwtco
  y <- survival::Surv(d$edrel, d$rel)
  covariates <- data.frame(age = d$age, histol = d$histol, stage = factor(d$stage))
  with_markers(d$rel, y, covariates, verb, ...)
}
quick <- function(x, y, ...) fealect(x, y, n_runs = 50, n_boot = 0, ...)
stable <- function(x, y, ...) stability_selection(x, y, q = 10, cutoff = 0.7, ...)

calls <- list(
  "fealect, many samples" = on(10000, 1000, "numbers", fealect, n_runs = 30),
  "fealect, whole paths" = on(600, 5000, "numbers", fealect),
  "fealect, binomial" = on(300, 5000, "classes", fealect, family = "binomial", n_runs = 250),
  "fealect, Cox" = on(300, 2000, "survival", fealect),
  "fealect, three classes" = on(250, 2500, "three", fealect),
  "fealect, permutations" = on(150, 3000, "classes", fealect, permute = 199),
  "fealect, covariates" = of_pbc(fealect),
  "fealect, covariates and permutations" = of_pbc(fealect, permute = 19, n_runs = 20, p = 50),
  "fealect, covariates of many samples" = of_nwtco(fealect, n_runs = 50),
  "stability_selection, covariates of many samples" = of_nwtco(stability_selection),
  "fealect, blocks of one" = on(4000, 300, "survival", fealect, max_features = 30),
  "stability_selection, many samples" = on(20000, 1000, "numbers", stability_selection),
  "stability_selection, Cox" = on(2000, 1000, "survival", stability_selection),
  "stability_selection, permutations" = on(200, 10000, "numbers", stable, permute = 399),
  "stability_selection, forest" = on(
    200, 500, "classes", stable, selector = selector_learner(learner_forest(300)),
    n_pairs = 100
  ),
  "bolasso, cross-validated" = on(8000, 800, "numbers", bolasso),
  "bolasso, penalty given" = on(10000, 1000, "numbers", bolasso, lambda = 0.02),
  "bolasso, binomial" = on(1000, 10000, "classes", bolasso, family = "binomial", n_runs = 200),
  "find_signals, numbers" = on(10000, 1000, "numbers", find_signals),
  "find_signals, classes" = on(4000, 800, "classes", find_signals),
  "find_signals, many features" = on(200, 20000, "numbers", find_signals, permute = 12999),
  "find_signals, any" = on(800, 800, "numbers", find_signals, kind = "any"),
  "split_test" = on(1000, 300, "numbers", split_test),
  "hybrid_rfe" = on(3000, 800, "classes", hybrid_rfe),
  "test_signature" = function() {
    data <- draw(5000, 1000)
    function() test_signature(data$x, data$y, paste0("g", 1:10), seed = 1)
  },
  "alternative_lists" = about(2000, 300, "numbers", stable, alternative_lists, n_features = 5),
  "evaluate_replication" = about(
    200, 6000, "classes", quick, evaluate_replication, n_pairs = 60
  ),
  "estimate_sample_size" = about(300, 4000, "numbers", stable, estimate_sample_size, n_pairs = 60),
  "estimate_error_rates" = about(
    100, 1500, "numbers", stable, estimate_error_rates, n_simulations = 60
  ),
  "estimate_error_rates, survival" = about(
    150, 200, "survival", quick, estimate_error_rates, n_true = 3, n_simulations = 10
  ),
  "eliminate_features, forest" = on(
    200, 1000, "classes", eliminate_features, learner = learner_forest(500)
  ),
  "evaluate_elimination" = function() {
    data <- draw(100, 1000, "classes")
    function() {
      evaluate_elimination(data$x, data$y, learner_forest(100), seed = 1)
    }
  },
  "evaluate_selectors" = function() {
    data <- draw(100, 1000, "classes")
    selectors <- list(t = selector_filter("t"), lasso = selector_lasso_path(),
      relief = selector_relief())
    function() evaluate_selectors(data$x, data$y, selectors, n_repeats = 100, seed = 1)
  },
  "select_ensemble, forest" = on(
    150, 1000, "classes", select_ensemble, selector = selector_learner(learner_forest(500)),
    resampling = resample_bootstrap(100)
  ),
  "estimate_stability" = function() {
    data <- draw(80, 24000, "classes")
    fit <- select_ensemble(data$x, data$y, selector_filter("t"), resample_bootstrap(100),
      n_features = 50, seed = 1)
    function() estimate_stability(fit, seed = 1)
  }
)

given <- commandArgs(TRUE)
path <- file.path("bench", "forecasts.csv")
known <- if (file.exists(path)) utils::read.csv(path)$call
wanted <- if (length(given) > 0L) grepl(given[1], names(calls)) else !names(calls) %in% known
for (name in names(calls)[wanted]) {
  call <- suppressWarnings(suppressMessages(calls[[name]]()))
  began <- proc.time()[["elapsed"]]
  passed <- function() proc.time()[["elapsed"]] - began
  said <- numeric()
  tryCatch(
    withCallingHandlers(suppressWarnings(call()), stabilect_message_long = function(m) {
      said <<- c(said, passed() + m$seconds)
      invokeRestart("muffleMessage")
    }),
    error = function(e) message(name, ": ", conditionMessage(e))
  )
  took <- passed()
  record("forecasts", data.frame(
    call = name, first = round(said[1], 1), seconds = round(took, 1),
    ratio = round(said[1] / took, 2), messages = length(said)
  ), path)
}
table <- utils::read.csv(path)
print(table[c("call", "first", "seconds", "ratio", "messages")], row.names = FALSE)
off <- pmax(table$ratio, 1 / table$ratio)
said <- sum(!is.na(off))
cat(sprintf("%d of %d that speak within a factor of 1.5\n", sum(off <= 1.5, na.rm = TRUE), said))
