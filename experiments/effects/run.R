# Are the effects of feature_effects() right? Patients are drawn with replacement from real sets,
# and their outcome anew, from six features with known effects, so that the marginal effect of every
# feature in the set is known. Three procedures name features; the first ten of each are compared
# with the truth. Rscript run.R [processor minutes, 12]; writes results/features.csv (one row for
# each named feature; a second call adds to it) and results/cells.csv. Sets must be in the folder
# that STABILECT_DATA names.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
minutes <- c(as.numeric(commandArgs(trailingOnly = TRUE)), 12)[1]
store <- file.path(folder, "features.csv")

# The 1,000 most variable features at variance 1.
read_set <- function(name) {
  x <- as.matrix(readRDS(file.path(Sys.getenv("STABILECT_DATA"), paste0(name, ".rds")))$x)
  x <- x[, order(-apply(x, 2, var))[seq_len(min(1000, ncol(x)))]]
  x <- scale(x)
  colnames(x) <- paste0("f", seq_len(ncol(x)))
  x
}
sets <- lapply(c(colon = "alon", gravier = "gravier", nki = "nki500_survivALL"), read_set)
# The same values without correlations.
set.seed(1)
sets$`gravier, shuffled` <- apply(sets$gravier, 2, sample)

procedures <- list(
  stability_selection = function(x, y, kind) {
    stability_selection(x, y, n_pairs = 30, seed = 1)
  },
  fealect = function(x, y, kind) fealect(x, y, n_runs = 50, oob = FALSE, seed = 1),
  select_ensemble = function(x, y, kind) {
    filter <- c(numbers = "pearson", classes = "t", survival = "cox")[[kind]]
    select_ensemble(
      x, y, selector_filter(filter), resample_subsample(50, 0.7), n_features = 8, seed = 1
    )
  }
)

# Outcomes of patients with the linear predictor `link`, and the effects in all patients.
outcomes <- list(
  numbers = list(
    draw = function(link) link + rnorm(length(link)),
    truth = function(x, link) {
      if (sd(link) == 0) return(numeric(ncol(x)))
      drop(cor(x, link)) * sd(link) / sqrt(1 + var(link))
    }
  ),
  classes = list(
    draw = function(link) factor(runif(length(link)) < plogis(1.8 * link)),
    truth = function(x, link) {
      p <- plogis(1.8 * link)
      apply(x, 2, function(v) {
        high <- weighted.mean(v, p)
        low <- weighted.mean(v, 1 - p)
        (high - low) / sqrt(mean(p * (v - high)^2 + (1 - p) * (v - low)^2))
      })
    }
  ),
  survival = list(
    draw = function(link) {
      time <- rexp(length(link), exp(1.3 * link))
      end <- rexp(length(link), 0.5)
      survival::Surv(pmin(time, end), time <= end)
    },
    truth = function(x, link) {
      rows <- rep_len(seq_along(link), 4000)
      y <- outcomes$survival$draw(link[rows])
      apply(x[rows, , drop = FALSE], 2, function(v) exp(coef(survival::coxph(y ~ v))))
    }
  )
)

to_link <- list(numbers = atanh, classes = identity, survival = log)

# @return (data frame) a row for each named feature, on the scale of errors, in standard errors, in
#   the direction of the effect in all samples.
one_study <- function(set, kind, explained, procedure) {
  x <- sets[[set]]
  true <- sample(ncol(x), 6)
  link <- drop(x[, true] %*% (c(1, 1, 0.7, 0.7, 0.4, 0.4) * sample(c(-1, 1), 6, TRUE)))
  link <- (link - mean(link)) / sd(link) * sqrt(explained / (1 - explained))
  rows <- sample(nrow(x), min(100, nrow(x)), TRUE)
  y <- outcomes[[kind]]$draw(link[rows])
  part <- x[rows, ]
  fit <- suppressMessages(suppressWarnings(procedures[[procedure]](part, y, kind)))
  named <- head(fit$features, 10)
  if (length(named) == 0L) {
    return(NULL)
  }
  table <- feature_effects(fit, part, y, features = named)$table
  truth <- outcomes[[kind]]$truth(x[, named, drop = FALSE], link)
  # Differences are those of the class where the feature is highest.
  if (kind == "classes") truth <- ifelse(table$direction == "TRUE", truth, -truth)
  values <- lapply(cbind(table[c("effect", "lower", "upper", "left_out", "in_sample")], truth),
    to_link[[kind]])
  se <- (values$upper - values$lower) / (2 * qnorm(0.975) * sqrt(1.5))
  values <- lapply(values, function(v) round(v / se * sign(values$in_sample), 3))
  data.frame(
    set = set, outcome = kind, explained = explained, procedure = procedure,
    true = named %in% colnames(x)[true], frequency = table$frequency,
    values[c("truth", "effect", "left_out", "in_sample")]
  )
}

grid <- expand.grid(
  set = names(sets), kind = names(outcomes), explained = c(0, 0.25, 0.5),
  procedure = names(procedures)[c(1, 1, 1, 2, 3)], stringsAsFactors = FALSE
)
rows <- if (file.exists(store)) read.csv(store)
turn <- if (is.null(rows)) 1L else max(rows$turn) + 1L
while (sum(proc.time()[1:2]) < 60 * minutes) {
  new <- lapply(seq_len(nrow(grid)), function(i) {
    set.seed(100000 + 1000 * turn + i)
    found <- do.call(one_study, unname(as.list(grid[i, ])))
    if (!is.null(found)) cbind(turn = turn, found)
  })
  rows <- rbind(rows, do.call(rbind, new))
  write.csv(rows, store, row.names = FALSE)
  turn <- turn + 1L
}

# Bias and root mean square error in standard errors, and coverage of 95 % intervals.
rows <- rows[complete.cases(rows), ]
cell_of <- function(what, value, part) {
  error <- part[c("effect", "left_out", "in_sample")] - part$truth
  data.frame(
    what = what, value = value, n = nrow(part), truth = mean(part$truth),
    bias = t(colMeans(error)), rmse = t(sqrt(colMeans(error^2))),
    covered = mean(abs(error$effect) <= qnorm(0.975) * sqrt(1.5)),
    covered_plain = mean(abs(error$effect) <= qnorm(0.975)),
    covered_in_sample = mean(abs(error$in_sample) <= qnorm(0.975))
  )
}
by <- function(what) {
  do.call(rbind, lapply(unique(rows[[what]]), function(value) {
    cell_of(what, value, rows[rows[[what]] == value, ])
  }))
}
cells <- rbind(
  cell_of("all", "all", rows), by("procedure"), by("outcome"), by("set"), by("explained"),
  by("true")
)
numbers <- vapply(cells, is.double, NA)
cells[numbers] <- lapply(cells[numbers], round, 3)
write.csv(cells, file.path(folder, "cells.csv"), row.names = FALSE)
print(cells)
