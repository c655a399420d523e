# What is known of samples and features (axes) x fits x questions: every cell is a pair of calls that
# say the same in two ways.

matrix_n <- 48L
matrix_data <- withr::with_seed(11, {
  n <- matrix_n
  samples <- paste0("s", seq_len(n))
  x <- matrix(stats::rnorm(n * 12), n, dimnames = list(samples, paste0("g", 1:12)))
  age <- stats::rnorm(n)
  sex <- rep(c("f", "m", "m", "f", "f", "m"), n / 6)
  site <- rep(c("a", "b", "c"), n / 3)[order(stats::rnorm(n))]
  link <- 2 * x[, 1] + 1.5 * x[, 2] + age + (sex == "m") + stats::rnorm(n)
  # Neighbours are pairs: of one class for blocks, of two for `within`.
  rank_of <- rank(rowsum(link, rep(seq_len(n / 2), each = 2))[, 1])
  pure <- ifelse(rep(rank_of > n / 4, each = 2), "ill", "well")
  mixed <- c(rbind(ifelse(link[c(TRUE, FALSE)] > link[c(FALSE, TRUE)], "ill", "well"), ""))
  mixed[c(FALSE, TRUE)] <- ifelse(mixed[c(TRUE, FALSE)] == "ill", "well", "ill")
  list(
    x = x, age = age, sex = sex, site = site, pair = rep(seq_len(n / 2), each = 2),
    pure = stats::setNames(factor(pure), samples), mixed = stats::setNames(factor(mixed), samples),
    classes = stats::setNames(factor(ifelse(link > stats::median(link), "ill", "well")), samples),
    numbers = stats::setNames(link, samples),
    times = survival::Surv(exp(-link / 2), rep(c(1, 1, 0, 1), n / 4))
  )
})

# New samples of the same kind.
matrix_new <- withr::with_seed(12, {
  n <- 20L
  x <- matrix(stats::rnorm(n * 12), n, dimnames = list(paste0("t", 1:n), paste0("g", 1:12)))
  age <- stats::rnorm(n)
  sex <- rep(c("f", "m"), n / 2)
  link <- 2 * x[, 1] + 1.5 * x[, 2] + age + (sex == "m") + stats::rnorm(n)
  list(
    x = x, age = age, sex = sex, site = rep_len(c("a", "b", "c"), n), pair = rep(1:10, each = 2),
    classes = stats::setNames(factor(ifelse(link > 0, "ill", "well")), rownames(x)),
    numbers = stats::setNames(link, rownames(x)),
    times = survival::Surv(exp(-link / 2), rep(c(1, 1, 0, 1), n / 4))
  )
})

# How a fit is made of data and of what is given with them. `plan` becomes a plan with blocks.
matrix_fits <- list(
  fealect = function(..., blocks = NULL, plan = NULL) {
    if (is.null(plan)) plan <- resample_subsample(6, 0.75, blocks = blocks)
    fealect(..., resampling = plan, n_boot = 0, seed = 1)
  },
  stability_selection = function(..., blocks = NULL, plan = NULL, permute = 0) {
    if (is.null(plan)) plan <- resample_pairs(4, blocks = blocks)
    stability_selection(..., q = 2, cutoff = 0.7, resampling = plan, permute = permute, seed = 1)
  },
  stability_selector = function(..., blocks = NULL, plan = NULL, permute = 0) {
    if (is.null(plan)) plan <- resample_pairs(4, blocks = blocks)
    stability_selection(..., q = 2, cutoff = 0.7, resampling = plan, permute = permute,
      selector = selector_filter("pearson"), seed = 1)
  },
  bolasso = function(..., blocks = NULL, plan = NULL) {
    if (is.null(plan)) plan <- resample_bootstrap(6, blocks = blocks)
    bolasso(..., cutoff = 0.6, lambda = 0.2, resampling = plan, seed = 1)
  },
  select_ensemble = function(..., blocks = NULL, plan = NULL) {
    if (is.null(plan)) plan <- resample_subsample(6, 0.75, blocks = blocks)
    select_ensemble(..., selector = selector_filter("pearson"), resampling = plan, n_features = 3,
      seed = 1)
  },
  eliminate_features = function(..., blocks = NULL, plan = NULL) {
    if (is.null(plan)) plan <- resample_folds(3, blocks = blocks)
    y <- if (...length() > 1L) ..2
    learner <- if (is.numeric(y) || inherits(y, "Surv")) learner_ridge() else learner_logistic()
    eliminate_features(..., learner = learner, resampling = plan, seed = 1)
  },
  hybrid_rfe = function(..., blocks = NULL, plan = NULL) {
    if (is.null(plan)) plan <- resample_bootstrap(5, blocks = blocks)
    hybrid_rfe(..., n_features = 3, n_stable = 2, resampling = plan, seed = 1)
  },
  find_signals = function(..., permute = 49) find_signals(..., permute = permute, seed = 1),
  split_test = function(...) split_test(..., n_runs = 4, n_features = 3, seed = 1)
)

# One way to say it.
# @param x,y,... the call of the verb. @param new_x,new_y,new_z of new samples.
matrix_way <- function(x, y, ..., new_x = matrix_new$x, new_y = NULL, new_z = NULL) {
  list(
    data = if (missing(y)) list(x) else list(x, y), given = list(...), new_x = new_x, new_y = new_y,
    new_z = new_z
  )
}

# @param says (string, or NULL) what prints and methods sections of adjusting verbs contain.
# @param not (character) questions whose answers differ on purpose.
# @param common (flag) are only the columns compared that both answers have?
# @param verbs (character) fits that it is for.
matrix_pair <- function(one, other, says = NULL, not = character(), common = FALSE,
                        verbs = names(matrix_fits)) {
  list(ways = list(one, other), says = says, not = not, common = common, verbs = verbs)
}

# Two ways to say the same, by axis; the second is plain where that is possible.
matrix_axes <- function() {
  d <- matrix_data
  new <- matrix_new
  age <- d$age
  sex <- d$sex
  site <- d$site
  of_age <- data.frame(age)
  of_several <- data.frame(age = d$age, sex = factor(d$sex), site = d$site)
  coded <- cbind(
    age = d$age, "sex: m" = d$sex == "m", "site: b" = d$site == "b", "site: c" = d$site == "c"
  )
  new_several <- data.frame(age = new$age, sex = factor(new$sex), site = new$site)
  new_coded <- cbind(
    age = new$age, "sex: m" = new$sex == "m", "site: b" = new$site == "b",
    "site: c" = new$site == "c"
  )
  new_age <- data.frame(age = new$age)
  table <- data.frame(cls = d$classes, d$x, of_several)
  new_table <- data.frame(cls = new$classes, new$x, new_several)
  about <- data.frame(cls = d$classes, of_several, pair = d$pair, row.names = rownames(d$x))
  new_about <- data.frame(cls = new$classes, new_several, pair = new$pair, row.names = rownames(new$x))
  summarized <- function(x, about) {
    SummarizedExperiment::SummarizedExperiment(list(values = t(x)), colData = S4Vectors::DataFrame(about))
  }
  expression <- function(x, about) {
    Biobase::ExpressionSet(t(x), Biobase::AnnotatedDataFrame(about))
  }
  several <- function(x, about) {
    MultiAssayExperiment::MultiAssayExperiment(
      list(one = t(x[, 1:5]), two = t(x[, 6:12])), colData = S4Vectors::DataFrame(about)
    )
  }
  plain <- matrix_way(d$x, d$classes, new_y = new$classes)
  adjusted <- function(z, new_z) {
    matrix_way(d$x, d$classes, covariates = z, new_y = new$classes, new_z = new_z)
  }
  list(
    "covariate, a number" = matrix_pair(
      adjusted(of_age, new_age),
      matrix_way(prepare_study(d$x, d$classes, covariates = of_age), new_y = new$classes, new_z = new_age),
      says = "adjusted for age"
    ),
    "covariate, a factor" = matrix_pair(
      adjusted(data.frame(sex = factor(d$sex)), data.frame(sex = factor(new$sex))),
      adjusted(cbind("sex: m" = d$sex == "m") + 0, cbind("sex: m" = new$sex == "m") + 0),
      says = "adjusted for sex: m"
    ),
    "covariates, several" = matrix_pair(
      adjusted(of_several, new_several), adjusted(coded + 0, new_coded + 0),
      says = "adjusted for age"
    ),
    "covariates, formula" = matrix_pair(
      adjusted(~ age + sex + site, new_several), adjusted(of_several, new_several),
      says = "adjusted for age"
    ),
    "covariates, columns of x" = matrix_pair(
      matrix_way(table[-1], d$classes, covariates = c("age", "sex", "site"), new_x = new_table,
        new_y = new$classes),
      adjusted(of_several, new_several),
      says = "adjusted for age"
    ),
    "covariates, formula and data" = matrix_pair(
      matrix_way(cls ~ ., table, covariates = ~ age + sex + site, new_x = new_table,
        new_y = new$classes),
      adjusted(of_several, new_several),
      says = "adjusted for age"
    ),
    "covariates of a SummarizedExperiment" = matrix_pair(
      matrix_way(summarized(d$x, about), "cls", covariates = c("age", "sex", "site"),
        new_x = summarized(new$x, new_about), new_y = "cls"),
      adjusted(of_several, new_several),
      says = "adjusted for age"
    ),
    "covariates of an ExpressionSet" = matrix_pair(
      matrix_way(expression(d$x, about), "cls", covariates = ~ age + sex + site,
        new_x = expression(new$x, new_about), new_y = "cls"),
      adjusted(of_several, new_several),
      says = "adjusted for age"
    ),
    "covariates of a MultiAssayExperiment" = matrix_pair(
      matrix_way(several(d$x, about), "cls", covariates = c("age", "sex", "site"),
        new_x = several(new$x, new_about), new_y = "cls"),
      matrix_way(list(one = d$x[, 1:5], two = d$x[, 6:12]), d$classes, covariates = of_several,
        new_x = list(one = new$x[, 1:5], two = new$x[, 6:12]), new_y = new$classes,
        new_z = new_several),
      says = "adjusted for age"
    ),
    "blocks" = matrix_pair(
      matrix_way(d$x, d$pure, blocks = d$pair, new_y = new$classes),
      matrix_way(prepare_study(d$x, d$pure, blocks = d$pair), new_y = new$classes),
      says = "24 blocks"
    ),
    "blocks of several classes" = matrix_pair(
      matrix_way(d$x, d$mixed, blocks = d$pair, new_y = new$classes),
      matrix_way(prepare_study(d$x, d$mixed, blocks = d$pair), new_y = new$classes),
      says = "24 blocks"
    ),
    "blocks and covariates" = matrix_pair(
      matrix_way(d$x, d$pure, blocks = d$pair, covariates = of_age, new_y = new$classes, new_z = new_age),
      matrix_way(prepare_study(d$x, d$pure, blocks = d$pair, covariates = of_age),
        new_y = new$classes, new_z = new_age),
      says = "adjusted for age"
    ),
    "within" = matrix_pair(
      matrix_way(d$x, d$mixed, within = d$pair,
        new_x = prepare_study(new$x, within = new$pair), new_y = new$classes),
      matrix_way(prepare_study(d$x, d$mixed, within = d$pair),
        new_x = prepare_study(new$x, within = new$pair), new_y = new$classes),
      says = "within 24 groups"
    ),
    "within, with a likelihood" = matrix_pair(
      matrix_way(d$x, d$mixed, within = d$pair, family = "binomial",
        new_x = prepare_study(new$x, within = new$pair), new_y = new$classes),
      matrix_way(prepare_study(d$x, d$mixed, within = d$pair), family = "binomial",
        new_x = prepare_study(new$x, within = new$pair), new_y = new$classes),
      says = "within 24 groups"
    ),
    "blocks of one sample" = matrix_pair(
      matrix_way(prepare_study(d$x, d$classes, blocks = seq_len(matrix_n)), new_y = new$classes),
      plain,
      # The print says that there are blocks; simulated outcomes have none.
      not = c("print", "summary", "report", "methods", "simulated_samples", "calibrate")
    ),
    "strata, one" = matrix_pair(
      matrix_way(d$x, d$times, strata = rep(1, matrix_n), new_y = new$times),
      matrix_way(d$x, d$times, new_y = new$times)
    ),
    "strata, names" = matrix_pair(
      matrix_way(d$x, d$times, strata = d$site, new_y = new$times),
      matrix_way(d$x, d$times, strata = match(d$site, c("a", "b", "c")), new_y = new$times),
      says = "3 strata"
    ),
    "weights, all 1" = matrix_pair(
      matrix_way(d$x, d$numbers, weights = rep(1, matrix_n), new_y = new$numbers),
      matrix_way(d$x, d$numbers, new_y = new$numbers)
    ),
    "weights 2, as two rows of a block" = matrix_pair(
      matrix_way(d$x, d$numbers, weights = rep(1:2, matrix_n / 2)),
      matrix_way(prepare_study(
        unname(d$x[rep(seq_len(matrix_n), rep(1:2, matrix_n / 2)), ]) |> `colnames<-`(colnames(d$x)),
        unname(d$numbers[rep(seq_len(matrix_n), rep(1:2, matrix_n / 2))]),
        blocks = rep(seq_len(matrix_n), rep(1:2, matrix_n / 2))
      )),
      # Paths of all sizes end elsewhere; other questions are about other samples.
      not = setdiff(names(matrix_questions), "table"), verbs = c("stability_selection", "bolasso")
    ),
    "offset of numbers" = matrix_pair(
      matrix_way(d$x, d$numbers, offset = d$age, new_y = new$numbers),
      matrix_way(d$x, d$numbers - d$age, new_y = new$numbers),
      # The print says that there is one; other lists of simulated outcomes have none.
      not = c("print", "summary", "report", "methods", "calibrate")
    ),
    "offset 0" = matrix_pair(
      matrix_way(d$x, d$numbers, offset = numeric(matrix_n), new_y = new$numbers),
      matrix_way(d$x, d$numbers, new_y = new$numbers)
    ),
    "penalty, all 1" = matrix_pair(
      matrix_way(d$x, d$classes, penalty = rep(1, 12), new_y = new$classes), plain
    ),
    "penalty by name" = matrix_pair(
      matrix_way(d$x, d$classes, penalty = c(g3 = 0.5, g5 = 2), new_y = new$classes),
      matrix_way(d$x, d$classes, penalty = c(1, 1, 0.5, 1, 2, rep(1, 7)), new_y = new$classes),
      says = "penalty weights from 0.5 to 2"
    ),
    "clusters of one" = matrix_pair(
      matrix_way(d$x, d$classes, clusters = colnames(d$x), new_y = new$classes), plain,
      # Clusters have further columns, models and questions.
      not = c("print", "summary", "report", "methods", "predict", "validate", "replicate", "samples",
        "simulated_samples", "alternatives", "signature"), common = TRUE
    ),
    "clusters" = matrix_pair(
      matrix_way(d$x, d$classes, clusters = rep(c("a", "b", "c", "d"), 3), new_y = new$classes),
      matrix_way(d$x, d$classes, new_y = new$classes, clusters = stats::setNames(
        lapply(1:4, function(k) colnames(d$x)[seq(k, 12, 4)]), c("a", "b", "c", "d")
      ))
    ),
    "blocks of features" = matrix_pair(
      matrix_way(several(d$x, about), "cls", new_x = several(new$x, new_about), new_y = "cls"),
      matrix_way(list(one = d$x[, 1:5], two = d$x[, 6:12]), d$classes,
        new_x = list(one = new$x[, 1:5], two = new$x[, 6:12]), new_y = new$classes)
    ),
    "blocks of features, adaptive penalty" = matrix_pair(
      matrix_way(list(one = d$x[, 1:5], two = d$x[, 6:12]), d$classes, penalty = "blocks",
        new_x = list(one = new$x[, 1:5], two = new$x[, 6:12]), new_y = new$classes),
      matrix_way(several(d$x, about), "cls", penalty = "blocks", new_x = several(new$x, new_about),
        new_y = "cls")
    ),
    "SummarizedExperiment" = matrix_pair(
      matrix_way(summarized(d$x, about), "cls", new_x = summarized(new$x, new_about), new_y = "cls"),
      plain
    ),
    "ExpressionSet" = matrix_pair(
      matrix_way(expression(d$x, about), "cls", new_x = expression(new$x, new_about), new_y = "cls"),
      plain
    ),
    "formula and data" = matrix_pair(
      matrix_way(cls ~ . - age - sex - site, table, new_x = new_table, new_y = new$classes), plain
    ),
    "outcome, a column of x" = matrix_pair(
      matrix_way(table[1:13], "cls", new_x = new_table, new_y = "cls"), plain
    ),
    "data frame" = matrix_pair(
      matrix_way(as.data.frame(d$x), d$classes, new_x = as.data.frame(new$x), new_y = new$classes),
      plain
    ),
    "sparse" = matrix_pair(
      matrix_way(Matrix::Matrix(d$x, sparse = TRUE), d$classes,
        new_x = Matrix::Matrix(new$x, sparse = TRUE), new_y = new$classes),
      plain
    )
  )
}

# Questions about a fit. @param way how it was made; again(...) makes it with further arguments.
matrix_questions <- list(
  print = function(fit, way, again) utils::capture.output(print(fit)),
  summary = function(fit, way, again) utils::capture.output(print(summary(fit))),
  table = function(fit, way, again) as.data.frame(fit),
  plot = function(fit, way, again) {
    file <- withr::local_tempfile()
    grDevices::pdf(file)
    withr::defer(grDevices::dev.off())
    plot(fit)
    TRUE
  },
  autoplot = function(fit, way, again) {
    picture <- ggplot2::autoplot(fit)
    lapply(picture$layers, function(layer) layer$data)
  },
  methods = function(fit, way, again) {
    sub("All computations.*", "", asNamespace("stabilect")$methods_of(fit)$paragraph)
  },
  report = function(fit, way, again) {
    file <- withr::local_tempfile(fileext = ".html")
    do.call(write_report, c(list(fit, file), stats::setNames(way$data, c("x", "y")[seq_along(way$data)])))
    page <- paste(readLines(file), collapse = " ")
    # Pictures have numbers of their own; how the report was made differs.
    gsub("<svg.*?</svg>|<img[^>]*>|<pre.*?</pre>", "", page)
  },
  predict = function(fit, way, again) {
    do.call(predict, c(list(fit, way$new_x), if (!is.null(way$new_z)) list(covariates = way$new_z)))
  },
  validate = function(fit, way, again) {
    validate_model(fit, way$new_x, way$new_y, covariates = way$new_z)$table
  },
  permute = function(fit, way, again) {
    null <- again(permute = 20)
    list(null$null$p, null$table[intersect(c("feature", "p_fwer", "q_fdr"), names(null$table))])
  },
  replicate = function(fit, way, again) {
    do.call(evaluate_replication, c(list(fit), way$data, n_pairs = 2, n_features = 3, seed = 1))$table
  },
  samples = function(fit, way, again) {
    do.call(plan_samples, c(list(fit), way$data, n_pairs = 5, n_features = 3, seed = 1))$table
  },
  simulated_samples = function(fit, way, again) {
    do.call(plan_samples, c(list(fit), way$data, n_pairs = 5, n_features = 3, n_simulations = 2,
      n_true = 2, seed = 1))$simulated
  },
  calibrate = function(fit, way, again) {
    do.call(calibrate_selection, c(list(fit), way$data, n_true = 2, r_squared = 0.5,
      n_simulations = 2, seed = 1))$table
  },
  signature = function(fit, way, again) {
    do.call(test_signature, c(way$data, list(features = fit, n_random = 20, seed = 1)))$table
  },
  alternatives = function(fit, way, again) {
    do.call(alternative_lists, c(list(fit), way$data, n_features = 2, max_steps = 2, seed = 1))$table
  },
  effects = function(fit, way, again) {
    do.call(feature_effects, c(list(fit), way$data, list(features = 1:2)))$table
  },
  substitutes = function(fit, way, again) substitutes(fit, if (is.data.frame(way$data[2][[1]])) way$data[[2]] else way$data[[1]], threshold = 0.1, max_p = 1)$table,
  stability = function(fit, way, again) stability(fit)$table,
  merge = function(fit, way, again) do.call(c, matrix_halves(fit, again))$table,
  merge_data = function(fit, way, again) {
    do.call(merge_runs, c(matrix_halves(fit, again), stats::setNames(way$data, c("x", "y")[seq_along(way$data)])))$table
  },
  until = function(fit, way, again) {
    again(until = until_decided())$table
  },
  checkpoint = function(fit, way, again) {
    file <- withr::local_tempfile()
    again(checkpoint = file)
    again(checkpoint = file)$table
  }
)

# The runs of a fit, made in two parts.
matrix_halves <- function(fit, again) {
  n <- fit$resamples$n_runs
  if (is.null(n)) {
    return(list(fit, fit))
  }
  list(again(plan = fit$resamples[seq_len(4L)]), again(plan = fit$resamples[5:n]))
}

# @return the value, or the error; other errors than ours are kept too.
matrix_try <- function(code) {
  tryCatch(suppressMessages(suppressWarnings(code)), error = function(e) e)
}

matrix_refused <- function(x) inherits(x, "stabilect_error")

# find_signals() has fixed arguments: R itself says what it does not have.
matrix_no_argument <- function(x) {
  inherits(x, "error") && grepl("unused argument", conditionMessage(x), fixed = TRUE)
}

matrix_words <- function(e) {
  words <- gsub("\\s+", " ", cli::ansi_strip(conditionMessage(e)))
  gsub(" and length [0-9]+", "", words)
}

matrix_run <- function(verb, way, ...) {
  given <- utils::modifyList(way$given, list(...))
  do.call(matrix_fits[[verb]], c(way$data, given))
}

# @return list(state ("equal", "refused", "none" or "wrong"), words (string)).
matrix_cell <- function(question, fits, axis, verb) {
  values <- lapply(1:2, function(k) {
    again <- function(...) matrix_run(verb, axis$ways[[k]], ...)
    matrix_try(matrix_questions[[question]](fits[[k]], axis$ways[[k]], again))
  })
  failed <- vapply(values, inherits, NA, "error")
  if (all(failed) && all(vapply(values, matrix_no_argument, NA))) {
    return(list(state = "none", words = ""))
  }
  if (any(failed)) {
    words <- vapply(values, function(v) if (inherits(v, "error")) matrix_words(v) else "(ran)", "")
    fair <- all(failed) && all(vapply(values, matrix_refused, NA)) && words[1] == words[2]
    state <- if (!fair) "wrong" else if (grepl(matrix_not_for, words[1])) "none" else "refused"
    return(list(state = state, words = if (fair) words[1] else paste(words, collapse = " // ")))
  }
  if (axis$common) {
    names <- intersect(names(values[[1]]), names(values[[2]]))
    values <- lapply(values, `[`, names)
  }
  same <- all.equal(values[[1]], values[[2]], tolerance = 1e-7)
  list(state = if (isTRUE(same)) "equal" else "wrong", words = paste(same, collapse = "; "))
}

# Refusals of questions that are not for this kind of fit at all, whatever the axis.
matrix_not_for <- paste(
  "do(es)? not apply here", "must be a result of", "has no model to predict with",
  "cannot be made a selection", "names features but ranks no others", "can be merged, not",
  "test the features, and so choose them", "stability selection has no model", "needs a `cutoff` here",
  "Tests on splits need at least 16",
  sep = "|"
)

# Questions that take longest: each axis asks them of some verbs, all together of all.
matrix_long <- c(
  "plot", "autoplot", "report", "permute", "samples", "simulated_samples", "calibrate",
  "signature", "alternatives", "checkpoint", "merge_data", "until"
)

# All cells, or of long questions one in nine.
# @return (data frame) axis, verb, question, state, words.
matrix_all <- function(whole = FALSE, axes = matrix_axes(), verbs = names(matrix_fits),
                       questions = names(matrix_questions)) {
  rows <- list()
  add <- function(...) rows[[length(rows) + 1L]] <<- data.frame(...)
  for (a in seq_along(axes)) {
    axis <- axes[[a]]
    for (v in intersect(names(matrix_fits), intersect(verbs, axis$verbs))) {
      fits <- lapply(axis$ways, function(way) matrix_try(matrix_run(v, way)))
      failed <- vapply(fits, inherits, NA, "error")
      # A verb that does not have the axis refuses it, even where it changes nothing.
      if (any(failed)) {
        fair <- vapply(fits[failed], function(e) matrix_refused(e) || matrix_no_argument(e), NA)
        ok <- all(fair) && (all(failed) || failed[1])
        add(
          axis = names(axes)[a], verb = v, question = "fit", state = if (ok) "none" else "wrong",
          words = matrix_words(fits[failed][[1]])
        )
        next
      }
      asked <- setdiff(questions, axis$not)
      if (!whole) {
        turn <- (match(v, names(matrix_fits)) + match(asked, names(matrix_questions)) + a) %% 9L == 0L
        asked <- asked[!asked %in% matrix_long | turn]
      }
      for (q in asked) {
        cell <- matrix_cell(q, fits, axis, v)
        add(axis = names(axes)[a], verb = v, question = q, state = cell$state, words = cell$words)
      }
      if (!is.null(axis$says)) {
        add(
          axis = names(axes)[a], verb = v, question = "says", words = axis$says,
          state = if (all(vapply(fits, matrix_says, NA, axis$says))) "equal" else "wrong"
        )
      }
    }
  }
  do.call(rbind, rows)
}

# Do print and, where it is written for the verb, the methods section say it?
matrix_says <- function(fit, words) {
  print <- gsub("\\s+", " ", paste(utils::capture.output(print(fit)), collapse = " "))
  methods <- matrix_questions$methods(fit)
  own <- !grepl("made with the package", methods) && !inherits(fit, "stabilect_signals")
  grepl(words, print, fixed = TRUE) && (!own || grepl(words, methods, fixed = TRUE))
}
