# Agreement with lars::lars() 1.3: same actions in the same order, coefficients within 1e-8.

same_actions <- function(path, actions) {
  identical(lapply(path$actions, unname), lapply(actions, as.integer))
}

normalized_coefficients <- function(path) {
  unname(as.matrix(path$coefficients)) * unname(path$scale)
}

relative_gap <- function(ours, theirs, size) max(abs(ours - theirs)) / size

fixture <- readRDS(test_path("fixtures", "lars.rds"))

test_that("designs are those of the fixture", {
  lasso <- Filter(function(f) f$type == "lasso", fixture$designs)
  expect_identical(vapply(lasso, function(f) f$id, integer(1)), seq_len(n_designs))
  gaps <- vapply(lasso, function(f) {
    abs(design_check(path_design(f$id)) - f$check) / max(1, abs(f$check))
  }, numeric(1))
  expect_lt(max(gaps), 1e-7)
})

test_that("paths equal the stored answers of lars on at least 300 designs of each type", {
  differs <- vapply(fixture$designs, function(f) {
    if (!f$valid) {
      return(NA)
    }
    path <- run_design(path_design(f$id), f$type)
    if (!same_actions(path, f$actions)) {
      return(TRUE)
    }
    beta <- normalized_coefficients(path)
    max(
      relative_gap(project_coefficients(beta), f$projection, max(abs(beta))),
      relative_gap(path$lambda[seq_along(f$lambda)], f$lambda, path$lambda[1])
    ) > 1e-8
  }, logical(1))
  label <- vapply(fixture$designs, function(f) paste(f$type, f$id, f$shape), character(1))
  expect_identical(label[differs %in% TRUE], character(0))
  type <- vapply(fixture$designs, function(f) f$type, character(1))
  expect_gte(sum(!differs & type == "lasso", na.rm = TRUE), 300)
  expect_gte(sum(!differs & type == "lar", na.rm = TRUE), 300)
})

test_that("coef(), predict(), df, RSS and Cp equal those of lars in every mode", {
  expect_gte(length(fixture$modes), 12)
  for (f in fixture$modes) {
    design <- path_design(f$id)
    path <- run_design(design, f$type)
    label <- paste(f$type, "design", f$id)
    expect_equal(path$df, f$df, label = label)
    expect_equal(path$rss, f$rss, tolerance = 1e-8, label = label)
    expect_equal(path$cp, f$cp, tolerance = 1e-8, label = label)
    for (mode in names(f$modes)) {
      theirs <- f$modes[[mode]]
      ours <- unname(t(coef(path, at = theirs$at, mode = mode)))
      fit <- unname(predict(path, design$x[1:3, ], at = theirs$at, mode = mode))
      expect_lt(
        relative_gap(ours, theirs$coefficients, max(abs(ours))), 1e-8,
        label = paste(label, mode)
      )
      expect_lt(relative_gap(fit, theirs$fit, max(abs(fit))), 1e-8, label = paste(label, mode))
    }
  }
})

test_that("paths equal lars run now, all coefficients", {
  skip_on_cran()
  skip_if_not_installed("lars")
  n_compared <- 0
  for (id in seq(1, n_designs, by = 7)) {
    design <- path_design(id)
    for (type in c("lasso", "lar")) {
      theirs <- lars_answer(design, type)
      ours <- run_design(design, type)
      label <- paste(type, "design", id, design$shape)
      # On degenerate designs lars may err; the stored comparison says where.
      stored <- Filter(function(f) f$id == id && f$type == type, fixture$designs)[[1]]
      if (!stored$valid || !is.na(theirs$error)) next
      expect_true(same_actions(ours, theirs$actions), label = label)
      beta <- normalized_coefficients(ours)
      if (identical(dim(beta), dim(theirs$beta))) {
        expect_lt(relative_gap(beta, theirs$beta, max(abs(beta))), 1e-8, label = label)
      }
      n_compared <- n_compared + 1
    }
  }
  expect_gt(n_compared, 100)
})

test_that("the colon data give the path of lars", {
  skip_on_cran()
  skip_if_not_installed("lars")
  x <- unname(as.matrix(colon_genes$x))
  y <- ifelse(colon_genes$y == levels(colon_genes$y)[1], -1, 1)
  for (type in c("lasso", "lar")) {
    theirs <- lars::lars(x, y, type = type, use.Gram = FALSE)
    ours <- lars_path(x, y, type = type)
    # Genes 260 to 263 are the same column; lars lists the copies as actions.
    expect_true(same_actions(ours, real_actions(theirs$actions)), label = type)
    beta <- t(theirs$beta) * theirs$normx
    expect_lt(relative_gap(normalized_coefficients(ours), beta, max(abs(beta))), 1e-8)
  }
})
