ns <- asNamespace("stabilect")

# Hashes by rlang 1.0.6 of lengths that XXH3 treats in its four ways, and of several of its blocks.
# Later versions of rlang may hash other bytes.
known <- c(
  `2` = "31d17f5cd93288b27fb913f3b20f8019",
  `3` = "77b4344d330caf05e88276216fa2ea98",
  `4` = "50f685ed77d43348c3aa1485cf82cdae",
  `7` = "c413b031d1a76f718acb271e07c9e6a6",
  `8` = "a65d69826142c85c9ebe99d1142f2ae7",
  `11` = "759db75a3efe7b01ac288e00e3607372",
  `12` = "e6b7cde86acd41e25fa19f33f605d6e0",
  `15` = "c67239336a96b2347e6d045544ea8678",
  `16` = "c6531ac17e8b148afaa3aebd7affe084",
  `20` = "e8240f61a6bfbf0bc78cade08ca272b7",
  `29` = "693d4449ac0c159475f006ea37139225",
  `30` = "9bcec6cc247bb2431e5c264ed8619caf",
  `126` = "fdf9d263cf47ac56168de42c8497b217",
  `127` = "9dc7b536af2157d813bfa6c60e79b243",
  `128` = "b1098adaaa32317891bdfaec74a833db",
  `500` = "d1f0263efb2c5de3dbfd21179ab08146",
  `4096` = "5945388f3cb364ba11f6392a9cb3a8b0"
)
values_of <- function(n) ((seq_len(n) * 37) %% 101 - 50) / 8

test_that("numbers are hashed as rlang::hash() does it", {
  for (n in names(known)) {
    values <- values_of(as.integer(n))
    expect_identical(ns$cpp_hash_columns(matrix(values, 1), 0L, length(values)), known[[n]])
  }
  skip_if(rlang::hash(values_of(3)) != known[["3"]], "rlang hashes other bytes")
  for (n in c(2:400, 1000:1100)) {
    values <- values_of(n)
    expect_identical(ns$cpp_hash_columns(matrix(values, 1), 0L, n), rlang::hash(values))
  }
  x <- matrix(values_of(600), 30, dimnames = list(NULL, 1:20))
  expect_identical(ns$cpp_hash_columns(x, 3L, 7L), rlang::hash(as.vector(x[, 4:10])))
})

test_that("-0 counts as 0, and other values do not", {
  zero <- matrix(c(0, 1, 2), 3)
  expect_identical(ns$cpp_hash_columns(-zero * 0, 0L, 1L), ns$cpp_hash_columns(zero * 0, 0L, 1L))
  near <- zero + c(0, 0, 2^-51)
  expect_false(ns$cpp_hash_columns(near, 0L, 1L) == ns$cpp_hash_columns(zero, 0L, 1L))
})

test_that("counts and rows are hashed as rlang::hash() does it", {
  skip_if(rlang::hash(values_of(3)) != known[["3"]], "rlang hashes other bytes")
  for (n in c(3:70, 300:310)) {
    counts <- matrix((seq_len(2L * n) * 7L) %% 5L, n)
    expect_identical(ns$cpp_hash_runs(counts), apply(counts, 2, rlang::hash))
  }
  for (key in c("", "ALL", "gr\u00fcn", strrep("0a", 16))) {
    for (m in c(0, 1, 5, 30, 200)) {
      x <- matrix(values_of(3 * m), 3)
      beside <- matrix(values_of(6), 3)
      rows <- vapply(1:3, function(i) rlang::hash(list(key, c(beside[i, ], x[i, ]))), "")
      expect_identical(ns$cpp_hash_rows(rep(key, 3), beside, x), rows)
    }
  }
})

test_that("what does not fit is refused", {
  x <- matrix(0, 3, 2)
  expect_error(ns$cpp_hash_columns(x, 1L, 2L), "these columns")
  expect_error(ns$cpp_hash_columns(x, -1L, 2L), "these columns")
  expect_error(ns$cpp_hash_rows("a", x, x), "one row for each key")
  expect_error(ns$cpp_hash_runs(matrix(0L, 2, 2)), "three rows")
})
