# The largest violation of the optimality conditions on paths of 1,000 random designs for each
# family, computed by tests/testthat/helper-likelihood.R from the data alone, beside what the paths
# state. Every third path has further points, where features enter or leave one at a time.
#
#   Rscript experiments/optimality/run.R

library(stabilect)
source(file.path("tests", "testthat", "helper-likelihood.R"))
follow_likelihood <- stabilect:::follow_likelihood

violation <- function(family, id) {
  classes <- family == "multinomial"
  design <- if (classes) class_design(id) else likelihood_design(family, id)
  path <- run_likelihood(design,
    n_lambda = 15, tolerance = 1e-6, max_features = if (id %% 3 == 0) 12
  )
  found <- (if (classes) class_kkt else likelihood_kkt)(design, path)
  data.frame(
    points = length(path$kkt), stated = max(path$kkt), found = found, status = path$status
  )
}

of_family <- function(family) {
  each <- do.call(rbind, lapply(1000 + seq_len(1000), violation, family = family))
  data.frame(
    family = family, designs = nrow(each), points = sum(each$points), stated = max(each$stated),
    found = max(each$found), no_convergence = sum(each$status == "no_convergence")
  )
}

rows <- do.call(rbind, lapply(c("binomial", "poisson", "cox", "multinomial"), of_family))
print(rows)
write.csv(rows, file.path("experiments", "optimality", "results", "kkt.csv"), row.names = FALSE)
