# The real cases: data set, selector, reading of the paper's protocol, number of weak selectors.
#
# Readings. All leave one sample out per fold and select in halves of the rest, as C.1 says, but the
# text does not say what differs between the weak selectors of one ensemble:
#   halves     every weak selector has a half of its own, as a bootstrap would have;
#   one_half   one half per fold ("training dataset 1"), the forests differ by their seed;
#   bootstrap  one half per fold, every weak selector has a bootstrap sample of it.
# A single weak selector is the same in the first two.

forest_case <- function(data, n_tree, n_weak, reading = "halves", mtry = NA) {
  data.frame(
    data = data, selector = "forest", n_tree = n_tree, mtry = mtry, reading = reading,
    n_weak = n_weak
  )
}

score_case <- function(data, selector, n_weak, reading = "halves") {
  data.frame(
    data = data, selector = selector, n_tree = NA, mtry = NA, reading = reading, n_weak = n_weak
  )
}

# n_weak: of the largest ensemble, and so the weak selectors that are run in each fold. The most
# important cases first.
cases <- rbind(
  forest_case("colon", 300, 50L), forest_case("colon", 300, 50L, "one_half"),
  score_case(c("colon", "prostate"), "t", 100L), score_case("lymphoma", "anova", 100L),
  score_case(c("colon", "prostate"), "lasso_path", 50L),
  forest_case("colon", c(50, 100, 200, 400, 500), 30L, "one_half"),
  forest_case("colon", c(50, 100, 200, 400, 500), 30L),
  forest_case("colon", 300, 30L, "bootstrap"),
  forest_case("lymphoma", 300, 30L, "one_half"),
  score_case("colon", c("t", "lasso_path"), 50L, "bootstrap"),
  score_case("lymphoma", "anova", 20L, "bootstrap"), score_case("prostate", "t", 20L, "bootstrap"),
  forest_case("prostate", 200, 20L, "one_half"),
  forest_case("lymphoma", 300, 10L), forest_case("prostate", 200, 10L),
  forest_case("lymphoma", c(50, 100, 200, 400, 500), 2L, "one_half"),
  forest_case("prostate", c(50, 100, 300, 400, 500), 2L, "one_half"),
  forest_case("colon", c(50, 300), 10L, "one_half", mtry = 0.1),
  forest_case("colon", c(100, 200, 400, 500), 2L, "one_half", mtry = 0.1),
  forest_case("colon", c(50, 100, 200, 300, 400, 500), 2L, "one_half", mtry = 0.01)
)
cases$case <- with(cases, paste0(
  data, "-", selector, ifelse(is.na(n_tree), "", n_tree),
  ifelse(is.na(mtry), "", paste0("-mtry", mtry)), "-", reading
))

case_selector <- function(case, p) {
  switch(case$selector,
    t = selector_filter("t"), anova = selector_filter("anova"), lasso_path = selector_lasso_path(),
    forest = selector_learner(learner_forest(
      n_trees = case$n_tree, mtry = if (!is.na(case$mtry)) ceiling(case$mtry * p)
    ))
  )
}

# Rows of the weak selectors of one fold, among the n - 1 that are left.
weak_rows <- function(reading, n, n_weak) {
  half <- function() sample.int(n, n %/% 2L)
  first <- half()
  rows <- lapply(seq_len(n_weak), function(m) {
    switch(reading,
      halves = if (m == 1L) first else half(),
      one_half = first, bootstrap = sample(first, replace = TRUE)
    )
  })
  list(rows = rows, predictor = setdiff(seq_len(n), first))
}
