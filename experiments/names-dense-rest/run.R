# Rscript run.R [minutes]: results/outcomes.csv, a row for each simulated outcome,
# results/crohn.csv, a row for each seed, and results/null.csv, a row for each set without signal.
# Rows that are there are not computed again; it stops after the minutes (of each of the three).

library(stabilect)

given <- commandArgs(TRUE)
minutes <- if (length(given) > 0L) as.numeric(given[1]) else 60
file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
results <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")

# Calls `work` for each row of `cells` that the file does not have, and appends what it returns.
fill <- function(name, cells, work) {
  path <- file.path(results, name)
  until <- Sys.time() + 60 * minutes
  known <- if (file.exists(path)) utils::read.csv(path)
  id <- function(rows) do.call(paste, rows[names(cells)])
  for (k in which(!id(cells) %in% if (!is.null(known)) id(known))) {
    if (Sys.time() > until) break
    cell <- cells[k, , drop = FALSE]
    row <- cbind(cell, work(cell))
    utils::write.table(
      row, path, append = file.exists(path), sep = ",", row.names = FALSE, quote = FALSE,
      col.names = !file.exists(path)
    )
  }
}

# Standardised features with effects in standard deviations of the errors. `rest`: the standard
# deviation of what all features add.
draw <- function(n, p, n_true, effect, rest, outcome) {
  x <- scale(matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p)))))
  b <- numeric(p)
  b[seq_len(n_true)] <- effect * rep_len(c(1, -1), n_true)
  own <- rnorm(p)
  b <- b + rest * own / sqrt(sum(own^2))
  link <- drop(x %*% b)
  y <- switch(outcome,
    numbers = link + rnorm(n),
    t3 = link + rt(n, 3) / sqrt(3),
    classes = ifelse(link + rnorm(n) > 0, "b", "a"),
    three = cut(link + rnorm(n), c(-Inf, -0.43, 0.43, Inf), c("a", "b", "c")),
    survival = {
      time <- rexp(n, exp(1.28 * link))
      last <- rexp(n, 0.3)
      survival::Surv(pmin(time, last), as.numeric(time <= last))
    }
  )
  list(x = x, y = y, effect = b)
}

# Right names; others; and those of the others whose own effect is below a tenth of a standard
# deviation.
count_names <- function(fit, data, n_true) {
  at <- match(unique(fit$features), colnames(data$x))
  others <- at[at > n_true]
  data.frame(
    p_value = fit$p_value, named = sum(at <= n_true), others = length(others),
    nil = sum(abs(data$effect[others]) < 0.1), said = round(fit$expected_wrong, 3),
    background = round(fit$background$probability, 3)
  )
}

one_outcome <- function(cell) {
  set.seed(1000 * cell$repetition + cell$n + cell$p)
  effect <- cell$effect / if (cell$in_errors) sqrt(cell$n) else 1
  data <- draw(cell$n, cell$p, cell$n_true, effect, cell$rest, cell$outcome)
  seconds <- system.time(
    fit <- find_signals(data$x, data$y, seed = cell$repetition, progress = FALSE)
  )[["user.self"]]
  cbind(count_names(fit, data, cell$n_true), seconds = round(seconds, 1))
}

cells <- function(n, p, n_true, effect, rest, in_errors = FALSE, outcome = "numbers", times) {
  cell <- data.frame(n, p, n_true, effect, rest, in_errors)
  merge(cell, expand.grid(outcome = outcome, repetition = seq_len(times), stringsAsFactors = FALSE))
}

# Effects of 0.25 deviations of the errors, with and without a rest; all features alike (rest 1);
# and ten effects of five and of seven standard errors among many samples.
few <- rbind(
  cells(250, c(20, 60, 240), 5, 0.25, 0, times = 8),
  cells(250, c(20, 60, 120), 5, 0.25, 0.5, times = 8),
  cells(250, c(20, 60, 120), 0, 0, 1, times = 8),
  cells(1000, c(20, 60, 240), 5, 0.25, 0.5, times = 5),
  cells(1000, 40, 10, 0.1, 0, times = 5)
)
all_outcomes <- c("numbers", "t3", "classes", "three", "survival")
many <- rbind(
  cells(5000, 40, 10, 7, 0, TRUE, all_outcomes, 3), cells(5000, 40, 10, 5, 0, TRUE, "numbers", 3),
  cells(20000, 100, 10, 7, 0, TRUE, all_outcomes, 1)
)
fill("outcomes.csv", rbind(few, many), one_outcome)

# 975 microbiomes of 48 genera, with Crohn's disease or without (package coda4microbiome of CRAN,
# of which only the data are read).
read_crohn <- function() {
  folder <- tempfile()
  dir.create(folder)
  archive <- utils::download.packages(
    "coda4microbiome", folder, repos = "https://cloud.r-project.org", type = "source", quiet = TRUE
  )[1, 2]
  utils::untar(archive, exdir = folder)
  found <- list.files(folder, "Crohn[.]rda$", recursive = TRUE, full.names = TRUE)
  data <- new.env()
  load(found, data)
  list(x = log(as.matrix(data$x_Crohn) + 1), y = data$y_Crohn)
}

crohn <- NULL
fill("crohn.csv", data.frame(seed = 1:4), function(cell) {
  if (is.null(crohn)) crohn <<- read_crohn()
  fit <- find_signals(crohn$x, crohn$y, seed = cell$seed, progress = FALSE)
  data.frame(
    p_value = fit$p_value, named = length(fit$features), said = round(fit$expected_wrong, 3),
    background = round(fit$background$probability, 3),
    names = paste(sub(".*g__", "", fit$features), collapse = " ")
  )
})

# Noise: is anything named?
null <- expand.grid(
  repetition = 1:200, n = c(250, 1500, 5000), p = c(20, 60), stringsAsFactors = FALSE
)
fill("null.csv", null, function(cell) {
  set.seed(1000 * cell$repetition + cell$n + cell$p)
  x <- matrix(rnorm(cell$n * cell$p), cell$n)
  y <- if (cell$repetition %% 2L == 0L) rnorm(cell$n) else sample(c("a", "b"), cell$n, TRUE)
  fit <- find_signals(x, y, permute = 199, seed = cell$repetition, progress = FALSE)
  data.frame(p_value = fit$p_value, named = length(fit$features))
})
