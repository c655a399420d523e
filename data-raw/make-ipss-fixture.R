# Efp scores and q values of the authors' Python (ipss 1.1.11, github.com/omelikechi/ipss) on fixed
# indicators of selection: tests/testthat/fixtures/ipss.rds.
#
# IPSS=<clone of the repository> PYTHON=<python with numpy> Rscript data-raw/make-ipss-fixture.R
#
# Their functions run as they are; only packages that they load for other purposes (scikit-learn,
# base learners) are stood in for. `truncated` shows a slip of their normalisation: where their
# cutoff ends the grid early, the bound is divided by the measure of the whole grid and the scores
# by that of the part which is left, so that efp comes out too small by the ratio of the two.
# `ranked` has fixed scores of features in every run. The k best of them are selected at a penalty
# of 1 / k, on a fine grid, since their integrals are sums over a grid.

set.seed(1)
p <- 30
n_pairs <- 10
grid <- exp(seq(log(2), log(0.05), length.out = 25))
# Feature j enters run b at one penalty of the grid, and some leave again.
enters <- matrix(pmin(26, 1 + rgeom(p * 2 * n_pairs, 0.02)), 2 * n_pairs)
enters[, 1:4] <- matrix(pmin(26, 2 + rgeom(80, 0.35)), 20)
leaves <- matrix(ifelse(runif(p * 20) < 0.15, enters + 1 + rgeom(p * 20, 0.2), 99), 20)
inside <- function(at) 1 * (enters <= at & leaves > at)
z <- array(unlist(lapply(seq_along(grid), inside)), c(2 * n_pairs, p, length(grid)))

scores <- matrix(rnorm(20 * p), 20) + rep(c(5, 4, 3.5, 3, rep(0, p - 4)), each = 20)
largest <- 6
fine <- exp(seq(0, -log(largest + 1), length.out = 2e4))
rank <- t(apply(-scores, 1, rank))
# Up to rounding, the k best are there from 1 / k on.
ranked <- vapply(fine, function(at) 1 * (1 / rank >= at * (1 - 1e-12)), rank)

folder <- tempfile()
dir.create(folder)
write <- function(z, grid, name) {
  write.table(t(apply(z, 3, as.vector)), file.path(folder, paste0("z", name, ".csv")),
    sep = ",", row.names = FALSE, col.names = FALSE
  )
  writeLines(format(grid, digits = 17), file.path(folder, paste0("grid", name, ".csv")))
}
write(z, grid, "")
write(ranked, fine, "r")
writeLines(c(
  "import sys, types, importlib",
  "import numpy as np",
  "for name in ['sklearn', 'sklearn.linear_model', 'sklearn.preprocessing', 'ipss',",
  "             'ipss.base_selectors', 'ipss.preselection']:",
  "    sys.modules[name] = types.ModuleType(name)",
  "for name in ['Lasso', 'LogisticRegression']:",
  "    setattr(sys.modules['sklearn.linear_model'], name, None)",
  "sys.modules['sklearn.preprocessing'].StandardScaler = None",
  "sys.modules['ipss.preselection'].preselection = None",
  "sys.modules['ipss'].__path__ = [sys.argv[1] + '/ipss']",
  "processing = importlib.import_module('ipss.processing')",
  "helpers = importlib.import_module('ipss.helpers')",
  "folder, B, p = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])",
  "for name, cutoff, out in [('', None, '0'), ('', 0.05, '1'), ('r', None, 'r')]:",
  "    z = np.loadtxt(folder + '/z' + name + '.csv', delimiter=',')",
  "    alphas = np.loadtxt(folder + '/grid' + name + '.csv')",
  "    z = z.reshape(len(alphas), p, 2 * B).transpose(0, 2, 1)",
  "    size = np.array([np.mean(np.sum(one, axis=1)) for one in z])",
  "    share = z.mean(axis=1)",
  "    scores, integral, left, stop = processing.ipss_scores(",
  "        share, B, alphas, size, 'h2', 1, cutoff)",
  "    efp = integral / np.maximum(scores, integral / p)",
  "    q = helpers.compute_qvalues(dict(enumerate(efp)))",
  "    np.savetxt(folder + '/out' + out + '.csv',",
  "        np.column_stack([efp, [q[j] for j in range(p)], [stop] * p]), fmt='%.17g',",
  "        delimiter=',')"
), file.path(folder, "run.py"))
status <- system2(Sys.getenv("PYTHON", "python3"), c(
  file.path(folder, "run.py"), Sys.getenv("IPSS"), folder, n_pairs, p
))
stopifnot(status == 0)
read <- function(k) {
  out <- read.csv(file.path(folder, sprintf("out%s.csv", k)), header = FALSE)
  list(efp = out[[1]], fdr = out[[2]], stop = out[1, 3])
}
saveRDS(
  list(
    version = "ipss 1.1.11", p = p, n_pairs = n_pairs, grid = grid, enters = enters,
    leaves = leaves, whole = read("0"), truncated = read("1"), scores = scores,
    largest = largest, ranked = read("r")
  ),
  file.path("tests", "testthat", "fixtures", "ipss.rds"), version = 2
)
