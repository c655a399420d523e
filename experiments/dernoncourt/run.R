# Tables 2 and 3 of Dernoncourt, Hanczar and Zucker (2014), paper's number beside ours.
# Rscript experiments/dernoncourt/run.R <part> [sets or splits]
# with the parts search, fit, edge, generated, neighbours, real in this order; writes
# results/*.csv beside this file. Cells that are stored are not run again: delete the table for
# that. The folder of the data: see ?experiment_data.

library(stabilect)

# The machine of LIBLINEAR, with which all was measured.
liblinear <- function(...) learner_svm(..., intercept = "penalised")

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(file) > 0L) dirname(file) else "."
source(file.path(here, "..", "papers", "cells.R"))
folder <- file.path(here, "results")
arguments <- commandArgs(trailingOnly = TRUE)
units <- c(as.integer(arguments[2]), 50L)[1 + is.na(arguments[2])]
seed <- 1

# Tables 2 and 3 of the paper.
paper <- utils::read.csv(file.path(folder, "paper.csv"))

paper_number <- function(data, selector, aggregation, measure) {
  column <- sub("^(t|svm_rfe|mi)_.*", "\\1", selector)
  value <- paper$value[paper$data == data & paper$aggregation == aggregation &
    paper$selector == column & paper$measure == measure]
  if (length(value) == 0L) NA_real_ else value
}

# One row per measure of an evaluation.
tidy <- function(evaluation, data, ...) {
  table <- evaluation$table
  rows <- lapply(c("error", "cw_rel"), function(measure) {
    numbers <- mapply(
      paper_number, data, table$selector, table$aggregation, measure, USE.NAMES = FALSE
    )
    data.frame(
      data = data, ..., table[c("selector", "aggregation", "n_features")], measure = measure,
      paper = numbers, ours = signif(table[[measure]], 4),
      se = signif(table[[paste0(measure, "_se")]], 2), units = evaluation$made$n_runs
    )
  })
  do.call(rbind, rows)
}

save_csv <- function(table, name) {
  utils::write.csv(table, file.path(folder, paste0(name, ".csv")), row.names = FALSE)
}

read_csv <- function(name) utils::read.csv(file.path(folder, paste0(name, ".csv")))

# t with its sign: positive where the mean of the first (direction 1) or the last class is larger.
signed_t <- function(direction, name) {
  selector_custom(function(x, y) {
    member <- cbind(as.integer(y) == 1L, as.integer(y) != 1L)
    n <- colSums(member)
    means <- crossprod(member, x) / n
    total <- colSums(x^2)
    square <- total - colSums(n * means^2)
    pooled <- pmax(square, 1e-12 * total) / (sum(n) - 2) * sum(1 / n)
    direction * (means[1, ] - means[2, ]) / sqrt(pooled)
  }, name, "binary")
}

aggregations <- list(
  score = aggregate_by(), rank = aggregate_by("mean_rank"),
  stability = aggregate_by("frequency_best")
)

# Readings of what the paper leaves open. CB_same_mean: the mean of NC after scaling, too.
# CB_sorted: the means in decreasing order, so that features of a block have similar means; for the
# independent features of NC the order plays no part. `strength` multiplies the scaled means; 2
# would be a Bayes error of 0.10 for classes whose means are one |mu| apart instead of two.
generated_model <- function(reading, n, strength = 1) {
  type <- sub("_.*", "", reading)
  data <- simulate_data(type, n = n, seed = seed)
  if (reading == "CB_same_mean") {
    data$truth$mean <- simulate_data("NC", n = 4, seed = seed)$truth$mean
  }
  if (reading == "CB_sorted") {
    mean <- sort(data$truth$mean, decreasing = TRUE)
    # The inverse of a block: 2 (I - J / 11).
    distance <- 2 * (sum(mean^2) - sum(rowsum(mean, data$truth$group)^2) / 11)
    data$truth$mean <- mean * stats::qnorm(0.9) / sqrt(distance)
  }
  data$truth$mean <- strength * data$truth$mean
  data
}

# Colon comes with the package; `alon` is the same but for rounding to two decimals.
real_data <- function(name) {
  file <- c(Leukemia = "golub", Vijver = "nki500_survivALL", Lung = "lung56_sparseBC")[name]
  ours <- name %in% c("Colon", "Colon_log")
  set <- if (ours) colon_genes[c("x", "y")] else experiment_data(unname(file))
  # Whole numbers of up to five digits; only the cost of support vector machines notices.
  if (name %in% c("Colon", "Leukemia")) set$x <- set$x / 1000
  if (name == "Colon_log") set$x <- log2(set$x)
  if (name == "Lung") set$y <- factor(ifelse(set$y == "Normal", "normal", "tumour"))
  set
}

sizes <- c(5, 10, 20, 30, 50, 100, 200)

evaluate_reading <- function(reading, strength, n, shrinkage, selectors, rules, sizes, sets,
                             n_test = 2000) {
  result <- evaluate_selectors(
    generated_model(reading, n, strength), selectors = selectors, aggregation = rules,
    n_features = sizes, n_repeats = sets, n_test = n_test, learner = learner_lda(shrinkage),
    index = "cw_rel", seed = seed
  )
  tidy(result, sub("_.*", "", reading),
    reading = reading, strength = strength, n = n, shrinkage = shrinkage
  )
}

# Rough first, with half of the sets and plain discriminant analysis; then near the best. CW_rel of
# few sets is larger than that of many: only the second part compares with the paper's.
search_generated <- function() {
  readings <- c("NC100", "NC", "CB", "CB_same_mean", "CB_sorted")
  grid <- rbind(
    expand.grid(n = c(50, 100, 150, 200, 300), reading = readings, strength = 1, shrinkage = 0),
    expand.grid(n = c(30, 50, 75, 100), reading = readings[-(3:4)], strength = 2, shrinkage = 0),
    expand.grid(n = c(50, 75, 100, 150), reading = readings[-(3:4)], strength = 1, shrinkage = 1)
  )
  selectors <- list(t = selector_filter("t"), svm_rfe = selector_learner(liblinear(), step = 0.2))
  rows <- lapply(seq_len(nrow(grid)), function(i) {
    rough <- grid$shrinkage[i] == 0
    evaluate_reading(
      as.character(grid$reading[i]), grid$strength[i], grid$n[i], grid$shrinkage[i], selectors,
      list(), if (rough) sizes else c(20, 50, 100, 200), if (rough) units %/% 2L else units
    )
  })
  do.call(rbind, rows)
}

evaluate_real <- function(reading, selectors, rules, sizes, splits) {
  set <- real_data(reading)
  result <- evaluate_selectors(
    set$x, set$y, selectors, rules, n_features = sizes, n_repeats = splits, index = "cw_rel",
    seed = seed
  )
  tidy(result, sub("_.*", "", reading), reading = reading)
}

svm_rfe_both <- function() {
  list(
    svm_rfe = selector_learner(liblinear(), step = 0.2),
    svm_rfe_raw = selector_learner(liblinear(scaling = "none"), step = 0.2)
  )
}

search_real <- function() {
  bins <- c(2, 3, 5, 10)
  mi <- c(
    list(mi_sd = selector_filter("mutual_information", discretise = "sd")),
    lapply(stats::setNames(bins, paste0("mi_width", bins)), function(k) {
      selector_filter("mutual_information", discretise = "equal_width", n_bins = k)
    }),
    lapply(stats::setNames(bins, paste0("mi_frequency", bins)), function(k) {
      selector_filter("mutual_information", discretise = "equal_frequency", n_bins = k)
    })
  )
  rows <- lapply(c("Colon", "Colon_log", "Leukemia"), function(reading) {
    selectors <- c(list(t = selector_filter("t")), svm_rfe_both(), mi)
    evaluate_real(reading, selectors, list(), sizes, units)
  })
  do.call(rbind, rows)
}

# Sizes beyond those of the search, without ensembles.
edge <- function() {
  selectors <- table3_selectors()[c("t", "svm_rfe_weights", "mi")]
  cells <- expand.grid(
    selector = names(selectors), reading = c("Colon", "Colon_log", "Leukemia"),
    stringsAsFactors = FALSE
  )
  run_cells(folder, "search-edge", cells, function(cell) {
    evaluate_real(
      cell$reading, selectors[cell$selector], list(), c(50, 100, 200, 300, 500, 1000), units
    )
  }, seed)
}

# t, t with its sign, elimination, the weights of the machine on all features without elimination,
# and forests, in the order of their cost.
table2_selectors <- function() {
  list(
    t = selector_filter("t"), t_up = signed_t(1, "t_up"),
    svm_rfe_weights = selector_learner(liblinear(scaling = "none")),
    svm_rfe = selector_learner(liblinear(), step = 0.2), forest = selector_learner(learner_forest())
  )
}

# The choice of the search: 100 samples, 100 features; t with other numbers of features, too.
tables_generated <- function() {
  selectors <- table2_selectors()
  cells <- expand.grid(
    reading = c("NC100", "CB_sorted", "NC"), selector = names(selectors), stringsAsFactors = FALSE
  )
  run_cells(folder, "table2", cells, function(cell) {
    sizes <- if (cell$selector == "t") c(50, 100, 200) else 100
    evaluate_reading(
      cell$reading, 1, 100, 1, selectors[cell$selector], aggregations, sizes, units, 10000
    )
  }, seed)
}

# Training sets of 75, other sizes.
tables_neighbours <- function() {
  selectors <- table2_selectors()[c("t", "t_up", "svm_rfe")]
  do.call(rbind, lapply(c("NC100", "NC", "CB_sorted"), function(reading) {
    evaluate_reading(reading, 1, 75, 1, selectors, aggregations, c(50, 100, 200), units)
  }))
}

table3_selectors <- function() {
  list(
    t = selector_filter("t"), t_up = signed_t(1, "t_up"), t_down = signed_t(-1, "t_down"),
    svm_rfe_weights = selector_learner(liblinear(scaling = "none")),
    mi = selector_filter("mutual_information", discretise = "equal_frequency", n_bins = 5),
    forest = selector_learner(learner_forest())
  )
}

# Signed t and forests on the two sets of the paper as they are, forests with half of the splits.
tables_real <- function() {
  selectors <- table3_selectors()
  cells <- expand.grid(
    reading = c("Colon", "Leukemia", "Colon_log", "Lung", "Vijver"), selector = names(selectors),
    stringsAsFactors = FALSE
  )
  few <- cells$selector %in% c("t_up", "t_down", "forest")
  cells <- cells[!few | cells$reading %in% c("Colon", "Leukemia"), ]
  run_cells(folder, "table3", cells, function(cell) {
    splits <- if (cell$selector == "forest") units %/% 2L else units
    evaluate_real(cell$reading, selectors[cell$selector], aggregations, 200, splits)
  }, seed)
}

# How far the single rows of a choice are from the paper's: mean |log(ours / paper)|.
fit_of_choices <- function(table, choice) {
  table$distance <- abs(log(pmax(table$ours, 1e-3) / table$paper))
  by <- table[c(choice, "measure")]
  fit <- stats::aggregate(table["distance"], by, mean)
  fit$distance <- signif(fit$distance, 3)
  wide <- stats::reshape(fit, idvar = choice, timevar = "measure", direction = "wide")
  wide$both <- (wide$distance.error + wide$distance.cw_rel) / 2
  wide[order(wide$both), ]
}

parts <- list(
  search = function() {
    save_csv(search_generated(), "search-generated")
    save_csv(search_real(), "search-real")
  },
  fit = function() {
    generated <- read_csv("search-generated")
    save_csv(
      fit_of_choices(generated[generated$shrinkage == 1, ], c("n", "n_features")), "fit-generated"
    )
    save_csv(
      fit_of_choices(read_csv("search-real"), c("selector", "reading", "n_features")), "fit-real"
    )
  },
  edge = edge, generated = tables_generated,
  neighbours = function() save_csv(tables_neighbours(), "table2-neighbours"),
  real = tables_real
)
if (!arguments[1] %in% names(parts)) {
  stop("The first argument must be one of ", toString(names(parts)))
}
parts[[arguments[1]]]()
