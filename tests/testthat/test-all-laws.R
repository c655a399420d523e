# A few hundred pairs of calls that must agree (helper-laws.R), and laws of chance. `make laws`
# makes some thousand pairs of another seed.

test_that("pairs of calls that say the same have the same value", {
  skip_on_cran()
  pairs <- laws(seed = 53, n = 460)
  broken <- pairs[nzchar(pairs$found), ]
  said <- sprintf("laws_pair(53, %d): %s: %s", broken$k, broken$law, broken$found)
  expect_identical(said, character())
  # Most calls work, and every law is tried.
  expect_gt(mean(pairs$state == "compared"), 0.8)
  expect_setequal(setdiff(names(laws_pairs()), laws_rare), setdiff(pairs$law, laws_rare))
})

test_that("the laws notice what is wrong", {
  skip_on_cran()
  # A selector that reads columns by their place breaks the law of columns, one that counts rows the
  # law of weights, and one that looks at numbers as they are the law of units.
  by_place <- selector_custom(function(x, y) rev(seq_len(ncol(x))), "place")
  by_size <- selector_custom(function(x, y) colMeans(abs(x)), "size")
  pair <- laws_pair(1, 1, "score_features", "numeric", "columns")
  pair$first$call$selector <- pair$second$call$selector <- by_place
  expect_match(laws_one(pair)$found, "score")
  pair <- laws_pair(1, 1, "score_features", "numeric", "features in other units")
  pair$first$call$selector <- pair$second$call$selector <- by_size
  expect_match(laws_one(pair)$found, "score")
  # Other values, other lengths, a refusal of one side, an error that is not ours.
  expect_match(laws_differ(list(a = 1), list(a = 1 + 1e-6)), "^a: 1 and")
  expect_match(laws_differ(list(a = 1), list(a = 1:2)), "^a: length 1 and 2")
  expect_match(laws_differ(list(a = 1), list(b = 1)), "only one has a, b")
  refused <- structure("no", class = "laws_refused")
  expect_match(laws_differ(list(a = 1), refused), "one is refused: no")
  expect_identical(laws_differ(refused, refused), "")
  expect_match(laws_differ(list(a = 1), structure("raw", class = "laws_error")), "error: raw")
})

test_that("laws of chance hold in some cells", {
  skip_on_cran()
  cells <- laws_chance_cells()
  # Two of each verb, with other outcomes and axes.
  at <- unlist(lapply(split(seq_len(nrow(cells)), cells$verb), function(rows) {
    rows[round(length(rows) * c(0.35, 0.8))]
  }))
  # Lists of noise agree by their penalties, and the marginal table of clusters has no features.
  apart <- cells$axis == "penalty" | cells$verb == "find_signals" & cells$axis == "clusters"
  at <- setdiff(at, which(apart))
  table <- do.call(rbind, lapply(at, function(i) laws_chance_cell(cells[i, ], 8L)))
  expect_identical(laws_chance_broken(table, 8L), NULL)
  # What breaks a law is said.
  table$p[1] <- 0.01
  table$found[2] <- 0.5
  table$stability[3] <- 1
  expect_length(laws_chance_broken(table, 8L), 3L)
})
