# The strength at which simulated outcomes imitate the data.

# The cells of the grid: each n_true with each of its strengths.
# @param each (seconds) that an outcome takes afterwards, or NA.
# @return list(cells (data frame: n_true, r_squared, diffuse, matched), error (data frame, or NULL),
#   observed, like (of read_diffuse(), or NULL)).
choose_strengths <- function(study, z, asked, seed, control, each = NA_real_) {
  # Without signal there is no strength to match.
  if (all(asked$n_true == 0L)) asked$r_squared <- 0
  if (!is.null(asked$r_squared)) {
    cells <- expand.grid(r_squared = asked$r_squared, n_true = asked$n_true)[2:1]
    cells$r_squared[cells$n_true == 0L] <- 0
    cells <- cbind(unique(cells), diffuse = 0, matched = FALSE)
    return(list(cells = cells, error = NULL, observed = NA_real_))
  }
  response <- study$response
  n_cells <- length(asked$n_true)
  expect_strengths(n_cells - any(asked$n_true == 0L), list(
    "Error rates" = function(before) asked$n_simulations * n_cells * each
  ))
  observed <- reference_error(
    study$x, response_labels(response), seed, control$n_threads, asked_family(response$type)
  )
  like <- read_diffuse(response, z)
  draw <- with_data(function(n_true, at, seed) {
    drawn <- simulate_response(study, z, n_true, at$r_squared, seed, at$diffuse, like)
    c(list(x = study$x), drawn)
  }, study = study, z = z, like = like)
  error <- search_strengths(draw, observed, setdiff(asked$n_true, 0L), seed, control)
  cells <- bind_rows_of(asked$n_true, function(size) {
    if (size == 0L) {
      return(data.frame(n_true = 0L, r_squared = 0, diffuse = 0, matched = TRUE))
    }
    one <- error[error$n_true == size, ]
    at <- match_strength(one$step, one$error, observed)
    data.frame(n_true = size, strength_at(at), matched = TRUE)
  })
  error$step <- NULL
  list(cells = cells, error = error, observed = observed, like = like)
}

# The out-of-bag error that compares strengths; for numbers relative to their variance.
reference_error <- function(x, y, seed, n_threads, family = NULL) {
  oob <- oob_of_fealect(x, y, seed, n_threads, family)
  relative <- is.numeric(y) && !is_survival(y)
  if (is.null(oob)) NA_real_ else oob$error / if (relative) oob$baseline else 1
}

# The strength at which the monotone error equals the observed one.
# @param strength (numeric, increasing), error: there.
match_strength <- function(strength, error, observed) {
  falling <- -stats::isoreg(strength, -error)$yf
  falling <- falling - 1e-9 * seq_along(falling)
  stats::approx(rev(falling), rev(strength), observed, rule = 2)$y
}

# Strengths from the weakest (step 1) to the strongest (step 7). Half of the signal is diffuse, and
# more where half is not enough.
# @return data frame: r_squared, diffuse.
strength_at <- function(step) {
  between <- function(values) stats::approx(seq_along(values), values, step)$y
  data.frame(
    r_squared = between(c(0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)),
    diffuse = between(c(0.5, 0.5, 0.5, 0.5, 0.5, 0.75, 0.95))
  )
}

# Outcomes of each turn of the search.
outcomes_each_turn <- c(4L, 5L, 7L)

# The error of the data, which comes first, speaks for the search and for what follows.
# @param then (list) costs of these stages, see expect_stages().
expect_strengths <- function(n_sizes, then) {
  n_errors <- sum(outcomes_each_turn) * n_sizes
  expect_stages(c(Strength = function(before) n_errors * before, then))
}

# The errors of three strengths: bisection, which ends between two neighbours, with more outcomes
# the closer it comes.
# @param draw function(n_true, at (row of strength_at()), seed): list(x, y, family, spread).
# @return data frame, three rows for each size: n_true, r_squared, diffuse, error (mean), error_se,
#   spread (mean), step.
search_strengths <- function(draw, observed, sizes, seed, control, n_each = outcomes_each_turn) {
  expect_stages(stats::setNames(n_each, rep("Strength", length(n_each))))
  # The same features and noise at every strength.
  seeds <- child_seeds(seed, max(n_each))
  n_threads <- control$n_threads
  step <- rep(4, length(sizes))
  found <- list()
  for (turn in 1:3) {
    grid <- expand.grid(set = seq_len(n_each[turn]), size = seq_along(sizes))
    grid$step <- step[grid$size]
    done <- run_tasks(nrow(grid), with_data(function(k) {
      own <- seeds[grid$set[k]]
      drawn <- draw(sizes[grid$size[k]], strength_at(grid$step[k]), own)
      c(reference_error(drawn$x, drawn$y, own, n_threads, drawn$family), drawn$spread)
    }, draw = draw, grid = grid, sizes = sizes, seeds = seeds, n_threads = n_threads),
    control, "Strength")
    own <- split(do.call(rbind.data.frame, lapply(done, as.list)), grid$size)
    rows <- bind_rows_of(seq_along(sizes), function(k) {
      error <- own[[k]][[1L]]
      data.frame(
        n_true = sizes[k], strength_at(step[k]), error = mean(error),
        error_se = stats::sd(error) / sqrt(length(error)), spread = mean(own[[k]][[2L]]),
        step = step[k]
      )
    })
    found <- c(found, list(rows))
    step <- step + c(2, 1, 0)[turn] * ifelse(rows$error > observed, 1, -1)
  }
  found <- do.call(rbind, found)
  found <- found[order(found$n_true, found$step), ]
  rownames(found) <- NULL
  found
}
