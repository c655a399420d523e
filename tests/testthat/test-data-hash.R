ns <- asNamespace("stabilect")

# The hash of the core, written once more with numbers of 64 bits as four of 16, the lowest first.
u64 <- function(hex) as.numeric(strtoi(substring(hex, c(13, 9, 5, 1), c(16, 12, 8, 4)), 16L))
small <- function(n) c(n %% 65536, n %/% 65536, 0, 0)
carried <- function(a) {
  for (k in 1:3) a[k + 1] <- a[k + 1] + a[k] %/% 65536
  a %% 65536
}
plus <- function(a, b) carried(a + b)
times <- function(a, b) carried(vapply(1:4, function(k) sum(a[1:k] * b[k:1]), 0))
bits <- function(a) as.vector(vapply(a, function(l) as.integer(intToBits(l))[1:16], integer(16)))
number <- function(bits) colSums(matrix(bits, 16) * 2^(0:15))
shifted <- function(a, by) number(c(bits(a)[-seq_len(by)], integer(by)))
turned <- function(a, by) number(bits(a)[(0:63 - by) %% 64 + 1])
one <- u64("9E3779B185EBCA87")
two <- u64("C2B2AE3D27D4EB4F")
three <- u64("165667B19E3779F9")
four <- u64("85EBCA77C2B2AE63")
round_of <- function(sum, word) times(turned(plus(sum, times(word, two)), 31), one)

# @param vectors (list of lists of words).
reference <- function(vectors) {
  minus_one <- plus(bitwXor(one, 65535), small(1))
  sums <- list(plus(one, two), two, small(0), minus_one)
  for (words in vectors) {
    sums[[1]] <- round_of(sums[[1]], small(length(words)))
    for (i in seq_along(words)) {
      k <- (i - 1) %% 4 + 1
      sums[[k]] <- round_of(sums[[k]], words[[i]])
    }
  }
  half <- function(start) {
    all <- small(start)
    for (sum in sums) all <- plus(times(bitwXor(all, round_of(small(start), sum)), one), four)
    all <- times(bitwXor(all, shifted(all, 33)), two)
    all <- times(bitwXor(all, shifted(all, 29)), three)
    bitwXor(all, shifted(all, 32))
  }
  paste(sprintf("%04x", c(rev(half(1)), rev(half(0)))), collapse = "")
}
words_of <- function(bytes) {
  limbs <- readBin(bytes, "integer", length(bytes) / 2, 2, signed = FALSE, endian = "little")
  lapply(seq_len(length(limbs) / 4), function(i) limbs[4 * i - 3:0])
}
bytes_of <- function(bytes) {
  whole <- length(bytes) %/% 8 * 8
  rest <- as.integer(bytes[seq_along(bytes) > whole])
  list(words_of(bytes[seq_len(whole)]), lapply(rest, small))
}
numbers_of <- function(x) list(words_of(writeBin(x, raw(), endian = "little")))
kind <- function(name) bytes_of(charToRaw(name))
values_of <- function(n) ((seq_len(n) * 37) %% 101 - 50) / 8

test_that("hashes are those of the rule as it is written down, for numbers, counts and bytes", {
  for (n in c(0:4, 9, 21)) {
    numbers <- values_of(n)
    known <- reference(c(kind("double"), numbers_of(numbers)))
    expect_identical(ns$hash_plain(numbers), known)
    expect_identical(ns$cpp_hash_columns(matrix(numbers, 1), 0L, n), known)
    counts <- seq_len(n) %% 4L
    known <- reference(c(kind("integer"), list(lapply(counts, small))))
    expect_identical(ns$hash_plain(counts), known)
    expect_identical(ns$cpp_hash_runs(matrix(counts, ncol = 1)), known)
    bytes <- as.raw((seq_len(n) * 37) %% 256)
    expect_identical(ns$hash_plain(bytes), reference(c(kind("raw"), bytes_of(bytes))))
  }
  text <- c("a", "gr\u00fcn", "", "12345678")
  known <- c(kind("character"), unlist(lapply(lapply(text, charToRaw), bytes_of), FALSE))
  expect_identical(ns$hash_plain(text), reference(known))
  rows <- c(kind("ALL"), numbers_of(c(1, 2)), numbers_of(c(3, 5, 7)))
  hash <- ns$cpp_hash_rows(c("B", "ALL"), rbind(0, c(1, 2)), rbind(0, c(3, 5, 7)))
  expect_identical(hash[2], reference(rows))
})

# What is on disk is recognised by these: they must be the same in every version, on every machine.
test_that("hashes are what they always were", {
  values <- list(
    NULL, TRUE, NA, 1L, 1, NA_real_, NaN, "a", NA_character_, "gr\u00fcn", raw(3), 1i, list(),
    list(1, "a"), c(a = 1), factor(c("u", "v")), data.frame(n = 1:2, s = c("x", NA)), 1:1000 / 7
  )
  stored <- c(
    "1d9bb2f4a1aea927abd35ece54cd749c", "57386465026c74d27c25bf73371179df",
    "8cda491b869bae9d9adbb1f4a4c07413", "30dabd7aa182d7ab714a223ab2e34b87",
    "4e3f1714ba2d9a9a78271c4dc9d1bba4", "1bf561a848cca5f64cb096774333e423",
    "52c22f93d17f9d5f8cc62c263bb75abc", "8078aba7ee1d0097d24d6f2b28a499ae",
    "4c21449045fe7496921b59833fd2c67f", "30f52bef350391279717e5ac466b0528",
    "74300354e26ef89ee08299fd37e49153", "2be89e1fc9c5949946a9681d1a910f46",
    "b1a624fefcb33ab12d79111da250fe5e", "acf841ec1a9b67c988a308b9db5986de",
    "e99f7a3056afd7bc0a3cf810d05321cf", "4aec3756aadb18dcb0e8c963d2c6d1f5",
    "85db193a6916f97be9cd5ffff2a55986", "ba6a14d264ab47ed4137a4627edf4a0d"
  )
  expect_identical(vapply(values, ns$hash_plain, ""), stored)
  expect_identical(anyDuplicated(stored), 0L)
})

test_that("-0 counts as 0, all NaN as one, and other values do not", {
  zero <- matrix(c(0, 1, 2), 3)
  expect_identical(ns$cpp_hash_columns(-zero * 0, 0L, 1L), ns$cpp_hash_columns(zero * 0, 0L, 1L))
  near <- zero + c(0, 0, 2^-51)
  expect_false(ns$cpp_hash_columns(near, 0L, 1L) == ns$cpp_hash_columns(zero, 0L, 1L))
  expect_identical(ns$hash_plain(-NaN), ns$hash_plain(NaN))
  expect_false(ns$hash_plain(NA_real_) == ns$hash_plain(NaN))
  # Two signs, or two values that change places, at every distance.
  x <- values_of(12)
  pairs <- utils::combn(12, 2)
  changed <- apply(pairs, 2, function(at) {
    signs <- replace(x, at, -x[at])
    places <- replace(x, at, x[rev(at)])
    c(ns$hash_plain(signs), ns$hash_plain(places))
  })
  expect_identical(anyDuplicated(c(changed, ns$hash_plain(x))), 0L)
})

test_that("values hash by what they are, not by the form that R keeps them in", {
  expect_identical(ns$hash_plain(1:3), ns$hash_plain(c(1L, 2L, 3L)))
  expect_false(ns$hash_plain(1:3) == ns$hash_plain(c(1, 2, 3)))
  latin <- iconv("gr\u00fcn", "UTF-8", "latin1")
  expect_identical(ns$hash_plain(latin), ns$hash_plain("gr\u00fcn"))
  expect_identical(
    ns$hash_plain(structure(1, a = 2, b = 3)), ns$hash_plain(structure(1, b = 3, a = 2))
  )
  expect_false(ns$hash_plain(list(1, 2)) == ns$hash_plain(list(c(1, 2))))
  for (code in list(mean, quote(a), globalenv())) expect_error(ns$hash_plain(code))
})

test_that("no function of the package hashes by another package, or as R writes values", {
  other <- vapply(as.list(ns, all.names = TRUE), function(f) {
    is.function(f) && any(grepl("rlang::hash|[^n]serialize\\(", deparse(f)))
  }, NA)
  expect_identical(names(which(other)), character())
})

test_that("what does not fit is refused", {
  x <- matrix(0, 3, 2)
  expect_error(ns$cpp_hash_columns(x, 1L, 2L), "these columns")
  expect_error(ns$cpp_hash_columns(x, -1L, 2L), "these columns")
  expect_error(ns$cpp_hash_rows("a", x, x), "one row for each key")
  expect_error(ns$cpp_hash_tree(list(1, mean)), "No value: closure")
})
