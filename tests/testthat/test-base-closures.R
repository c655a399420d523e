# Functions of the user are stored with results, without the data of the frame they are made in.

made_around <- function() {
  data <- matrix(0, 1000, 500)
  power <- 2
  spread <- function(v) of_powers(v) / power
  of_powers <- function(v) if (power < 1) spread(v) else mean(abs(v)^power)
  never <- NULL
  calls <- 0
  list(
    helpers = function(x, y) apply(x, 2, spread),
    formula = function(x, y) {
      apply(x, 2, function(g) abs(stats::coef(stats::lm(g ~ y + I(seq_along(g) / power)))[2]))
    },
    string = function(x, y) apply(x, 2, "spread"),
    null = function(x, y) if (is.null(never)) abs(colMeans(x)),
    default = function(x, y, by = power) abs(colMeans(x))^by,
    counts = function(x, y) {
      calls <<- calls + 1
      abs(colMeans(x))
    },
    reads = function(x, y) abs(colMeans(x))^get("power"),
    data = function(x, y) abs(colMeans(x)) + data[1]
  )
}

small_matrix <- function() {
  matrix(sin(1:120), 20, dimnames = list(NULL, paste0("g", 1:6)))
}

size_of <- function(object) length(serialize(object, NULL))

test_that("a selector of the user's keeps what its function names, and no data around it", {
  functions <- made_around()
  x <- small_matrix()
  y <- rep(c("a", "b"), 10)
  for (name in names(functions)) {
    fun <- functions[[name]]
    selector <- selector_custom(fun)
    scores <- score_features(x, y, selector)
    expect_equal(scores$score, unname(fun(x, factor(y))), info = name)
    keeps <- name %in% c("counts", "reads", "data", "null")
    expect_identical(size_of(selector) > 4e6, keeps, info = name)
  }
})

test_that("nor do results, learners and aggregations", {
  made <- function() {
    data <- matrix(0, 1000, 500)
    list(
      selector = selector_custom(function(x, y) abs(colMeans(x))),
      learner = learner_custom(
        function(x, y) mean(x), function(model, x) rep("a", nrow(x)), function(model) 1
      ),
      aggregation = aggregate_by(function(selection) rowMeans(as.matrix(selection$score)))
    )
  }
  rules <- made()
  for (rule in rules) expect_lt(size_of(rule), 1e6)
  x <- small_matrix()
  fit <- select_ensemble(x, rep(c("a", "b"), 10), rules$selector, resample_subsample(5),
    aggregation = rules$aggregation, seed = 1
  )
  expect_lt(size_of(fit), 1e6)
})

test_that("names of other frames stay apart", {
  outer <- function() {
    by <- 1
    inner <- function(v) v^by
    make <- function() {
      by <- 3
      function(x, y) inner(abs(colMeans(x))) + by
    }
    make()
  }
  x <- small_matrix()
  scores <- score_features(x, rep(c("a", "b"), 10), selector_custom(outer()))
  expect_equal(scores$score, unname(abs(colMeans(x)) + 3))
})

test_that("what is defined after the function is found", {
  made <- function() {
    data <- matrix(0, 1000, 500)
    later <- NULL
    selector <- selector_custom(function(x, y) later(spread(x)))
    spread <- function(x) apply(x, 2, stats::var)
    later <- function(v) 2 * v
    selector
  }
  x <- small_matrix()
  scores <- score_features(x, rep(c("a", "b"), 10), made())
  expect_equal(scores$score, unname(2 * apply(x, 2, stats::var)))
})

test_that("functions of a learner share what one of them changes", {
  made <- function() {
    seen <- 0
    learner_custom(
      function(x, y) {
        seen <<- nrow(x)
        NULL
      },
      function(model, x) rep(c("a", "b")[1 + (seen > 10)], nrow(x))
    )
  }
  learner <- made()
  x <- small_matrix()
  learner$fit(x, factor(rep(c("a", "b"), 10)))
  expect_identical(unique(learner$predict(NULL, x)), "b")
})

test_that("what a function changes in part is its own, or kept", {
  told <- new.env()
  count <- c(1, 2)
  fn <- (function() {
    log <- told
    size <- count
    big <- numeric(1e5)
    function(x) {
      log$n <- c(log$n, nrow(x))
      names(size)[2] <- "b"
      own <- list()
      own$a <- 1
      abs(colMeans(x)) + size[["b"]]
    }
  })()
  kept <- without_rest(fn)
  expect_setequal(ls(environment(kept)), c("log", "size"))
  x <- small_matrix()
  expect_equal(kept(x), abs(colMeans(x)) + 2)
  expect_identical(told$n, nrow(x))
})
