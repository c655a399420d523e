# Beside a sample size plan: pairs of simulated studies with known true features.

check_simulated <- function(n_simulations) {
  n_simulations <- check_count(n_simulations, min = 0)
  refuse(n_simulations == 1L,
    "{.arg n_simulations} must be 0 or at least 2: one pair of studies has no standard error."
  )
  n_simulations
}

check_n_true <- function(n_true, p) {
  if (is.null(n_true)) {
    sizes <- c(10L, 30L, 100L)
    return(if (p > 10L) sizes[sizes < p] else max(1L, p %/% 2L))
  }
  n_true <- check_true_sizes(n_true, p)
  refuse(any(n_true == 0L),
    "{.arg n_true} must be at least 1: without true features no strength can be found."
  )
  n_true
}

check_imitable <- function(study, n_true) {
  one <- outcome_of(study$response)
  refuse(!one$is_number,
    c("{.arg n_simulations} must be 0 for {one$words}.",
      i = "Studies are simulated for two classes and for numbers."
    )
  )
  if (has_own_blocks(study$response$blocks) || !is.null(study$response$covariates)) {
    what <- if (is.null(study$response$covariates)) "blocks" else "covariates"
    abort("{.arg n_simulations} must be 0 with {what}: simulated samples have none.")
  }
  refuse(has_row_values(study$response),
    "{.arg n_simulations} must be 0 with weights or an offset: simulated samples have none."
  )
  n_varying <- length(read_likeness(study)$columns)
  refuse(max(n_true) > n_varying,
    "{.arg n_true} must be at most {n_varying}, the features that vary."
  )
}

# Half, once, twice and four times the number of samples.
simulated_sizes <- function(n) c(n %/% 2L, n, 2L * n, 4L * n)

# @return data frame, see estimate_sample_size(): one row per number of true features and size.
simulate_studies <- function(study, procedure, asked, seed, control) {
  like <- read_likeness(study)
  strengths <- imitated_strengths(study, like, asked$n_true, seed, control)
  sizes <- simulated_sizes(study$n)
  grid <- expand.grid(set = seq_len(asked$n_simulations), cell = seq_len(nrow(strengths)))
  # The first seeds found the strengths.
  seeds <- child_seeds(seed, asked$n_simulations + 7L)[-(1:7)]
  n_threads <- control$n_threads
  done <- run_tasks(nrow(grid), with_data(function(k) {
    cell <- strengths[grid$cell[k], ]
    own <- seeds[grid$set[k]]
    drawn <- imitate_samples(like, 2L * max(sizes), cell$n_true, cell$r_squared, own)
    judge_simulated(study, drawn, procedure, sizes, asked, own, n_threads)
  }, study = study, like = like, procedure = procedure, sizes = sizes, asked = asked,
  grid = grid, seeds = seeds, strengths = strengths, n_threads = n_threads), control, "Simulation")
  bind_rows_of(seq_len(nrow(strengths)), function(cell) {
    pairs <- done[grid$cell == cell]
    summarise_simulated(pairs, strengths[cell, ], sizes, n_varying(study))
  })
}

# Two studies, and the first samples of each as smaller studies.
# @return matrix, one column a size, NA where the procedure failed.
judge_simulated <- function(study, drawn, procedure, sizes, asked, seed, n_threads) {
  study$x <- drawn$x
  study$n <- nrow(drawn$x)
  study$response <- drawn$response
  study[c("twins", "hash_of_x", "imputed", "missing")] <- NULL
  study["sample_names"] <- list(NULL)
  halves <- draw_halves(study$n, strata_of(drawn$response), seed)
  seeds <- child_seeds(seed, 2L * length(sizes))
  vapply(seq_along(sizes), function(k) {
    parts <- lapply(1:2, function(side) {
      rows <- sort(halves[[side]][seq_len(sizes[k])])
      own <- seeds[2L * k - 2L + side]
      result <- answer_on(procedure, study, rows, own, n_threads)
      judge_part(result, study, rows, asked, procedure$name, own)
    })
    if (any(vapply(parts, is.character, NA))) {
      return(c(common = NA, size_1 = NA, size_2 = NA, power = NA, fdr = NA, error = NA) + 0)
    }
    sets <- lapply(parts, `[[`, "set")
    true <- vapply(sets, function(set) sum(set %in% drawn$truth), 0)
    size <- lengths(sets)
    c(
      common = length(intersect(sets[[1]], sets[[2]])), size_1 = size[1], size_2 = size[2],
      power = mean(true) / length(drawn$truth), fdr = mean((size - true) / pmax(size, 1)),
      error = (parts[[1]]$error + parts[[2]]$error) / 2
    )
  }, numeric(6))
}

# @param pairs list of judge_simulated(). Standard errors by the jackknife over pairs.
summarise_simulated <- function(pairs, strength, sizes, p) {
  of <- function(name) do.call(rbind, lapply(pairs, function(one) one[name, ]))
  measured <- lapply(stats::setNames(nm = c("common", "size_1", "size_2")), of)
  stability <- function(at) {
    stability_of_pairs(
      measured$common[at, , drop = FALSE], measured$size_1[at, , drop = FALSE],
      measured$size_2[at, , drop = FALSE], p
    )
  }
  mean_of <- function(name) function(at) colMeans(of(name)[at, , drop = FALSE], na.rm = TRUE)
  estimates <- list(
    stability = stability, n_again = mean_of("common"), power = mean_of("power"),
    fdr = mean_of("fdr"), error = mean_of("error")
  )
  all <- seq_along(pairs)
  columns <- lapply(estimates, function(estimate) {
    without <- do.call(cbind, lapply(all, function(k) estimate(all[-k])))
    spread <- rowMeans((without - rowMeans(without))^2)
    data.frame(value = estimate(all), se = sqrt((length(all) - 1) * spread))
  })
  wide <- do.call(cbind, columns)
  names(wide) <- sub("[.]se$", "_se", sub("[.]value$", "", names(wide)))
  data.frame(strength, n = sizes, wide, row.names = NULL)
}

# The rows for the number of true features whose lists agree most nearly like the lists of the
# largest parts.
nearest_simulation <- function(x) {
  at_half <- x$simulated[x$simulated$n == min(x$simulated$n), ]
  apart <- abs(at_half$stability - observed_at_half(x))
  # Without any list there is no agreement to compare.
  nearest <- c(which.min(apart), 1L)[1]
  x$simulated[x$simulated$n_true == at_half$n_true[nearest], ]
}

observed_at_half <- function(x) utils::tail(x$table$stability[x$table$kind == "measured"], 1)
