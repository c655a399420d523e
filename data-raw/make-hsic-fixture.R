# Penalties at which features enter the HSIC lasso of its authors' Python (pyHSICLasso 1.4.2,
# github.com/riken-aip/pyHSICLasso, without blocks): tests/testthat/fixtures/hsic.rds, for the
# recipe of vignettes/paper-selectors.Rmd.
#
# HSIC=<clone of the repository> PYTHON=<python with numpy> Rscript data-raw/make-hsic-fixture.R
#
# Their functions run as they are; packages that these load for other purposes (future, joblib) and
# the sparse matrix that keeps the path are stood in for.

load(file.path("data", "mcl_sll.rda"))
two <- list(x = unname(as.matrix(mcl_sll[, -1])), y = mcl_sll$MCL + 1)
# As in tests/testthat/test-papers-selectors.R.
x <- sin(7 * outer(1:40, sqrt(2:26)))
numbers <- list(x = x, y = x[, 1]^2 + sin(3 * x[, 2]) + x[, 3] / 2)
three <- list(x = x, y = 1 + (x[, 1] > -0.5) + (x[, 2] > 0.5))

folder <- tempfile()
dir.create(folder)
writeLines(c(
  "import sys, types, importlib",
  "import numpy as np",
  "for name in ['future', 'joblib', 'scipy', 'scipy.sparse', 'pyHSICLasso']:",
  "    sys.modules[name] = types.ModuleType(name)",
  "class library:",
  "    install_aliases = staticmethod(lambda: None)",
  "class path_matrix:",
  "    def __init__(self, shape): self.kept = np.zeros(shape)",
  "    def __setitem__(self, at, value): self.kept[at] = np.ravel(value)",
  "    def __getitem__(self, at): return types.SimpleNamespace(toarray=lambda: self.kept[at])",
  "sys.modules['future'].standard_library = library",
  "sys.modules['joblib'].delayed = lambda f: lambda *a: f(*a)",
  "sys.modules['joblib'].Parallel = lambda n_jobs: list",
  "sys.modules['scipy.sparse'].lil_matrix = path_matrix",
  "sys.modules['pyHSICLasso'].__path__ = [sys.argv[1] + '/pyHSICLasso']",
  "hsic = importlib.import_module('pyHSICLasso.hsic_lasso')",
  "lars = importlib.import_module('pyHSICLasso.nlars')",
  "folder, kernel, size = sys.argv[2], sys.argv[3], int(sys.argv[4])",
  "x = np.loadtxt(folder + '/x.csv', delimiter=',').T",
  "y = np.loadtxt(folder + '/y.csv').reshape(1, -1)",
  "K, KtL, L = hsic.hsic_lasso(x, y, kernel, B=x.shape[1])",
  "path, beta, A, lam, near, scores = lars.nlars(K, KtL, size, 1)",
  "lam = np.ravel(lam)",
  "first = [(np.argmax(row > 0), j + 1) for j, row in enumerate(path) if np.any(row > 0)]",
  "np.savetxt(folder + '/out.csv', [(j, lam[k - 1]) for k, j in sorted(first)], fmt='%.9g',",
  "    delimiter=',')"
), file.path(folder, "run.py"))
entries <- function(data, kernel, size) {
  write.table(data$x, file.path(folder, "x.csv"), sep = ",", row.names = FALSE, col.names = FALSE)
  writeLines(format(data$y, digits = 17), file.path(folder, "y.csv"))
  status <- system2(Sys.getenv("PYTHON", "python3"), c(
    file.path(folder, "run.py"), Sys.getenv("HSIC"), folder, kernel, size
  ))
  stopifnot(status == 0)
  out <- read.csv(file.path(folder, "out.csv"), header = FALSE)
  data.frame(feature = out[[1]], penalty = out[[2]])
}
saveRDS(
  list(
    two = entries(two, "Delta", 10), three = entries(three, "Delta", 10),
    numbers = entries(numbers, "Gaussian", 10)
  ),
  file.path("tests", "testthat", "fixtures", "hsic.rds"), version = 2
)
