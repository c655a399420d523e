# One lasso path of each package beside the others: one thread, one problem, one grid, with the
# optimality of every solution judged here and not by the solver.
#
#   Rscript bench/equal-accuracy.R check       # small data, no times: do all solve one problem?
#   Rscript bench/equal-accuracy.R [minutes]   # times; rows in equal-accuracy.csv are not measured
#                                              # again (delete those that are to be)
#
# Peers that are not installed are installed into .build/solvers; one that cannot be is left out,
# and said.
#
# All minimise -loglik(b0 + x b) / n + lambda * |b|_1 (several classes: the sum of the norms of a
# feature's coefficients) on 100 penalties down to a hundredth of the first. Columns have mean 0 and
# mean square 1 before; survival times have no ties. "full": all penalties, up to 99.9 % of the
# deviance. "to20": down to the first model of 20 features; peers are told the number of these
# penalties, ours is asked for max_features = 20, as a user would.
#
# Accuracy "default": the tolerance that each package has. "equal": the loosest of some tolerances
# with which the largest violation of the optimality conditions is a thousandth of the penalty; none
# if no tolerance reaches it in 20 s. `other_features`: of the model at the last penalty, features
# that only this solver or only the most exact one has.

source(file.path("bench", "bench-helpers.R"))
source(file.path("bench", "equal-accuracy-solvers.R"))
results <- file.path("bench", "equal-accuracy.csv")
target <- 1e-3
most_seconds <- 20
library(stabilect)

install_peers <- function(library = file.path(".build", "solvers")) {
  dir.create(library, recursive = TRUE, showWarnings = FALSE)
  .libPaths(c(library, .libPaths()))
  for (name in setdiff(names(solvers), "stabilect")) {
    if (requireNamespace(name, quietly = TRUE)) next
    try(utils::install.packages(name, lib = library, quiet = TRUE))
    if (!requireNamespace(name, quietly = TRUE)) message(name, " cannot be installed: left out")
  }
  Filter(function(name) requireNamespace(name, quietly = TRUE), names(solvers))
}

# ---- data

make_study <- function(n, p, design, seed) {
  withr::with_seed(seed, {
    x <- matrix(stats::rnorm(n * p), n)
    if (design == "factors") {
      shared <- matrix(stats::rnorm(n * 5), n) %*% matrix(stats::rnorm(5 * p), 5) / sqrt(5)
      x <- sqrt(0.3) * x + sqrt(0.7) * shared
    }
    x <- sweep(x, 2, colMeans(x))
    x <- sweep(x, 2, sqrt(colMeans(x^2)), "/")
    colnames(x) <- paste0("f", seq_len(p))
    true <- x[, sample(p, min(20, p)), drop = FALSE]
    eta <- drop(scale(true %*% sample(c(-1, 1), ncol(true), TRUE)))
    links <- 2 * true %*% matrix(stats::rnorm(ncol(true) * 4), ncol = 4) / sqrt(ncol(true))
    time <- stats::rexp(n, exp(1.5 * eta))
    censored <- stats::rexp(n, 0.5)
    list(
      x = x, gaussian = eta + stats::rnorm(n),
      binomial = as.integer(stats::runif(n) < stats::plogis(2 * eta)),
      poisson = stats::rpois(n, exp(0.8 * eta + 0.5)),
      cox = cbind(time = pmin(time, censored), status = as.integer(time <= censored)),
      multinomial = max.col(links - log(-log(matrix(stats::runif(4 * n), n))), "first")
    )
  })
}

# ---- the judge

# The loss at a linear predictor, and minus its derivatives times n.
loss_at <- function(family, y, eta) {
  switch(family,
    gaussian = list(loss = mean((y - eta)^2) / 2, r = y - eta),
    binomial = list(
      loss = mean(pmax(eta, 0) + log1p(exp(-abs(eta))) - y * eta), r = y - stats::plogis(eta)
    ),
    poisson = list(loss = mean(exp(eta) - y * eta), r = y - exp(eta)),
    cox = {
      order <- order(y[, "time"], decreasing = TRUE)
      top <- max(eta)
      risk <- exp(eta[order] - top)
      event <- y[order, "status"]
      sums <- cumsum(risk)
      r <- numeric(length(eta))
      r[order] <- event - risk * rev(cumsum(rev(event / sums)))
      list(loss = -sum(event * (eta[order] - top - log(sums))) / length(eta), r = r)
    },
    multinomial = {
      top <- apply(eta, 1, max)
      risk <- exp(eta - top)
      own <- indicator(y)
      list(
        loss = mean(top + log(rowSums(risk)) - rowSums(own * eta)), r = own - risk / rowSums(risk)
      )
    }
  )
}

row_norms <- function(b) sqrt(rowSums(b^2))

# @return list(objective, violation (relative to the penalty), features).
judge_model <- function(family, x, y, b0, b, lambda) {
  b <- as.matrix(b)
  used <- which(rowSums(b != 0) > 0)
  eta <- x[, used, drop = FALSE] %*% b[used, , drop = FALSE]
  eta <- if (family == "multinomial") sweep(eta, 2, b0, "+") else drop(eta) + b0
  at <- loss_at(family, y, eta)
  slope <- crossprod(x, at$r) / nrow(x)
  size <- row_norms(b)
  violation <- pmax(row_norms(slope) - lambda, 0)
  wanted <- lambda * b[used, , drop = FALSE] / size[used]
  violation[used] <- row_norms(slope[used, , drop = FALSE] - wanted)
  free <- if (family == "cox") 0 else max(abs(colSums(as.matrix(at$r)))) / nrow(x)
  list(
    objective = at$loss + lambda * sum(size), violation = max(violation, free) / lambda,
    features = used
  )
}

# @return list of judge_model(), one for each penalty that was solved; a string for an error.
judge_path <- function(solver, family, study, data, lambda, tolerance, ...) {
  found <- tryCatch(suppressWarnings({
    fit <- solvers[[solver]]$fit(family, data, lambda, tolerance, ...)
    solvers[[solver]]$take(family, fit, lambda)
  }), error = conditionMessage)
  if (is.character(found)) {
    return(found)
  }
  lapply(seq_along(found$b), function(l) {
    judge_model(family, study$x, study[[family]], found$b0[[l]], found$b[[l]], lambda[l])
  })
}

largest_violation <- function(path) max(vapply(path, `[[`, 0, "violation"))
sizes_of <- function(path) vapply(path, function(model) length(model$features), 0L)

null_model <- function(family, y, n) {
  switch(family,
    gaussian = rep(mean(y), n), binomial = rep(stats::qlogis(mean(y)), n),
    poisson = rep(log(mean(y)), n), cox = numeric(n),
    multinomial = matrix(log(tabulate(y) / n), n, max(y), byrow = TRUE)
  )
}

grid_of <- function(family, study, n_lambda = 100, ratio = 0.01) {
  y <- study[[family]]
  at <- loss_at(family, y, null_model(family, y, nrow(study$x)))
  top <- max(row_norms(crossprod(study$x, at$r) / nrow(study$x)))
  top * exp(seq(0, log(ratio), length.out = n_lambda))
}

# ---- times

# What a call gives, or NULL if it takes longer: compiled loops cannot be stopped from within.
within_seconds <- function(call, seconds) {
  if (.Platform$OS.type == "windows") {
    return(call())
  }
  job <- parallel::mcparallel(call())
  found <- parallel::mccollect(job, wait = FALSE, timeout = seconds)
  if (is.null(found)) tools::pskill(job$pid, tools::SIGKILL)
  parallel::mccollect(job)
  found[[1]]
}

equal_tolerance <- function(solver, family, study, data, lambda) {
  for (tolerance in sort(solvers[[solver]]$tolerances, decreasing = TRUE)) {
    path <- within_seconds(
      function() judge_path(solver, family, study, data, lambda, tolerance), most_seconds
    )
    if (is.null(path)) {
      return(NA_real_)
    }
    solved <- is.list(path) && length(path) == length(lambda)
    if (solved && isTRUE(largest_violation(path) <= target)) {
      return(tolerance)
    }
  }
  NA_real_
}

# Calls that take less than 0.3 s are repeated until they do.
again <- function(call) {
  once <- cpu_seconds(call())
  n <- min(200, ceiling(0.3 / max(once, 0.001)))
  if (n <= 1) once else cpu_seconds(for (k in seq_len(n)) call()) / n
}

settings_of <- function(names, family, study, data, lambda) {
  rows <- do.call(rbind, lapply(names, function(solver) {
    equal <- equal_tolerance(solver, family, study, data[[solver]], lambda)
    data.frame(
      solver, accuracy = c("default", "equal"),
      tolerance = c(solvers[[solver]]$tolerances[1], equal)
    )
  }))
  rows[!is.na(rows$tolerance), ]
}

measure_task <- function(task, family, study, data, grid, reference) {
  sizes <- sizes_of(reference)
  end <- if (task == "full") length(grid) else c(which(sizes >= 20), length(grid))[1]
  lambda <- grid[seq_len(end)]
  rows <- settings_of(names(data), family, study, data, lambda)
  exact <- reference[[end]]$features
  paths <- Map(function(solver, tolerance) {
    judge_path(solver, family, study, data[[solver]], lambda, tolerance)
  }, rows$solver, rows$tolerance)
  of_solved <- function(fun) {
    vapply(paths, function(path) if (is.list(path)) fun(path) else NA_real_, 0)
  }
  rows$penalties <- of_solved(function(path) length(path) + 0)
  rows$largest <- of_solved(function(path) max(sizes_of(path)) + 0)
  rows$violation <- of_solved(largest_violation)
  rows$other_features <- of_solved(function(path) {
    if (length(path) < end) return(NA_real_)
    own <- path[[end]]$features
    length(setdiff(own, exact)) + length(setdiff(exact, own))
  })
  times <- replicate(3, vapply(seq_len(nrow(rows)), function(k) {
    own <- task == "to20" && rows$solver[k] == "stabilect"
    more <- if (own) list(max_features = 20L)
    settings <- list(family, data[[rows$solver[k]]], if (own) grid else lambda, rows$tolerance[k])
    again(function() {
      tryCatch(suppressWarnings(do.call(solvers[[rows$solver[k]]]$fit, c(settings, more))),
        error = function(e) NULL)
    })
  }, 0))
  rows$ms <- 1000 * apply(matrix(times, nrow(rows)), 1, stats::median)
  rows$version <- vapply(rows$solver, function(name) format(utils::packageVersion(name)), "")
  rows
}

measure_cell <- function(names, family, n, p, design) {
  study <- make_study(n, p, design, 20261128)
  names <- Filter(function(name) family %in% solvers[[name]]$families, names)
  # Ten and more times slower than the others in all small cells.
  if (n * p > 2e5) names <- setdiff(names, "biglasso")
  data <- lapply(stats::setNames(nm = names), function(name) {
    solvers[[name]]$prepare(family, study$x, study[[family]])
  })
  grid <- grid_of(family, study)
  # The most exact of ours; paths end where it has explained 99.9 % of the deviance.
  reference <- judge_path("stabilect", family, study, data$stabilect, grid, 1e-8)
  grid <- grid[seq_along(reference)]
  for (task in c("full", "to20")) {
    rows <- measure_task(task, family, study, data, grid, reference)
    record("equal accuracy", cbind(data.frame(family, n, p, design, task), rows), file = results)
  }
}

# Every solver, with its tightest tolerance that reaches the last penalty, has our objective.
check_problems <- function(names) {
  cells <- expand.grid(family = solvers$stabilect$families, size = 1:3, stringsAsFactors = FALSE)
  for (k in seq_len(nrow(cells))) {
    size <- list(c(40, 60), c(60, 30), c(50, 200))[[cells$size[k]]]
    family <- cells$family[k]
    study <- make_study(size[1], size[2], "factors", 11)
    lambda <- grid_of(family, study, 20, 0.1)
    for (solver in Filter(function(name) family %in% solvers[[name]]$families, names)) {
      data <- solvers[[solver]]$prepare(family, study$x, study[[family]])
      for (tolerance in sort(solvers[[solver]]$tolerances)) {
        path <- judge_path(solver, family, study, data, lambda, tolerance)
        if (is.list(path) && length(path) == length(lambda)) break
      }
      objective <- vapply(path, `[[`, 0, "objective")
      if (solver == "stabilect") ours <- objective
      cat(sprintf(
        "%-12s %d x %-4d %-10s violation %.1e, objective off by %.1e\n", family, size[1], size[2],
        solver, largest_violation(path), max(abs(objective / ours - 1))
      ))
    }
  }
}

asked <- commandArgs(TRUE)
installed <- install_peers()
if (identical(asked[1], "check")) {
  check_problems(installed)
} else {
  minutes <- if (is.na(asked[1])) Inf else as.numeric(asked[1])
  cells <- expand.grid(
    family = solvers$stabilect$families, design = c("independent", "factors"),
    size = c("100 2000", "200 20000", "1000 5000", "60 500"), stringsAsFactors = FALSE
  )
  # Cox last: no peer reaches the tolerance there soon.
  cells <- cells[order(cells$family == "cox"), ]
  done <- if (file.exists(results)) utils::read.csv(results)
  for (k in seq_len(nrow(cells))) {
    if (sum(proc.time()[c(1, 4)]) > 60 * minutes) break
    size <- as.integer(strsplit(cells$size[k], " ")[[1]])
    known <- done$family == cells$family[k] & done$design == cells$design[k] &
      done$n == size[1] & done$p == size[2]
    if (any(known)) next
    measure_cell(installed, cells$family[k], size[1], size[2], cells$design[k])
  }
}
