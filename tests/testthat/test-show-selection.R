skip_if_not_installed("ggplot2")

weighted_runs <- function() {
  w <- rbind(c(3, 1, 0, 0, 0), c(1, 1, 2, 0, 0), c(1, 0, 0, 0, 4), 0)
  as_selection(w, type = "weight", feature_names = c("a", "b", "c", "d", "e"))
}

drawn <- function(picture, layer = 1L) ggplot2::layer_data(picture, layer)

test_that("a map shows shares of importance, the most frequent feature first", {
  runs <- weighted_runs()
  tiles <- map_tiles(runs, 10, feature_colours(list(runs)))
  expect_identical(tiles$name, c("a", "b", "a", "b", "c", "a", "e"))
  expect_equal(tiles$left, c(0, 0.75, 0, 0.25, 0.5, 0, 0.2))
  expect_equal(tiles$right, c(0.75, 1, 0.25, 0.5, 1, 0.2, 1))
  rectangles <- drawn(map_picture(runs))
  expect_equal(sort(rectangles$xmax - rectangles$xmin), sort(tiles$share))
  first <- unique(rectangles$fill[rectangles$xmin == 0])
  expect_identical(first, feature_colours(list(runs))[["a"]])
})

test_that("frequency decides the order, then importance, then position", {
  runs <- weighted_runs()
  # a in three runs, b in two, e (0.8 of a run) and c (0.5) in one; d in none.
  expect_identical(runs$feature_names[rank_features(runs)], c("a", "b", "e", "c"))
  even <- as_selection(list(c(3, 1), c(1, 3)), n_total = 4)
  expect_identical(rank_features(even), c(1L, 3L))
})

test_that("without importance the features of a run have equal widths", {
  tiles <- map_tiles(as_selection(list(1:4, 1), n_total = 9), 10, character())
  expect_equal(tiles$share, c(rep(0.25, 4), 1))
  zero <- as_selection(as_selection(list(1:2), n_total = 3), importance = matrix(0, 3, 1))
  expect_equal(map_shares(zero)$share, c(0.5, 0.5))
})

test_that("features beyond max_features are drawn as one per run", {
  runs <- as_selection(list(1:4, c(1, 3, 4), 1), n_total = 9)
  tiles <- map_tiles(runs, 1, feature_colours(list(runs), 1))
  expect_equal(tiles$share, c(1 / 4, 3 / 4, 1 / 3, 2 / 3, 1))
  expect_identical(is.na(tiles$name), c(FALSE, TRUE, FALSE, TRUE, FALSE))
  legend <- map_legend(tiles, runs)
  expect_identical(legend$label, c("V1 (100 %)", "3 drawn as one"))
  all <- map_legend(map_tiles(runs, 9, feature_colours(list(runs), 2)), runs)
  expect_identical(all$label, c("V1 (100 %)", "V3 (67 %)", "2 more"))
})

test_that("failed runs are left out, and empty ones keep their row", {
  runs <- weighted_runs()
  expect_identical(max(map_tiles(runs[c(4, 1)], 10, character())$row), 2L)
  y_axis <- function(runs) ggplot2::layer_scales(map_picture(runs))$y
  # The last run of all selected nothing.
  expect_equal(sort(abs(y_axis(runs)$limits)), c(0.5, 4.5))
  runs$status[1] <- "one response"
  expect_equal(y_axis(runs)$labels, 2:4)
  expect_identical(nrow(map_tiles(runs, 10, character())), 5L)
  expect_match(map_picture(runs)$labels$subtitle, "3 runs (1 failed", fixed = TRUE)
})

test_that("colours go by name and can be shared between maps", {
  one <- as_selection(list(c("a", "b"), "a", "a"), feature_names = letters)
  two <- as_selection(list(c("b", "q"), c("b", "q")), feature_names = rev(letters))
  expect_identical(feature_colours(list(one), 2), feature_colours(list(one[3:1]), 2))
  shared <- feature_colours(list(one, two))
  expect_setequal(names(shared), c("a", "b", "q"))
  expect_identical(anyDuplicated(unname(shared)), 0L)
  for (runs in list(one, two)) {
    rectangles <- drawn(map_picture(runs, colours = list(one, two)))
    expect_true(all(rectangles$fill %in% shared))
  }
  # Fixed, so that maps made with different versions go together.
  expect_identical(name_hash("gene1"), 298644501)
  expect_length(feature_colours(list(one), 1), 1L)
})

test_that("no two colours of a map look alike with any colour vision", {
  vision <- list(
    normal = diag(3),
    protan = rbind(
      c(0.152286, 1.052583, -0.204868), c(0.114503, 0.786281, 0.099216),
      c(-0.003882, -0.048116, 1.051998)
    ),
    deutan = rbind(
      c(0.367322, 0.860646, -0.227968), c(0.280085, 0.672501, 0.047413),
      c(-0.011820, 0.042940, 0.968881)
    ),
    tritan = rbind(
      c(1.255528, -0.076749, -0.178779), c(-0.078411, 0.930809, 0.147602),
      c(0.004733, 0.691367, 0.303900)
    )
  )
  colours <- t(grDevices::col2rgb(c(map_palette, map_greys))) / 255
  linear <- ifelse(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055)^2.4)
  nearest <- vapply(vision, function(m) {
    seen <- pmin(pmax(linear %*% t(m), 0), 1)
    gamma <- ifelse(seen <= 0.0031308, 12.92 * seen, 1.055 * seen^(1 / 2.4) - 0.055)
    distance <- as.matrix(stats::dist(grDevices::convertColor(gamma, "sRGB", "Lab")))
    diag(distance) <- Inf
    min(distance[seq_along(map_palette), ])
  }, 0)
  expect_gt(min(nearest), 16)
})

test_that("frequencies are drawn as bars of their length", {
  runs <- weighted_runs()
  bars <- drawn(frequency_bars(runs))
  expect_equal(bars$xmax[order(bars$y)], c(1, 1, 2, 3) / 4, ignore_attr = TRUE)
  expect_identical(nrow(drawn(frequency_bars(runs, max_features = 2))), 2L)
  many <- as_selection(list(1:100, 1:90), n_total = 100)
  expect_identical(nrow(drawn(frequency_bars(many, max_features = 100))), 100L)
})

test_that("bars have one colour unless colours say something", {
  runs <- weighted_runs()
  expect_length(unique(drawn(frequency_bars(runs))$fill), 1L)
  own <- drawn(frequency_bars(runs, colours = c(b = "#123456")))
  expect_setequal(own$fill, c("#123456", "grey70"))
  expect_length(unique(drawn(frequency_bars(runs, colours = list(runs)))$fill), 4L)
})

test_that("the similarity of runs is the Jaccard index", {
  sets <- list(1:3, 2:4, 9, 1:3, NULL, NULL)
  jaccard <- run_jaccard(as_selection(sets, n_total = 9))
  expect_equal(jaccard[1, ], c(NA, 0.5, 0, 1, 0, 0))
  expect_identical(jaccard[5, 6], NA_real_)
  expect_identical(jaccard, t(jaccard))
  order <- cluster_order(jaccard)
  expect_identical(abs(diff(match(c(1, 4), order))), 1L)
  picture <- similarity_picture(as_selection(sets, n_total = 9), order_runs = "cluster")
  expect_identical(nrow(drawn(picture)), 36L)
})

test_that("plot() draws the chosen picture and returns it, for themes and other layers", {
  runs <- weighted_runs()
  withr::local_pdf(NULL)
  expect_invisible(plot(runs))
  for (type in c("frequency", "map", "similarity")) {
    picture <- plot(runs, type = type)
    expect_identical(drawn(picture), drawn(ggplot2::autoplot(runs, type = type)))
  }
  white <- plot(runs) + ggplot2::theme_bw()
  expect_identical(white$theme$panel.background, ggplot2::theme_bw()$panel.background)
  expect_identical(
    drawn(ggplot2::autoplot(runs, type = "map")), drawn(map_picture(runs))
  )
})

test_that("runs without any feature are an empty picture with a sentence", {
  nothing <- as_selection(list(NULL, NULL), n_total = 3)
  for (picture in list(map_picture(nothing), frequency_bars(nothing))) {
    expect_identical(ggplot2::layer_data(picture, 1)$label, "No run selected any feature.")
  }
})

test_that("what cannot be plotted is refused", {
  runs <- weighted_runs()
  expect_refusals({
    map_picture(runs, n_colours = 13)
    map_picture(runs, colours = "red")
    map_picture(runs, n_colors = 3)
    similarity_picture(runs[1])
    plot(runs, type = "heat")
  })
})

test_that("names are shortened and shares rounded, but never to 0 or 100 %", {
  expect_identical(percent(c(1, 0.999, 0.5, 0.001)), c("100 %", "99 %", "50 %", "<1 %"))
  expect_identical(nchar(shorten(strrep("x", 50))), 24L)
})
