# Claimed and delivered: every rate that the package prints, on independent, correlated and real
# features, with simulated responses whose true features are known.
# Rscript run.R [repetitions, 100] [seconds of processor time]; adds to results/sets.rds after every
# repetition and goes on from there when run again; writes results/rates.csv. The set golub must be
# in the folder that the environment variable STABILECT_DATA names.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
arguments <- as.numeric(commandArgs(trailingOnly = TRUE))
repetitions <- c(arguments[1], 100)[1 + is.na(arguments[1])]
seconds <- c(arguments[2], Inf)[1 + is.na(arguments[2])]
near <- 0.7

gauss <- function(n, p, group_size, correlation, seed) {
  set.seed(seed)
  x <- matrix(rnorm(n * p), n)
  common <- matrix(rnorm(n * p / group_size), n)[, rep(seq_len(p / group_size), each = group_size)]
  sqrt(1 - correlation) * x + sqrt(correlation) * common
}

designs <- list(
  independent = gauss(60, 500, 1, 0, 1),
  groups_of_10 = gauss(60, 500, 10, 0.5, 2),
  pairs = gauss(60, 500, 2, 0.95, 3),
  one_factor = gauss(60, 500, 500, 0.6, 4),
  colon = log2(colon_genes$x),
  # Intensities of the first generation of chips: floor, ceiling and logarithm as is usual.
  leukaemia = log2(pmin(pmax(as.matrix(experiment_data("golub")$x), 100), 16000))
)
designs <- lapply(designs, function(x) {
  x <- scale(x[, apply(x, 2, stats::sd) > 0])[, ]
  dimnames(x) <- list(NULL, paste0("f", seq_len(ncol(x))))
  x
})

# Number of true features, share of the variance that they explain, kind of response.
cells <- list(
  none = list(s = 0, r2 = 0), none_classes = list(s = 0, r2 = 0, classes = TRUE),
  few = list(s = 3, r2 = 0.8), six_classes = list(s = 6, r2 = 0.95, classes = TRUE)
)

draw_response <- function(x, truth, cell) {
  y <- stats::rnorm(nrow(x))
  if (length(truth) > 0L) {
    eta <- drop(x[, truth, drop = FALSE] %*% sample(c(-1, 1), length(truth), replace = TRUE))
    y <- sqrt(cell$r2) * eta / stats::sd(eta) + sqrt(1 - cell$r2) * y
  }
  if (isTRUE(cell$classes)) factor(y > stats::median(y), labels = c("low", "high")) else y
}

# Three bounds on at most one false feature are three cutoffs of the same frequencies.
assumptions <- c("none", "unimodal", "r_concave")
bounds <- lapply(designs, function(x) {
  found <- lapply(assumptions, function(assumption) {
    error_bound(ncol(x), q = 20, pfer = 1, assumption = assumption)
  })
  stats::setNames(found, paste0("stability_", assumptions))
})

# Lists, with the bound on their false features where there is one.
lists_of <- function(x, y, seed, bounds) {
  quiet <- function(verb, ...) verb(x, y, ..., seed = seed, progress = FALSE)
  frequency <- quiet(stability_selection, q = 20, pfer = 1)$table
  of_bound <- function(bound) {
    list(names = frequency$feature[frequency$frequency >= bound$cutoff - 1e-9], claim = bound$pfer)
  }
  small <- quiet(stability_selection, q = 5, cutoff = 0.55)
  # Numbers are normal here, for which rotations are exact.
  null <- if (is.numeric(y)) "rotation" else "permutation"
  signals <- quiet(find_signals, null = null, permute = 199)
  scores <- quiet(fealect, n_runs = 50, n_boot = 0, oob = FALSE)
  lists <- c(lapply(bounds, of_bound), list(
    stability_q5 = list(names = small$features, claim = small$bound$pfer),
    bolasso_s = list(names = quiet(bolasso, cutoff = 0.9, n_runs = 50)$features),
    fealect = list(names = scores$features),
    signals = list(
      names = signals$features, claim = signals$expected_wrong / max(1, length(signals$features))
    )
  ))
  list(lists = lists, p_global = signals$p_value)
}

# What permutations say. `over`: is a bound on the number of false features broken, for any cut?
permuted_of <- function(x, y, seed, kind_of) {
  fit <- stability_selection(
    x, y, q = 10, cutoff = 0.75, n_pairs = 10, permute = 59, seed = seed, progress = FALSE
  )
  bound <- fdp_bound(fit)
  kind <- kind_of(fit$table$feature[bound$n_features])
  list(
    p_any = fit$null$p,
    lists = list(
      family_wise = list(names = fit$table$feature[fit$table$p_fwer <= 0.05], claim = 0.05),
      q_value = list(names = fit$table$feature[fit$table$q_fdr <= 0.2], claim = 0.2)
    ),
    over = any(cumsum(kind != "true") > bound$n_false),
    over_near = any(cumsum(kind == "unrelated") > bound$n_false)
  )
}

# The out-of-bag error of the whole procedure on shuffled classes, against that of permutations.
error_p <- function(x, y, seed) {
  fit <- fealect(x, y, n_runs = 20, n_boot = 0, permute = 20, seed = seed, progress = FALSE)
  fit$null$error$p
}

one_set <- function(x, design, cell_name, repetition) {
  cell <- cells[[cell_name]]
  set.seed(1000 * repetition + 10 * match(design, names(designs)) + match(cell_name, names(cells)))
  truth <- sample(ncol(x), cell$s)
  y <- draw_response(x, truth, cell)
  related <- rowSums(abs(stats::cor(x, x[, truth, drop = FALSE])) > near) > 0
  kind_of <- function(names) {
    at <- match(names, colnames(x))
    ifelse(at %in% truth, "true", ifelse(related[at], "near", "unrelated"))
  }
  found <- lists_of(x, y, repetition, bounds[[design]])
  permuted <- permuted_of(x, y, repetition, kind_of)
  lists <- c(found$lists, permuted$lists)
  counts <- do.call(rbind, lapply(lists, function(list) {
    table(factor(kind_of(list$names), c("true", "near", "unrelated")))
  }))
  claims <- vapply(lists, function(list) if (is.null(list$claim)) NA_real_ else list$claim, 0)
  # The error takes long: where all features are noise, and x is small.
  with_error <- cell_name == "none_classes" && design %in% c("independent", "pairs")
  data.frame(
    design = design, cell = cell_name, repetition = repetition, s = cell$s, rate = names(lists),
    claim = unname(claims), counts, p_global = found$p_global, p_any = permuted$p_any,
    over = permuted$over, over_near = permuted$over_near,
    p_error = if (with_error) error_p(x, y, repetition) else NA, row.names = NULL
  )
}

dir.create(folder, showWarnings = FALSE)
store <- file.path(folder, "sets.rds")
done <- if (file.exists(store)) readRDS(store)
for (repetition in setdiff(seq_len(repetitions), unique(done$repetition))) {
  if (proc.time()[["user.self"]] > seconds) break
  for (design in names(designs)) {
    rows <- lapply(names(cells), function(cell) {
      one_set(designs[[design]], design, cell, repetition)
    })
    done <- rbind(done, do.call(rbind, rows))
  }
  saveRDS(done, store, compress = "xz")
}
source(file.path(dirname(folder), "tables.R"))
