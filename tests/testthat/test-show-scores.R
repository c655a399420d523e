# Pictures of scores, and of strength against frequency.
skip_if_not_installed("ggplot2")
d <- withr::with_seed(1, {
  x <- matrix(stats::rnorm(40 * 60), 40, dimnames = list(NULL, paste0("g", 1:60)))
  y <- factor(rep(c("ill", "well"), 20))
  x[, 1:2] <- x[, 1:2] + 1.5 * (y == "well")
  list(x = x, y = y)
})
fit <- fealect(d$x, d$y, n_runs = 20, n_boot = 0, permute = 39, seed = 1)
layer <- function(picture, at) ggplot2::layer_data(picture, at)
strength_of <- function(picture, fit) {
  stats::setNames(picture$data$strength, picture$data$feature)
}

test_that("the best scores fall beside the band of their ranks", {
  picture <- ggplot2::autoplot(fit, n = 30)
  expect_equal(layer(picture, 2)$y, fit$table$score[1:30])
  band <- layer(picture, 1)
  expect_equal(band$ymax, fit$null$curve$upper[1:30])
  found <- sum(fit$table$p_fwer <= 0.05)
  expect_gt(found, 0)
  expect_match(picture$labels$title, sprintf("^%d features? stands? out\\sfrom permuted", found))
  # The number above the cut is no finding.
  expect_no_match(paste(picture$labels$title, picture$labels$subtitle), "cut")
  expect_identical(sum(picture$data$kind == "p_fwer of at most 0.05"), found)
  fit$null$p <- 0.5
  expect_match(ggplot2::autoplot(fit)$labels$title, "^No feature stands out")
  fit$null <- NULL
  untested <- ggplot2::autoplot(fit)
  expect_match(untested$labels$title, "^The 50 highest scores of 60 features")
  expect_match(untested$labels$subtitle, "^Signal not tested;\\serror ")
})

test_that("names stand above their points, in their order and apart", {
  picture <- ggplot2::autoplot(fit, n_labels = 6)
  names <- layer(picture, 4)
  expect_identical(names$label, utils::head(fit$features, 6))
  expect_true(all(names$y > fit$table$score[seq_len(nrow(names))]))
  gap <- 0.05 * max(fit$table$score, fit$null$curve$upper)
  expect_true(all(-diff(names$y) >= gap * (1 - 1e-9)))
  layers <- ggplot2::autoplot(fit, n_labels = 0)$layers
  expect_false(any(vapply(layers, function(one) inherits(one$geom, "GeomText"), NA)))
})

test_that("strength is the median over runs of the score relative to the best", {
  strength <- strength_of(ggplot2::autoplot(fit, type = "strength"))
  score <- as.matrix(fit$selection$score)
  relative <- score / rep(apply(score, 2, max), each = nrow(score))
  name <- fit$table$feature[3]
  own <- relative[match(name, fit$selection$feature_names), ]
  expect_equal(strength[[name]], stats::median(own[own > 0]))
  # Scores below 0 are shifted to 0 at their lowest.
  flat <- as_selection(list(1:2, 1:2), n_total = 3)
  flat$score <- matrix(c(-1, -2, -3, -1, -3, -5), 3)
  expect_equal(strength_by_score(flat), c(1, 0.5, NA))
})

test_that("strength on paths is the penalty at entry relative to the first", {
  stable <- stability_selection(d$x, d$y, q = 4, cutoff = 0.7, n_pairs = 10, seed = 1)
  strength <- strength_of(ggplot2::autoplot(stable, type = "strength"))
  expect_true(all(strength > 0 & strength <= 1))
  expect_setequal(names(strength), stable$table$feature[stable$table$frequency > 0])
  events <- path_events(stable$paths)
  first <- path_ends(stable$paths)$first
  name <- names(strength)[1]
  at <- match(name, stable$selection$feature_names)
  entered <- events$feature == at & is_first_entry(events) &
    as.vector(stable$selection$selected[at, ])[events$run]
  expect_equal(
    strength[[name]], stats::median(events$lambda[entered] / first[events$run[entered]])
  )
  ranked <- stability_selection(
    d$x, d$y, q = 4, cutoff = 0.7, n_pairs = 10, selector = selector_filter("t"), seed = 1
  )
  picture <- ggplot2::autoplot(ranked, type = "strength")
  expect_identical(picture$labels$y, "1 / rank in the run")
  expect_true(all(picture$data$strength >= 1 / 4))
})

test_that("every verb has its picture of strength, and says where there is none", {
  boot <- bolasso(d$x, d$y, n_runs = 8, seed = 1)
  ensemble <- select_ensemble(
    d$x, d$y, selector_filter("t"), resample_bootstrap(8), n_features = 3, seed = 1
  )
  for (one in list(boot, ensemble)) {
    picture <- ggplot2::autoplot(one, type = "strength", n = 2)
    expect_s3_class(ggplot2::ggplot_build(picture), "ggplot_built")
    expect_equal(picture$data$frequency, one$table$frequency[one$table$frequency > 0])
  }
  logistic <- bolasso(d$x, d$y, n_runs = 8, family = "binomial", seed = 1)
  none <- ggplot2::autoplot(logistic, type = "strength")
  expect_match(layer(none, 1)$label, "The runs have one penalty")
  expect_error(
    ggplot2::autoplot(ensemble, type = "effect"), "type", class = "stabilect_error_input"
  )
})

test_that("effects are drawn against frequencies, ratios as logarithms", {
  effects <- feature_effects(fit, d$x, d$y, colnames(d$x)[1:4])
  picture <- ggplot2::autoplot(effects, type = "frequency")
  expect_equal(picture$data$effect, effects$table$effect)
  expect_lt(max(abs(picture$data$frequency - effects$table$frequency)), 0.025)
  expect_lte(max(picture$data$frequency), 1)
  expect_identical(picture$labels$y, "Effect (difference)")
  expect_equal(exp(ratio_ticks(log(c(0.4, 3)))), c(0.5, 0.7, 1, 1.5, 2, 3))
  expect_equal(exp(ratio_ticks(log(c(0.09, 3)))), c(0.1, 0.2, 0.5, 1, 2))
})
