# Counts: numbers with family = "poisson".

register_outcome("count", function() {
  new_outcome(
    "count", "counts", place = 5,
    reading(
      claims = function(y, family) identical(family, "poisson") && !is_survival(y),
      code = code_counts,
      # Learners get them as numbers.
      holds = function(y) FALSE, labels = function(response) response$y, got = "counts",
      describe = function(record) "counts"
    ),
    number_drawing(
      working = function(response, rows) {
        # If all counts are 0, the intercept has no limit.
        mean <- max(mean(response$y[rows]), 1e-10)
        cbind(log(mean) + (response$y[rows] - mean) / mean)
      }
    ),
    number_judging(
      error = NULL, metric = "poisson_deviance",
      errors = function(response, links) {
        colMeans(poisson_deviances(rep(response$y, ncol(links[[1]])), mean_count(links[[1]])))
      },
      judge = function(seen, decision, blocks, conf_level) {
        losses <- poisson_deviances(seen$observed, seen$predicted)
        judge_losses(losses, "mean Poisson deviance", blocks, conf_level)
      },
      measured = "mean Poisson deviance",
      baseline = function(predictions) deviance_of_mean(predictions$observed),
      reference = function(observed) "when always predicting the mean", expected = "numbers",
      read = function(y, study) {
        observed <- numbers_observed(y, study)
        check_whole_counts(y, "The model is one of counts.")
        observed
      },
      measure = function(model, observed, link, conf_level, tau) {
        measure_counts(observed$observed, link, conf_level)
      }
    ),
    number_showing("Count", ranked = TRUE),
    defaults(
      verbs = c("fealect", "stability_selection", "bolasso", "lasso_path", "test_signature",
        "alternative_lists", "feature_effects", "fit_model"),
      models = "ridge_poisson", learner = function(held) learner_ridge(),
      said = function(link, levels) mean_count(link),
      types = function(known) c("response", intersect("link", known)),
      towards = function(levels) "larger counts", learners = learners_of_numbers,
      holders = "{.fn learner_ridge} has."
    )
  )
})
