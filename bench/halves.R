# stability_selection() on 20 halves (10 complementary pairs) and on 100, its default, to 20 and to
# 60 features, likelihood families, against a loop over glmnet on the same halves that ends at as
# many features (`pmax`; thresh = 1e-7 and 100 penalties, its defaults; several classes with
# type.multinomial = "grouped"). One thread, processor seconds: the smallest of three, measured in
# turn, for each of the two. Our time is that of the whole call: the data are read, and the list is
# made.
#
#   Rscript bench/halves.R [cells]     # numbers of cells, all if there are none

source(file.path("bench", "bench-helpers.R"))
library(stabilect)

families <- c("binomial", "poisson", "cox", "multinomial")
cells <- expand.grid(
  design = c("independent", "factors"),
  size = c("100 500", "100 2000", "200 2000", "100 10000", "200 20000", "60 500", "500 2000")
)

# The smallest times of calls that are repeated until they take 0.2 s, in turn.
smallest <- function(calls) {
  often <- lapply(calls, function(call) ceiling(0.2 / max(0.001, cpu_seconds(call()))))
  one_turn <- function(turn) {
    mapply(function(call, n) cpu_seconds(for (k in seq_len(n)) call()) / n, calls, often)
  }
  apply(vapply(1:3, one_turn, numeric(length(calls))), 1, min)
}

measure <- function(study, family, q, halves) {
  y <- study[[family]]
  draws <- draw_resamples(resample_pairs(halves / 2), y, seed = 1)
  counts <- as.matrix(draws)
  glmnet_half <- function(b) {
    rows <- which(counts[, b] > 0)
    more <- if (family == "multinomial") list(type.multinomial = "grouped")
    outcome <- if (is.matrix(y)) y[rows, ] else y[rows]
    # Where it ends at `pmax` features it warns.
    suppressWarnings(do.call(glmnet::glmnet, c(
      list(study$x[rows, ], outcome, family = family, pmax = q, lambda.min.ratio = 0.01), more
    )))
  }
  # The halves of five pairs stand for those of ten, where glmnet takes long.
  peer <- seq_len(if (family == "cox" && q > 20) 10 else 20)
  times <- smallest(list(
    ours = function() {
      stability_selection(study$x, y, q = q, resampling = draws, family = family, n_threads = 1)
    },
    theirs = function() for (b in peer) glmnet_half(b)
  ))
  c(ms_a_half = 1000 * times[[1]] / halves, ms_glmnet = 1000 * times[[2]] / length(peer))
}

asked <- as.integer(commandArgs(TRUE))
for (k in if (length(asked)) asked else seq_len(nrow(cells))) {
  size <- as.integer(strsplit(as.character(cells$size[k]), " ")[[1]])
  design <- as.character(cells$design[k])
  study <- likelihood_study(size[1], size[2], design, 30 + k)
  asked_of <- expand.grid(halves = c(20, 100), q = c(20, 60), family = families)
  for (row in split(asked_of, seq_len(nrow(asked_of)))) {
    ms <- measure(study, as.character(row$family), row$q, row$halves)
    record("halves", data.frame(
      family = row$family, n = size[1], p = size[2], design = design, features = row$q, t(ms),
      glmnet = format(utils::packageVersion("glmnet")),
      times_faster_1_thread = ms[["ms_glmnet"]] / ms[["ms_a_half"]], halves = row$halves
    ), file = file.path("bench", "halves.csv"))
  }
}
