reference <- readRDS(test_path("fixtures", "fealect-cran.rds"))

lymphoma <- function() {
  x <- as.matrix(mcl_sll[, -1])
  list(x = x, y = stats::setNames(as.numeric(mcl_sll[, 1]), rownames(x)))
}

data_of <- function(element) {
  if (is.null(element$x)) lymphoma() else element[c("x", "y")]
}

# FeaLect() with the arguments of a stored call.
repeat_call <- function(element, ...) {
  data <- data_of(element)
  withr::local_seed(element$seed, .rng_kind = "Mersenne-Twister", .rng_sample_kind = "Rejection")
  do.call(FeaLect, c(
    list(data$x, data$y, element$K, element$m, plot.scores = FALSE, ...), element$args
  ))
}

small_fealect <- function(..., m = 6, seed = 1) {
  data <- lymphoma()
  withr::with_seed(seed, FeaLect(data$x, data$y, 4, m, plot.scores = FALSE, ...))
}

test_that("arguments, defaults and fields are those of FeaLect 1.20", {
  expect_identical(
    vapply(formals(FeaLect), deparse, ""),
    c(
      F = "", L = "", maximum.features.num = "dim(F)[2]", total.num.of.models = "",
      gamma = "3/4", persistence = "1000", talk = "FALSE", minimum.class.size = "2",
      report.fitting.failure = "FALSE", return_linear.models = "TRUE", balance = "TRUE",
      replace = "TRUE", plot.scores = "TRUE"
    )
  )
  expect_named(formals(train.doctor), c(
    "F_", "L_", "training.samples", "validating.samples", "considered.features",
    "maximum.features.num", "balance", "return_linear.models", "report.fitting.failure"
  ))
  expect_named(formals(compute.logistic.score), c(
    "F_", "L_", "considered.features", "training.samples", "validating.samples", "linear.scores",
    "report.fitting.failure"
  ))
  expect_named(formals(random.subset), c(
    "F_", "L_", "gamma", "persistence", "minimum.class.size", "replace"
  ))
  expect_named(formals(input.check.FeaLect), c("F_", "L_", "maximum.features.num", "gamma"))
  expect_named(formals(compute.balanced), c("F_", "L_"))
  expect_named(formals(ignore.redundant), c("F", "num.of.values"))
  expect_named(formals(doctor.validate), c("true.labels", "predictions"))
  expect_named(small_fealect(), c(
    "log.scores", "feature.matrix", "labels", "total.num.of.models", "maximum.features.num",
    "feature.scores.history", "num.of.features.score", "best.feature.num", "mislabeling.record",
    "doctors", "best.features.intersection", "features.with.best.global.error", "time.taken"
  ))
})

for (name in names(reference)) {
  test_that(paste("results are those of CRAN FeaLect 1.20:", name), {
    element <- reference[[name]]
    answer <- repeat_call(element, return_linear.models = FALSE)
    exact <- c("best.features.intersection", "features.with.best.global.error",
      "num.of.features.score")
    expect_identical(answer[exact], element[exact])
    expect_identical(names(answer$log.scores), names(element$log.scores))
    expect_equal(answer$log.scores, element$log.scores, tolerance = 1e-12)
    expect_equal(answer$feature.scores.history, element$feature.scores.history, tolerance = 1e-12)
    fields <- names(element$doctors[[1]])
    ours <- lapply(answer$doctors, `[`, fields)
    close <- c("global.errors", "probabilities", "best.logistic.cof", "accuracy", "precision",
      "recall")
    same <- setdiff(fields, close)
    expect_identical(lapply(ours, `[`, same), lapply(element$doctors, `[`, same))
    expect_equal(lapply(ours, `[`, close), lapply(element$doctors, `[`, close), tolerance = 1e-8)
  })

  test_that(paste("subsets and balanced rows are those of CRAN FeaLect 1.20:", name), {
    element <- reference[[name]]
    data <- data_of(element)
    replace <- !identical(element$args$replace, FALSE)
    withr::local_seed(element$seed, .rng_kind = "Mersenne-Twister", .rng_sample_kind = "Rejection")
    for (b in seq_len(element$m)) {
      drawn <- random.subset(data$x, data$y, gamma = 3 / 4, replace = replace)
      expect_identical(rownames(drawn$X_), element$rows_drawn[[b]])
      rows <- unique(rownames(drawn$X_))
      if (length(element$rows_balanced) > 0) {
        balanced <- compute.balanced(data$x[rows, ], data$y[rows])
        expect_identical(names(balanced$L_), rownames(balanced$F_))
        # FeaLect leaves the name of a single added row empty.
        named <- element$rows_balanced[[b]] != ""
        expect_identical(rownames(balanced$F_)[named], element$rows_balanced[[b]][named])
        expect_length(balanced$L_, length(named))
      }
    }
  })
}

test_that("results and R's generator agree with an installed FeaLect", {
  skip_if_not_installed("FeaLect", "1.20")
  skip_if_not_installed("rms")
  skip_if(utils::packageVersion("rms") > "6.8.2")
  original <- getExportedValue("FeaLect", "FeaLect")
  run <- function(fealect, ...) {
    data <- lymphoma()
    withr::with_seed(10, {
      utils::capture.output(answer <- suppressWarnings(
        fealect(data$x, data$y, 6, 15, plot.scores = FALSE, return_linear.models = FALSE, ...)
      ))
      list(answer = answer[names(answer) != "time.taken"], random = stats::runif(1))
    })
  }
  # Subsets of five samples, of which some hold one class and fail.
  old <- run(original, minimum.class.size = 0, gamma = 0.25)
  new <- run(FeaLect, minimum.class.size = 0, gamma = 0.25)
  expect_equal(new, old, tolerance = 1e-8)
})

test_that("failed models are drawn again in the sequence of draws, and said on request", {
  run <- function(...) {
    small_fealect(minimum.class.size = 0, gamma = 0.25, return_linear.models = FALSE, m = 20,
      seed = 10, ...)
  }
  expect_message(answer <- run(report.fitting.failure = TRUE), "subsets were drawn again")
  sizes <- vapply(answer$doctors, function(d) length(unique(d$training.samples)), 1L)
  expect_true(all(sizes >= 2))
  # By hand: draws in turn, those of one class left out.
  labels <- lymphoma()$y
  kept <- withr::with_seed(10, {
    kept <- list()
    while (length(kept) < 20) {
      rows <- unique(sample(22, 5.5, replace = TRUE))
      if (length(unique(labels[rows])) == 1) next
      many <- which(labels[rows] >= 1)
      few <- which(labels[rows] < 1)
      sample(if (length(few) >= length(many)) many else few, abs(length(few) - length(many)), TRUE)
      kept <- c(kept, list(names(labels)[rows]))
    }
    kept
  })
  expect_identical(lapply(answer$doctors, `[[`, "training.samples"), kept)
})

test_that("the logistic fit stops as lrm() does", {
  skip_if_not_installed("rms")
  skip_if(utils::packageVersion("rms") > "6.8.2")
  lrm <- getExportedValue("rms", "lrm")
  for (seed in 1:20) {
    withr::with_seed(seed, {
      score <- rnorm(40) * 10^sample(-3:3, 1)
      label <- as.numeric(score / sd(score) + rnorm(40) * sample(c(0, 0.1, 1), 1) > 0.2)
    })
    ours <- cpp_fit_lrm(score, as.integer(label))
    utils::capture.output(fit <- suppressWarnings(try(lrm(label ~ score), silent = TRUE)))
    theirs <- if (inherits(fit, "try-error")) NULL else as.numeric(stats::coef(fit))
    expect_equal(ours, theirs, tolerance = 1e-8)
  }
})

test_that("the logistic fit is near the maximum of the likelihood, not at it", {
  score <- c(1, 0.9, 0.8, 0.2, 0.1, 0.1, 0.7, 0.2, 0.6)
  label <- c(1, 1, 0, 0, 0, 1, 1, 0, 0)
  exact <- stats::coef(stats::glm(label ~ score, family = stats::binomial()))
  ours <- cpp_fit_lrm(score, as.integer(label))
  expect_equal(ours, unname(exact), tolerance = 1e-2)
  expect_gt(max(abs(ours / exact - 1)), 1e-9)
})

test_that("the result does not depend on the number of threads", {
  one <- withr::with_options(list(stabilect.n_threads = 1L), small_fealect(m = 20))
  two <- withr::with_options(list(stabilect.n_threads = 2L), small_fealect(m = 20))
  one$time.taken <- two$time.taken <- NULL
  expect_identical(one, two)
})

test_that("labels may be of any kind with two classes", {
  data <- lymphoma()
  run <- function(labels) {
    withr::with_seed(3, FeaLect(data$x, labels, 4, 5, plot.scores = FALSE))$log.scores
  }
  named <- function(values) stats::setNames(values, names(data$y))
  expected <- run(data$y)
  expect_identical(run(named(as.integer(data$y))), expected)
  expect_identical(run(data$y == 1 & TRUE), expected)
  expect_identical(run(named(factor(data$y, labels = c("SLL", "MCL")))), expected)
  expect_identical(run(2 * data$y - 1), expected)
})

test_that("labels are taken by name, with a warning", {
  data <- lymphoma()
  run <- function(labels) {
    withr::with_seed(3, FeaLect(data$x, labels, 4, 5, plot.scores = FALSE))[c(1, 10)]
  }
  expect_warning(turned <- run(rev(data$y)), class = "stabilect_warning_names")
  expect_identical(turned, run(data$y))
})

test_that("the limit on the steps is lowered with a warning", {
  data <- lymphoma()
  expect_warning(
    answer <- withr::with_seed(1, FeaLect(data$x, data$y, total.num.of.models = 2,
      plot.scores = FALSE)),
    "automatically reduced to 16",
    class = "stabilect_warning_limit"
  )
  expect_identical(answer$maximum.features.num, 236L)
})

test_that("linear.models answers as lars does", {
  skip_if_not_installed("lars")
  data <- lymphoma()
  rows <- rownames(data$x)[c(1:14, 20)]
  features <- colnames(ignore.redundant(data$x[rows, ]))
  doctor <- train.doctor(data$x, data$y, rows, setdiff(rownames(data$x), rows), features, 6,
    balance = FALSE)
  ours <- doctor$linear.models
  theirs <- lars::lars(data$x[rows, features], data$y[rows], use.Gram = FALSE)
  expect_equal(ours$beta, theirs$beta, tolerance = 1e-7, ignore_attr = "scaled:scale")
  for (field in c("lambda", "RSS", "R2", "mu", "df")) {
    expect_equal(do.call(`$`, list(ours, field)), theirs[[field]], tolerance = 1e-7)
  }
  expect_identical(ours$actions, lapply(theirs$actions, identity))
  # As many steps as samples: without degrees of freedom there is no Cp.
  expect_equal(ours$Cp, theirs$Cp, tolerance = 1e-7, ignore_attr = TRUE)
  expect_identical(is.nan(ours$Cp), is.nan(theirs$Cp), ignore_attr = TRUE)
  new <- data$x[, features]
  old_predict <- getS3method("predict", "lars", envir = asNamespace("lars"))
  points <- list(step = c(1, 2.5), fraction = c(0.1, 0.8), norm = 1, lambda = c(0.3, 5))
  for (mode in names(points)) {
    s <- points[[mode]]
    expected <- old_predict(theirs, new, s, mode = mode)$fit
    expect_equal(predict(ours, new, s, mode = mode)$fit, expected, tolerance = 1e-7,
      ignore_attr = TRUE)
    expect_equal(coef(ours, s, mode), coef(theirs, s = s, mode = mode), tolerance = 1e-7,
      ignore_attr = TRUE)
  }
  expect_equal(predict(ours, new)$fit, old_predict(theirs, new)$fit, tolerance = 1e-7,
    ignore_attr = TRUE)
  expect_output(print(ours), "Lasso path of a doctor")
})

test_that("summary() and plot() of a path are those of lars", {
  skip_if_not_installed("lars")
  data <- lymphoma()
  features <- colnames(data$x)[1:6]
  rows <- rownames(data$x)[c(1:14, 20)]
  ours <- train.doctor(data$x, data$y, rows, setdiff(rownames(data$x), rows), features, 4,
    balance = FALSE)$linear.models
  theirs <- lars::lars(data$x[rows, features], data$y[rows], use.Gram = FALSE)
  expect_equal(summary(ours), summary(theirs), tolerance = 1e-7, ignore_attr = TRUE)
  expect_true(all(is.finite(summary(ours)$Cp)))
  expect_output(print(summary(ours)), "15 samples")
  expect_identical(class(summary(ours)), class(summary(theirs)))
  expect_error(summary(ours, sigma = 1), class = "stabilect_error_input")
  skip_if_not_installed("ggplot2")
  for (xvar in c("norm", "df", "step")) {
    drawn <- ggplot2::autoplot(ours, xvar = xvar)
    lines <- ggplot2::layer_data(drawn, 3)
    expect_gt(nrow(lines), 6)
    scaled <- scale(theirs$beta, FALSE, 1 / theirs$normx)
    expect_equal(range(lines$y, na.rm = TRUE), range(scaled), tolerance = 1e-7)
  }
  expect_error(ggplot2::autoplot(ours, xvar = "lambda"), "xvar", class = "stabilect_error_input")
  withr::local_pdf(NULL)
  expect_s3_class(plot(ours), "ggplot")
})

test_that("the validating samples are those named, also where they are few of the others", {
  x <- as.matrix(mcl_sll[, -1])
  labels <- stats::setNames(mcl_sll$MCL, rownames(x))
  all_samples <- rownames(x)
  train <- function(validating) {
    set.seed(1)
    train.doctor(
      x, labels, training.samples = all_samples[5:10], validating.samples = validating,
      considered.features = colnames(x), maximum.features.num = 10
    )
  }
  # The example of FeaLect's own manual: one of the two is MCL. A probability is always above 0, so
  # that both are predicted to be: F-measure, precision and recall of FeaLect 1.20.
  doctor <- train(all_samples[c(1, 22)])
  expect_equal(doctor$accuracy, 2 / 3)
  expect_equal(c(doctor$precision, doctor$recall), c(0.5, 1))
  for (some in list(all_samples[1:4], all_samples[11:22], all_samples[c(1, 5, 22)])) {
    positive <- mean(labels[some])
    mine <- train(some)
    expect_equal(mine$precision, positive, info = toString(some))
    expect_equal(mine$recall, as.numeric(positive > 0), info = toString(some))
    expect_named(mine$probabilities, some)
  }
})

test_that("the small functions answer as in FeaLect's help", {
  truth <- c(a = 1, b = 1, c = 1, d = 0, e = 0)
  answer <- doctor.validate(truth, c(a = 1, b = 1, c = 0, d = 1, e = 0))
  expect_equal(answer, list(f.measure = 2 / 3, mislabeled = c("d", "c"), precision = 2 / 3,
    recall = 2 / 3))
  expect_identical(dim(ignore.redundant(lymphoma()$x)), c(22L, 188L))
  data <- lymphoma()
  balanced <- compute.balanced(data$x, data$y)
  expect_identical(sum(balanced$L_ == 1), 15L)
  checked <- input.check.FeaLect(unname(data$x), unname(data$y), 10, 3 / 4)
  expect_identical(rownames(checked$F_), as.character(1:22))
  expect_identical(colnames(checked$F_)[236], "236")
  linear <- c(1, 0.9, 0.8, 0.2, 0.1, 0.1, 0.7, 0.2)
  scores <- compute.logistic.score(data$x, c(1, 1, 0, 0, 0, 1, 1, 0), linear.scores = linear)
  expect_named(scores$logistic.cofs, c("Intercept", "linear.scores"))
  expect_equal(scores$logistic.scores,
    stats::plogis(scores$logistic.cofs[[1]] + scores$logistic.cofs[[2]] * linear))
})

test_that("scores are plotted once, at the end", {
  folder <- withr::local_tempdir()
  grDevices::png(file.path(folder, "%d.png"))
  data <- lymphoma()
  withr::with_seed(1, FeaLect(data$x, data$y, 3, 5))
  grDevices::dev.off()
  expect_length(list.files(folder), 1)
})

test_that("bad input is refused with argument, place and advice", {
  data <- lymphoma()
  run <- function(x = data$x, y = data$y, ...) FeaLect(x, y, 4, 2, plot.scores = FALSE, ...)
  holes <- data$x
  holes[3, 2] <- NA
  expect_refusals({
    run(as.data.frame(data$x))
    run(holes)
    run(y = data$y + 1)
    run(y = data$y[-1])
    run(y = ifelse(data$y == 1, "MCL", "SLL"))
    run(y = replace(data$y, 4, NA))
    run(y = 0 * data$y)
    run(y = replace(data$y, 1, 2))
    run(x = cbind(data$x, data$x[, 1:2]))
    run(y = stats::setNames(data$y, paste0(names(data$y), "x")))
    run(gamma = 1.5, replace = FALSE)
    run(gamma = 0.05)
    run(minimum.class.size = 9, persistence = 10)
    run(balance = NA)
    FeaLect(data$x, data$y)
    doctor.validate(c(a = 1), c(b = 1))
    train.doctor(data$x, data$y, "nobody", "PAT7399", colnames(data$x), 3)
    small_fealect()$doctors[[1]]$linear.models$entry
  })
})
