selector_data <- function(n = 24, p = 12, n_classes = 2, seed = 1) {
  withr::local_seed(seed)
  x <- matrix(stats::rnorm(n * p, 5, 2), n, p, dimnames = list(NULL, paste0("g", seq_len(p))))
  y <- factor(letters[c(seq_len(n_classes), seq_len(n_classes),
    sample.int(n_classes, n - 2 * n_classes, replace = TRUE))])
  x[, 1] <- x[, 1] + 2 * as.integer(y)
  list(x = x, y = y)
}

test_that("score_features() ranks from the highest score, ties by no column order", {
  d <- selector_data()
  # The same ranks.
  d$x[, 5] <- d$x[, 1]^3
  out <- score_features(d$x, d$y, selector_filter("wilcoxon"))
  expect_named(out, c("feature", "score", "rank"))
  expect_identical(out$feature, colnames(d$x))
  expect_setequal(out$rank[c(1, 5)], 1:2)
  moved <- score_features(d$x[, 12:1], d$y, selector_filter("wilcoxon"))
  expect_identical(moved$feature[order(moved$rank)], out$feature[order(out$rank)])
  expect_identical(out$score[order(out$rank)], sort(out$score, decreasing = TRUE))
  expect_identical(out$score[1], out$score[5])
})

test_that("selectors refuse responses they cannot use, with advice", {
  d <- selector_data(n_classes = 3)
  number <- as.double(seq_len(24))
  expect_refusals({
    score_features(d$x, d$y, selector_filter("t"))
    score_features(d$x, number, selector_filter("anova"))
    score_features(d$x, number[-1], selector_filter("pearson"))
    score_features(d$x, d$y, "t")
    score_features(d$x, replace(d$y, 3, NA), selector_filter("anova"))
    score_features(d$x, number, selector_filter("pearson"), weights = rep(0.5, 24))
  })
})

test_that("responses keep their classes and their order", {
  check <- function(y, n, takes) check_takes(read_response(y, n), takes, "this selector")
  y <- factor(c("b", "a", "c", "a"), levels = c("c", "b", "a", "unused"))
  out <- check(y, 4, "multiclass")
  expect_identical(out$levels, c("c", "b", "a"))
  expect_identical(out$codes, c(2L, 3L, 1L, 3L))
  expect_identical(out$type, "multiclass")
  two <- check(c(TRUE, FALSE, TRUE), 3, c("binary", "multiclass"))
  expect_identical(two$y, c(1, -1, 1))
  expect_identical(two$codes, c(2L, 1L, 2L))
  # Two classes are enough for a selector of numbers.
  expect_identical(check(c("u", "v", "v"), 3, "numeric")$y, c(-1, 1, 1))
  expect_null(check(c(1.5, 2, 4), 3, "numeric")$codes)
})

test_that("runs that cannot be scored say why and score zero", {
  d <- selector_data()
  response <- read_response(d$y, 24)
  weights <- matrix(1L, 24, 4)
  weights[d$y == "a", 2] <- 0L
  weights[, 3] <- as.integer(seq_len(24) == 1)
  weights[, 4] <- as.integer(d$y == "b" | seq_len(24) == which(d$y == "a")[1])
  out <- selector_filter("welch")$score(d$x, response, weights, selector_control(1:4))
  expect_identical(
    out$status, c("ok", "one class", "fewer than 3 samples", "a class with fewer than 2 samples")
  )
  expect_true(all(out$score[, -1] == 0))
  expect_true(all(out$score[, 1] > 0))
  expect_error(
    score_features(d$x, d$y, selector_filter("t"), weights = as.integer(d$y == "a")),
    class = "stabilect_error_runs"
  )
})

test_that("selector_custom() gives plain rows and outlives errors of a run", {
  d <- selector_data()
  response <- read_response(d$y, 24)
  weights <- cbind(rep(1L, 24), rep(2:0, 8), rep(1L, 24))
  fn <- function(x, y, power) {
    if (nrow(x) != 24 || !is.factor(y)) stop("wrong rows\nsecond line")
    if (anyDuplicated(x[, 1])) {
      return(rep(1, ncol(x)))
    }
    c(NA, -Inf, seq_len(ncol(x) - 2)^power)
  }
  selector <- selector_custom(fn, "mine", "binary", power = 2)
  out <- selector$score(d$x, response, weights, selector_control(1:4))
  expect_identical(out$status, rep("ok", 3))
  expect_identical(unname(out$score[, 1]), c(1, 1, (1:10)^2))
  expect_identical(unname(out$score[, 2]), rep(1, 12))
  weights[1, 3] <- 0L
  out <- selector$score(d$x, response, weights, selector_control(1:4))
  expect_identical(out$status, c("ok", "ok", "error: wrong rows"))
  expect_true(all(out$score[, 3] == 0))
  bad <- selector_custom(function(x, y) 1:2)
  expect_error(score_features(d$x, d$y, bad), "must return 12 numbers")
})

test_that("random selectors repeat with the seed and leave R's generator alone", {
  d <- selector_data()
  noise <- selector_custom(function(x, y) stats::runif(ncol(x)))
  withr::local_seed(3)
  before <- .Random.seed
  first <- score_features(d$x, d$y, noise, seed = 4)
  expect_identical(.Random.seed, before)
  expect_identical(score_features(d$x, d$y, noise, seed = 4), first)
  expect_false(identical(score_features(d$x, d$y, noise, seed = 5), first))
})

test_that("the table has the calls of all selectors, with the responses they take", {
  table <- list_available("selectors")
  makers <- grep("^selector_", getNamespaceExports("stabilect"), value = TRUE)
  expect_setequal(sub("[(].*", "", table$selector),
    setdiff(makers, c("selector_custom", "selector_screened"))
  )
  groups <- 1:3
  for (i in seq_len(nrow(table))) {
    selector <- tryCatch(
      eval(str2lang(table$selector[i])), stabilect_error_package = function(e) NULL
    )
    if (is.null(selector)) next
    expect_s3_class(selector, "stabilect_selector")
    takes <- c("binary", "multiclass", "ordered", "numeric", "survival")[unlist(table[i, 3:7])]
    # Several classes are ordered ones also.
    as_classes <- if ("multiclass" %in% selector$responses) "ordered"
    expect_setequal(union(selector$responses, as_classes), takes)
  }
})

test_that("selectors print their parameters", {
  expect_snapshot({
    selector_filter("t")
    selector_filter("spearman")
  })
})

test_that("tables of what there is fit a line", {
  for (table in list(list_available("selectors"), list_available("indices"))) {
    lines <- capture.output(print(table))
    expect_lte(max(nchar(lines)), 80)
    expect_gt(length(lines), nrow(table))
    expect_s3_class(as.data.frame(table), "data.frame", exact = TRUE)
    expect_identical(capture.output(print(table[1:2, 1:2])),
      capture.output(print(as.data.frame(table)[1:2, 1:2]))
    )
  }
})
