# Does find_signals() keep its promises on several classes and on counts? Real features, simulated
# outcomes, with and without signal. Rscript run.R [repetitions] [seconds of processor time] adds to
# results/outcomes.csv and results/names.csv after every repetition and goes on from there when run
# again. tables.R makes the tables.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
root <- if (length(file) > 0L) dirname(file) else "."
folder <- file.path(root, "results")
arguments <- as.numeric(commandArgs(trailingOnly = TRUE))
repetitions <- c(arguments[1], 40)[1 + is.na(arguments[1])]
seconds <- c(arguments[2], Inf)[1 + is.na(arguments[2])]
# Features and truths are those of the experiment on names.
source(file.path(root, "..", "names", "designs.R"))

# Three classes of equal size or 10:1:1; negative binomial counts of which about 60 % are zero,
# taken as they are and as their logarithms, log(y + 1). `covariate`: one that the outcome and the
# features follow.
cells <- expand.grid(
  truth = c("none", "sparse"), outcome = c("classes_1_1_1", "classes_10_1_1", "counts"),
  covariate = c(FALSE, TRUE), stringsAsFactors = FALSE
)
cells <- cells[cells$truth == "none" | !cells$covariate, ]

# Classes of given sizes by the largest utility: links and Gumbel errors. Samples enter the rarer
# classes first, in the order of their advantage there.
draw_classes <- function(links, sizes) {
  n <- nrow(links)
  utility <- links - log(-log(matrix(stats::runif(length(links)), n)))
  y <- rep("a", n)
  for (k in 3:2) {
    advantage <- utility[, k] - apply(utility[, -k], 1, max)
    advantage[y != "a"] <- -Inf
    y[utils::head(order(-advantage), round(n * sizes[k] / sum(sizes)))] <- letters[k]
  }
  factor(y)
}

draw_counts <- function(link) stats::rnbinom(length(link), mu = exp(link), size = 0.5)

draw_outcome <- function(x, set, cell, repetition) {
  seed <- 1000 * (100 * match(set, set_names) + as.integer(rownames(cell))) + repetition
  set.seed(seed)
  draw_truth <- function() {
    if (cell$truth != "none") {
      return(truths[[cell$truth]](x, repetition))
    }
    list(at = integer(), signal = numeric(nrow(x)))
  }
  one <- draw_truth()
  other <- if (cell$outcome == "counts") list(at = integer(), signal = 0) else draw_truth()
  # A covariate that half of the features' first component follows, and that matters.
  z <- if (cell$covariate) unit(unit(svd(x, nu = 1, nv = 0)$u[, 1]) + stats::rnorm(nrow(x)))
  size <- c(1, 2)[1 + repetition %% 2]
  link <- function(truth) size * if (is.null(z)) truth$signal else z
  y <- switch(cell$outcome,
    classes_1_1_1 = draw_classes(cbind(0, link(one), link(other)), c(1, 1, 1)),
    classes_10_1_1 = draw_classes(cbind(0, link(one), link(other)), c(10, 1, 1)),
    counts = draw_counts(link(one))
  )
  list(y = y, z = z, at = c(one$at, other$at), seed = seed, size = size)
}

# Three times the smallest p of each class against the rest.
p_of_each <- function(x, y, seed) {
  p <- vapply(levels(y), function(level) {
    fit <- find_signals(x, y == level, permute = 199, seed = seed, progress = FALSE)
    fit$p_value
  }, 0)
  min(1, length(p) * min(p))
}

one_answer <- function(x, drawn, set, cell, repetition) {
  fit <- find_signals(
    x, drawn$y, covariates = drawn$z, permute = 199, seed = drawn$seed, progress = FALSE
  )
  with_each <- is.factor(drawn$y) && cell$truth != "none" && repetition <= 10
  key <- data.frame(set, cell, repetition, row.names = NULL)
  shown <- rbind(
    fit$table[c("feature", "probability")], fit$candidates[c("feature", "probability")]
  )
  shown$named <- seq_len(nrow(shown)) <= nrow(fit$table)
  at <- match(shown$feature, colnames(x))
  like <- abs(stats::cor(x[, at, drop = FALSE], x[, drawn$at, drop = FALSE]))
  shown$true <- at %in% drawn$at
  shown$r <- if (length(drawn$at) == 0L) rep(0, nrow(shown)) else apply(like, 1, max)
  list(
    outcomes = data.frame(
      key, seed = drawn$seed, size = drawn$size, n_true = length(drawn$at),
      zeros = if (is.factor(drawn$y)) NA else mean(drawn$y == 0), p_value = fit$p_value,
      each_p = if (with_each) p_of_each(x, drawn$y, drawn$seed) else NA
    ),
    names = data.frame(key[rep(1L, nrow(shown)), ], shown, row.names = NULL)
  )
}

one_outcome <- function(x, set, cell, repetition) {
  drawn <- draw_outcome(x, set, cell, repetition)
  answer <- one_answer(x, drawn, set, cell, repetition)
  if (cell$outcome != "counts") {
    return(answer)
  }
  drawn$y <- log(drawn$y + 1)
  cell$outcome <- "counts_log"
  Map(rbind, answer, one_answer(x, drawn, set, cell, repetition))
}

stores <- c(outcomes = "outcomes.csv", names = "names.csv")
done <- lapply(stores, function(name) {
  path <- file.path(folder, name)
  if (file.exists(path)) utils::read.csv(path)
})
features <- stats::setNames(lapply(set_names, read_features), set_names)
for (repetition in setdiff(seq_len(repetitions), done$outcomes$repetition)) {
  if (proc.time()[["user.self"]] > seconds) break
  found <- unlist(lapply(set_names, function(set) {
    lapply(seq_len(nrow(cells)), function(i) {
      suppressWarnings(
        one_outcome(features[[set]], set, cells[i, ], repetition),
        classes = "stabilect_warning_small_class"
      )
    })
  }), recursive = FALSE)
  for (part in names(stores)) {
    done[[part]] <- rbind(done[[part]], do.call(rbind, lapply(found, `[[`, part)))
    utils::write.csv(done[[part]], file.path(folder, stores[[part]]), row.names = FALSE)
  }
}
