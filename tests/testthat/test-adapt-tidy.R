# Results as data frames with broom's column names. Checked against the results' own tables, and
# against what generics and ggplot2 dispatch to.

x <- mcl_distinct()
y <- factor(mcl_sll$MCL)
ensemble <- select_ensemble(
  x, y, selector_filter("t"), n_features = 5, learner = learner_lda(), seed = 1
)

test_that("every class with a plot has an autoplot; all results share theirs", {
  registered <- parseNamespaceFile("stabilect", dirname(system.file(package = "stabilect")))
  methods <- registered$S3methods
  of <- function(generic) sort(methods[methods[, 1] == generic, 2])
  delayed <- methods[methods[, 1] == "autoplot" & methods[, 4] %in% "ggplot2", 2]
  expect_gt(length(delayed), 15L)
  own <- setdiff(of("plot"), "stabilect")
  expect_identical(setdiff(own, delayed), character())
  expect_true("stabilect" %in% of("plot"))
})

test_that("tidy() and glance() of an ensemble are its ranking and its agreement", {
  skip_if_not_installed("generics")
  table <- generics::tidy(ensemble)
  expect_named(
    table, c("term", "estimate", "rank", "selected", "direction", "frequency", "mean_score")
  )
  expect_identical(table$term[table$selected], ensemble$features)
  expect_identical(table$estimate, ensemble$ranking$table$score)
  one <- generics::glance(ensemble)
  expect_identical(nrow(one), 1L)
  expect_identical(one$estimate, stability(ensemble)$table$estimate)
  expect_identical(one$oob.error, ensemble$oob$error)
  expect_identical(c(one$nobs, one$n_total, one$n_runs), c(nrow(x), ncol(x), 40L))
  if (requireNamespace("tibble", quietly = TRUE)) expect_s3_class(table, "tbl_df")
})

test_that("paths, stability selection and their kin are tidied", {
  skip_if_not_installed("generics")
  fit <- fealect(x, y, n_runs = 20, n_boot = 20, oob = FALSE, seed = 1)
  table <- generics::tidy(fit)
  expect_identical(table$std.error, fit$table$se)
  expect_identical(table$term[table$selected], fit$features)
  expect_identical(generics::glance(fit)$oob.error, NA_real_)

  stable <- stability_selection(fit, q = 5, cutoff = 0.9, assumption = "none")
  table <- generics::tidy(stable)
  columns <- c("term", "estimate", "rank", "selected", "direction", "same_sign", "simultaneous")
  expect_named(table, columns)
  expect_identical(table$estimate, stable$table$frequency)
  expect_identical(generics::glance(stable)$pfer, stable$bound$pfer)

  table <- generics::tidy(fit$model)
  expect_identical(stats::setNames(table$estimate, table$term), coef(fit))
  expect_identical(generics::glance(fit$model)$nobs, nrow(x))

  bag <- bolasso(x, y, resampling = resample_bootstrap(10), seed = 1)
  expect_identical(generics::tidy(bag)$term, bag$table$feature)
  expect_identical(generics::glance(bag)$lambda, bag$lambda)

  table <- generics::tidy(fit$selection)
  expect_false(is.unsorted(-table$estimate))
  expect_identical(sum(table$estimate), sum(fit$selection$selected) / 20)
  expect_identical(generics::glance(fit$selection)$n_runs, 20L)
})

test_that("elimination has a table of features and one of sizes", {
  skip_if_not_installed("generics")
  fit <- eliminate_features(x, y, learner_svm(), search_sizes(c(2, 4, 8)), seed = 1)
  table <- generics::tidy(fit)
  expect_identical(table$term[which(table$selected)], fit$features)
  expect_identical(table$rank, seq_len(ncol(x)))
  sizes <- generics::tidy(fit, matrix = "sizes")
  expect_identical(sizes$estimate, fit$sizes$score)
  expect_identical(sizes$n_features[sizes$selected], fit$n_features)
  expect_identical(generics::glance(fit)$score, sizes$estimate[sizes$selected])
  expect_error(generics::tidy(fit, matrix = "folds"), class = "stabilect_error_input")

  hybrid <- hybrid_rfe(x, y, n_features = 4, resampling = resample_bootstrap(10), seed = 1)
  table <- generics::tidy(hybrid)
  expect_identical(table$term, hybrid$features)
  expect_identical(table$estimate, hybrid$model$coefficient)
  expect_identical(generics::glance(hybrid)$score, mean(hybrid$accuracy, na.rm = TRUE))
})

test_that("paths by likelihood are as broom has those of glmnet, validations have intervals", {
  skip_if_not_installed("generics")
  d <- survival_design()
  path <- lasso_path(d$x, surv_of(d), n_lambda = 30)
  table <- generics::tidy(path)
  expect_named(table, c("term", "estimate", "step", "lambda", "dev.ratio"))
  expect_identical(nrow(table), sum(path$size))
  dense <- as.matrix(path$coefficients)
  expect_identical(table$estimate, dense[cbind(match(table$term, colnames(d$x)), table$step)])
  expect_identical(table$lambda, path$lambda[table$step])
  classes <- path
  classes$coefficients <- list(a = path$coefficients, b = -path$coefficients)
  of_classes <- generics::tidy(classes)
  expect_identical(of_classes$class, rep(c("a", "b"), each = nrow(table)))
  expect_identical(of_classes$estimate, c(table$estimate, -table$estimate))
  one <- generics::glance(path)
  expect_identical(one$family, "cox")
  expect_identical(one$dev.ratio, path$explained[30])
  expect_identical(one$n_selected, path$size[30])
  judged <- validate_model(fit_model(d$x, surv_of(d), 1:3), d$x + 1e-9, surv_of(d))
  table <- generics::tidy(judged)
  expect_identical(table$term, judged$table$measure)
  expect_identical(table$conf.low, judged$table$lower)
  expect_identical(generics::glance(judged)$error, judged$table$estimate[1])
})

test_that("effects are estimates with intervals", {
  skip_if_not_installed("generics")
  x <- as.matrix(mcl_sll[, -1])
  fit <- fealect(x, mcl_sll$MCL, n_runs = 10, oob = FALSE, seed = 1)
  effects <- feature_effects(fit, x, mcl_sll$MCL)
  tidied <- generics::tidy(effects)
  expect_identical(names(tidied)[1:4], c("term", "estimate", "conf.low", "conf.high"))
  expect_identical(tidied$estimate, effects$table$effect)
  expect_identical(generics::glance(effects)$n_selected, length(fit$features))
})

test_that("trade-offs, stabilities and predictions are long tables with intervals", {
  skip_if_not_installed("generics")
  tuned <- tune_tradeoff(
    x, y, list(n_stable = c(0, 2)), n_features = 4, index = c("nogueira", "phi_iw"),
    resampling = resample_bootstrap(6), seed = 1
  )
  table <- generics::tidy(tuned)
  expect_identical(table$term, rep(c("accuracy", "nogueira", "phi_iw"), 2))
  at <- table$term == "phi_iw"
  expect_identical(table$estimate[at], tuned$table$phi_iw)
  expect_identical(table$std.error[at], tuned$table$phi_iw_se)
  expect_identical(generics::glance(tuned)$score, max(tuned$table$accuracy))

  judged <- evaluate_selectors(x, y, list(t = selector_filter("t")), n_features = c(3, 5), seed = 1)
  table <- generics::tidy(judged)
  expect_identical(table$estimate[table$term == "error"], judged$table$error)
  expect_identical(table$std.error[table$term == "nogueira"], judged$table$nogueira_se)
  expect_identical(unique(table[["term"]]), c("error", judged$asked$index))
  expect_identical(generics::glance(judged)$error, min(judged$table$error))

  judged <- stability(ensemble, c("nogueira", "jaccard"))
  table <- generics::tidy(judged)
  expect_identical(table$term, c("nogueira", "jaccard"))
  expect_identical(table$conf.low, judged$table$lower)
  expect_identical(generics::glance(judged)$conf.level, 0.95)

  compared <- test_stability(list(a = ensemble$selection[1:20], b = ensemble$selection[21:40]))
  expect_identical(generics::tidy(compared)$term, "a - b")
  expect_identical(generics::tidy(compared)$p.value, compared$table$p_value)

  predicted <- estimate_stability(ensemble, seed = 1)
  table <- generics::tidy(predicted)
  expect_identical(table$estimate, predicted$table$stability)
  expect_identical(generics::tidy(predicted, matrix = "parameters")$term, c("n_useful", "p"))
  expect_identical(generics::glance(predicted)$plateau, predicted$plateau)
})

test_that("augment() puts predictions beside the data", {
  x <- as.matrix(mcl_sll[, 2:11])
  y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))
  model <- fit_model(x, y, 1:3)
  skip_if_not_installed("generics")
  table <- generics::augment(model, as.data.frame(x))
  expect_named(table, c(colnames(x), ".fitted", ".probability_SLL", ".probability_MCL"))
  expect_identical(table$.fitted, unname(predict(model, x)))
  expect_equal(table$.probability_MCL, unname(predict(model, x, type = "probability")))
  numbers <- generics::augment(fit_model(x, x[, 1] + x[, 2], 1:2), x)
  expect_equal(numbers$.fitted, unname(x[, 1] + x[, 2]), tolerance = 1e-2)
  fit <- fealect(x, y, n_runs = 20, seed = 1)
  expect_identical(generics::augment(fit, x)$.fitted, unname(predict(fit, x)))
})

test_that("what describes a selection is tidy as well: its table under names of broom, and a row", {
  skip_if_not_installed("generics")
  x <- as.matrix(mcl_sll[, -1])
  runs <- select_ensemble(
    x, mcl_sll$MCL, selector_filter("t"), resample_bootstrap(12), n_features = 5, seed = 1
  )
  fit <- fealect(x, mcl_sll$MCL, n_runs = 20, n_boot = 0, oob = FALSE, seed = 1)
  about <- list(
    bound = list(fdp_bound(fealect(x, mcl_sll$MCL, n_runs = 5, permute = 19, seed = 1)), "share"),
    clusters = list(cluster_features(x[, 1:20], 0.5), "mean_correlation"),
    substitutes = list(substitutes(runs, x, max_p = 1), "frequency"),
    explanation = list(explain_stability(runs), "contribution"),
    path = list(lars_path(x[, 1:10], mcl_sll$MCL), "coefficient"),
    segments = list(fit$three_segment, "score"),
    convergence = list(stability_convergence(runs$selection), "estimate")
  )
  for (name in names(about)) {
    result <- about[[name]][[1]]
    told <- generics::tidy(result)
    expect_identical(names(told)[1:2], c("term", "estimate"), info = name)
    plain <- as.data.frame(result)
    expect_equal(told$estimate, plain[[about[[name]][[2]]]], info = name)
    expect_identical(nrow(generics::glance(result)), 1L, info = name)
  }
  path <- about$path[[1]]
  one <- generics::glance(path)
  expect_identical(one$n_steps, length(path$lambda) - 1L)
  expect_equal(one$r.squared, 1 - path$rss[ncol(path$coefficients)] / path$rss[1])
  expect_equal(generics::glance(about$explanation[[1]])$estimate,
    stability(runs, "nogueira")$table$estimate
  )
})
