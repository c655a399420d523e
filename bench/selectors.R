# Selectors and aggregation side by side with loops in R, at the size of the leukemia data: 72 x
# 7129, 40 bootstraps, two classes. From the package's root: Rscript bench/selectors.R
#
# Both sides see the same resamples, drawn before. stabilect runs on two threads through
# select_ensemble(), so that its time holds checks, ranking and aggregation; the loops only score,
# on one thread. Times are elapsed: medians of three for stabilect, single runs for others. Where a
# loop would take long, a few runs are timed and scaled; every row says so.

source(file.path("bench", "bench-helpers.R"))
suppressPackageStartupMessages(library(stabilect))

# The machine of LIBLINEAR, as in the loop over it.
penalised_svm <- learner_svm(intercept = "penalised")

n <- 72L
p <- 7129L
n_runs <- 40L
n_threads <- 2L
data <- expression_like(n, p, 1)
x <- data$x
colnames(x) <- paste0("g", seq_len(p))
y <- data$y
resamples <- draw_resamples(resample_bootstrap(n_runs), y, seed = 1)
rows_of <- split(resamples)

median_of <- function(fun, times = 3L) {
  fun()
  stats::median(vapply(seq_len(times), function(i) seconds(fun()), 0))
}

ensemble <- function(selector, threads = n_threads) {
  select_ensemble(x, y, selector, resamples, n_features = 100, seed = 1, n_threads = threads,
    progress = FALSE)
}

row <- function(case, stabilect, other, seconds, scaled = "") {
  data.frame(
    case = sprintf("%s n=%d p=%d runs=%d threads=%d", case, n, p, n_runs, n_threads),
    stabilect = stabilect, other = other, other_seconds = seconds, ratio = seconds / stabilect,
    scaled = scaled
  )
}

# ---- t ---------------------------------------------------------------------------------------

t_of_rows <- function(rows) {
  z <- x[rows, ]
  first <- y[rows] == levels(y)[1]
  a <- z[first, ]
  b <- z[!first, ]
  m <- nrow(a)
  k <- nrow(b)
  mean_a <- colMeans(a)
  mean_b <- colMeans(b)
  square <- colSums((a - rep(mean_a, each = m))^2) + colSums((b - rep(mean_b, each = k))^2)
  abs(mean_a - mean_b) / sqrt(square / (m + k - 2) * (1 / m + 1 / k))
}

t_fit <- ensemble(selector_filter("t"))
t_seconds <- median_of(function() ensemble(selector_filter("t")))
loop_t <- vapply(rows_of, t_of_rows, numeric(p))
stopifnot(isTRUE(all.equal(unname(as.matrix(t_fit$selection$score)), unname(loop_t))))
rows <- list(row(
  "t", t_seconds, "base R, vectorised t", seconds(vapply(rows_of, t_of_rows, numeric(p)))
))
# A call of some milliseconds again, in processor seconds: repeated, both on one thread.
repeated <- function(fun, times) cpu_seconds(for (k in seq_len(times)) fun()) / times
one_thread <- repeated(function() ensemble(selector_filter("t"), 1L), 40)
rows <- c(rows, list(row(
  "t, one thread, processor", one_thread, "base R, vectorised t",
  repeated(function() vapply(rows_of, t_of_rows, numeric(p)), 5)
)))
if (requireNamespace("genefilter", quietly = TRUE)) {
  rows <- c(rows, list(row("t", t_seconds, "genefilter::rowttests", seconds(
    for (rows_b in rows_of) genefilter::rowttests(t(x[rows_b, ]), y[rows_b])
  ))))
}

# ---- SVM-RFE ---------------------------------------------------------------------------------

# fit(z, y) returns the weights; 20 per cent of the features go at a time.
rfe <- function(rows, fit) {
  z <- x[rows, ]
  mean_z <- colMeans(z)
  spread <- sqrt(colMeans((z - rep(mean_z, each = nrow(z)))^2))
  z <- (z - rep(mean_z, each = nrow(z))) / rep(spread, each = nrow(z))
  active <- seq_len(p)
  score <- numeric(p)
  out <- 0
  while (length(active) > 0L) {
    w <- fit(z[, active, drop = FALSE], y[rows])
    gone <- order(abs(w), -active)[seq_len(max(1, floor(0.2 * length(active))))]
    score[active[gone]] <- out + seq_along(gone)
    out <- out + length(gone)
    active <- active[-gone]
  }
  score
}

liblinear <- function(epsilon) {
  function(z, y) {
    fit <- LiblineaR::LiblineaR(z, y, type = 1, cost = 1, bias = 1, epsilon = epsilon)
    fit$W[seq_len(ncol(z))]
  }
}

svm_e1071 <- function(z, y) {
  fit <- e1071::svm(z, y, kernel = "linear", cost = 1, scale = FALSE)
  crossprod(fit$coefs, fit$SV)
}

rfe_seconds <- median_of(function() ensemble(selector_learner(penalised_svm, step = 0.2)))
# @param runs (whole number) how many are timed.
compare_rfe <- function(package, label, fit, runs) {
  if (!requireNamespace(package, quietly = TRUE)) {
    return(NULL)
  }
  some <- seconds(for (b in seq_len(runs)) rfe(rows_of[[b]], fit))
  row("SVM-RFE step 0.2", rfe_seconds, label, some * n_runs / runs,
    sprintf("%d of %d runs timed", runs, n_runs)
  )
}
rows <- c(rows, list(
  compare_rfe("LiblineaR", "LiblineaR, default epsilon (0.01)", liblinear(0.01), 10L),
  compare_rfe("LiblineaR", "LiblineaR, epsilon 1e-3", liblinear(1e-3), 4L),
  compare_rfe("e1071", "e1071::svm", svm_e1071, 2L)
))

# ---- Relief ----------------------------------------------------------------------------------

relief_seconds <- median_of(function() ensemble(selector_relief()))
rows <- c(rows, list(row("Relief-F k=10", relief_seconds, "none", NA)))

# ---- Aggregation -----------------------------------------------------------------------------

score <- as.matrix(t_fit$selection$score)
ranks <- function() apply(-score, 2, rank)
base_rules <- list(
  mean_rank = list(aggregate_by("mean_rank"), function() rowMeans(ranks())),
  median_rank = list(aggregate_by("median_rank"), function() apply(ranks(), 1, stats::median)),
  frequency = list(aggregate_by("frequency_best"), function() rowMeans(ranks() <= 100))
)
for (name in names(base_rules)) {
  rule <- base_rules[[name]]
  ours <- median_of(function() aggregate(t_fit, rule[[1]], n_threads = n_threads))
  rows <- c(rows, list(row(paste("aggregation", name), ours, "base R", seconds(rule[[2]]()))))
}

# In a file of its own: other columns than results.csv.
record("selectors", do.call(rbind, rows), file = file.path("bench", "selectors.csv"))
