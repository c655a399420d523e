x <- two_views$x
joined <- do.call(cbind, unname(x))
view <- stats::setNames(
  factor(rep(names(x), c(4, 20))), c(colnames(x$clinical), colnames(x$expression))
)

test_that("a list of matrices is one study, whose results know the views", {
  data <- prepare_study(x, two_views$y)
  expect_identical(data$views, view)
  expect_identical(data$x, joined)
  whole <- fealect(joined, two_views$y, n_runs = 5, seed = 1)
  for (fit in list(
    fealect(data, n_runs = 5, seed = 1), fealect(x, two_views$y, n_runs = 5, seed = 1)
  )) {
    expect_identical(fit$table, whole$table)
    expect_identical(fit$study$roles$views, view)
    shown <- gsub("\\s+", " ", paste(capture.output(print(fit)), collapse = " "))
    expect_match(shown, "views of features: clinical 4, expression 20")
    n <- table(view[fit$features])
    expect_match(shown, sprintf("by view: clinical %d of 4, expression %d of 20", n[1], n[2]))
  }
  expect_output(print(data), "views of features: clinical 4, expression 20")
})

test_that("rows follow their names, names that clash get their view, and factors are coded", {
  turned <- x
  turned$expression <- turned$expression[80:1, ]
  expect_identical(prepare_study(turned)$x, joined)
  clash <- x
  colnames(clash$expression)[1:2] <- c("c1", "clinical")
  names <- c("clinical:c1", "c2", "c3", "c4", "expression:c1", "expression:clinical")
  expect_identical(colnames(prepare_study(clash)$x)[1:6], names)
  table <- data.frame(age = 1:80, stage = factor(rep(c("I", "II", "III", "II"), 20)))
  coded <- prepare_study(list(clinical = table, expression = unname(x$expression)))
  expect_identical(
    colnames(coded$x)[1:4], c("age", "stage=II", "stage=III", "expression:1")
  )
  expect_identical(coded$notes, "factors as indicator columns: stage (not I)")
  expect_equal(unname(coded$x[, 3]), as.numeric(table$stage == "III"))
  expect_equal(unname(coded$x[, -(1:3)]), unname(x$expression))
})

test_that("experiments of a MultiAssayExperiment are views", {
  skip_if_not_installed("MultiAssayExperiment")
  skip_if_not_installed("SummarizedExperiment")
  about <- S4Vectors::DataFrame(
    class = as.character(two_views$y), row.names = rev(rownames(joined))
  )
  about$class <- rev(about$class)
  all <- suppressMessages(MultiAssayExperiment::MultiAssayExperiment(
    list(
      clinical = t(x$clinical),
      expression = SummarizedExperiment::SummarizedExperiment(t(x$expression)[, 80:1])
    ),
    colData = about
  ))
  data <- prepare_study(all, "class")
  expect_identical(data$x[rownames(joined), ], joined)
  expect_identical(data$views, view)
  expect_identical(data$y[match(rownames(joined), rownames(data$x))], as.character(two_views$y))
  expect_error(prepare_study(all, "stage"), "is not a column of `colData",
    class = "stabilect_error_input"
  )
  some <- suppressMessages(suppressWarnings(MultiAssayExperiment::MultiAssayExperiment(
    list(a = t(x$clinical), b = t(x$expression)[, 1:70]), colData = about
  )))
  expect_error(prepare_study(some, "class"), "do not have the same patients",
    class = "stabilect_error_input"
  )
})

test_that("a weight of a view is that of its features, as in ipflasso", {
  stored <- readRDS(test_path("fixtures", "ipflasso.rds"))
  fit <- fealect(x, two_views$number, n_runs = 5, penalty = c(expression = 2), seed = 1)
  weights <- fit$study$roles$penalty
  expect_identical(weights, stats::setNames(rep(c(1, 2), c(4, 20)), names(view)))
  path <- lasso_path(
    joined, two_views$number, penalty = weights, lambda = stored$lambda / mean(weights),
    tolerance = 1e-10
  )
  # glmnet, which ipflasso calls, stops at its own precision.
  expect_equal(as.matrix(path$coefficients), as.matrix(stored$coefficients)[-1, ],
    tolerance = 2e-3, ignore_attr = "dimnames"
  )
  one <- fealect(x, two_views$number, n_runs = 5, seed = 1,
    penalty = c(expression = 2, g1 = 0.5))
  expect_identical(one$study$roles$penalty, replace(weights, "g1", 0.5))
  without <- fealect(x, two_views$y, n_runs = 20, penalty = c(expression = Inf), seed = 1)
  alone <- fealect(x$clinical, two_views$y, n_runs = 20, seed = 1)
  expect_identical(without$oob$error, alone$oob$error)
  expect_gt(without$oob$error, fealect(x, two_views$y, n_runs = 20, seed = 1)$oob$error)
})

test_that("the bound of a view is that of its mean number of features", {
  fit <- stability_selection(
    x, two_views$y, q = 6, cutoff = 0.8, penalty = c(clinical = 0.5, g2 = Inf),
    assumption = "none", seed = 1
  )
  q <- rowsum(Matrix::rowMeans(fit$selection$selected), as.character(view))[, 1]
  expect_equal(fit$bound$by_view, data.frame(
    view = c("clinical", "expression"), n_total = c(4L, 19L), q = unname(q),
    pfer = unname(q^2 / c(4, 19) / (2 * 0.8 - 1))
  ))
  shown <- gsub("\\s+", " ", paste(capture.output(print(fit)), collapse = " "))
  most <- vapply(fit$bound$by_view$pfer, format, "", digits = 2)
  expect_match(shown, sprintf("of 4 (at most %s false), expression", most[1]), fixed = TRUE)
  often <- stability_selection(
    x, two_views$y, q = 5, cutoff = 0.75, penalty = c(clinical = 0.1), seed = 1
  )
  shown <- gsub("\\s+", " ", paste(capture.output(print(often)), collapse = " "))
  expect_match(shown, "of 4 (no bound), expression", fixed = TRUE)
  expect_match(shown, "the bounds by view assume it only within a view", fixed = TRUE)
  calibrated <- stability_selection(x, two_views$y, cutoff = "calibrated", permute = 0, seed = 1)
  expect_null(calibrated$bound$by_view)
})

test_that("views of other forms are refused", {
  refused <- function(message, x) {
    expect_error(prepare_study(x), message, class = "stabilect_error_input", fixed = TRUE)
  }
  refused("whose matrices need names", unname(x))
  few <- list(a = x[[1]], b = x[[2]][1:9, ])
  refused("do not have the same samples: one has 80, another 9", few)
  other <- x[[2]]
  rownames(other)[3] <- "q3"
  refused("\"p3\" is not in all of them", list(a = x[[1]], b = other))
  refused("View \"b\" of `x` must be a matrix of numbers", list(a = x[[1]], b = matrix("a", 80)))
  expect_error(fealect(x, two_views$y, penalty = c(methylation = 2)), "names \"methylation\"",
    class = "stabilect_error_input"
  )
})
