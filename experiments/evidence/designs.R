# The simulated responses of this experiment, and how named sets are judged. Read by run.R and
# comparators.R.

near <- 0.7

set_names <- c("skf_GLIOMA", "golub", "khan", "chiaretti", "gravier", "nki500_survivALL")
read_features <- function(name) {
  x <- as.matrix(experiment_data(name)$x)
  # Intensities of the first generation of chips: floor, ceiling and logarithm as is usual.
  if (name == "golub") x <- log2(pmin(pmax(x, 100), 16000))
  x <- x[, apply(x, 2, stats::sd) > 0]
  colnames(x) <- paste0("f", seq_len(ncol(x)))
  rownames(x) <- NULL
  scale(x)[, ]
}

# Kinds of response: number of true features, their sizes, share of variance, noise, classes.
cells <- list(
  few = list(s = 3, r2 = 0.8),
  many = list(s = 6, r2 = 0.8),
  unequal = list(s = 6, r2 = 0.8, sizes = 0.7^(0:5)),
  correlated = list(s = 6, r2 = 0.8, pairs = TRUE),
  heavy = list(s = 3, r2 = 0.8, noise = "t3", null = "permutation"),
  classes = list(s = 3, r2 = 0.9, classes = TRUE),
  none = list(s = 0, r2 = 0),
  none_heavy = list(s = 0, r2 = 0, noise = "t3", null = "permutation"),
  none_classes = list(s = 0, r2 = 0, classes = TRUE)
)

# Partners of the first three true features: absolute correlation of 0.5 to 0.9, or the closest.
draw_truth <- function(x, cell) {
  if (cell$s == 0) {
    return(integer())
  }
  if (is.null(cell$pairs)) {
    return(sample(ncol(x), cell$s))
  }
  first <- sample(ncol(x), cell$s / 2)
  partners <- vapply(first, function(j) {
    r <- abs(drop(stats::cor(x, x[, j])))
    r[first] <- 0
    fitting <- which(r >= 0.5 & r <= 0.9)
    if (length(fitting) > 0L) fitting[sample(length(fitting), 1)] else which.max(r)
  }, 1L)
  unique(c(first, partners))
}

draw_response <- function(x, truth, cell) {
  n <- nrow(x)
  noise <- if (identical(cell$noise, "t3")) stats::rt(n, 3) / sqrt(3) else stats::rnorm(n)
  y <- noise
  if (length(truth) > 0L) {
    sizes <- if (is.null(cell$sizes)) rep(1, length(truth)) else cell$sizes
    signs <- sample(c(-1, 1), length(truth), replace = TRUE)
    eta <- drop(x[, truth, drop = FALSE] %*% (sizes * signs))
    y <- sqrt(cell$r2) * eta / stats::sd(eta) + sqrt(1 - cell$r2) * noise
  }
  if (isTRUE(cell$classes)) factor(y > stats::median(y), labels = c("low", "high")) else y
}

# @return data frame of one row: how many named sets are true, near or neither, and how many true
#   features are hit by name, or by name or neighbour.
judge <- function(named, truth, r) {
  kind <- vapply(named, function(set) {
    if (any(set %in% truth)) {
      "true"
    } else if (length(truth) > 0L && any(abs(r[set, ]) > near)) {
      "near"
    } else {
      "unrelated"
    }
  }, "")
  members <- unique(unlist(named))
  data.frame(
    n = length(named), true = sum(kind == "true"), near = sum(kind == "near"),
    unrelated = sum(kind == "unrelated"), hit = sum(truth %in% members),
    hit_near = sum(colSums(abs(r[members, , drop = FALSE]) > near) > 0)
  )
}

# The truth and the response of a repetition.
draw_set <- function(x, set, cell_name, repetition) {
  cell <- cells[[cell_name]]
  set.seed(1000 * repetition + 10 * match(set, set_names) + match(cell_name, names(cells)))
  truth <- draw_truth(x, cell)
  list(truth = truth, y = draw_response(x, truth, cell), cell = cell)
}

# One row per method, for a named list of named sets.
judge_all <- function(named, x, drawn, set, cell_name, repetition) {
  r <- stats::cor(x, x[, drawn$truth, drop = FALSE])
  rows <- do.call(rbind, lapply(named, judge, drawn$truth, r))
  data.frame(
    set = set, cell = cell_name, repetition = repetition, s = length(drawn$truth),
    method = names(named), rows
  )
}
