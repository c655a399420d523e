# Do intervals of out-of-bag errors hold on real data? Samples are drawn from published sets, a
# procedure is fitted to them, and its error on all other samples of the set is taken as the true
# one. Rscript experiments/honest-error/real.R [draws a cell, 100] [pattern of cells, all]
#
# writes results/real.csv, one row a draw; cells that are there are left as they are (ten minutes of
# one core for all). real-coverage.R makes the coverages of it.
#
# The sets are in the folder STABILECT_DATA; gordon is the object lung of the CRAN package
# propOverlap. `numbers` predicts a random column of a set from its others. The true error is itself
# from a sample: where few samples are left, as on gordon, intervals cannot hold it quite as often
# as they promise.

library(stabilect)

read_set <- function(name) readRDS(file.path(Sys.getenv("STABILECT_DATA"), paste0(name, ".rds")))

# At most 1,000 features, those of largest variance; logarithms of raw intensities.
narrow <- function(x) {
  x <- as.matrix(x)
  if (max(x) > 2000) x <- log2(pmax(x, 10))
  v <- apply(x, 2, stats::var)
  x <- x[, order(-v)[seq_len(min(1000, sum(v > 0)))]]
  colnames(x) <- paste0("f", seq_len(ncol(x)))
  x
}

classes_of <- function(name, wanted = NULL) {
  set <- read_set(name)
  keep <- if (is.null(wanted)) rep(TRUE, nrow(set$x)) else set$y %in% wanted
  list(x = narrow(set$x[keep, ]), y = factor(as.character(set$y)[keep]))
}

# A column to predict, with at least 15 values among the samples.
numbers_of <- function(name) {
  x <- narrow(read_set(name)$x)
  function(rows) {
    repeat {
      at <- sample(ncol(x), 1)
      if (length(unique(x[rows, at])) >= 15) break
    }
    list(x = x[, -at], y = x[, at] / stats::sd(x[, at]))
  }
}

paths <- function(x, y) fealect(x, y, n_runs = 50, n_boot = 0, progress = FALSE)
ensemble <- function(filter) {
  function(x, y) {
    select_ensemble(
      x, y, selector_filter(filter), n_features = 20, learner = learner_lda(), progress = FALSE
    )
  }
}

sources <- list(
  classes = list(
    gordon = list("gordon"), singh = list("singh"), PCMAC = list("skf_PCMAC"),
    gravier = list("gravier"), BASEHOCK = list("skf_BASEHOCK"),
    `usps 4:9` = list("usps", c("4", "9")), sonar = list("sonar"),
    nki500 = list("nki500_survivALL")
  ),
  several = list(
    `usps 4:7:9` = list("usps", c("4", "7", "9")), TOX_171 = list("skf_TOX_171")
  ),
  numbers = list(
    nki500 = "nki500_survivALL", Isolet = "skf_Isolet", gordon = "gordon", usps = "usps",
    gravier = "gravier"
  )
)

# A draw of n samples in which each class has at least three.
draw <- function(source, n) {
  repeat {
    rows <- sample(nrow(source$x), n)
    if (is.null(source$y) || min(table(source$y[rows])) >= 3) break
  }
  rows
}

one_draw <- function(kind, set, n, fit_once) {
  rows <- if (kind == "numbers") sample(set$size, n) else draw(set, n)
  data <- if (kind == "numbers") set$pick(rows) else set
  varies <- apply(data$x[rows, ], 2, stats::sd) > 1e-8
  x <- data$x[, varies, drop = FALSE]
  fit <- fit_once(x[rows, ], data$y[rows])
  # 2,000 other samples tell the error well enough.
  rest <- setdiff(seq_len(nrow(x)), rows)
  if (length(rest) > 2000) rest <- sample(rest, 2000)
  predicted <- predict_with(fit, x, data$y, rows, rest)
  seen <- fit$oob$predictions
  if (kind == "numbers") {
    losses <- (seen$observed - seen$predicted)^2
    true <- mean((data$y[rest] - predicted)^2)
    smallest <- n
  } else {
    losses <- as.numeric(as.character(seen$observed) != as.character(seen$predicted))
    true <- mean(as.character(predicted) != as.character(data$y[rest]))
    smallest <- min(table(data$y[rows]))
  }
  data.frame(
    error = mean(losses), true, sd = stats::sd(losses), lower = fit$oob$lower,
    upper = fit$oob$upper, baseline = fit$oob$baseline, smallest, rest = length(rest)
  )
}

# An ensemble has a list, and its learner makes the model of it.
predict_with <- function(fit, x, y, rows, rest) {
  if (!inherits(fit, "stabilect_ensemble")) {
    return(stats::predict(fit, x[rest, ]))
  }
  learner <- learner_lda()
  model <- learner$fit(x[rows, fit$features], y[rows])
  learner$predict(model, x[rest, fit$features])
}

cells <- list()
add <- function(kind, name, n, procedure, fit_once) {
  cells[[paste(kind, name, n, procedure, sep = ", ")]] <<-
    list(kind = kind, name = name, n = n, fit_once = fit_once)
}
for (n in c(40, 20, 80, 160)) {
  for (name in names(sources$classes)) add("classes", name, n, "fealect", paths)
  for (name in names(sources$numbers)) add("numbers", name, n, "fealect", paths)
  for (name in names(sources$several)) add("several", name, n, "ensemble", ensemble("anova"))
  for (name in c("PCMAC", "gordon")) add("classes", name, n, "ensemble", ensemble("t"))
}

folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
file <- file.path(folder, "results", "real.csv")
arguments <- commandArgs(TRUE)
n_draws <- if (length(arguments) > 0L) as.integer(arguments[1]) else 100L
asked <- grep(if (length(arguments) > 1L) arguments[2] else "", names(cells), value = TRUE)
table <- if (file.exists(file)) utils::read.csv(file)
loaded <- list()
for (name in setdiff(asked, table$cell)) {
  cell <- cells[[name]]
  key <- paste(cell$kind, cell$name)
  if (is.null(loaded[[key]])) {
    from <- sources[[cell$kind]][[cell$name]]
    loaded[[key]] <- if (cell$kind == "numbers") {
      list(pick = numbers_of(from), size = nrow(read_set(from)$x))
    } else {
      do.call(classes_of, from)
    }
  }
  size <- if (cell$kind == "numbers") loaded[[key]]$size else nrow(loaded[[key]]$x)
  if (size - cell$n < 60) next
  set.seed(38)
  rows <- do.call(rbind, lapply(seq_len(n_draws), function(i) {
    suppressWarnings(suppressMessages(
      one_draw(cell$kind, loaded[[key]], cell$n, cell$fit_once)
    ))
  }))
  numbers <- vapply(rows, is.numeric, NA)
  rows[numbers] <- lapply(rows[numbers], signif, digits = 4)
  table <- rbind(table, data.frame(cell = name, n = cell$n, rows))
  utils::write.csv(table, file, row.names = FALSE)
}
