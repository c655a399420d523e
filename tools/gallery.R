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

# Functions without arguments, each of which makes one object; `type` for those with several.
gallery_results <- function(p, long) {
  d <- gallery_data(p, long)
  x <- d$x
  y <- d$y
  k <- 4L
  plan <- resample_bootstrap(20)
  fit <- fealect(x, y, n_runs = 60, permute = 5, seed = 1)
  ensemble <- select_ensemble(x, y, selector_filter("t"), plan, n_features = k, seed = 1)
  stable <- stability_selection(x, y, q = 3, cutoff = 0.8, n_pairs = 30, seed = 1)
  estimate <- estimate_stability(ensemble$selection, n_simulations = 20, n_boot = 20, seed = 1)
  tuned <- tune_tradeoff(
    x, y, grid = list(n_stable = 0:3), n_features = k, resampling = plan, seed = 1
  )
  model <- fit_model(x, y, colnames(x)[seq_len(min(p, 30))])
  errors <- withr::with_seed(1, {
    matrix(stats::runif(80), 10, dimnames = list(NULL, paste(colnames(x)[1:4], rep(1:2, each = 4))))
  })
  evaluated <- evaluate_selectors(
    x, y, list(selector_filter("t"), selector_filter("wilcoxon")), n_features = c(2, 4),
    n_splits = 5, resampling = resample_bootstrap(10), seed = 1
  )
  counts <- stats::rpois(nrow(x), 3)
  list(
    bolasso = bolasso(x, y, n_runs = 20, seed = 1),
    calibration = calibrate_selection(stable, x, y, n_true = 3, r_squared = 0.5, n_sets = 5,
      seed = 1),
    clusters = cluster_features(x, 0.5),
    comparison = compare_methods(errors, higher_is_better = FALSE),
    convergence = stability_convergence(ensemble$selection),
    diagnosis = diagnose_estimate(estimate, n_simulations = 20, seed = 1),
    elimination = eliminate_features(x, y, resampling = resample_folds(5), seed = 1),
    ensemble = ensemble, estimate = estimate, evaluation = evaluated,
    fealect = fit, fealect_type_frequency = fit, fealect_type_convergence = fit,
    hybrid_rfe = hybrid_rfe(x, y, n_features = k, n_stable = 2, resampling = plan, seed = 1),
    lasso_path = lasso_path(x, y, family = "binomial"),
    lasso_path_counts = lasso_path(x, counts, family = "poisson"),
    model = model,
    model_classes = fit_model(x, factor(rep(c("low", "mid", "high"), 20)), colnames(x)[1:5]),
    pareto = pareto_front(tuned), path = lars_path(x, y),
    plan = plan_ensemble(0.6, n_total = max(50, p), n_features = k, n_useful = 8, p = 0.8,
      n_simulations = 20, budget = 20, seed = 1),
    ranking = ensemble$ranking,
    replication = evaluate_replication(fit, x, y, n_pairs = 3, n_features = k, seed = 1),
    resamples = draw_resamples(resample_bootstrap(40), y, seed = 1),
    sample_plan = plan_samples(selector_filter("t"), x, y, n_features = 2, n_pairs = 10, seed = 1),
    selection = ensemble$selection, selection_type_map = ensemble$selection,
    selection_type_similarity = ensemble$selection,
    signals = find_signals(x, y, n_null = 99, seed = 1),
    simulation = simulate_stability(max(50, p), k, 10, c(0.5, 0.8), n_weak = c(1, 5, 20),
      n_simulations = 20, seed = 1),
    split_test = split_test(x, y, n_splits = 10, n_features = k, seed = 1),
    stability = stability(ensemble$selection, c("nogueira", "jaccard", "kuncheva"), seed = 1),
    explanation = explain_stability(ensemble),
    stability_selection = stable, stability_selection_type_paths = stable,
    stability_selection_type_cutoffs = stable,
    integrated = stability_selection(x, y, efp = 1, seed = 1),
    three_segment = fit$three_segment, tradeoff = tuned
  )
}

draw_one <- function(object, name, set) {
  type <- if (grepl("_type_", name)) sub(".*_type_", "", name)
  for (size in sizes) {
    file <- sprintf("%s-%s-%d.png", name, set, size[1])
    grDevices::png(file.path(folder, file), size[1], size[2], res = if (size[1] > 1000) 144 else 72)
    failure <- tryCatch(
      {
        if (is.null(type)) plot(object) else plot(object, type = type)
        NULL
      },
      error = identity
    )
    grDevices::dev.off()
    if (!is.null(failure)) cat(file, ": ", conditionMessage(failure), "\n", sep = "")
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
