# Tables of prints fit a line, whatever the features are called.

x <- as.matrix(mcl_sll[, 2:41])
y <- factor(mcl_sll$MCL)
colnames(x) <- paste0("hsa-miR-", 1:40, "|ENSG00000", 10000 + 1:40, "|a long description of it")
lines_of <- function(...) capture.output(print(...))

test_that("columns give way before names do, and what explains them goes with them", {
  table <- data.frame(
    feature = c("Succinic acid 2-methyl ester (M+H)+, isomer 2 of 3", "Galactinol (9 TMS)"),
    "higher in" = c("ill", "well"), p_fwer = c(0.01, 0.02), expected_by_chance = c(1.5, 20),
    frequency = c(1, 0.5), check.names = FALSE
  )
  lines <- table_lines(table)
  expect_match(lines[2], "isomer 2 of 3 ", fixed = TRUE)
  expect_match(lines[3], "Galactinol (9 TMS) ", fixed = TRUE)
  # A narrower column behind one without room stays.
  expect_match(lines[1], "p_fwer frequency$")
  expect_identical(attr(lines, "gone"), "expected_by_chance")
  expect_match(lines[4], "not shown: expected_by_chance")
  section <- new_section(table, 10, below = c("frequency: of runs", "expected_by_chance: so many"))
  expect_identical(lay_section(section)[5], "frequency: of runs")
  expect_length(lay_section(section), 5L)
  # Names that have no room even then are cut.
  table$feature <- paste(strrep(letters[1:2], 70), 1:2)
  cut <- table_lines(table)
  expect_lte(max(nchar(cut)), 80L)
  expect_match(cut[2], "a[.]{3} +ill")
  # Lists of names are shortened before anything else.
  table$feature <- c("c1", "c2")
  table$members <- strrep("name, ", 20)
  expect_match(table_lines(table)[2], "name, [.]{3}$")
  expect_length(attr(table_lines(table), "gone"), 0L)
})

test_that("tables of results fit a line", {
  scored <- fealect(x, y, n_runs = 10, seed = 1)
  # Coefficients of its final model are a named vector, no table.
  scored["model"] <- list(NULL)
  results <- list(
    scored,
    hybrid_rfe(x, y, n_features = 4, n_stable = 2, resampling = resample_bootstrap(4), seed = 1),
    stability_selection(x, y, q = 3, cutoff = 0.9, n_pairs = 4, seed = 1)
  )
  for (result in results) {
    lines <- lines_of(summary(result))
    table <- grep("miR", lines, value = TRUE)
    expect_lte(max(nchar(table)), 80)
    # Rows are not broken up: every name stands once in each table.
    expect_true(all(grepl("[0-9]", sub("^ *\\S+", "", table))))
  }
})

test_that("names that begin alike are told apart when they are shortened", {
  number <- sprintf("ENSG0000000%04d|a long description of it", c(1, 2, 40, 2))
  expect_identical(shorten(number, 16), c(
    "ENSG...0001|a...", "ENSG...0002|a...", "ENSG...0040|a...", "ENSG...0002|a..."
  ))
  ends <- paste0(strrep("a", 40), c("", 1:3))
  expect_identical(shorten(ends, 16), paste0("aaaa...", c("aaaaaaaaa", paste0("aaaaaaaa", 1:3))))
  # Others are cut as before.
  other <- c("short", NA, strrep("b", 30))
  expect_identical(shorten(c(ends, other), 16)[5:7], c("short", NA, "bbbbbbbbbbbbb..."))
  expect_true(all(nchar(shorten(c(ends, number), 16)) <= 16L))
  # One that is alone in its letters is shown like the others that begin as it does.
  more <- sprintf("ENSG0000000%04d|a long description of it", c(1, 2, 270))
  expect_identical(shorten(more, 16), paste0("ENSG...", c("00001", "00002", "00270"), "|..."))
  # Two differences: the feature, and its setting at the end.
  twice <- paste(rep(number[1:2], 2), rep(1:2, each = 2))
  expect_identical(
    shorten(twice, 13), c("ENS...001...1", "ENS...002...1", "ENS...001...2", "ENS...002...2")
  )
})

test_that("the only name in a picture is told apart from features beside it", {
  skip_if_not_installed("ggplot2")
  x <- withr::with_seed(1, matrix(stats::rnorm(40 * 30), 40))
  y <- x[, 2] + withr::with_seed(2, stats::rnorm(40))
  colnames(x) <- sprintf("ENSG0000000%04d|a long description of it", 1:30)
  signals <- find_signals(x, y, permute = 99, seed = 1)
  expect_identical(signals$features, colnames(x)[2])
  label <- ggplot2::layer_data(ggplot2::autoplot(signals), 4)$label
  expect_identical(label, shorten(colnames(x), name_width)[2])
  expect_match(label, "0002")
})

test_that("means and their standard errors are one column", {
  table <- data.frame(size = 1:2, error = c(0.25, 0.125), error_se = c(1e-17, 0.0123))
  expect_identical(join_errors(table)$error, c("0.250 (0.000)", "0.125 (0.012)"))
  expect_named(join_errors(table), c("size", "error"))
  judged <- evaluate_selectors(
    x, y, list(selector_filter("t"), selector_filter("wilcoxon")),
    aggregation = list(aggregate_score(), aggregate_rank("mean")), n_features = c(5, 10),
    n_repeats = 2, resampling = resample_bootstrap(3), seed = 1
  )
  expect_lte(max(nchar(lines_of(judged))), 80)
  tuned <- tune_tradeoff(
    x, y, list(n_stable = c(0, 3), lambda_final = c(1, 30)), n_features = 6,
    resampling = resample_bootstrap(4), seed = 1
  )
  expect_lte(max(nchar(lines_of(tuned))), 80)
})

test_that("half of an interval is not shown, and lists are cut between names", {
  table_of <- function(width) {
    table <- data.frame(strrep("a", 24), 0.123, 1, 0.123, 0.123)
    stats::setNames(table, c("feature", "estimate", strrep("x", width), "lower", "upper"))
  }
  # There is room for one limit.
  lines <- table_lines(table_of(36))
  expect_lte(max(nchar(lines)), 80L)
  expect_identical(attr(lines, "gone"), c("lower", "upper"))
  expect_match(table_lines(table_of(30))[1], "lower +upper *$")
  expect_identical(shorten_list("alpha, beta, gamma", 13L), "alpha, beta, ...")
  expect_identical(shorten_list("a name that is long, b", 10L), "a name that is long, ...")
  expect_identical(shorten_list("a name that is long", 10L), "a name that is long")
})
