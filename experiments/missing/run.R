# Rscript run.R [minutes] [replicates] [metabolites]: results/cells.csv, a row for each way of
# filling in each simulated study. Studies that are there are not computed again; it stops after the
# minutes. With `metabolites` the studies are those of a table that has holes of its own
# (metaboliteData of pcaMethods, Bioconductor), in results/metabolites.csv: of its metabolites
# without holes.
#
# Studies are 60 samples and 300 features of five sets of expression (STABILECT_DATA has them), from
# which values are deleted: at random, by intensity (logistic, 2 per standard deviation of all
# values), below a limit that differs between features, or half of them at random and half by
# intensity. With `signal` three features give two classes; without, classes are random; in `class`
# a class misses more (odds x exp(1.5)).

library(stabilect)

given <- commandArgs(TRUE)
value <- function(k, otherwise) if (length(given) >= k) as.numeric(given[k]) else otherwise
minutes <- value(1, 30)
replicates <- value(2, 200)
real <- length(given) >= 3L
file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
results <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")

sets <- c("alon", "nki500_survivALL", "skf_TOX_171", "skf_GLIOMA", "lymphoma3_spls")
if (real) sets <- "metabolites"
read_metabolites <- function() {
  data("metaboliteData", package = "pcaMethods", envir = environment())
  x <- t(get("metaboliteData"))
  x[, colSums(is.na(x)) == 0]
}
read_set <- local({
  kept <- list()
  function(name) {
    if (is.null(kept[[name]])) {
      path <- file.path(Sys.getenv("STABILECT_DATA"), paste0(name, ".rds"))
      x <- if (real) read_metabolites() else readRDS(path)$x
      storage.mode(x) <- "double"
      if (max(x) > 100) x <- log2(pmax(x, 20))
      if (min(x) > 0 && max(x) < 5) x <- x * log2(10)
      x <- x[, apply(x, 2, stats::sd) > 0.05]
      dimnames(x) <- list(paste0("s", seq_len(nrow(x))), paste0("f", seq_len(ncol(x))))
      kept[[name]] <<- x
    }
    kept[[name]]
  }
})

# @param shift (numeric, n) added to the log odds of being missing.
punch <- function(x, kind, share, shift = 0) {
  u <- (x - mean(x)) / stats::sd(x)
  low <- u - rep(0.3 * stats::rnorm(ncol(x)), each = nrow(x))
  odds <- function(a) {
    switch(kind,
      random = stats::plogis(a + shift + 0 * u),
      intensity = stats::plogis(a - 2 * u + shift),
      limit = stats::plogis(20 * (a / 4 - low + shift / 4)),
      mixed = 1 - (1 - stats::plogis(a - 2 * u + shift)) * (1 - share / 2)
    )
  }
  # The share is that of the features that stay.
  gap <- function(a) {
    p <- odds(a)
    stays <- colMeans(p) < 0.5
    if (sum(stays) < 60L) 1 else mean(p[, stays]) - share
  }
  grid <- seq(-12, 8, by = 0.25)
  a <- grid[which.min(abs(vapply(grid, gap, 0)))]
  replace(x, stats::runif(length(x)) < odds(a), NA)
}

# Three features that are hardly correlated, and classes of the largest and smallest sums.
draw_signal <- function(x) {
  r <- stats::cor(x)
  truth <- character()
  for (feature in sample(colnames(x))) {
    if (length(truth) == 3L) break
    if (!any(abs(r[feature, truth]) > 0.3)) truth <- c(truth, feature)
  }
  link <- drop(scale(x[, truth]) %*% sample(c(-1, 1), length(truth), TRUE))
  noisy <- link / stats::sd(link) + stats::rnorm(nrow(x), 0, 0.3)
  list(y = factor(ifelse(rank(noisy) > nrow(x) / 2, "b", "a")), truth = truth)
}

# Agreement of runs of two fits, about 0 by chance (Nogueira's form).
agree <- function(a, b, p) {
  k <- (sum(a) + sum(b)) / 2 / p
  1 - mean_of(a * (1 - b) + b * (1 - a), p) / 2 / (k * (1 - k))
}
mean_of <- function(values, p) sum(values) / p

frequencies <- function(fit, names) {
  f <- stats::setNames(numeric(length(names)), names)
  f[fit$table$feature] <- fit$table$frequency
  f
}

# NULL where too much is missing.
prepare <- function(x, y, how, seed) {
  if (how == "complete") {
    return(prepare_study(x, y))
  }
  tryCatch(prepare_study(x, y, na = how, seed = seed), stabilect_error = function(e) NULL)
}

# @return (data frame of one row).
judge <- function(x, whole, y, truth, how, seed, new) {
  data <- prepare(x, y, how, seed)
  if (is.null(data)) {
    return(data.frame(refused = 1))
  }
  r <- abs(stats::cor(whole))
  near <- function(names, above) {
    if (length(truth) == 0L) {
      return(rep(FALSE, length(names)))
    }
    apply(r[names, truth, drop = FALSE], 1L, max) > above
  }
  fit <- stability_selection(data, seed = seed)
  found <- find_signals(data, permute = 199, seed = seed, progress = FALSE)
  loaded <- fealect(data, n_runs = 30, seed = seed)
  other <- if (how == "complete") x else new$again
  other <- prepare(other, y, how, seed + 1)
  again <- if (!is.null(other)) stability_selection(other, seed = seed + 1)
  # Samples that lack most features of the model have no prediction.
  missed <- mean(as.character(predict_quietly(loaded, new$x)) != new$y, na.rm = TRUE)
  data.frame(
    refused = 0, p = ncol(data$x), share = mean(is.na(x[, colnames(data$x)])),
    found = sum(vapply(truth, function(one) any(r[one, fit$features] > 0.7), NA)),
    chosen = length(fit$features), false = sum(!near(fit$features, 0.5)),
    signal_p = found$p_value, named = length(found$features),
    wrong = sum(!near(found$features, 0.7)), claimed = found$expected_wrong,
    shown = if (is.null(fit$drawn)) stability(fit)$table$estimate else stability(fit)$table$drawn,
    runs = stability(fit)$table$estimate,
    across = if (is.null(again)) NA else agree(
      frequencies(fit, colnames(whole)), frequencies(again, colnames(whole)), ncol(whole)
    ),
    oob = loaded$oob$error, missed = missed,
    caution = !is.null(fit$study$missing$batch), slope = if (is.null(data$imputed)) NA else
      data$imputed$slope
  )
}
predict_quietly <- function(fit, x) suppressWarnings(suppressMessages(predict(fit, x)))

one_study <- function(cell) {
  set.seed(1000 * cell$replicate + match(cell$set, sets))
  x <- read_set(cell$set)
  x <- x[, sample(ncol(x), min(300, ncol(x)))]
  n <- min(60L, nrow(x) - 10L)
  rows <- sample(nrow(x))
  all <- if (cell$y == "signal") draw_signal(x) else list(y = NULL, truth = character())
  if (is.null(all$y)) all$y <- factor(sample(rep_len(c("a", "b"), nrow(x))))
  shift <- if (cell$y == "class") ifelse(all$y == "b", 0.75, -0.75) else 0
  mine <- rows[seq_len(n)]
  rest <- utils::head(rows[-seq_len(n)], 100L)
  gaps <- punch(x, cell$kind, cell$missing, shift)
  new <- list(
    x = gaps[rest, ], y = as.character(all$y[rest]),
    again = punch(x, cell$kind, cell$missing, shift)[mine, ]
  )
  y <- unname(all$y[mine])
  parts <- lapply(c("complete", "median", "impute"), function(how) {
    own <- if (how == "complete") x[mine, ] else gaps[mine, ]
    fresh <- new
    if (how == "complete") fresh$x <- x[rest, ]
    out <- judge(own, x[mine, ], y, all$truth, how, cell$replicate, fresh)
    cbind(how = how, out)
  })
  columns <- unique(unlist(lapply(parts, names)))
  do.call(rbind, lapply(parts, function(part) {
    part[setdiff(columns, names(part))] <- NA
    part[columns]
  }))
}

cells <- expand.grid(
  y = c("signal", "null", "class"), missing = c(0.2, 0.05, 0.4),
  kind = c("random", "intensity", "limit", "mixed"), replicate = seq_len(replicates),
  stringsAsFactors = FALSE
)
cells$set <- sets[(cells$replicate - 1L) %% length(sets) + 1L]
path <- file.path(results, if (real) "metabolites.csv" else "cells.csv")
id <- function(rows) do.call(paste, rows[names(cells)])
known <- if (file.exists(path)) id(utils::read.csv(path))
until <- Sys.time() + 60 * minutes
for (k in which(!id(cells) %in% known)) {
  if (Sys.time() > until) break
  rows <- cbind(cells[k, ], one_study(cells[k, ]), row.names = NULL)
  rows[] <- lapply(rows, function(v) if (is.double(v)) signif(v, 4) else v)
  utils::write.table(
    rows, path, append = file.exists(path), sep = ",", row.names = FALSE, quote = FALSE,
    col.names = !file.exists(path)
  )
}
