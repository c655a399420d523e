# Rscript run.R [repetitions]: results/outcomes.csv, a row for each verb and outcome. What is there
# is not computed again.

library(stabilect)

features <- list(
  independent = function(n_groups, size, p) {
    level <- matrix(stats::rnorm(n_groups * p, 0, 2), n_groups)
    level[rep(seq_len(n_groups), size), ] + matrix(stats::rnorm(n_groups * size * p), ncol = p)
  },
  # Twenty factors, in patients and in samples.
  correlated = function(n_groups, size, p) {
    loads <- matrix(stats::rnorm(20 * p), 20)
    factors <- 2 * matrix(stats::rnorm(n_groups * 20), n_groups)[rep(seq_len(n_groups), size), ] +
      matrix(stats::rnorm(n_groups * size * 20), ncol = 20)
    (factors %*% loads) / sqrt(20) + matrix(stats::rnorm(n_groups * size * p), ncol = p)
  },
  # Leukaemia: a group has a sample that all of its samples share, to which other samples are added.
  real = function(n_groups, size, p) {
    x <- scale(log2(pmax(as.matrix(experiment_data("golub")$x), 1)))
    x <- x[, !is.na(colSums(x))]
    x <- x[, sample(ncol(x), p)]
    2 * x[sample(nrow(x), n_groups), ][rep(seq_len(n_groups), size), ] +
      x[sample(nrow(x), n_groups * size, replace = n_groups * size > nrow(x)), ]
  }
)

# Pairs of two classes, or four samples of each patient with numbers.
outcomes <- list(
  classes = list(n_groups = 31, size = 2, draw = function(group) rep(0:1, each = 31)),
  numbers = list(
    n_groups = 15, size = 4,
    draw = function(group) stats::rnorm(15, 0, 2)[group] + stats::rnorm(60)
  )
)

centre <- function(v, group) v - stats::ave(v, group)

# Two features differ within groups, by 1.6 standard deviations within them or with a correlation of
# 0.55 within them.
draw_data <- function(kind, outcome, signal, seed, p = 1000) {
  set.seed(seed)
  one <- outcomes[[outcome]]
  x <- features[[kind]](one$n_groups, one$size, p)
  dimnames(x) <- list(NULL, paste0("g", seq_len(p)))
  group <- rep(seq_len(one$n_groups), one$size)
  y <- one$draw(group)
  if (signal) {
    for (j in 1:2) {
      spread <- sqrt(mean(centre(x[, j], group)^2) * one$size / (one$size - 1))
      gain <- if (outcome == "classes") 1.6 * y else 0.66 * centre(y, group)
      x[, j] <- x[, j] + spread * gain
    }
  }
  list(x = x, y = if (outcome == "classes") factor(y) else y, group = group)
}

# One outcome: names and p, with the groups and without.
judge <- function(data, seed) {
  count <- function(features) c(true = sum(features %in% c("g1", "g2")), named = length(features))
  row <- function(verb, within, names, p = NA) {
    data.frame(verb = verb, within = within, t(count(names)), p = p)
  }
  rows <- lapply(c(TRUE, FALSE), function(within) {
    group <- if (within) data$group
    signals <- find_signals(data$x, data$y, within = group, seed = seed)
    stable <- stability_selection(
      data$x, data$y, pfer = 1, cutoff = 0.75, within = group, seed = seed
    )
    rbind(
      row("find_signals", within, signals$features, signals$p_value),
      row("stability_selection", within, stable$features)
    )
  })
  rows <- do.call(rbind, rows)
  if (!is.factor(data$y)) {
    return(rows)
  }
  likely <- stability_selection(
    data$x, data$y, pfer = 1, cutoff = 0.75, within = data$group, family = "binomial", seed = seed
  )
  rbind(rows, row("conditional likelihood", TRUE, likely$features))
}

arguments <- commandArgs(TRUE)
n_repetitions <- if (length(arguments) > 0) as.integer(arguments[1]) else 60L
file <- file.path("results", "outcomes.csv")
done <- if (file.exists(file)) unique(utils::read.csv(file)[c("x", "outcome", "signal", "seed")])
cells <- expand.grid(
  x = names(features), outcome = names(outcomes), signal = c(FALSE, TRUE),
  seed = seq_len(n_repetitions), stringsAsFactors = FALSE
)
key <- function(cells) do.call(paste, cells[c("x", "outcome", "signal", "seed")])
cells <- cells[!key(cells) %in% if (!is.null(done)) key(done), ]
for (k in seq_len(nrow(cells))) {
  cell <- cells[k, ]
  data <- draw_data(cell$x, cell$outcome, cell$signal, cell$seed)
  rows <- data.frame(cell, suppressWarnings(judge(data, cell$seed)), row.names = NULL)
  utils::write.table(rows, file, sep = ",", row.names = FALSE, quote = FALSE,
    col.names = !file.exists(file), append = file.exists(file))
}
