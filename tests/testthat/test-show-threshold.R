example_curve <- function() {
  rank <- 1:200
  scores <- exp(rank / 50 - 0.001 * pmax(40 - rank, 0)^2 + 0.002 * pmax(rank - 180, 0)^2)
  three_segment(stats::setNames(scores, paste0("gene", rank)))
}

test_that("autoplot() draws points, curve, knots and names", {
  skip_if_not_installed("ggplot2")
  fit <- example_curve()
  picture <- autoplot.stabilect_three_segment(fit, n_labels = 7)
  built <- ggplot2::ggplot_build(picture)
  geoms <- vapply(picture$layers, function(layer) class(layer$geom)[1], "")
  expect_identical(
    unname(geoms[1:5]), c("GeomPoint", "GeomVline", "GeomLine", "GeomSegment", "GeomText")
  )
  expect_identical(built$data[[2]]$xintercept, unname(fit$knots) + 0)
  expect_length(unique(built$data[[3]]$colour), 3)
  expect_identical(built$data[[5]]$label, fit$features[1:7])
  expect_match(picture$labels$title, "20 of 200 positive scores above the cut")
})

test_that("names do not overlap and keep their order", {
  fit <- example_curve()
  labels <- curve_labels(fit, 15)
  gap <- diff(range(log(fit$scores), fit$fitted)) * 0.045
  expect_true(all(-diff(log(labels$label_score)) >= gap * (1 - 1e-9)))
  expect_true(all(labels$label_score <= labels$score * (1 + 1e-12)))
  expect_identical(labels$label_score[1], labels$score[1])
  expect_identical(nrow(curve_labels(fit, 0)), 0L)
})

test_that("every kind of curve can be drawn", {
  skip_if_not_installed("ggplot2")
  file <- withr::local_tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  withr::defer(grDevices::dev.off())
  fits <- list(
    example_curve(), three_segment(0), three_segment(1:3), three_segment(rep(2, 20)),
    three_segment(exp(1:30 / 10))
  )
  for (fit in fits) expect_s3_class(plot(fit), "ggplot")
  expect_match(ggplot2::autoplot(three_segment(0))$labels$title, "^No cut among 0 positive scores")
})
