# What lists deliver beside those of other packages, as help pages say it.

# One sentence of the help page of each verb that states a rate, or none.
peer_sentences <- function(methods) {
  of <- function(method, ...) unlist(methods[methods$method == method, c(...)], use.names = FALSE)
  say <- function(format, ...) do.call(sprintf, c(format, as.list(c(...))))
  rates <- c("rate_false", "rate_unrelated")
  counts <- c("true", "false", "unrelated")
  c(
    "R/signal-find.R" = say(paste(
      "In `experiments/peers` (%d outcomes, six sets of features, five or ten true ones) the share",
      "of wrong names was %.3f by their probabilities. It was %.3f by the truth, %.3f of names",
      "were unrelated, and %.2f true features were named an outcome."
    ), of("find_signals", "responses"), of(
      "find_signals", "claim", "rate_far", "rate_unrelated", "true"
    )),
    "R/select-stable.R" = say(paste(
      "On %d outcomes of `experiments/peers`, `pfer = 1, cutoff = 0.75` named %.2f true and %.2f",
      "false features on average, %.2f of them unrelated to any true one; `pfer = 1` alone named",
      "%.2f, %.2f and %.2f.",
      "`fdr = 0.1` had a share of %.2f false features, %.2f unrelated."
    ), of("pfer", "responses"), of("pfer", counts), of("efp", counts), of("fdr", rates)),
    "R/select-null.R" = say(paste(
      "On %d outcomes of `experiments/peers` a feature that was not true had a `p_fwer` of at most",
      "0.05 in %.0f %%, and an unrelated one in %.0f %%. Of the features with a `q_fdr` of at most",
      "0.2 a share of %.2f was not true, and %.2f unrelated."
    ), of("permute_p", "responses"), 100 * of("permute_p", rates), of("permute_q", rates)),
    "R/select-null-bound.R" = say(paste(
      "On %d outcomes of `experiments/peers`, with 99 permutations, the longest lists with a share",
      "of at most 0.2 had a larger one of features that are not true in %.1f %%, and %.2f true",
      "ones on average."
    ), of("fdp_bound", "responses"), 100 * of("fdp_bound", "rate_false"), of("fdp_bound", "true")),
    "R/select-split.R" = say(paste(
      "With the defaults, on %d outcomes of `experiments/peers`, %.1f %% of the lists had a false",
      "feature, and %.2f true ones were named an outcome."
    ), of("split", "responses"), 100 * of("split", "rate_false"), of("split", "true")),
    "R/score-trex.R" = say(paste(
      "On %d outcomes of `experiments/peers`, `fdr = 0.2` gave a share of %.2f false features,",
      "%.2f unrelated, and named %.2f true ones an outcome."
    ), of("trex", "responses"), of("trex", rates, "true")),
    "R/select-bolasso.R" = say(paste(
      "No error rate is stated: on %d outcomes of `experiments/peers`, %.2f true and %.2f false",
      "features were selected on average, %.2f of them unrelated to any true one."
    ), of("bolasso", "responses"), of("bolasso", counts)),
    "R/select-fealect.R" = say(paste(
      "On %d outcomes of `experiments/peers`, %.2f true and %.2f false features were above the cut",
      "on average, %.2f of them unrelated to any true one."
    ), of("fealect", "responses"), of("fealect", counts))
  )
}

# The lists of more.R were added later, on as many of the same outcomes as there was time for.
peer_lists <- function() {
  rbind(result_of("peers", "methods"), result_of("peers", "more-methods"))
}

test_that("help pages say what each list delivered beside other packages", {
  sentences <- peer_sentences(peer_lists())
  for (file in names(sentences)) expect_says(file, "%s", sentences[[file]])
})

test_that("the README has every list of the experiment with peers", {
  expect_length(unique(result_of("peers", "methods")$responses), 1L)
  methods <- peer_lists()
  for (k in seq_len(nrow(methods))) {
    row <- methods[k, ]
    claim <- if (row$measure == "none") "none" else sprintf("%.2f", row$claim)
    expect_says(
      "experiments/peers/README.md",
      "| `%s` | %s | %.2f | %.2f | %.2f (%.2f) | %.2f | %.2f | %.2f | %.0f %% | %.2f |",
      row$method, claim, row$true, row$false, row$unrelated, row$unrelated_se, row$clusters_false,
      row$rate_false, row$rate_unrelated, 100 * row$none_named, row$seconds
    )
  }
  expect_says(
    "experiments/peers/README.md", "%d outcomes with signal and %d without",
    methods$responses[1], methods$none_responses[1]
  )
})

test_that("?split_test and the README say what mirror statistics and fdp_bound() delivered", {
  more <- result_of("peers", "more-methods")
  mirror <- more[more$method == "mirror", ]
  expect_identical(c(mirror$named, mirror$none_named), c(0, 0))
  expect_says(
    "R/select-split.R", "statistics for a share of 0.1 selected nothing in any of %d outcomes",
    mirror$responses
  )
  expect_says(
    "experiments/peers/README.md", "`mirror` and `fdp_bound` are of %d outcomes with signal and %d",
    mirror$responses, mirror$none_responses
  )
})
