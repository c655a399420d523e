# The elements of a report: tables, numbers and text.

test_that("numbers of a column have the same decimals, few of them, and no small one is 0", {
  expect_identical(format_column(c(3.87123, 2.9, 0.64)), c("3.87", "2.90", "0.64"))
  expect_identical(format_column(c(0.04762, 1, 0.19)), c("0.048", "1.000", "0.190"))
  expect_identical(format_column(c(1, 1)), c("1", "1"))
  expect_identical(format_column(c(123.456, 1.5)), c("123.5", "1.5"))
  expect_identical(format_column(c(2.5, NA, Inf)), c("2.5", NA, "Inf"))
  expect_identical(format_column(c(0.000886, 0.132959)), c("0.000886", "0.133"))
  expect_identical(format_column(c(1.234, 0.0001), like = c(5.67, 1)), c("1.23", "1e-04"))
  # As prints do.
  expect_identical(
    format_column(c(0.123456, 10), digits = 2L), trimws(figure(c(0.123456, 10), digits = 2))
  )
})

test_that("numbers stand at the right, names at the left, and only long words may break", {
  table <- data.frame(
    feature = c("12", "13"), value = 1:2, text = c("0.12", "-"), word = c("adenocarcinoma", "b"),
    several = c("one and another and one more", "x"), long = c(strrep("g", 30), "x")
  )
  kinds <- kinds_of_columns(table, cells_of(table))
  expect_identical(kinds, c("text short", "", "", "text short", "text", "text long"))
  page <- html_table(table)
  expect_match(page, "<th scope=\"col\" class=\"text\">word</th>", fixed = TRUE)
  expect_match(page, "<td class=\"text long\">ggg", fixed = TRUE)
  css <- paste(read_asset("style.css"), collapse = "\n")
  expect_match(css, "td.long { overflow-wrap: anywhere", fixed = TRUE)
})

test_that("code between backticks and help pages are marked, after escaping", {
  expect_identical(
    html_text("`a < b`, see ?fealect  or\n?"),
    "<code>a &lt; b</code>, see <code class=\"topic\">?fealect</code> or ?"
  )
  expect_identical(html_text("why? yes"), "why? yes")
})
