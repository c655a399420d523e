space <- asNamespace("stabilect")
given <- readRDS(test_path("fixtures", "split.rds"))
given_scores <- lapply(given$halves, function(rows) cbind(given$y[-rows]))
strong <- withr::with_seed(2, {
  x <- matrix(rnorm(100 * 40), 100, dimnames = list(NULL, paste0("g", 1:40)))
  list(x = x, y = drop(x[, 1:4] %*% c(2, 1.5, 1, 1)) + rnorm(100))
})

test_that("p values on given splits and sets are those of hdi", {
  tested <- Map(function(rows, set) {
    space$test_set(given$x[-rows, ], cbind(given$y[-rows]), set)
  }, given$halves, given$sets)
  judged <- space$judge_p_values(tested, given$sets, 25L, 0.05)
  expect_equal(judged$value, given$p_value, tolerance = 1e-10)
  expect_true(any(given$p_value < 0.05) && any(given$p_value > 0.05 & given$p_value < 1))
  expect_identical(judged$selected, judged$value <= 0.05)
  # Few splits: one quantile, and no factor for the search.
  two <- space$judge_p_values(tested[1:2], given$sets[1:2], 25L, 0.05)
  both <- intersect(given$sets[[1]], given$sets[[2]])
  one <- given$each_p[1:2, both, drop = FALSE]
  expect_equal(two$value[both], pmin(1, apply(one, 2, stats::median) / 0.5), tolerance = 1e-10)
})

test_that("t tests of a split are those of lm, and collinear features have none", {
  x <- cbind(given$x[, 1:5], copy = 3 * given$x[, 2], none = 1, sum = given$x[, 4] - given$x[, 5])
  rows <- 1:60 > 30
  plain <- summary(lm(given$y[rows] ~ x[rows, 1:5]))$coefficients[-1, ]
  # Features 2, 4, 5 and the last three cannot be told apart, in any order.
  beta <- replace(rep(NA_real_, 8), c(1, 3), plain[c(1, 3), 1])
  p <- replace(rep(1, 8), c(1, 3), plain[c(1, 3), 4])
  for (set in list(1:8, 8:1, c(6, 3, 1, 8, 2, 7, 5, 4))) {
    ours <- space$test_set(x[rows, ], cbind(given$y[rows]), set)
    expect_equal(ours$beta, beta[set], tolerance = 1e-10)
    expect_equal(ours$p, p[set], tolerance = 1e-10)
  }
  none <- space$test_set(x, cbind(given$y), integer())
  expect_identical(none, list(beta = numeric(), p = numeric()))
})

test_that("mirror statistics on given coefficients select what DSfdr selects", {
  mirror <- space$mirror_of(given$first, given$second)
  each <- lapply(1:40, function(b) {
    set <- which(given$first[b, ] != 0)
    set[space$pass_mirror(mirror[b, set], 0.2)]
  })
  expect_identical(each, lapply(given$each, as.integer))
  rates <- space$inclusion_rates(each, 25L)
  named <- paste0("g", seq_along(rates))
  expect_setequal(which(space$pass_inclusion(rates, 0.2, named)), given$mirror)
  expect_gt(length(given$mirror), 5)
  expect_lt(length(given$mirror), 25)
  expect_equal(sum(rates), mean(lengths(each) > 0), tolerance = 1e-12)
})

test_that("errors of samples left out and coefficients are those of single paths", {
  x <- strong$x
  y <- strong$y
  inside <- cbind(1:100 <= 60, 1:100 > 30) + 0
  out <- cbind(1:100 > 60 & 1:100 < 90, 1:100 <= 10) + 0
  grid <- apply(inside, 2, function(w) {
    top <- lars_path(x[w > 0, ], y[w > 0])$lambda[1]
    top * c(1.5, 1, 0.7, 0.3, 0.04)
  })
  loss <- space$cpp_left_out_loss(x, y, inside, out, grid, 40L, 1L, NULL)
  found <- space$cpp_coefficients_at(
    x, y, inside, grid[4, ], 40L, paste0("g", seq_len(ncol(x))), 1:2, 1L, NULL
  )
  for (b in 1:2) {
    rows <- inside[, b] > 0
    path <- lars_path(x[rows, ], y[rows])
    fit <- predict(path, x[out[, b] > 0, ], at = grid[, b], mode = "lambda")
    expect_equal(loss[, b], unname(colSums((fit - y[out[, b] > 0])^2)), tolerance = 1e-9)
    beta <- drop(as.matrix(coef(path, at = grid[4, b], mode = "lambda")))
    beta <- unname(beta[names(beta) != "(Intercept)"])
    own <- if (b == 1) seq_len(found$ends[1]) else (found$ends[1] + 1):found$ends[2]
    full <- replace(numeric(40), found$i[own] + 1, found$x[own])
    expect_equal(full, beta, tolerance = 1e-9)
  }
})

test_that("the cross-validated penalty is that of glmnet on the same folds", {
  skip_if_not_installed("glmnet")
  study <- space$open_study(strong$x, strong$y, "numeric", "the test")
  draws <- space$study_draws(study, resample_subsample(2, 1 / 2), 1)
  control <- space$run_control(1, FALSE)
  job <- space$path_job(study, draws, control, "size", 25L)
  runs <- space$do_job(draws, job, control, NULL)
  ours <- space$best_penalties(study, runs, list(n_folds = 5), space$run_control(1, FALSE))
  folds <- space$draw_folds(draws$counts, 5, draws$seed)
  for (b in 1:2) {
    rows <- draws$counts[, b] > 0
    first <- runs$paths$lambda[c(0, runs$paths$run_steps)[b] + b] / sqrt(sum(rows))
    grid <- first * exp(seq(0, log(0.01), length.out = 100))
    fit <- glmnet::cv.glmnet(
      strong$x[rows, ], strong$y[rows], lambda = grid, foldid = folds[rows, b], thresh = 1e-14,
      grouped = FALSE
    )
    expect_equal(ours[b] / sqrt(sum(rows)), fit$lambda.min, tolerance = 1e-9)
  }
})

test_that("the table follows from the splits", {
  fit <- split_test(strong$x, strong$y, n_runs = 20, n_features = 8, seed = 1)
  expect_identical(fit$splits$size, rep(8L, 20))
  expect_identical(fit$splits$n_tested, rep(50L, 20))
  p <- vapply(1:20, function(b) {
    rows <- fit$resamples$counts[, b] == 0
    set <- which(fit$selection$selected[, b])
    line <- summary(lm(strong$y[rows] ~ strong$x[rows, set]))$coefficients[-1, 4]
    replace(rep(1, 40), set, pmin(1, 8 * line))
  }, numeric(40))
  gamma <- seq(0.05, 0.95, by = 0.05)
  expected <- apply(p, 1, function(one) {
    min(1, (1 - log(0.05)) * min(quantile(one, gamma) / gamma))
  })
  at <- match(fit$table$feature, colnames(strong$x))
  expect_equal(fit$table$p_fwer, unname(expected[at]), tolerance = 1e-9)
  expect_true(all(c("g1", "g2") %in% fit$features))
  expect_identical(fit$features, fit$table$feature[fit$table$p_fwer <= 0.05])
  expect_identical(fit$splits$n_selected, as.integer(colSums(p <= 0.05)))
})

test_that("results are the same for any number of threads, and the user's draws are kept", {
  set.seed(9)
  before <- .Random.seed
  for (method in c("p_value", "mirror")) {
    run <- function(...) {
      split_test(strong$x, strong$y, method, n_runs = 10, n_folds = 5, seed = 4, ...)
    }
    expect_identical(run(n_threads = 2), run())
  }
  expect_identical(.Random.seed, before)
})

test_that("mirror statistics find strong features and refuse rates out of reach", {
  x <- strong$x
  y <- drop(x[, 1:12] %*% rep(2, 12)) + withr::with_seed(1, rnorm(100))
  fit <- split_test(x, y, "mirror", fdr = 0.2, n_runs = 20, seed = 1)
  expect_true(all(paste0("g", 1:12) %in% fit$features))
  expect_lt(length(fit$features), 16)
  expect_false(is.unsorted(-fit$table$inclusion))
  expect_output(print(fit), "false discovery rate of 0.2")
  expect_error(split_test(x, y, "mirror", fdr = 0.01), "`fdr` must be at least 0.04",
    class = "stabilect_error_input"
  )
  expect_error(split_test(x, y, "mirror", fwer = 0.05), "give `fdr`")
  expect_error(split_test(x, y, fdr = 0.05), "give `fwer`")
})

test_that("noise has p values of one, and the print says what to expect", {
  noise <- withr::with_seed(5, list(x = matrix(rnorm(40 * 60), 40), y = rep(0:1, 20)))
  fit <- split_test(noise$x, factor(noise$y), n_runs = 20, seed = 1)
  expect_identical(fit$features, character())
  expect_true(all(fit$table$p_fwer > 0.05 & fit$table$p_fwer <= 1))
  expect_output(print(fit), "no feature is significant.*expect\\s+few\\s+discoveries")
  expect_identical(summary(fit), fit$table)
})

test_that("p values of groups on given splits are those of hdi", {
  members <- list(group = given$groups, names = letters[1:9], size = tabulate(given$groups))
  study <- list(x = given$x, scores = given_scores)
  counts <- vapply(given$halves, function(rows) tabulate(rows, 60L), integer(60))
  table <- space$test_groups(study, list(counts = counts), given$sets, members, 0.05)
  expect_equal(table$p_fwer, given$group_p[match(table$group, letters)], tolerance = 1e-10)
  expect_true(any(given$group_p < 0.05) && any(given$group_p == 1))
})

test_that("groups of one feature have its p value, and copies are found together", {
  x <- strong$x[, 1:20]
  y <- strong$y
  own <- stats::setNames(colnames(x), colnames(x))
  alone <- split_test(x, y, n_runs = 10, n_features = 4, groups = own, seed = 1)
  at <- match(alone$groups$group, alone$table$feature)
  expect_equal(alone$groups$p_fwer, alone$table$p_fwer[at], tolerance = 1e-9)
  # Nearly equal columns take turns.
  noise <- withr::with_seed(7, matrix(rnorm(400), 100))
  y <- 0.7 * x[, 1] + noise[, 4]
  copies <- cbind(x[, 2:20], x[, 1] + 0.1 * noise[, 1:3])
  colnames(copies) <- c(paste0("g", 2:20), paste0("copy", 1:3))
  clusters <- cluster_features(copies, 0.8)
  fit <- split_test(copies, y, n_runs = 40, n_features = 5, groups = clusters, seed = 1)
  group <- fit$groups[fit$groups$size == 3L, ]
  expect_lt(group$p_fwer, min(fit$table$p_fwer[grepl("copy", fit$table$feature)]) / 2)
  expect_true(group$selected)
  expect_output(print(fit), "of 20 groups significant")
  expect_error(
    split_test(x, y, n_features = 4, groups = TRUE), "`groups` must be a factor",
    class = "stabilect_error_input"
  )
  expect_error(split_test(x, y, "mirror", groups = colnames(x)), "are tested by p values")
  expect_error(split_test(x, y, groups = list(a = c("g1", "g2"), b = "g1")), "is in several",
    class = "stabilect_error_input"
  )
})

test_that("branches of a tree have the p values of hdi, made monotone, from the top down", {
  names <- colnames(given$x)
  study <- list(x = given$x, scores = given_scores, feature_names = names)
  counts <- vapply(given$halves, function(rows) tabulate(rows, 60L), integer(60))
  members <- space$ask_groups(given$tree, list(feature_names = names), "p_value")
  key <- function(features) paste(sort(features), collapse = " ")
  branches <- vapply(given$branches, function(at) key(names[at]), "")
  # The largest of its own p value and those of all branches around it.
  whole <- vapply(given$branches, function(inner) {
    around <- vapply(given$branches, function(outer) all(inner %in% outer), NA)
    max(given$branch_p[around])
  }, 0)
  expect_true(any(whole > given$branch_p & whole < 0.05))
  for (fwer in c(0.05, 0.5)) {
    table <- space$test_groups(study, list(counts = counts), given$sets, members, fwer)
    at <- match(vapply(table$features, key, ""), branches)
    expect_equal(table$p_fwer, whole[at], tolerance = 1e-10)
    expect_identical(table$selected, table$p_fwer <= fwer)
    # What was tested: all features, and the halves of what is significant.
    expect_setequal(branches[at][table$selected], branches[whole <= fwer])
    expect_identical(nrow(table), 1L + 2L * sum(table$selected & table$size > 1L))
    above <- match(table$above, table$group)
    expect_true(all(table$size[above] > table$size, na.rm = TRUE))
    expect_identical(sum(is.na(above)), 1L)
    inner <- vapply(table$features, function(one) {
      any(vapply(table$features[table$selected], function(other) {
        length(other) < length(one) && all(other %in% one)
      }, NA))
    }, NA)
    expect_identical(table$smallest, table$selected & !inner)
  }
})

test_that("a tree is tested by its labels, printed by its smallest groups, and checked", {
  x <- strong$x[, 1:20]
  # Five that stand for one another.
  x[, 1:5] <- x[, 1] + withr::with_seed(4, matrix(rnorm(500), 100)) / 20
  y <- strong$x[, 1] / 2 + strong$x[, 30]
  tree <- cluster_features(x)$tree
  test <- function(groups, ...) {
    split_test(x, y, n_runs = 20, n_features = 2, groups = groups, seed = 1, ...)
  }
  fit <- test(tree)
  found <- fit$groups$features[fit$groups$smallest]
  expect_length(found, 1L)
  expect_true(length(found[[1]]) > 1L && all(found[[1]] %in% paste0("g", 1:5)))
  expect_identical(fit$features, character())
  expect_identical(fit$groups, test(tree, n_threads = 2)$groups)
  expect_output(print(fit), "of the tree that were tested; the smallest\n.*g1 \\(2\\)")
  # The same tree of columns in another order.
  turned <- cluster_features(x[, 20:1])$tree
  other <- test(turned)$groups
  at <- match(lapply(fit$groups$features, sort), lapply(other$features, sort))
  expect_equal(other$p_fwer[at], fit$groups$p_fwer, tolerance = 1e-10)
  # Without labels leaves are columns.
  plain <- tree
  plain$labels <- NULL
  expect_identical(test(plain)$groups, fit$groups)

  noise <- withr::with_seed(5, rnorm(100))
  none <- split_test(x, noise, n_runs = 10, n_features = 6, groups = tree, seed = 1)
  expect_identical(nrow(none$groups), 1L)
  expect_output(print(none), "No group of the tree is significant: all 20 features together")
  expect_error(test(cluster_features(x[, 1:10])$tree), "is a tree of 10 features, but `x` has 20",
    class = "stabilect_error_input"
  )
  foreign <- tree
  foreign$labels[3] <- "gene"
  expect_error(test(foreign), "features that `x` does not have, such as \"gene\"")
  broken <- tree
  broken$merge[2, 1] <- broken$merge[1, 1]
  expect_error(test(broken), "does not join all features", class = "stabilect_error_input")
  expect_error(test(list(1:3)), "`groups` must be a list", class = "stabilect_error_input")
})

test_that("data on which nothing can be tested are refused", {
  x <- strong$x
  expect_error(split_test(x[1:15, ], strong$y[1:15]), "at least 16 samples")
  blocked <- prepare_study(x, strong$y, blocks = rep(1:50, 2))
  expect_error(split_test(blocked), "in blocks", class = "stabilect_error_input")
  expect_error(split_test(x, strong$y, n_features = 26), "`n_features`")
  expect_error(split_test(x, strong$y, fwer = 1), "`fwer`")
  expect_error(split_test(x, strong$y, n_folds = 1), "`n_folds`")
})

test_that("pictures of tests on splits are drawn", {
  skip_if_not_installed("ggplot2")
  fit <- split_test(strong$x, strong$y, n_runs = 10, n_features = 5, seed = 1)
  expect_equal(ggplot2::autoplot(fit, n = 3)$data$p_fwer, fit$table$p_fwer[1:3])
  shares <- split_test(strong$x, strong$y, "mirror", fdr = 0.3, n_runs = 5, seed = 1)
  expect_s3_class(ggplot2::ggplot_build(ggplot2::autoplot(shares)), "ggplot_built")
})

test_that("below p values near 1 the print says what they are of", {
  below <- function(p, ...) {
    explain_split(list(asked = list(...)), data.frame(p_fwer = p), 10L)
  }
  expect_match(below(c(0.01, 1)), "adds to the others .* near copies may all have 1")
  expect_null(below(c(0.01, 0.04)))
  # A mirror statistic is no p.
  expect_null(below(numeric(), fdr = 0.1))
})
