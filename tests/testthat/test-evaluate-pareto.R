# By definition, point against point.
plain_front <- function(a, b) {
  vapply(seq_along(a), function(i) {
    !any(a >= a[i] & b >= b[i] & (a > a[i] | b > b[i]))
  }, NA)
}

test_that("the front is the definition's, with ties, in all directions", {
  withr::with_seed(1, {
    for (trial in 1:12) {
      n <- sample(1:30, 1)
      points <- data.frame(a = sample(0:6, n, TRUE), b = sample(0:6, n, TRUE))
      for (direction in list(c("max", "max"), c("min", "max"), c("max", "min"), c("min", "min"))) {
        front <- pareto_front(points, direction = direction)
        sign <- ifelse(direction == "max", 1, -1)
        expect_identical(front$on_front, plain_front(sign[1] * points$a, sign[2] * points$b))
        expect_false(is.unsorted(-sign[1] * front$table$a))
        expect_false(is.unsorted(sign[2] * front$table$b))
      }
    }
  })
})

test_that("points with missing values are never on the front", {
  points <- cbind(a = c(NA, 1, 3), b = c(9, 2, NA))
  expect_identical(pareto_front(points)$table$row, 2L)
  expect_error(pareto_front(points[c(1, 3), ]), class = "stabilect_error_input")
})

test_that("the hull is what some gamma chooses, and gammas are from where to where", {
  withr::with_seed(2, {
    for (trial in 1:8) {
      points <- data.frame(a = round(runif(25), 2), b = round(runif(25), 2))
      front <- pareto_front(points)
      table <- front$table
      gammas <- seq(0.0005, 0.9995, 0.001)
      best <- vapply(gammas, function(g) max(g * points$a + (1 - g) * points$b), 0)
      ok <- vapply(seq_len(nrow(table)), function(i) {
        value <- gammas * table$a[i] + (1 - gammas) * table$b[i]
        wins <- value >= best - 1e-12
        # No stretch of gammas without a corner; a single one where a point lies on an edge.
        if (!table$hull[i]) {
          return(sum(wins) <= 1)
        }
        inside <- gammas > table$gamma_from[i] + 1e-9 & gammas < table$gamma_to[i] - 1e-9
        outside <- gammas < table$gamma_from[i] - 1e-9 | gammas > table$gamma_to[i] + 1e-9
        all(wins[inside]) && !any(wins[outside])
      }, NA)
      expect_true(all(ok))
      picked <- selected(front, gammas)
      expect_equal(picked$value, best, tolerance = 1e-12)
    }
  })
})

test_that("equal points share their place on hull and front", {
  points <- data.frame(a = c(1, 2, 2, 0), b = c(1, 0, 0, 1.5))
  front <- pareto_front(points)
  expect_identical(front$table$row, c(2L, 3L, 1L, 4L))
  expect_identical(front$table$hull, rep(TRUE, 4))
  expect_identical(front$table$gamma_to[1:2], c(1, 1))
  expect_identical(selected(front, 1)$row, 2L)
  same <- pareto_front(data.frame(a = c(1, 1), b = c(2, 2)))
  expect_identical(same$table$gamma_from, c(0, 0))
  expect_false(any(same$table$knee))
})

test_that("the knee is the point farthest above the line between the ends", {
  knee_of <- function(points) {
    table <- pareto_front(points)$table
    table$row[table$knee]
  }
  points <- data.frame(a = c(10, 9.5, 7, 0), b = c(0, 3, 5, 6))
  # Scaled: (1, 0), (0.95, 0.5), (0.7, 5 / 6), (0, 1); sums 1.45 and 1.533.
  expect_identical(knee_of(points), 3L)
  expect_identical(knee_of(data.frame(a = 3:1, b = 1:3)), integer())
  expect_identical(knee_of(data.frame(a = c(2, 0.5, 0), b = c(0, 0.4, 2))), integer())
})

test_that("the volume is the dominated area", {
  volume_of <- function(x, reference = c(0, 0)) pareto_front(x, reference = reference)$volume
  points <- data.frame(a = c(3, 2, 1, 1), b = c(1, 2, 4, 3))
  expect_identical(volume_of(points), 3 * 1 + 2 * 1 + 1 * 2)
  expect_identical(volume_of(points, c(1, 0)), 2 * 1 + 1 * 1)
  cost <- data.frame(a = -points$a, b = points$b)
  front <- pareto_front(cost, direction = c("min", "max"))
  expect_identical(volume_of(front), 7)
  expect_error(volume_of(front, 0), class = "stabilect_error_input")
  expect_error(volume_of(points, c(5, 5)), class = "stabilect_error_input")
  withr::with_seed(3, {
    random <- data.frame(a = runif(40), b = runif(40))
    grid <- expand.grid(a = ppoints(300), b = ppoints(300))
    hit <- Reduce(`|`, lapply(1:40, function(i) grid$a <= random$a[i] & grid$b <= random$b[i]))
    expect_equal(volume_of(random), mean(hit), tolerance = 5e-3)
  })
})

test_that("bad input is refused", {
  bad <- function(...) expect_error(pareto_front(...), class = "stabilect_error_input")
  bad(1:3)
  bad(data.frame(a = 1))
  bad(data.frame(a = "x", b = 1))
  bad(data.frame(a = Inf, b = 1))
  bad(data.frame(a = 1, b = 2), objectives = c("a", "z"))
  bad(data.frame(a = 1, b = 2), direction = "up")
  one <- pareto_front(data.frame(a = 1, b = 2))
  expect_error(selected(one, 1.2), class = "stabilect_error_input")
})

test_that("objectives are chosen by name; print and picture show the front", {
  points <- data.frame(id = 1:3, size = c(5, 9, 2), accuracy = c(0.8, 0.9, 0.8))
  front <- pareto_front(points, c("accuracy", "size"), c("max", "min"))
  expect_identical(front$table$row, 2:3)
  expect_output(print(front), "2 of 3 points on the front")
  expect_identical(nrow(summary(front)), 2L)
  skip_if_not_installed("ggplot2")
  expect_identical(nrow(ggplot2::layer_data(ggplot2::autoplot(front), 3)), 2L)
})
