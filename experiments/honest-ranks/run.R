# Rscript run.R [data sets a cell] [minutes]: results/<cell>.csv, a row for each data set: the
# printed measure, its interval, and the same measure of the final model on 4,000 new samples. Data
# sets that are there are not computed again; it stops after the minutes.

library(stabilect)

wanted <- as.integer(c(commandArgs(TRUE), 200)[1])
until <- Sys.time() + 60 * as.numeric(c(commandArgs(TRUE)[-1], 600)[1])

# Links of n samples: of a covariate, or of features.
designs <- list(
  discrete = list(effect = 1.2, z = function(n) data.frame(stage = rbinom(n, 1, 0.5))),
  continuous = list(effect = 0.7, z = function(n) data.frame(age = rnorm(n))),
  both = list(
    effect = c(1.2, 0.7), z = function(n) data.frame(stage = rbinom(n, 1, 0.5), age = rnorm(n))
  ),
  noise = list(effect = 0, x = function(n, p) matrix(rnorm(n * p), n)),
  signal = list(effect = rep(0.6, 5), x = function(n, p) matrix(rnorm(n * p), n)),
  binary = list(effect = 1.2, x = function(n, p) cbind(rbinom(n, 1, 0.5)))
)

outcomes <- list(
  survival = function(link) {
    time <- rexp(length(link), exp(link))
    last <- rexp(length(link), exp(mean(link)))
    survival::Surv(pmin(time, last), as.numeric(time <= last))
  },
  `50:50` = function(link) two_classes(link, 0),
  `10:90` = function(link) two_classes(link, -2.2),
  ordered = function(link) {
    cut(link - mean(link) + rlogis(length(link)), c(-Inf, -1, 1, Inf), c("low", "mid", "high"),
      ordered_result = TRUE
    )
  }
)

two_classes <- function(link, level) {
  factor(runif(length(link)) < plogis(level + link - mean(link)), c(FALSE, TRUE), c("a", "b"))
}

draw <- function(design, outcome, n, p) {
  x <- if (is.null(design$x)) matrix(rnorm(n * p), n) else design$x(n, p)
  z <- if (!is.null(design$z)) design$z(n)
  from <- if (is.null(z)) x else as.matrix(z)
  colnames(x) <- paste0("g", seq_len(ncol(x)))
  at <- seq_along(design$effect)
  list(x = x, z = z, y = outcomes[[outcome]](drop(from[, at, drop = FALSE] %*% design$effect)))
}

# Two classes have exactly their shares.
draw_sample <- function(design, outcome, n, p) {
  if (!outcome %in% c("50:50", "10:90")) {
    return(draw(design, outcome, n, p))
  }
  data <- draw(design, outcome, 4L * n, p)
  n_b <- round(n * if (outcome == "50:50") 0.5 else 0.1)
  rows <- c(head(which(data$y == "b"), n_b), head(which(data$y == "a"), n - n_b))
  list(x = data$x[rows, , drop = FALSE], z = data$z[rows, , drop = FALSE], y = data$y[rows])
}

# The measure of one model on new samples.
# @param link (numeric; of ordered classes a matrix, or the predicted classes).
truth_of <- function(y, link) {
  if (inherits(y, "Surv")) {
    return(survival::concordance(y ~ link, reverse = TRUE)$concordance)
  }
  if (is.ordered(y)) {
    class <- if (is.matrix(link)) 1 + rowSums(link > 0) else as.integer(link)
    return(mean(abs(class - as.integer(y))))
  }
  ranks <- rank(link)
  n_b <- sum(y == "b")
  (mean(ranks[y == "b"]) - (n_b + 1) / 2) / sum(y == "a")
}

# What a print says of this error.
printed <- function(oob) {
  rate <- oob$measure == "misclassification rate"
  given <- if (rate) {
    list(oob$auc, oob$auc_lower, oob$auc_upper)
  } else if (oob$measure == "discordance") {
    list(1 - oob$error, 1 - oob$upper, 1 - oob$lower)
  } else {
    list(oob$error, oob$lower, oob$upper)
  }
  data.frame(printed = given[[1]], lower = given[[2]], upper = given[[3]])
}

# The covariates alone, as oob_error() judges them: a model for each group, whatever the features
# are, which are then not scored.
covariates_alone <- function(data, new) {
  study <- stabilect:::open_study(
    data$x, data$y, stabilect:::takes_of("fealect"), "fealect", covariates = data$z
  )
  response <- study$response
  one <- stabilect:::outcome_of(response)
  predict <- function(models) {
    stabilect:::predict_left_out(
      study$x, response, rep(list(integer()), length(models$predicted)), models$left_out,
      one$models[1], 0, 1L, models$predicted
    )
  }
  all <- seq_len(study$n)
  groups <- stabilect:::order_groups(response, all)
  order <- if (!is.null(groups)) {
    models <- stabilect:::group_models(groups)
    stabilect:::new_order(models, stabilect:::values_to_rank(predict(models), response))
  }
  # A rank measure does not read the links of single models.
  single <- list(left_out = stabilect:::left_out_together(response), predicted = as.list(all))
  link <- if (is.null(order)) predict(single) else 0 * all
  oob <- stabilect:::oob_of_links(study, list(link = link, order = order), 1L, 0L)
  fit <- stabilect:::covariates_alone(response, one$models[1])
  slopes <- utils::tail(fit, ncol(data$z))
  levels <- if (is.ordered(data$y)) utils::head(fit, -ncol(data$z)) else 0
  link <- outer(drop(as.matrix(new$z) %*% slopes), levels, `+`)
  cbind(printed(oob), truth = truth_of(new$y, if (ncol(link) == 1L) drop(link) else link))
}

features <- function(data, new, n) {
  fit <- suppressWarnings(fealect(
    data$x, data$y, n_runs = if (n == 1000) 100 else 50, n_boot = 0, seed = 1, n_threads = 1,
    max_features = min(ncol(data$x), if (n == 1000) 10 else 25)
  ))
  if (is.null(fit$model)) {
    return(data.frame(printed = NA, lower = NA, upper = NA, truth = NA))
  }
  type <- if (is.ordered(data$y)) "class" else if (is.factor(data$y)) "link" else "risk"
  cbind(printed(fit$oob), truth = truth_of(new$y, predict(fit$model, new$x, type = type)))
}

one <- function(cell, seed) {
  set.seed(1e4 * match(cell$outcome, names(outcomes)) + seed)
  design <- designs[[cell$design]]
  # The covariates alone need no features.
  p <- if (!is.null(design$z)) 2L else if (cell$n == 1000) 20L else 50L
  data <- draw_sample(design, cell$outcome, cell$n, p)
  new <- draw(design, cell$outcome, 4000L, p)
  found <- if (is.null(data$z)) features(data, new, cell$n) else covariates_alone(data, new)
  cbind(cell, data_set = seed, found)
}

cells <- expand.grid(
  design = names(designs), outcome = names(outcomes), n = c(40, 150, 1000), stringsAsFactors = FALSE
)
# Ordered classes, which are not ranked, and the longest cells come last, and are fewer.
by_features <- cells$design %in% c("noise", "signal", "binary")
longest <- cells$outcome == "survival" & cells$n == 1000 & by_features
cells$last <- cells$outcome == "ordered" | longest
cells$most <- ifelse(cells$outcome == "ordered", wanted %/% 10, wanted)
cells$most[longest] <- wanted %/% 10
cells <- cells[order(cells$last, cells$n != 1000 | by_features), ]
script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(dirname(script), "results")

# Parts of twenty data sets, so that all cells have some early.
parts <- expand.grid(cell = seq_len(nrow(cells)), upto = seq(20L, wanted, by = 20L))
parts <- parts[order(cells$last[parts$cell], parts$upto), ]
for (k in seq_len(nrow(parts))) {
  if (Sys.time() > until) quit("no")
  at <- parts$cell[k]
  cell <- cells[at, c("design", "outcome", "n")]
  name <- sprintf("%s-%s-%d.csv", cell$design, sub(":", "-", cell$outcome), cell$n)
  path <- file.path(folder, name)
  done <- if (file.exists(path)) utils::read.csv(path)
  seeds <- setdiff(seq_len(min(parts$upto[k], cells$most[at])), done$data_set)
  if (length(seeds) == 0L) next
  rows <- do.call(rbind, lapply(seeds, one, cell = cell))
  utils::write.csv(rbind(done, rows), path, row.names = FALSE)
}
