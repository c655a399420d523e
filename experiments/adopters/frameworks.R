# Verbs inside other frameworks, and results that go to other packages.

framework_calls <- list(
  new_call("recipes", c("recipes", "generics"), "bake() keeps what the step selected", function() {
    data <- data.frame(class = y, x)
    rec <- recipes::recipe(class ~ ., data = data)
    rec <- step_select_stable(rec, recipes::all_numeric_predictors(), n_features = 5, seed = 1)
    trained <- recipes::prep(rec, training = data)
    kept <- setdiff(names(recipes::bake(trained, new_data = data)), "class")
    stopifnot(setequal(kept, selected(trained$steps[[1]]$result)), length(kept) == 5L)
  }),
  new_call("workflows and tune", c("workflows", "tune", "recipes", "parsnip", "rsample"),
    "selected again in every analysis set", function() {
      data <- data.frame(class = y, x)
      rec <- recipes::recipe(class ~ ., data = data)
      rec <- step_select_stable(rec, recipes::all_numeric_predictors(), n_features = 3, seed = 1)
      flow <- workflows::workflow(rec, parsnip::logistic_reg())
      folds <- rsample::vfold_cv(data, v = 3, strata = "class")
      fits <- tune::fit_resamples(flow, folds)
      stopifnot(nrow(tune::collect_metrics(fits)) > 0L)
    }),
  new_call("mlr3 filter", c("mlr3", "mlr3filters"), "the scores of score_features()", function() {
    task <- mlr3::as_task_classif(data.frame(class = y, x), target = "class")
    filter <- mlr3filters::flt("stabilect_filter", statistic = "t")
    filter$calculate(task)
    theirs <- filter$scores
    scores <- score_features(x, y, selector_filter("t"))
    stopifnot(all.equal(
      unname(theirs[make.names(scores$feature)]), scores$score
    ))
  }),
  new_call("caret::rfe()", "caret", "accuracies of eliminate_features(), same folds", function() {
    draws <- draw_resamples(resample_folds(4, stratify = TRUE), y, seed = 1)
    control <- caret::rfeControl(
      functions = caret_functions(learner_svm()), rerank = TRUE, method = "cv", number = 4,
      index = split(draws)[1:4]
    )
    sizes <- c(2, 4, 8, 16)
    theirs <- caret::rfe(x, y, sizes = sizes, rfeControl = control)
    ours <- eliminate_features(x, y, learner_svm(), search_sizes(sizes), draws, seed = 1)
    stopifnot(all.equal(ours$sizes$score, rev(theirs$results$Accuracy)))
  }),
  new_call("broom", c("broom", "tibble"), "tidy(), glance(), augment() give tibbles", function() {
    fit <- fealect(x, y, n_runs = 20, seed = 1)
    stable <- stability_selection(fit, q = 5, cutoff = 0.9, assumption = "none")
    told <- list(
      broom::tidy(fit), broom::glance(fit), broom::augment(fit, newdata = x), broom::tidy(stable),
      broom::glance(stable)
    )
    for (one in told) {
      stopifnot(inherits(one, "tbl_df"), nrow(one) > 0L)
    }
    stopifnot(nrow(broom::tidy(fit)) == ncol(x), nrow(broom::glance(fit)) == 1L)
  }),
  new_call("targets", "targets", "a rebuilt target has the same hash", function() {
    folder <- tempfile()
    dir.create(folder)
    old <- setwd(folder)
    on.exit(setwd(old))
    targets::tar_script({
      library(stabilect)
      list(
        targets::tar_target(fit, fealect(
          as.matrix(mcl_sll[, -1]), mcl_sll$MCL, n_runs = 10, permute = 19, seed = 1
        )),
        targets::tar_target(features, selected(fit))
      )
    }, ask = FALSE)
    targets::tar_make(callr_function = NULL, reporter = "silent")
    before <- targets::tar_meta(fields = "data")
    targets::tar_invalidate(tidyselect::everything())
    targets::tar_make(callr_function = NULL, reporter = "silent")
    after <- targets::tar_meta(fields = "data")
    named <- c("fit", "features")
    stopifnot(identical(
      before$data[match(named, before$name)], after$data[match(named, after$name)]
    ))
  }),
  new_call("knitr", "knitr", "prints without escape codes; a table of all", function() {
    fit <- fealect(x, y, n_runs = 20, seed = 1)
    page <- knitr::knit(
      text = c("```{r}", "fit", "summary(fit)", "knitr::kable(fit)", "```"), quiet = TRUE,
      envir = list2env(list(fit = fit), parent = globalenv())
    )
    stopifnot(!grepl("\033", page), lengths(gregexpr("\n\\|", page)) >= nrow(fit$table))
  }),
  new_call("cv.glmnet() in a list", "glmnet", "stability of the same sets by hand", function() {
    set.seed(1)
    fits <- lapply(1:5, function(k) {
      rows <- sample(nrow(x), replace = TRUE)
      suppressWarnings(glmnet::cv.glmnet(x[rows, ], as.numeric(y[rows]), nfolds = 5))
    })
    sets <- lapply(fits, function(fit) {
      b <- as.matrix(stats::coef(fit, s = "lambda.1se"))[-1, 1]
      names(b)[b != 0]
    })
    one <- stability(as_selection(fits, lambda = "lambda.1se"), "jaccard")$table$estimate
    other <- stability(as_selection(sets, n_total = ncol(x)), "jaccard")$table$estimate
    stopifnot(all.equal(one, other))
  }),
  new_call("stabs", c("stabs", "lars"), "its halves, frequencies, cutoff and list", function() {
    set.seed(2)
    folds <- stabs::subsample(rep(1, nrow(x)), B = 25)
    # Of columns that are equal in a run the first is taken there, and one by lot here.
    x <- x + 1e-3 * rnorm(length(x)) * rep(apply(x, 2, sd), each = nrow(x))
    # Constant columns are counted there, and not here.
    x <- x[, apply(x, 2, sd) > 0]
    theirs <- suppressWarnings(stabs::stabsel(x, as.numeric(y),
      fitfun = stabs::lars.lasso, q = 5, PFER = 1, B = 25, folds = folds, mc.cores = 1
    ))
    ours <- stability_selection(
      x, y, q = 5, pfer = 1, resampling = resample_custom(counts = cbind(folds, 1 - folds)),
      score_rule = "step"
    )
    mine <- setNames(ours$table$frequency, ours$table$feature)[colnames(x)]
    stopifnot(all.equal(mine, theirs$max[colnames(x)]))
    stopifnot(setequal(ours$features, names(theirs$selected)))
    stopifnot(abs(ours$bound$cutoff - theirs$cutoff) < 2e-4)
  })
)
