small_fit <- function() {
  fealect(as.matrix(mcl_sll[, -1]), mcl_sll$MCL, n_runs = 30, n_boot = 0, oob = FALSE, seed = 1)
}

read_page <- function(fit, ...) {
  file <- withr::local_tempfile(fileext = ".html")
  expect_identical(expect_invisible(write_report(fit, file, ...)), file)
  paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
}

test_that("base 64 is that of RFC 4648", {
  encoded <- vapply(c("f", "fo", "foo", "foob", "fooba", "foobar"), function(text) {
    encode_base64(charToRaw(text))
  }, "", USE.NAMES = FALSE)
  expect_identical(encoded, c("Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"))
})

test_that("a report is one page that holds everything and is well formed", {
  fit <- small_fit()
  page <- read_page(fit, title = "Lymphoma <1> & \"2\"")
  expect_match(page, "<title>Lymphoma &lt;1&gt; &amp; &quot;2&quot;</title>", fixed = TRUE)
  expect_match(page, "Zare H, Haffari G", fixed = TRUE)
  expect_match(page, as.character(fit$made$seed), fixed = TRUE)
  expect_match(page, utils::head(fit$features, 1), fixed = TRUE)
  expect_no_match(page, "(src|href)=\"http")
  row <- "<tr><td>[0-9]+</td><td class=\"text[ a-z]*\">[^<]*</td>"
  rows <- regmatches(page, gregexpr(row, page))[[1]]
  expect_identical(gsub("<td>[0-9]+|<[^>]+>", "", rows), utils::head(fit$features, 25))
  # Every tag that is opened is closed.
  page <- gsub("(?s)<script.*?</script>", "", page, perl = TRUE)
  tags <- c("table", "tr", "td", "th", "p", "h2", "ol", "ul", "li", "pre", "dl", "dt", "dd")
  for (tag in c(tags, "figure", "div")) {
    of_tag <- function(form) lengths(regmatches(page, gregexpr(sprintf(form, tag), page)))
    expect_identical(of_tag("<%s[ >]"), of_tag("</%s>"))
  }
  if (is_installed("ggplot2") && any(capabilities(c("png", "cairo")))) {
    # The score curve and the features of the runs.
    expect_length(regmatches(page, gregexpr("<img alt=\"[A-Z0-9]", page))[[1]], 2L)
  }
})

test_that("names that look like HTML are shown as they are", {
  x <- as.matrix(mcl_sll[, -1])
  colnames(x)[1:200] <- paste0("<b>", colnames(x)[1:200], "&")
  fit <- fealect(x, mcl_sll$MCL, n_runs = 30, n_boot = 0, oob = FALSE, seed = 1)
  page <- read_page(fit)
  expect_no_match(page, "<b>", fixed = TRUE)
  expect_match(page, "&lt;b&gt;", fixed = TRUE)
})

test_that("every kind of result has its methods, and further results their sections", {
  x <- as.matrix(mcl_sll[, -1])
  y <- mcl_sll$MCL
  fits <- list(
    stability_selection(x, y, q = 10, pfer = 1, n_pairs = 10, seed = 1),
    bolasso(x, y, n_runs = 10, lambda = 0.5, seed = 1),
    select_ensemble(x, y, selector_filter("t"), resample_bootstrap(5), n_features = 5, seed = 1),
    find_signals(x, y, permute = 99, seed = 1)
  )
  names <- c("Shah RD", "Bach F", "Dernoncourt D", "George EI")
  for (k in seq_along(fits)) expect_match(read_page(fits[[k]]), names[k], fixed = TRUE)
  page <- read_page(fits[[1]], Signals = fits[[4]])
  expect_match(page, "<h2>Signals</h2>", fixed = TRUE)
})

test_that("what cannot be reported is refused, and nothing is left behind", {
  fit <- small_fit()
  refused <- "stabilect_error_input"
  folder <- withr::local_tempdir()
  file <- file.path(folder, "page.html")
  expect_error(write_report(1, file), class = "stabilect_error_input")
  expect_error(write_report(fit, file, 1), "has no name", class = "stabilect_error_input")
  expect_error(write_report(fit, file, a = 1), "`a`", class = "stabilect_error_input")
  other <- find_signals(matrix(sin(1:200), 20), rep(0:1, 10), permute = 19, seed = 1)
  expect_error(write_report(fit, file, a = other), "other features", class = refused)
  expect_error(write_report(fit, file.path(folder, "a.pdf")), class = "stabilect_error_input")
  expect_error(write_report(fit, file.path(folder, "no", "a.html")), class = refused)
  expect_error(write_report(fit, file, title = ""), class = "stabilect_error_input")
  expect_length(list.files(folder, all.files = TRUE, no.. = TRUE), 0L)
  dir.create(file)
  expect_error(write_report(fit, file), "cannot be written", class = "stabilect_error_input")
  expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), "page.html")
})

test_that("what is missing is an empty cell, whatever the type of the column", {
  table <- data.frame(a = c("x", NA), b = c(1L, NA), c = c(NA, 0.5))
  rows <- strsplit(html_table(table), "<tr>", fixed = TRUE)[[1]]
  expect_match(rows[3], "<td class=\"text short\">x</td><td>1</td><td></td>", fixed = TRUE)
  expect_match(rows[4], "<td class=\"text short\"></td><td></td><td>0.5</td>", fixed = TRUE)
  expect_no_match(html_table(table), "NA", fixed = TRUE)
})

test_that("effects of a report are those of feature_effects(), also within groups", {
  sets <- rep(1:24, c(rep(2, 12), rep(3, 12)))
  x <- withr::with_seed(4, {
    matrix(stats::rnorm(60 * 6) + 2 * stats::rnorm(24)[sets], 60, 6,
      dimnames = list(NULL, letters[1:6])
    )
  })
  classes <- factor(c(rep(c("p", "q"), 12), rep(c("p", "q", "q", "p", "p", "q"), 6)))
  outcomes <- list(classes, x[, 1] + sin(1:60))
  for (y in outcomes) {
    fit <- stability_selection(x, y, q = 1, cutoff = 0.9, n_pairs = 6, within = sets, seed = 1)
    effects <- feature_effects(fit, x, y, features = letters[1:6])
    study <- with_roles(open_study(x, y, takes_of("fealect")), roles_of_result(fit))
    expect_equal(unname(effects_of(study, letters[1:6])$value), effects$table$in_sample)
  }
})

test_that("the agreement of runs is a section of the page", {
  x <- as.matrix(mcl_sll[, 2:21])
  y <- factor(mcl_sll$MCL)
  fit <- fealect(x, y, n_runs = 10, n_boot = 0, seed = 1)
  page <- withr::local_tempfile(fileext = ".html")
  write_report(fit, page, Agreement = stability(fit), x = x, y = y)
  text <- paste(readLines(page), collapse = " ")
  expect_match(text, "Agreement")
  expect_match(text, "nogueira", ignore.case = TRUE)
})

test_that("a result made inside the call has a call of its own", {
  x <- as.matrix(mcl_sll[, 2:9])
  y <- mcl_sll$MCL
  page <- withr::local_tempfile(fileext = ".html")
  write_report(fealect(x, y, n_runs = 5, n_boot = 0, seed = 3), page)
  text <- paste(readLines(page), collapse = "\n")
  script <- sub("</pre>.*", "", sub(".*<pre>", "", text))
  for (of in list(c("&lt;", "<"), c("&quot;", "\""), c("&gt;", ">"))) {
    script <- gsub(of[1], of[2], script, fixed = TRUE)
  }
  here <- list2env(list(x = x, y = y), parent = globalenv())
  withr::with_dir(withr::local_tempdir(), eval(parse(text = script), here))
  expect_identical(here$fit$made$seed, 3L)
  expect_identical(here$fit$made$call, "fealect(x, y, n_runs = 5, n_boot = 0, seed = 3)")
})

test_that("an R that cannot draw files writes the page without pictures, and says so once", {
  skip_if_not_installed("ggplot2")
  skip_on_os(c("windows", "mac"))
  # This device needs a screen.
  withr::local_options(bitmapType = "Xlib")
  withr::local_envvar(DISPLAY = "")
  fit <- fealect(mcl_sll[, -1], mcl_sll$MCL, n_runs = 5, n_boot = 0, oob = FALSE, seed = 1)
  file <- withr::local_tempfile(fileext = ".html")
  warned <- character()
  withCallingHandlers(write_report(fit, file), stabilect_warning_pictures = function(w) {
    warned <<- c(warned, conditionMessage(w))
    invokeRestart("muffleWarning")
  })
  expect_length(warned, 1L)
  expect_match(warned, "no pictures")
  page <- readLines(file)
  expect_false(any(grepl("<img", page, fixed = TRUE)))
  expect_true(any(grepl("FeaLect", page, fixed = TRUE)))
})
