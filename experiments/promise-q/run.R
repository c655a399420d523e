# Which q should stability selection take where only `pfer` is given and a cutoff bounds it? Lists
# at many q, on the same runs, over real features.
# Rscript run.R [repetitions, 60]; adds cells that are missing to results/lists.csv.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
target <- file.path(folder, "lists.csv")
repetitions <- c(as.numeric(commandArgs(trailingOnly = TRUE)), 60)[1]

promises <- c(0.1, 1, 5)
grid <- c(1:6, 8, 10, 12, 15, 18, 22, 26, 31, 37, 44, 53, 64)

# Constant columns and copies of others are left out, since no list can tell them apart. Classes:
# the first against the others.
real <- function(x, y) {
  x <- unname(as.matrix(x)) + 0
  x <- scale(x[, apply(x, 2, stats::sd) > 0])[, ]
  x <- x[, !duplicated(abs(t(signif(x, 10))))]
  colnames(x) <- paste0("f", seq_len(ncol(x)))
  list(x = x, y = as.numeric(y == levels(factor(y))[1]))
}
stored <- function(name) {
  set <- experiment_data(name)
  real(set$x, set$y)
}
sets <- list(
  mcl_sll = function() real(mcl_sll[, -1], mcl_sll$MCL),
  colon = function() real(log2(colon_genes$x), colon_genes$y),
  gastro = function() stored("gastro_WL"),
  gravier = function() stored("gravier"),
  sonar = function() stored("sonar"),
  nki500 = function() stored("nki500_survivALL")
)

# Number of true features, all of one size with random signs, and their share of the variance (of
# classes: of the latent variable, which is cut at its median). `permuted`: the outcome of the set.
cells <- data.frame(
  truth = c("none", "permuted", "few", "many", "classes"), n_true = c(0, 0, 3, 10, 5),
  share = c(0, 0, 0.8, 0.8, 0.9)
)

draw_outcome <- function(set, cell) {
  x <- set$x
  true <- sample(ncol(x), cell$n_true)
  y <- if (cell$truth == "permuted") sample(set$y) else stats::rnorm(nrow(x))
  if (cell$n_true > 0L) {
    eta <- drop(x[, true] %*% sample(c(-1, 1), cell$n_true, replace = TRUE))
    y <- sqrt(cell$share) * eta / stats::sd(eta) + sqrt(1 - cell$share) * y
  }
  if (cell$truth == "classes") y <- as.numeric(y > stats::median(y))
  list(y = y, true = true)
}

# The cutoff of each promise and q; NA where there is none.
cutoffs_of <- function(p, sizes) {
  vapply(promises, function(pfer) {
    vapply(sizes, function(q) {
      tryCatch(error_bound(p, q = q, pfer = pfer)$cutoff, stabilect_error_bound = function(e) NA)
    }, 0)
  }, sizes + 0)
}

# Selection frequencies (p x sizes): the first model with so many features of each run, or the
# largest smaller one. stability_selection() reads one size at a time, and takes longer.
frequencies_at <- function(paths, p, sizes) {
  n_runs <- length(paths$run_events)
  counts <- matrix(0, p, length(sizes))
  first <- c(0L, paths$run_events)
  for (b in seq_len(n_runs)) {
    events <- paths$event[seq_len(first[b + 1L] - first[b]) + first[b]]
    ends <- paths$event_end[seq_len(paths$run_steps[b] - c(0L, paths$run_steps)[b]) +
      c(0L, paths$run_steps)[b]]
    size <- cumsum(sign(events))[ends]
    for (k in seq_along(sizes)) {
      fits <- which(size <= sizes[k])
      if (length(fits) == 0L) next
      model <- events[seq_len(ends[fits[which.max(size[fits])]])]
      inside <- model[!duplicated(abs(model), fromLast = TRUE)]
      inside <- inside[inside > 0]
      counts[inside, k] <- counts[inside, k] + 1
    }
  }
  counts / n_runs
}

one_outcome <- function(set, cell, sizes, cutoffs, seed) {
  set.seed(seed)
  drawn <- draw_outcome(set, cell)
  x <- set$x
  r <- abs(stats::cor(x, x[, drawn$true, drop = FALSE]))
  near <- rowSums(r > 0.5) > 0
  # The runs are of all q; the cutoff plays no role here.
  fit <- suppressMessages(stability_selection(
    x, drawn$y, q = max(sizes), cutoff = 1, seed = seed, progress = FALSE
  ))
  judge <- function(at) c(length(at), sum(at %in% drawn$true), sum(!near[at]))
  frequency <- frequencies_at(fit$paths, ncol(x), sizes)
  table <- fit$table
  stopifnot(identical(fit$study$feature_names, colnames(x)), all.equal(
    table$frequency, frequency[match(table$feature, colnames(x)), length(sizes)]
  ))
  by_q <- lapply(seq_along(sizes), function(k) {
    vapply(cutoffs[k, ], function(cutoff) {
      judge(if (is.na(cutoff)) integer() else which(frequency[, k] >= cutoff - 1e-9))
    }, numeric(3))
  })
  # The default, a bound along whole paths, for comparison.
  whole <- suppressWarnings(stability_selection(fit, pfer = 1, bound = "integrated"))$table
  values <- c(by_q, list(vapply(promises, function(pfer) {
    judge(match(whole$feature[whole$pfer <= pfer], colnames(x)))
  }, numeric(3))))
  array(unlist(values), c(3L, length(promises), length(values)))
}

one_cell <- function(name, set, cell) {
  p <- ncol(set$x)
  half <- nrow(set$x) %/% 2
  usual <- floor(sqrt(0.98 * p * c(promises)))
  sizes <- sort(unique(pmin(c(grid[grid < 1.3 * max(usual)], usual), p)))
  sizes <- sizes[sizes < half | sizes %in% usual]
  cutoffs <- cutoffs_of(p, sizes)
  lists <- vapply(seq_len(repetitions), function(seed) {
    one_outcome(set, cell, sizes, cutoffs, seed)
  }, array(0, c(3L, length(promises), length(sizes) + 1L)))
  rows <- expand.grid(pfer = promises, q = c(sizes, NA))
  means <- apply(lists, 1:3, mean)
  errors <- apply(lists, 1:3, stats::sd) / sqrt(repetitions)
  some <- apply(lists[1, , , , drop = FALSE] > 0, 2:3, mean)
  data.frame(
    set = name, truth = cell$truth, half = half, p = p, rows, cutoff = c(t(cutoffs), NA, NA, NA),
    named = c(means[1, , ]), true = c(means[2, , ]), unrelated = c(means[3, , ]),
    any = c(some), true_se = c(errors[2, , ]), unrelated_se = c(errors[3, , ]),
    repetitions = repetitions
  )
}

done <- if (file.exists(target)) utils::read.csv(target)
for (name in names(sets)) {
  left <- cells[!paste(name, cells$truth) %in% paste(done$set, done$truth), ]
  if (nrow(left) == 0L) next
  set <- sets[[name]]()
  for (k in seq_len(nrow(left))) {
    rows <- one_cell(name, set, left[k, ])
    numbers <- vapply(rows, is.double, NA)
    rows[numbers] <- lapply(rows[numbers], signif, 3)
    done <- rbind(done, rows)
    utils::write.csv(done, target, row.names = FALSE)
  }
}
