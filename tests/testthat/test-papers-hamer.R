# The vignette on Hamer and Dupont (2021): its live part, its toy maps against closed forms, its
# stored choices.

stored <- function(name) shipped_tables("hamer")[[name]]

test_that("settings of the front of alon give the stored numbers again", {
  rows <- stored("front-alon")
  rows <- rows[match(c(20, 68), rows$config), ]
  settings <- c("n_stable", "lambda", "lambda_final", "epsilon", "alpha", "variance_weight")
  index <- c("nogueira", "phi_pears", "phi_iw")
  tuned <- tune_tradeoff(
    # The stored runs had copies of columns as features of their own.
    told_apart(colon_genes$x), colon_genes$y, rows[settings], n_features = 20, index = index,
    resampling = resample_bootstrap(100), seed = 1, progress = FALSE
  )
  columns <- c("accuracy", index)
  expect_equal(
    # Nine genes are copies of others, and one feature each since these were stored.
    unlist(tuned$table[columns]), unlist(rows[columns]), tolerance = 0.03, ignore_attr = TRUE
  )
})

test_that("toy maps have the values of their closed forms", {
  source(sources("vignettes", "papers", "hamer-figures.R"), local = TRUE)
  index <- c("nogueira", "phi_pears", "phi_iw")
  # d to infinity: 3/4, 1/4 and 1/2 (Hamer and Dupont 2021, Figure 6).
  expect_equal(unname(values_of(half_stable(), index)), c(0.75, 0.25, 0.5), tolerance = 0.01)
  # Log-normal weights: E(w)^2 / E(w^2) and E(min(w, w')) / E(w), for many features.
  set.seed(1)
  sigma <- spread_for(0.97)
  drawn <- values_of(same_features(sigma), index)
  expect_equal(drawn[["nogueira"]], 1)
  expect_equal(drawn[["phi_pears"]], 0.97, tolerance = 0.01)
  expect_equal(sigma, sqrt(-log(0.97)), tolerance = 0.03)
  expect_equal(drawn[["phi_iw"]], 2 * stats::pnorm(-sigma / sqrt(2)), tolerance = 0.01)
  # Whole groups: phi_iw is one half whatever their size, phi grows, phi_pears falls.
  small <- values_of(whole_groups(1), index)
  large <- values_of(whole_groups(10), index)
  expect_equal(small[["phi_iw"]], 0.5, tolerance = 0.01)
  expect_equal(large[["phi_iw"]], 0.5, tolerance = 0.01)
  expect_gt(large[["nogueira"]], small[["nogueira"]] + 0.2)
  expect_lt(large[["phi_pears"]], small[["phi_pears"]] - 0.2)
})

test_that("stored choices are what selected() takes from the stored fronts", {
  choices <- stored("choices")
  for (name in unique(choices$set)) {
    front <- stored(paste0("front-", name))
    rows <- choices[choices$set == name & choices$gamma == 0.5, ]
    for (i in seq_len(nrow(rows))) {
      gain <- 0.5 * front$accuracy + 0.5 * front[[rows$index[i]]]
      best <- max(gain, na.rm = TRUE)
      lost <- best - gain[front$config == rows$config[i]]
      expect_lt(lost, 2e-4, label = paste(name, rows$index[i]))
    }
  }
})
