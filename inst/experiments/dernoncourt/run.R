# Tables 2 and 3 of Dernoncourt, Hanczar and Zucker (2014), paper's number beside ours.
# Rscript inst/experiments/dernoncourt/run.R <part> [sets or splits] [of these for forests]
# with the parts search, fit, generated, neighbours, real, forest, weights, judge in this order;
# writes results/*.csv beside this file. The folder of the data: see ?experiment_data.

library(stabilect)

# The machine of LIBLINEAR, with which all was measured.
liblinear <- function(...) learner_svm(..., intercept = "penalised")

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
dir.create(folder, showWarnings = FALSE)
arguments <- commandArgs(trailingOnly = TRUE)
units <- c(as.integer(arguments[-1]), NA, NA)[1:2]
units <- ifelse(is.na(units), c(50L, 3L), units)
seed <- 1

# Columns error and CW_rel of each selector, as printed.
paper <- utils::read.csv(text = "
data,aggregation,t,t,svm_rfe,svm_rfe,forest,forest,mi,mi
NC100,single,0.338,0.075,0.345,0.065,0.383,0.031,,
NC100,score,0.290,0.135,0.339,0.071,0.347,0.059,,
NC100,rank,0.340,0.072,0.340,0.072,0.347,0.061,,
NC100,stability,0.339,0.071,0.344,0.068,0.345,0.062,,
NC,single,0.360,0.050,0.360,0.049,0.391,0.027,,
NC,score,0.320,0.071,0.364,0.045,0.365,0.042,,
NC,rank,0.361,0.045,0.364,0.044,0.363,0.045,,
NC,stability,0.366,0.043,0.363,0.045,0.368,0.040,,
CB,single,0.239,0.235,0.242,0.113,0.244,0.099,,
CB,score,0.223,0.265,0.238,0.152,0.232,0.193,,
CB,rank,0.235,0.226,0.238,0.154,0.230,0.195,,
CB,stability,0.237,0.217,0.239,0.150,0.233,0.190,,
Colon,single,0.188,0.310,0.182,0.448,0.196,0.163,0.181,0.140
Colon,score,0.305,0.327,0.203,0.588,0.179,0.206,0.217,0.149
Colon,rank,0.215,0.277,0.203,0.494,0.199,0.163,0.209,0.149
Colon,stability,0.210,0.262,0.206,0.568,0.177,0.210,0.213,0.145
Leukemia,single,0.049,0.322,0.044,0.525,0.042,0.220,0.050,0.263
Leukemia,score,0.117,0.315,0.051,0.581,0.043,0.265,0.052,0.300
Leukemia,rank,0.054,0.269,0.047,0.517,0.067,0.094,0.053,0.297
Leukemia,stability,0.058,0.246,0.047,0.565,0.046,0.269,0.049,0.294
Lung,single,0.054,0.515,0.084,0.377,0.060,0.342,0.061,0.372
Lung,score,0.076,0.536,0.083,0.498,0.064,0.398,0.063,0.379
Lung,rank,0.058,0.417,0.067,0.444,0.063,0.389,0.064,0.377
Lung,stability,0.058,0.445,0.082,0.487,0.063,0.394,0.064,0.376
Vijver,single,0.382,0.254,0.377,0.159,0.359,0.078,0.360,0.077
Vijver,score,0.364,0.345,0.373,0.221,0.368,0.107,0.357,0.091
Vijver,rank,0.371,0.237,0.368,0.158,0.371,0.105,0.360,0.092
Vijver,stability,0.374,0.237,0.376,0.215,0.371,0.106,0.359,0.088
", check.names = FALSE)

paper_number <- function(data, selector, aggregation, measure) {
  column <- which(names(paper) == sub("^(t|svm_rfe|mi)_.*", "\\1", selector))
  row <- which(paper$data == data & paper$aggregation == aggregation)
  if (length(column) == 0L || length(row) == 0L) {
    return(NA_real_)
  }
  as.numeric(paper[row, column[if (measure == "error") 1L else 2L]])
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
    one <- as.integer(y) == 1L
    n <- c(sum(one), sum(!one))
    means <- list(colMeans(x[one, , drop = FALSE]), colMeans(x[!one, , drop = FALSE]))
    square <- colSums(x[one, , drop = FALSE]^2) + colSums(x[!one, , drop = FALSE]^2) -
      n[1] * means[[1]]^2 - n[2] * means[[2]]^2
    pooled <- pmax(square, 1e-12 * colSums(x^2)) / (sum(n) - 2) * sum(1 / n)
    direction * (means[[1]] - means[[2]]) / sqrt(pooled)
  }, name, "binary")
}

aggregations <- list(
  score = aggregate_score(), rank = aggregate_rank("mean"),
  stability = aggregate_frequency("best")
)

# Readings of what the paper leaves open. CB_same_mean: the mean of NC after scaling, too.
# CB_sorted: the means in decreasing order, so that features of a block have similar means; for the
# independent features of NC the order plays no part. `strength` multiplies the scaled means; 2
# would be a Bayes error of 0.10 for classes whose means are one |mu| apart instead of two.
generated_model <- function(reading, n, strength = 1) {
  type <- sub("_.*", "", reading)
  data <- generate_classes(type, n = n, seed = seed)
  if (reading == "CB_same_mean") {
    data$truth$mean <- generate_classes("NC", n = 4, seed = seed)$truth$mean
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

real_data <- function(name) {
  file <- c(
    Colon = "alon", Colon_log = "alon", Leukemia = "golub", Vijver = "nki500_survivALL",
    Lung = "lung56_sparseBC"
  )[[name]]
  set <- experiment_data(file)
  # Whole numbers of up to five digits; only the cost of support vector machines notices.
  if (name %in% c("Colon", "Leukemia")) set$x <- set$x / 1000
  if (name == "Colon_log") set$x <- log2(set$x)
  if (name == "Lung") set$y <- factor(ifelse(set$y == "Normal", "normal", "tumour"))
  set
}

sizes <- c(5, 10, 20, 30, 50, 100, 200)

evaluate_reading <- function(reading, strength, n, shrinkage, selectors, rules, sizes, sets) {
  result <- evaluate_selectors(
    generated_model(reading, n, strength), selectors = selectors, aggregation = rules,
    n_features = sizes, n_splits = sets, n_test = 2000, learner = learner_lda(shrinkage),
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
  selectors <- list(t = selector_filter("t"), svm_rfe = selector_linear(liblinear(), step = 0.2))
  rows <- lapply(seq_len(nrow(grid)), function(i) {
    rough <- grid$shrinkage[i] == 0
    evaluate_reading(
      as.character(grid$reading[i]), grid$strength[i], grid$n[i], grid$shrinkage[i], selectors,
      list(), if (rough) sizes else c(20, 50, 100, 200), if (rough) units[1] %/% 2L else units[1]
    )
  })
  do.call(rbind, rows)
}

evaluate_real <- function(reading, selectors, rules, sizes, splits) {
  set <- real_data(reading)
  result <- evaluate_selectors(
    set$x, set$y, selectors, rules, n_features = sizes, n_splits = splits, index = "cw_rel",
    seed = seed
  )
  tidy(result, sub("_.*", "", reading), reading = reading)
}

svm_rfe_both <- function() {
  list(
    svm_rfe = selector_linear(liblinear(), step = 0.2),
    svm_rfe_raw = selector_linear(liblinear(scaling = "none"), step = 0.2)
  )
}

search_real <- function() {
  bins <- c(2, 3, 5, 10)
  mi <- c(
    list(mi_sd = selector_mutual_information("sd")),
    lapply(stats::setNames(bins, paste0("mi_width", bins)), function(k) {
      selector_mutual_information("equal_width", n_bins = k)
    }),
    lapply(stats::setNames(bins, paste0("mi_frequency", bins)), function(k) {
      selector_mutual_information("equal_frequency", n_bins = k)
    })
  )
  rows <- lapply(c("Colon", "Colon_log", "Leukemia"), function(reading) {
    selectors <- c(list(t = selector_filter("t")), svm_rfe_both(), mi)
    evaluate_real(reading, selectors, list(), sizes, units[1])
  })
  do.call(rbind, rows)
}

# The choice of the search, and its neighbours: sizes, and samples of the generated sets.
tables_generated <- function(n, sets) {
  selectors <- list(
    t = selector_filter("t"), t_up = signed_t(1, "t_up"),
    svm_rfe = selector_linear(liblinear(), step = 0.2)
  )
  do.call(rbind, lapply(c("NC100", "NC", "CB_sorted"), function(reading) {
    evaluate_reading(reading, 1, n, 1, selectors, aggregations, c(50, 100, 200), sets)
  }))
}

tables_real <- function() {
  selectors <- c(
    list(t = selector_filter("t"), t_up = signed_t(1, "t_up"), t_down = signed_t(-1, "t_down")),
    svm_rfe_both(), list(mi = selector_mutual_information("equal_frequency", n_bins = 5))
  )
  readings <- c("Colon", "Colon_log", "Leukemia", "Lung", "Vijver")
  do.call(rbind, lapply(readings, function(reading) {
    evaluate_real(reading, selectors, aggregations, c(50, 100, 200), units[1])
  }))
}

tables_forest <- function() {
  do.call(rbind, lapply(c("Colon", "Leukemia"), function(reading) {
    evaluate_real(
      reading, list(forest = selector_forest()), aggregations, c(50, 100, 200), units[2]
    )
  }))
}

# Weights of the machine on all features, without elimination.
tables_weights <- function() {
  weights <- list(svm_rfe_weights = selector_linear(liblinear(scaling = "none")))
  generated <- lapply(c("NC100", "CB_sorted"), function(reading) {
    evaluate_reading(reading, 1, 100, 1, weights, aggregations, 100, units[1])
  })
  real <- lapply(c("Colon", "Leukemia"), function(reading) {
    evaluate_real(reading, weights, aggregations, c(50, 100, 200), units[1])
  })
  all <- c(real, lapply(generated, function(rows) rows[names(real[[1]])]))
  do.call(rbind, all)
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

# Every aggregation against the single selection, in the paper and here.
judge <- function() {
  generated <- rbind(read_csv("table2"), read_csv("table2-neighbours"))
  real <- do.call(rbind, lapply(c("table3", "table3-forest", "table3-weights"), read_csv))
  real[c("strength", "n", "shrinkage")] <- NA
  all <- rbind(generated, real[names(generated)])
  # The signed scores matter for their average only; the other rows are those of |t|.
  all <- all[!grepl("^t_", all$selector) | all$aggregation == "score", ]
  key <- function(t) paste(t$reading, t$n, sub("^t_.*", "t", t$selector), t$n_features, t$measure)
  single <- all[all$aggregation == "single", ]
  at <- match(key(all), key(single))
  all$paper_change <- signif(all$paper - single$paper[at], 3)
  all$our_change <- signif(all$ours - single$ours[at], 3)
  all[all$aggregation != "single", setdiff(names(all), c("strength", "shrinkage"))]
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
  generated = function() save_csv(tables_generated(100, units[1]), "table2"),
  neighbours = function() save_csv(tables_generated(75, units[1]), "table2-neighbours"),
  real = function() save_csv(tables_real(), "table3"),
  forest = function() save_csv(tables_forest(), "table3-forest"),
  weights = function() save_csv(tables_weights(), "table3-weights"),
  judge = function() save_csv(judge(), "judged")
)
if (!arguments[1] %in% names(parts)) {
  stop("The first argument must be one of ", toString(names(parts)))
}
parts[[arguments[1]]]()
