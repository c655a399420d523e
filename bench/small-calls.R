# Small calls, in which checks, tables and records in R weigh as much as the core: processor
# milliseconds a call, the smallest of the turns of three processes for each build, in turn.
#
#   Rscript bench/small-calls.R [commit=library ...]   # the installed package if none is named

source(file.path("bench", "bench-helpers.R"))

calls <- function() {
  select <- function(n, p, family) {
    study <- likelihood_study(n, p, "independent", 7)
    study$gaussian <- withr::with_seed(4, study$x[, 1] + study$x[, 2] + stats::rnorm(n))
    function() {
      stability_selection(study$x, study[[family]], q = min(20, n %/% 4), pfer = 10, n_pairs = 10,
        family = family, seed = 1
      )
    }
  }
  small <- likelihood_study(60, 200, "independent", 7)
  x <- as.matrix(mcl_sll[, -1])
  wide <- expression_like(72, 7129, 1)
  sets <- withr::with_seed(1, lapply(1:20, function(b) sort(sample.int(200, 10))))
  runs <- as_selection(sets, n_total = 200)
  t_scores <- function(x, y, n_runs) {
    force(x)
    function() {
      plan <- resample_bootstrap(n_runs)
      select_ensemble(x, y, selector_filter("t"), resampling = plan, seed = 1)
    }
  }
  families <- c("gaussian", "binomial", "poisson", "cox", "multinomial")
  sizes <- list(c(60, 200), c(100, 500), c(100, 2000), c(250, 12000))
  cells <- expand.grid(family = families, size = 1:4, stringsAsFactors = FALSE)
  cells <- cells[cells$size < 4 | cells$family %in% c("gaussian", "binomial"), ]
  halves <- Map(function(family, size) {
    select(sizes[[size]][1], sizes[[size]][2], family)
  }, cells$family, cells$size)
  names(halves) <- sprintf("stability_selection %s %s", cells$family,
    vapply(sizes[cells$size], paste, "", collapse = "x"))
  c(halves, list(
    "fealect 20 runs 60x200" = function() fealect(small$x, small$binomial, n_runs = 20, seed = 1),
    "fealect 20 runs mcl_sll" = function() fealect(x, mcl_sll$MCL, n_runs = 20, seed = 1),
    "bolasso 20 runs 60x200" = function() bolasso(small$x, small$binomial, n_runs = 20, seed = 1),
    "split_test 60x200" = function() split_test(small$x, small$binomial, seed = 1),
    "find_signals 60x200" = function() find_signals(small$x, small$binomial, seed = 1),
    "t scores 20 runs 60x200" = t_scores(small$x, small$binomial, 20),
    "t scores 40 runs 72x7129" = t_scores(wide$x, wide$y, 40),
    "stability 20 runs" = function() stability(runs),
    "stability jaccard 20 runs" = function() stability(runs, "jaccard")
  ))
}

# Calls are repeated until they take 0.2 s.
smallest <- function(call) {
  suppressWarnings({
    call()
    often <- ceiling(0.2 / max(0.001, cpu_seconds(call())))
    1000 * min(vapply(1:3, function(turn) {
      cpu_seconds(for (k in seq_len(often)) call()) / often
    }, 0))
  })
}

asked <- commandArgs(TRUE)
if (identical(asked[1], "one")) {
  if (nzchar(asked[2])) .libPaths(c(asked[2], .libPaths()))
  library(stabilect)
  ms <- vapply(calls(), smallest, 0)
  utils::write.csv(data.frame(call = names(ms), ms = unname(ms)), asked[3], row.names = FALSE)
} else {
  builds <- if (length(asked) > 0) asked else paste0(commit_hash(), "=")
  parts <- lapply(rep(builds, 3), function(build) {
    file <- tempfile()
    script <- file.path("bench", "small-calls.R")
    library <- shQuote(sub("^[^=]*=", "", build))
    system2(file.path(R.home("bin"), "Rscript"), c(script, "one", library, file))
    data.frame(build = sub("=.*", "", build), utils::read.csv(file))
  })
  rows <- stats::aggregate(ms ~ call + build, do.call(rbind, parts), min)
  record("small-calls", rows, file = file.path("bench", "small-calls.csv"))
}
