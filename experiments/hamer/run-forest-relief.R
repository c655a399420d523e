# Random forests and Relief: Hamer and Dupont (2021), section 7.2, Figures 15 to 18.
# Rscript run-forest-relief.R <sets>, for example run-forest-relief.R sonar gastro; adds rows to
# results/forest-relief.csv. With a folder in the environment variable MAPS, the maps of Figures 16
# (gastro) and 18 (sonar) are drawn there. Needs ranger and class.

library(stabilect)

here <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(here) > 0L) dirname(here) else "."
source(file.path(here, "data.R"))
indices <- c("nogueira", "phi_pears", "phi_iw")

# A forest ranks the features by permutation, a new one is learned on the chosen ones.
forest <- function(n_trees, n_features) {
  list(
    selector = selector_learner(learner_forest(n_trees = n_trees, importance = "permutation")),
    learner = learner_forest(n_trees, importance = "permutation"), n_features = n_features
  )
}

run_forests <- function(data, k, resamples) {
  tuned <- tune_tradeoff(
    data$x, data$y, list(n_trees = c(3, 10, 30, 100, 300, 1000)), parameter = forest,
    index = indices, resampling = resamples, n_features = k, seed = 1, n_threads = 1,
    progress = FALSE
  )
  data.frame(
    method = "forest", size = tuned$table$n_trees, tuned$table[c("accuracy", indices)]
  )
}

# Accuracy out of bag of K neighbours on the features of a run, scaled by its samples.
accuracy_of_neighbours <- function(data, chosen, counts, k) {
  bag <- rep(seq_along(counts), counts)
  out <- which(counts == 0L)
  z <- data$x[, chosen, drop = FALSE]
  centre <- colMeans(z[bag, , drop = FALSE])
  spread <- apply(z[bag, , drop = FALSE], 2L, stats::sd)
  spread[spread == 0] <- 1
  z <- scale(z, centre, spread)
  predicted <- class::knn(z[bag, , drop = FALSE], z[out, , drop = FALSE], data$y[bag], k)
  mean(predicted == data$y[out])
}

# The importance of a chosen feature is its score.
relief_runs <- function(data, k, resamples, n_neighbours) {
  runs <- select_ensemble(
    data$x, data$y, selector_relief(n_neighbours), resamples, n_features = k, seed = 1,
    progress = FALSE
  )$selection
  as_selection(pmax(as.matrix(runs$score * runs$selected), 0), type = "weight", runs_in = "columns")
}

run_relief <- function(data, k, resamples) {
  do.call(rbind, lapply(c(1, 2, 5, 10, 25, 40), function(n_neighbours) {
    runs <- relief_runs(data, k, resamples, n_neighbours)
    set.seed(1) # ties of knn()
    accuracy <- vapply(seq_len(runs$n_runs), function(b) {
      accuracy_of_neighbours(
        data, which(runs$selected[, b]), as.matrix(resamples)[, b], n_neighbours
      )
    }, 0)
    agreement <- stability(runs, indices)$table
    data.frame(
      method = "Relief", size = n_neighbours, accuracy = mean(accuracy),
      as.list(stats::setNames(agreement$estimate, agreement$index))
    )
  }))
}

forest_runs <- function(data, k, resamples, n_trees) {
  tune_tradeoff(
    data$x, data$y, list(n_trees = n_trees), parameter = forest, resampling = resamples,
    n_features = k, seed = 1, progress = FALSE
  )$selections[[1]]
}

draw_maps <- function(name, runs, labels) {
  if (!nzchar(Sys.getenv("MAPS"))) {
    return(invisible())
  }
  file <- file.path(Sys.getenv("MAPS"), paste0("map-", name, "-", labels, ".png"))
  for (i in seq_along(runs)) {
    grDevices::png(file[i], width = 900, height = 600, res = 120)
    plot(runs[[i]], type = "map")
    grDevices::dev.off()
  }
}

for (name in commandArgs(trailingOnly = TRUE)) {
  data <- read_hamer(name)
  k <- floor(wanted_size(ncol(data$x)))
  resamples <- draw_resamples(resample_bootstrap(30), data$y, seed = 1)
  rows <- rbind(run_relief(data, k, resamples), run_forests(data, k, resamples))
  rows <- data.frame(set = name, n_features = k, rows)
  path <- file.path(folder, "forest-relief.csv")
  old <- if (file.exists(path)) utils::read.csv(path)
  write_results(rbind(old[old$set != name, ], rows), path)
  print(rows, digits = 2, row.names = FALSE)
  if (name == "sonar") {
    draw_maps(name, lapply(c(1, 25), function(n) relief_runs(data, k, resamples, n)), c(1, 25))
  }
  if (name == "gastro") {
    n_trees <- c(10, 1000)
    draw_maps(name, lapply(n_trees, function(n) forest_runs(data, k, resamples, n)), n_trees)
  }
}
