# Do the intervals of single predictions of evaluate_replication() contain what a model of a new
# study predicts? Rscript experiments/honest-error/new-predictions.R [draws a cell, 8]
#
# writes results/new-predictions.csv (ten minutes of one core). From large sets, `n` samples are
# drawn, scored by fealect() and replicated (20 pairs of halves); eight other studies of half the
# size, and eight of the same size, from the other samples of the set, predict the samples of the
# first. `now` is the share of predictions by studies of half the size within lower and upper,
# `before` the share within the quantiles 0.025 and 0.975 of the predictions by models of halves,
# which the package gave until then; `now_full` and `before_full` are these shares for studies of
# the same size. `overlap` is the mean share of the ten best features that two studies of the same
# size have in common, `extrapolated` what the replication says it would be, `rmse` how far single
# replications are off. Needs the folder STABILECT_DATA, see real.R.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
home <- if (length(file) > 0L) dirname(file) else "."
# Sets, draws and procedures of real.R, which are defined before its cells.
source_lines <- readLines(file.path(home, "real.R"))
eval(parse(text = source_lines[seq_len(grep("^cells <- list", source_lines) - 1L)]))

# Quantiles of the predictions by halves, from the models themselves.
kept <- NULL
space <- asNamespace("stabilect")
instability <- space$prediction_instability
utils::assignInNamespace("prediction_instability", function(rankings, object, study) {
  kept <<- matrix(unlist(lapply(rankings, `[[`, "link")), study$n)
  instability(rankings, object, study)
}, "stabilect")

quietly <- function(code) suppressWarnings(suppressMessages(code))

study_of <- function(set, rows) {
  varies <- apply(set$x[rows, ], 2, stats::sd) > 1e-8
  quietly(paths(set$x[rows, varies], set$y[rows]))
}

one_study <- function(set, n) {
  rows <- if (is.factor(set$y)) draw(set, n) else sample(nrow(set$x), n)
  varies <- apply(set$x[rows, ], 2, stats::sd) > 1e-8
  x <- set$x[rows, varies]
  fit <- quietly(paths(x, set$y[rows]))
  again <- quietly(evaluate_replication(fit, x, set$y[rows], n_pairs = 20, n_features = 10))
  type <- if (is.factor(set$y)) "probability" else "response"
  value <- if (is.factor(set$y)) stats::plogis else identity
  quantiles <- value(apply(kept, 1, stats::quantile, c(0.025, 0.975), na.rm = TRUE))
  rest <- setdiff(seq_len(nrow(set$x)), rows)
  other <- list(x = set$x[rest, ], y = set$y[rest])
  studies <- function(size) {
    lapply(1:8, function(i) {
      at <- rest[if (is.factor(set$y)) draw(other, size) else sample(length(rest), size)]
      one <- study_of(set, at)
      values <- quietly(stats::predict(one, set$x[rows, ], type = type))
      list(values = as.numeric(values), best = utils::head(one$table$feature, 10))
    })
  }
  full <- studies(n)
  table <- again$predictions
  best <- utils::head(fit$table$feature, 10)
  within <- function(studies, lower, upper) {
    values <- vapply(studies, `[[`, numeric(n), "values")
    mean(values >= lower & values <= upper)
  }
  half <- studies(n / 2)
  c(
    before = within(half, quantiles[1, ], quantiles[2, ]),
    now = within(half, table$lower, table$upper),
    before_full = within(full, quantiles[1, ], quantiles[2, ]),
    now_full = within(full, table$lower, table$upper),
    width_before = mean(quantiles[2, ] - quantiles[1, ]),
    width_now = mean(table$upper - table$lower),
    overlap = mean(vapply(full, function(one) mean(one$best %in% best), 1)),
    extrapolated = again$table$extrapolated[1]
  )
}

simulated <- function(effect) {
  x <- matrix(stats::rnorm(2000 * 300), 2000, dimnames = list(NULL, paste0("f", 1:300)))
  y <- drop(x[, 1:10] %*% rep(effect, 10)) + stats::rlogis(2000)
  list(x = x, y = factor(y > 0, labels = c("a", "b")))
}
isolet <- function() {
  x <- narrow(read_set("skf_Isolet")$x)
  # The column with the most values.
  at <- which.max(apply(x, 2, function(v) length(unique(v))))
  list(x = x[, -at], y = x[, at] / stats::sd(x[, at]))
}
sets <- list(
  PCMAC = function() do.call(classes_of, sources$classes$PCMAC),
  `usps 4:9` = function() do.call(classes_of, sources$classes$`usps 4:9`),
  BASEHOCK = function() do.call(classes_of, sources$classes$BASEHOCK),
  simulated = function() simulated(1), noise = function() simulated(0), `Isolet, numbers` = isolet
)
arguments <- commandArgs(TRUE)
n_draws <- if (length(arguments) > 0L) as.integer(arguments[1]) else 8L
out <- file.path(home, "results", "new-predictions.csv")
table <- if (file.exists(out)) utils::read.csv(out)
for (n in c(40, 80)) {
  for (name in names(sets)) {
    if (any(table$set == name & table$n == n)) next
    set.seed(38)
    set <- sets[[name]]()
    rows <- replicate(n_draws, one_study(set, n))
    off <- sqrt(mean((rows["extrapolated", ] - mean(rows["overlap", ]))^2))
    new <- data.frame(
      set = name, n, draws = n_draws, t(signif(rowMeans(rows), 3)),
      now_lowest = signif(min(rows["now", ]), 3), rmse = signif(off, 3)
    )
    table <- rbind(table, new)
    utils::write.csv(table, out, row.names = FALSE)
  }
}
print(table, row.names = FALSE, digits = 2)
