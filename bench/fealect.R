# FeaLect() of this package against CRAN FeaLect 1.20, on the same draws, in one run: colon, 100
# models with the default arguments but the plot. The original takes minutes, so that its models are
# fitted in turns with ours, a part at a time. Without FeaLect and rms (Debian: r-cran-rms) only the
# time of ours is measured.

source(file.path("bench", "bench-helpers.R"))
library(stabilect)

x <- log2(colon_genes$x)
labels <- stats::setNames(as.numeric(colon_genes$y == "tumour"), rownames(x))
n_models <- 100
per_turn <- 10

# Everything but the time taken, and the generator afterwards.
run <- function(fealect, n_models, seed, ...) {
  set.seed(seed)
  elapsed <- seconds(utils::capture.output(answer <- suppressWarnings(
    fealect(x, labels, ncol(x), n_models, plot.scores = FALSE, ...)
  )))
  list(seconds = elapsed, answer = answer, after = .Random.seed)
}

same_scores <- function(old, new) {
  doctors <- function(run, field) lapply(run$answer$doctors, `[[`, field)
  close <- function(a, b, tolerance) isTRUE(all.equal(a, b, tolerance = tolerance))
  identical(old$after, new$after) &&
    close(old$answer$log.scores, new$answer$log.scores, 1e-8) &&
    identical(doctors(old, "selected.features.sequence"),
      doctors(new, "selected.features.sequence")) &&
    identical(old$answer$best.features.intersection, new$answer$best.features.intersection) &&
    close(doctors(old, "probabilities"), doctors(new, "probabilities"), 1e-6)
}

invisible(run(FeaLect, 5, 0))
if (requireNamespace("FeaLect", quietly = TRUE) && requireNamespace("rms", quietly = TRUE)) {
  original <- getExportedValue("FeaLect", "FeaLect")
  invisible(run(original, 1, 0))
  turns <- lapply(seq_len(n_models / per_turn), function(turn) {
    old <- run(original, per_turn, turn)
    new <- run(FeaLect, per_turn, turn)
    data.frame(old = old$seconds, new = new$seconds, same = same_scores(old, new))
  })
  turns <- do.call(rbind, turns)
  whole <- stats::median(vapply(1:3, function(turn) run(FeaLect, n_models, turn)$seconds, 1))
  record("fealect", data.frame(
    case = c("colon, FeaLect 1.20", "colon, FeaLect()"), models = n_models,
    seconds = c(sum(turns$old), whole),
    ratio = c(1, sum(turns$old) / whole), same_results = all(turns$same)
  ), file = file.path("bench", "fealect.csv"))
} else {
  message("FeaLect 1.20 or rms is not installed: no comparison.")
  print(run(FeaLect, n_models, 1)$seconds)
}
