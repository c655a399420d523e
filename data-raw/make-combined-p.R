# Combined p values of the package metap and fixed-effect means of metafor, for
# tests/testthat/test-evaluate-cohorts.R. Run in the folder of the package.

set.seed(1)
p <- matrix(round(stats::runif(80)^3, 6), 20)
fisher <- t(apply(p, 1L, function(one) {
  last <- sort(one)
  # metap takes at least two.
  c(vapply(1:3, function(r) metap::sumlog(last[r:4])$p, 0), last[4])
}))
correlation <- matrix(round(stats::runif(60, -0.9, 0.9), 3), 20)
n <- c(30, 40, 50)
fixed <- apply(correlation, 1L, function(r) {
  tanh(metafor::rma(yi = atanh(r), vi = 1 / (n - 3), method = "FE")$b[1])
})
table <- data.frame(p = p, fisher = fisher, correlation = correlation, fixed = fixed)
utils::write.csv(format(table, digits = 12), row.names = FALSE, quote = FALSE,
  "tests/testthat/fixtures/combined-p.csv")
cat("metap", format(utils::packageVersion("metap")), "metafor",
  format(utils::packageVersion("metafor")), "\n")
