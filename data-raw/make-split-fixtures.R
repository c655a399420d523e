# P values of hdi 0.1-10 (R/multi-split.R; the package has left CRAN, github.com/cran/hdi has it),
# and selections of DSfdr (R/DS.R and R/analys.R, github.com/Jeremy690/DSfdr), on given splits, sets
# and coefficients, for the fixture split.rds.
#
# HDI=<clone> DSFDR=<clone>/DSfdr Rscript data-raw/make-split-fixtures.R
#
# Their functions run as they are, with what they draw or fit on first halves replaced by what is
# given.

set.seed(3)
n <- 60
p <- 25
n_splits <- 40
x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("g", 1:p)))
y <- drop(x[, 1:3] %*% c(1.2, 0.8, 0.5)) + rnorm(n)
halves <- lapply(seq_len(n_splits), function(b) sort(sample(n, n / 2)))
sets <- lapply(halves, function(rows) {
  order(-abs(cor(x[rows, ], y[rows])))[seq_len(sample(3:7, 1))]
})

hdi <- new.env()
sys.source(file.path(Sys.getenv("HDI"), "R", "helpers.R"), hdi)
sys.source(file.path(Sys.getenv("HDI"), "R", "multi-split.R"), hdi)
at <- 0
hdi$sample.int <- function(n, size) {
  at <<- at + 1
  halves[[at]]
}
tested <- hdi$multi.split(
  x, y, B = n_splits, ci = FALSE, model.selector = function(x, y) sets[[at]],
  return.nonaggr = TRUE
)

# Groups: the partial F tests of hdi, with its multiplicities and quantiles.
sys.source(file.path(Sys.getenv("HDI"), "R", "multi-split.hierarchical.R"), hdi)
groups <- rep_len(1:9, p)
split_out <- lapply(seq_len(n_splits), function(b) {
  list(split = halves[[b]], sel.models = seq_len(p) %in% sets[[b]])
})
gamma <- seq(ceiling(0.05 * n_splits) / n_splits, 1 - 1 / n_splits, by = 1 / n_splits)
aggregated <- function(features) {
  tree <- list(list(vars = features, parent = NA))
  each <- hdi$signif_partialFtest(tree, 1, x, y, split_out)
  factor <- hdi$getmultadj.fortree(tree, 1, split_out, c(), 1)
  min(1, (1 - log(min(gamma))) * min(quantile(pmin(1, each * factor), gamma) / gamma))
}
group_p <- vapply(1:9, function(g) aggregated(which(groups == g)), 0)

# All branches of a tree, single features included, without regard to those above them.
tree <- hclust(as.dist(1 - abs(cor(x))), "average")
joints <- list()
for (i in seq_len(p - 1)) {
  joints[[i]] <- sort(unlist(lapply(tree$merge[i, ], function(k) if (k < 0) -k else joints[[k]])))
}
branches <- c(joints, as.list(seq_len(p)))
branch_p <- vapply(branches, aggregated, 0)

# Mirror statistics: coefficients of both halves are given.
first <- second <- matrix(0, n_splits, p)
for (b in seq_len(n_splits)) {
  k <- sample(12:18, 1)
  j <- c(1:10, sample(11:p, k - 10))
  first[b, j] <- rnorm(k, c(rep(2, 10), rep(0, k - 10)), 0.5)
  second[b, j] <- rnorm(k, c(rep(2, 10), rep(0, k - 10)), 0.5)
}
ds <- new.env()
sys.source(file.path(Sys.getenv("DSFDR"), "R", "analys.R"), ds)
sys.source(file.path(Sys.getenv("DSFDR"), "R", "DS.R"), ds)
run <- 0
ds$cv.glmnet <- function(...) {
  run <<- run + 1
  list(lambda.min = 1)
}
ds$glmnet <- function(...) list(beta = first[run, ])
ds$lm <- function(...) list(coeff = second[run, first[run, ] != 0])
mirrored <- ds$DS(x, y, n_splits, 0.2)
mirror <- sign(first * second) * (abs(first) + abs(second))
each <- lapply(seq_len(n_splits), function(b) ds$analys(mirror[b, ], abs(mirror[b, ]), 0.2))

saveRDS(
  list(
    x = x, y = y, halves = halves, sets = sets, p_value = unname(tested$pval.corr),
    groups = groups, group_p = group_p, tree = tree,
    branches = branches, branch_p = branch_p, each_p = unname(tested$pvals.nonaggr), first = first,
    second = second, each = each,
    mirror = mirrored$MDS_feature
  ),
  file.path("tests", "testthat", "fixtures", "split.rds"), version = 2
)
