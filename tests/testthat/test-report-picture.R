# Pictures of a report: one for wide screens, one for narrow ones, and their words as text.

test_that("a picture has two sizes, and its title is text of the page", {
  skip_if_not_installed("ggplot2")
  skip_if_not(any(capabilities(c("png", "cairo"))))
  drawn <- function(x) {
    picture(x, ggplot2::aes(.data$a, .data$b), ggplot2::geom_point(),
      title = "A & b", subtitle = "of `fit`", caption = "Bars: none"
    )
  }
  figure <- html_picture(data.frame(a = 1:3, b = 1:3), drawn)
  title <- "<figcaption><strong>A &amp; b</strong><br>of <code>fit</code>"
  expect_match(figure, title, fixed = TRUE)
  expect_match(figure, "<br>Bars: none</figcaption>", fixed = TRUE)
  expect_match(figure, "alt=\"A &amp; b. of `fit`\"", fixed = TRUE)
  form <- "data:image/png;base64,([A-Za-z0-9+/=]+)"
  files <- regmatches(figure, gregexpr(form, figure))[[1]]
  sizes <- vapply(files, function(uri) {
    skip_if_not_installed("jsonlite")
    # The header of a PNG file has its width and height in bytes 17 to 24.
    bytes <- jsonlite::base64_dec(sub("^[^,]*,", "", uri))
    readBin(bytes[17:24], "integer", 2, endian = "big")
  }, c(0L, 0L), USE.NAMES = FALSE)
  expect_equal(sizes, cbind(picture_sizes$narrow[1:2], picture_sizes$wide[1:2]))
})

test_that("a picture that cannot be drawn is left out", {
  skip_if_not_installed("ggplot2")
  broken <- function(x) stop("no picture")
  expect_null(html_picture(1, broken))
  late <- function(x) {
    picture(data.frame(a = 1), ggplot2::aes(.data$none, .data$a), ggplot2::geom_point())
  }
  expect_null(html_picture(1, late))
  expect_null(html_picture(structure(1, class = "unknown")))
})
