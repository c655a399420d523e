# Results of every verb are repeated, and what lists of clusters count.

x <- withr::with_seed(1, matrix(
  stats::rnorm(48 * 16), 48, dimnames = list(NULL, paste0("g", 1:16))
))
x[, 2] <- x[, 1] + 0.2 * x[, 2]
y <- rep(c("a", "b"), 24)
rates_of <- function(object, n_true = 2, n = 3, ...) {
  estimate_error_rates(
    object, x, y, n_true = n_true, r_squared = 0.9, n_simulations = n, seed = 1, ...
  )
}

test_that("a result and the call that made it are the same procedure", {
  all_samples <- resample_custom(list(seq_len(48)))
  trex <- function(x, y, ...) {
    select_ensemble(
      x, y, selector_trex(n_repeats = 4), all_samples, aggregate_by("frequency", cutoff = 1),
      n_features = "own", ...
    )
  }
  verbs <- list(
    signals = function(x, y, ...) find_signals(x, y, permute = 39, ...),
    split = function(x, y, ...) split_test(x, y, n_features = 3, n_runs = 4, ...),
    groups = function(x, y, ...) {
      split_test(x, y, n_features = 3, n_runs = 4, groups = list(one = c("g1", "g2")), ...)
    },
    ensemble = function(x, y, ...) {
      select_ensemble(x, y, selector_filter("t"), resample_bootstrap(5), n_features = 3, ...)
    },
    trex = trex,
    clusters = function(x, y, ...) {
      stability_selection(
        x, y, q = 3, cutoff = 0.7, n_pairs = 5, clusters = cluster_features(x, threshold = 0.8), ...
      )
    }
  )
  for (name in names(verbs)) {
    as_call <- rates_of(stats::setNames(list(verbs[[name]]), name))$table
    as_result <- rates_of(stats::setNames(list(verbs[[name]](x, y, seed = 3)), name))$table
    # Only results make claims.
    as_call$claimed <- as_result$claimed <- NULL
    expect_identical(as_result, as_call, info = name)
    expect_gt(sum(as_call$size), 0)
  }
})

test_that("results whose samples belong together are refused", {
  fit <- find_signals(x, y, blocks = rep(1:24, each = 2), permute = 19, seed = 1)
  expect_error(rates_of(fit), "must be a result of", class = "stabilect_error_input")
})

test_that("a cluster is true with a true member, and near with a near one", {
  study <- open_study(x, y, "binary")
  clusters <- stats::setNames(rep(paste0("c", 1:4), each = 4), colnames(x))
  fit <- stability_selection(
    x, y, q = 1, cutoff = 0.9, n_pairs = 5, clusters = clusters, seed = 1
  )
  fit$features <- c("c1", "c2", "c3", "c4")
  behind <- near <- logical(16)
  near[c(1, 2, 9)] <- TRUE
  behind[c(2, 13)] <- TRUE
  drawn <- list(truth = 1:2, near = near, behind = behind)
  own <- count_cuts(fit, drawn, study, NULL, "x")[1, ]
  # c1 is true, c3 near, c4 behind the diffuse part, c2 nothing.
  expect_identical(unlist(own[c("size", "true", "related", "behind", "n_true")]),
    c(size = 4, true = 1, related = 2, behind = 1, n_true = 1))
  cal <- rates_of(fit, n_true = 1, n = 8)
  own <- cal$table[cal$table$cut == "own", ]
  expect_equal(own$size, own$true + own$near + own$unrelated)
  expect_lte(own$power, 1)
  expect_gt(own$power, 0.5)
})

test_that("the print says what the lists of all procedures contain", {
  lists <- list(
    short = function(x, y, ...) stability_selection(x, y, q = 2, cutoff = 0.9, n_pairs = 5, ...),
    long = function(x, y, ...) {
      select_ensemble(x, y, selector_filter("t"), resample_bootstrap(5), n_features = 5, ...)
    }
  )
  shown <- paste(utils::capture.output(print(rates_of(lists))), collapse = " ")
  expect_match(shown, "in the list of\\s+short:")
  expect_match(shown, "5.0 features on average in the list of long:", fixed = TRUE)
})
