# What changes where paths of many samples end early: fealect() and an ensemble of lasso paths with
# their defaults beside whole paths, on the same resamples. `Rscript ends.R`; about ten minutes.

library(stabilect)

draw <- function(n, p, seed) {
  withr::with_seed(seed, {
    x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p))))
    link <- drop(x[, 1:10] %*% rep(c(1, -1), 5)) * 7 / sqrt(n)
    list(x = x, numbers = link + stats::rnorm(n),
      survival = survival::Surv(stats::rexp(n, exp(link)), stats::rbinom(n, 1, 0.7)))
  })
}

overlap <- function(a, b) length(intersect(a, b)) / length(union(a, b))

compare <- function(n, p, seed, outcome) {
  data <- draw(n, p, seed)
  plan <- resample_subsample(20, 0.75)
  scored <- function(limit = NULL) {
    suppressMessages(fealect(data$x, data[[outcome]], resampling = plan, max_features = limit,
      oob = FALSE, seed = 1))
  }
  ensemble <- function(limit = NULL) {
    suppressMessages(select_ensemble(data$x, data[[outcome]],
      selector_lasso_path(max_features = limit), plan, n_features = 10, seed = 1))
  }
  short <- scored()
  whole <- scored(p)
  best <- function(fit, k) utils::head(fit$table$feature, k)
  data.frame(
    n, p, seed, outcome, true_in_10 = sum(best(short, 10) %in% colnames(data$x)[1:10]),
    true_in_10_whole = sum(best(whole, 10) %in% colnames(data$x)[1:10]),
    overlap_10 = overlap(best(short, 10), best(whole, 10)),
    overlap_30 = overlap(best(short, 30), best(whole, 30)),
    above_cut = length(short$features), above_cut_whole = length(whole$features),
    overlap_cut = overlap(short$features, whole$features),
    overlap_ensemble_10 = overlap(ensemble()$features, ensemble(p)$features)
  )
}

cells <- expand.grid(
  seed = 1:2, n = c(1500, 3000), outcome = c("numbers", "survival"), stringsAsFactors = FALSE
)
rows <- Map(compare, cells$n, 300, cells$seed, cells$outcome)
utils::write.csv(do.call(rbind, rows), file.path("results", "ends.csv"), row.names = FALSE)
