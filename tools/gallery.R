# Every picture of the package, to be looked at: at three sizes, with names of 5 and of 60
# characters, 5 and 500 features. The pictures and one page with all of them go to .build/gallery.
# The arguments are parts of names: only such pictures are drawn again (all without arguments).
library(stabilect)

folder <- file.path(".build", "gallery")
dir.create(folder, showWarnings = FALSE, recursive = TRUE)
only <- commandArgs(trailingOnly = TRUE)
sizes <- list(c(480, 480), c(700, 500), c(1600, 1000))

gallery_data <- function(p, long) {
  withr::with_seed(1, {
    y <- factor(rep(c("control", "patient"), length.out = 60))
    x <- matrix(stats::rnorm(60 * p), 60)
    x[, 1:3] <- x[, 1:3] + c(1.5, 1.2, 1) * (y == "patient")
    x[, 4] <- x[, 1] + 0.3 * x[, 4]
    number <- sprintf("%04d", seq_len(p))
    colnames(x) <- if (long) {
      sprintf("ENSG0000000%s|hsa-miR-%s-5p|chr17:41,196,312-41,277,500|x", number, number)
    } else {
      paste0("g", number)
    }
    list(x = x, y = y)
  })
}

# One object for each picture; those of an object with several are named <object>_type_<type>.
gallery_results <- function(p, long) {
  d <- gallery_data(p, long)
  ensemble <- select_ensemble(
    d$x, d$y, selector_filter("t"), resample_bootstrap(20), n_features = 4, seed = 1
  )
  c(
    gallery_selections(d$x, d$y, ensemble), gallery_stabilities(d$x, d$y, ensemble),
    gallery_judgements(d$x, d$y), gallery_features(d$x, d$y, ensemble)
  )
}

gallery_selections <- function(x, y, ensemble) {
  fit <- fealect(x, y, n_runs = 60, permute = 5, seed = 1)
  again <- evaluate_replication(fit, x, y, n_pairs = 3, n_features = c(1, 2, 4), seed = 1)
  stable <- stability_selection(x, y, q = 3, cutoff = 0.8, n_pairs = 30, seed = 1)
  list(
    bolasso = bolasso(x, y, n_runs = 20, seed = 1),
    bolasso_type_strength = bolasso(x, y, n_runs = 20, seed = 1),
    calibration = estimate_error_rates(
      stable, x, y, n_true = 3, r_squared = 0.5, n_simulations = 5, seed = 1
    ),
    clusters = cluster_features(x, 0.5), ensemble = ensemble,
    ensemble_type_strength = ensemble, ranking = ensemble$ranking,
    fealect = fit, fealect_type_frequency = fit, fealect_type_convergence = fit,
    fealect_type_strength = fit, fealect_untested = fealect(x, y, n_runs = 20, seed = 1),
    three_segment = fit$three_segment, replication = again,
    replication_type_predictions = again,
    signals = find_signals(x, y, permute = 99, seed = 1),
    split_test = split_test(x, y, n_runs = 10, n_features = 4, seed = 1),
    stability_selection = stable, stability_selection_type_paths = stable,
    stability_selection_type_cutoffs = stable, stability_selection_type_strength = stable,
    integrated = stability_selection(x, y, pfer = 1, seed = 1)
  )
}

gallery_stabilities <- function(x, y, ensemble) {
  runs <- ensemble$selection
  estimate <- estimate_stability(runs, n_simulations = 20, n_boot = 20, seed = 1)
  n_total <- max(50, ncol(x))
  list(
    convergence = stability_convergence(runs), estimate = estimate,
    diagnosis = anova(estimate, n_simulations = 20, seed = 1),
    explanation = explain_stability(ensemble),
    plan = estimate_ensemble_size(
      0.6, n_total = n_total, n_features = 4, n_useful = 8, p = 0.8, n_simulations = 20,
      budget = 20, seed = 1
    ),
    selection = runs, selection_type_map = runs, selection_type_similarity = runs,
    simulation = simulate_stability(
      n_total, 4, 10, c(0.5, 0.8), n_weak = c(1, 5, 20), n_simulations = 20, seed = 1
    ),
    stability = stability(runs, c("nogueira", "jaccard", "kuncheva"), seed = 1)
  )
}

gallery_judgements <- function(x, y) {
  plan <- resample_bootstrap(20)
  tuned <- tune_tradeoff(
    x, y, grid = list(n_stable = 0:3), n_features = 4, resampling = plan, seed = 1
  )
  errors <- withr::with_seed(1, matrix(stats::runif(80), 10))
  colnames(errors) <- paste(colnames(x)[1:4], rep(1:2, each = 4))
  three <- factor(rep(c("low", "mid", "high"), 20))
  list(
    comparison = compare_methods(errors, direction = "min"),
    elimination = eliminate_features(x, y, resampling = resample_folds(5), seed = 1),
    evaluation = evaluate_selectors(
      x, y, list(selector_filter("t"), selector_filter("wilcoxon")), n_features = c(2, 4),
      n_repeats = 5, resampling = resample_bootstrap(10), seed = 1
    ),
    hybrid_rfe = hybrid_rfe(x, y, n_features = 4, n_stable = 2, resampling = plan, seed = 1),
    lasso_path = lasso_path(x, y, family = "binomial"), path = lars_path(x, y),
    model = fit_model(x, y, colnames(x)[seq_len(min(ncol(x), 30))]),
    model_classes = fit_model(x, three, colnames(x)[1:5]),
    pareto = pareto_front(tuned), tradeoff = tuned,
    resamples = draw_resamples(resample_bootstrap(40), y, seed = 1),
    sample_size = estimate_sample_size(
      selector_filter("t"), x, y, n_features = 2, n_pairs = 10, seed = 1
    ),
    sample_plan_simulated = estimate_sample_size(
      selector_filter("t"), x, y, n_features = 2, n_pairs = 10, n_simulations = 5,
      n_true = 2, seed = 1
    )
  )
}

# What is drawn of features and models; pictures of data are functions.
gallery_features <- function(x, y, ensemble) {
  fit <- fealect(x, y, n_runs = 20, permute = 19, seed = 1)
  half <- rep(c(TRUE, FALSE), c(40, 20))
  features <- colnames(x)[1:4]
  new_samples <- function(outcome) {
    model <- fit_model(x[half, ], outcome[half], features)
    validate_model(model, x[!half, ], outcome[!half])
  }
  effects <- feature_effects(fit, x, y, features)
  time <- survival::Surv(exp(-x[, 1] / 2 + seq(0, 1, length.out = 60)), rep(c(1, 1, 0), 20))
  three <- factor(rep(c("low", "mid", "high"), 20))
  values <- function(outcome) force(function() plot_values(features, x, outcome))
  list(
    alternatives = alternative_lists(fit, x, y, n_features = 3, seed = 1),
    effects = effects, effects_type_frequency = effects,
    cohorts = compare_cohorts(x, y, rep_len(c("a", "a", "b", "b"), nrow(x))),
    elimination_evaluation = evaluate_elimination(
      x, y, outer = resample_bootstrap(5), resampling = resample_folds(4), seed = 1
    ),
    null = fit$null,
    signature_test = test_signature(x, y, features, n_random = 200, seed = 1),
    substitutes = substitutes(ensemble, x),
    validation = new_samples(y), validation_type_measures = new_samples(y),
    validation_three = new_samples(three), validation_numbers = new_samples(x[, 1] + x[, 5]),
    validation_survival = new_samples(time), validation_survival_type_measures = new_samples(time),
    values_classes = values(y), values_three = values(three), values_numbers = values(x[, 1]),
    values_long = function() {
      plot_values(colnames(x), x, factor(y, labels = c("adenocarcinoma", "mesothelioma")), n = 6)
    },
    values_many = values(factor(rep(c("acute", "chronic, stable", "chronic", "relapse"), 15))),
    values_survival = values(time),
    empty_signals = find_signals(x[, -(1:4), drop = FALSE], y, permute = 19, seed = 1),
    empty_stable = stability_selection(x, three, q = 1, cutoff = 1, n_pairs = 10, seed = 1)
  )
}

draw_one <- function(object, name, set) {
  type <- if (grepl("_type_", name)) sub(".*_type_", "", name)
  for (size in sizes) {
    file <- sprintf("%s-%s-%d.png", name, set, size[1])
    grDevices::png(file.path(folder, file), size[1], size[2], res = if (size[1] > 1000) 144 else 72)
    say <- function(condition) cat(file, ": ", conditionMessage(condition), "\n", sep = "")
    withCallingHandlers(
      tryCatch(
        if (is.function(object)) {
          print(object())
        } else if (is.null(type)) {
          plot(object)
        } else {
          plot(object, type = type)
        },
        error = say
      ),
      warning = function(w) {
        say(w)
        invokeRestart("muffleWarning")
      },
      message = function(m) {
        say(m)
        invokeRestart("muffleMessage")
      }
    )
    grDevices::dev.off()
  }
}

for (p in c(5L, 500L)) {
  for (long in c(FALSE, TRUE)) {
    set <- sprintf("%d-%s", p, if (long) "long" else "short")
    results <- gallery_results(p, long)
    wanted <- names(results)
    if (length(only) > 0L) wanted <- grep(paste(only, collapse = "|"), wanted, value = TRUE)
    for (name in wanted) draw_one(results[[name]], name, set)
    cat(set, ": ", length(wanted), " pictures at ", length(sizes), " sizes\n", sep = "")
  }
}

files <- list.files(folder, "png$")
kind <- sub("-[0-9]+-(short|long)-[0-9]+[.]png$", "", files)
images <- tapply(files, kind, function(some) {
  paste(sprintf('<img src="%s" alt="%s" title="%s">', some, some, some), collapse = "\n")
})
writeLines(c(
  "<!DOCTYPE html><meta charset='utf-8'><title>Gallery</title>",
  "<style>body { font-family: sans-serif } img { border: 1px solid #ccc; margin: 4px }</style>",
  sprintf("<h2>%s</h2>\n%s", names(images), images)
), file.path(folder, "index.html"))
cat(file.path(folder, "index.html"), "\n")
