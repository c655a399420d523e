# Does the out-of-bag error lie around the true error, and does its interval hold it? Samples are
# left out alone, or with one of every other class; intervals as if from n, n / 1.5, n / 2 and n / 3
# independent samples. True errors are known in closed form (two classes, numbers), or from 2,000
# new samples (several classes, ensembles).
#
#   Rscript experiments/honest-error/run.R [data sets a cell, 100] [pattern of cells, all]
#
# writes results/summary.csv, in which other cells stay as they are; about 20 minutes on one core.

library(stabilect)

p <- 500L
block_of <- rep(seq_len(p / 10), each = 10)
informative <- seq(1, by = 10, length.out = 10)

# Features in blocks of ten with correlation 0.5.
draw_features <- function(n, columns = seq_len(p)) {
  common <- matrix(rnorm(n * max(block_of)), n)[, block_of[columns], drop = FALSE]
  x <- sqrt(0.5) * common + sqrt(0.5) * matrix(rnorm(n * length(columns)), n)
  colnames(x) <- paste0("f", columns)
  x
}

# Class g has the informative features g, g + G, ... shifted by delta.
shift_of <- function(y, delta, columns = seq_len(p)) {
  n_classes <- nlevels(y)
  owner <- match(columns, informative) %% n_classes + 1
  delta * outer(as.integer(y), owner, function(a, b) as.numeric(!is.na(b) & a == b))
}

draw_classes <- function(sizes, delta, copies = 1L) {
  y <- factor(rep(letters[seq_along(sizes)], sizes))
  x <- draw_features(length(y)) + shift_of(y, delta)
  who <- rep(seq_along(y), each = copies)
  # Samples of one patient differ little.
  noise <- matrix(rnorm(length(who) * p), ncol = p)
  x <- if (copies > 1L) sqrt(0.9) * x[who, ] + sqrt(0.1) * noise else x
  list(x = x, y = y[who], blocks = if (copies > 1L) who, delta = delta, copies = copies)
}

# Of a linear rule, two classes: the shares of both on the wrong side.
error_of_rule <- function(coefficients, data) {
  beta <- numeric(p)
  beta[as.integer(sub("f", "", names(coefficients)[-1]))] <- coefficients[-1]
  share <- mean(as.integer(data$y) == 2L)
  if (all(beta == 0)) {
    return(if (coefficients[[1]] > 0) 1 - share else share)
  }
  scale <- if (data$copies > 1L) c(0.9, 0.1) else c(1, 0)
  inside <- tapply(beta, block_of, sum)
  v <- scale[1] * (0.5 * sum(beta^2) + 0.5 * sum(inside^2)) + scale[2] * sum(beta^2)
  means <- shift_of(factor(c("a", "b")), data$delta) * sqrt(scale[1])
  at <- (coefficients[[1]] + drop(means %*% beta)) / sqrt(v)
  (1 - share) * pnorm(at[1]) + share * pnorm(-at[2])
}

error_of_model <- function(fit, data, effects) {
  beta <- numeric(p)
  b <- coef(fit)
  beta[as.integer(sub("f", "", names(b)[-1]))] <- b[-1]
  off <- beta - effects
  1 + b[[1]]^2 + 0.5 * sum(off^2) + 0.5 * sum(tapply(off, block_of, sum)^2)
}

# Out-of-bag errors of one fit with and without companions, the true error.
judge <- function(fit_once, truth) {
  space <- asNamespace("stabilect")
  together <- space$left_out_together
  fit <- fit_once()
  utils::assignInNamespace("left_out_together", function(response, blocks = NULL) {
    lapply(seq_along(response$y), function(i) {
      if (is.null(blocks)) i else which(blocks == blocks[i])
    })
  }, "stabilect")
  on.exit(utils::assignInNamespace("left_out_together", together, "stabilect"))
  alone <- fit_once()
  fields <- function(oob) {
    losses <- (oob$predictions$observed - oob$predictions$predicted)^2
    c(
      error = oob$error, auc = oob$auc, baseline = oob$baseline,
      units = if (is.null(oob$n_blocks)) oob$n else oob$n_blocks,
      spread = if (oob$measure == "mean squared error") sd(losses) / mean(losses) else NA
    )
  }
  rbind(
    c(together = 1, true = truth(fit), fields(fit$oob)),
    c(together = 0, true = truth(fit), fields(alone$oob))
  )
}

paths_of_classes <- function(sizes, delta, copies = 1L) {
  data <- draw_classes(sizes, delta, copies)
  study <- prepare_study(data$x, data$y, blocks = data$blocks)
  judge(
    function() fealect(study, n_runs = 50, n_boot = 0, progress = FALSE),
    function(fit) error_of_rule(coef(fit), data)
  )
}

paths_of_numbers <- function(n, effect) {
  effects <- replace(numeric(p), c(1, 11, 21), c(1, -1, 0.7) * effect)
  x <- draw_features(n)
  y <- drop(x %*% effects) + rnorm(n)
  judge(
    function() fealect(x, y, n_runs = 50, n_boot = 0, progress = FALSE),
    function(fit) error_of_model(fit, NULL, effects)
  )
}

ensemble_of_classes <- function(sizes, delta, filter, learner) {
  data <- draw_classes(sizes, delta)
  judge(
    function() {
      select_ensemble(
        data$x, data$y, selector_filter(filter), n_features = 20, learner = learner,
        progress = FALSE
      )
    },
    function(fit) {
      columns <- as.integer(sub("f", "", fit$features))
      model <- learner$fit(data$x[, fit$features], data$y)
      y <- factor(rep(levels(data$y), round(2000 * sizes / sum(sizes))))
      new <- draw_features(length(y), columns) + shift_of(y, data$delta, columns)
      mean(as.character(learner$predict(model, new)) != as.character(y))
    }
  )
}

cells <- list()
for (sizes in list(c(10, 10), c(20, 20), c(30, 30), c(28, 14), c(14, 28))) {
  for (delta in c(0, 0.8, 1.3)) {
    name <- sprintf("fealect, %s, delta %s", paste(sizes, collapse = ":"), delta)
    cells[[name]] <- local({
      sizes <- sizes
      delta <- delta
      function() paths_of_classes(sizes, delta)
    })
  }
}
for (delta in c(0, 0.8, 1.3)) {
  cells[[sprintf("fealect, 15:15 blocks of 3, delta %s", delta)]] <- local({
    delta <- delta
    function() paths_of_classes(c(15, 15), delta, copies = 3L)
  })
  for (learner in list(learner_svm(intercept = "penalised"), learner_lda())) {
    for (sizes in list(c(20, 20), c(10, 10, 10), c(20, 10, 10))) {
      if (delta > 1) next
      name <- sprintf(
        "ensemble, %s, %s, delta %s", learner$name, paste(sizes, collapse = ":"), delta
      )
      cells[[name]] <- local({
        arguments <- list(sizes, delta, if (length(sizes) == 2) "t" else "anova", learner)
        function() do.call(ensemble_of_classes, arguments)
      })
    }
  }
}
for (n in c(40, 80)) {
  for (effect in c(0, 0.5, 1)) {
    cells[[sprintf("fealect, numbers, n %d, effect %s", n, effect)]] <- local({
      n <- n
      effect <- effect
      function() paths_of_numbers(n, effect)
    })
  }
}

covered <- function(rows, divisor) {
  z <- qnorm(0.975)
  if (!anyNA(rows$spread)) {
    half <- z * sqrt(divisor / rows$units) * rows$spread
    return(mean(abs(log(rows$error / rows$true)) <= half))
  }
  m <- rows$units / divisor
  centre <- (rows$error + z^2 / (2 * m)) / (1 + z^2 / m)
  half <- z / (1 + z^2 / m) * sqrt(rows$error * (1 - rows$error) / m + z^2 / (4 * m^2))
  mean(abs(rows$true - centre) <= half)
}

summarise <- function(name, rows) {
  data.frame(
    cell = name, left_out = if (rows$together[1] == 1) "together" else "alone", sets = nrow(rows),
    true = mean(rows$true), error = mean(rows$error), sd = sd(rows$error),
    rmse = sqrt(mean((rows$error - rows$true)^2)), auc = mean(rows$auc),
    baseline = mean(rows$baseline), cover_1 = covered(rows, 1), cover_1.5 = covered(rows, 1.5),
    cover_2 = covered(rows, 2), cover_3 = covered(rows, 3), check.names = FALSE
  )
}

arguments <- commandArgs(TRUE)
n_sets <- if (length(arguments) > 0L) as.integer(arguments[1]) else 100L
asked <- grep(if (length(arguments) > 1L) arguments[2] else "", names(cells), value = TRUE)
folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
file <- file.path(folder, "results", "summary.csv")
table <- if (file.exists(file)) utils::read.csv(file, check.names = FALSE)
for (name in asked) {
  set.seed(1)
  rows <- as.data.frame(do.call(rbind, lapply(seq_len(n_sets), function(set) cells[[name]]())))
  new <- do.call(rbind, lapply(split(rows, -rows$together), summarise, name = name))
  numbers <- vapply(new, is.numeric, NA)
  new[numbers] <- lapply(new[numbers], round, digits = 3)
  table <- rbind(table[table$cell != name, ], new)
  table <- table[order(match(table$cell, names(cells))), ]
  utils::write.csv(table, file, row.names = FALSE)
}
