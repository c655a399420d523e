# What do the list rules of stability_selection() deliver with selectors other than the lasso?
# Rscript run.R [repetitions] makes results/rates.csv, a row for each kind of data, selector and
# rule; kinds that it already has are left out. Forests get half of the repetitions. Needs
# STABILECT_DATA.

library(stabilect)

repetitions <- as.integer(c(commandArgs(TRUE), 30)[1])
file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
to <- file.path(folder, "rates.csv")
n <- 102
p <- 500

features <- list(
  independent = function() matrix(stats::rnorm(n * p), n),
  # Blocks of ten with correlation 0.8.
  correlated = function() {
    common <- matrix(stats::rnorm(n * p / 10), n)[, rep(seq_len(p / 10), each = 10)]
    sqrt(0.8) * common + sqrt(0.2) * matrix(stats::rnorm(n * p), n)
  },
  # Genes of prostate tissues (Singh et al. 2002).
  genes = local({
    x <- experiment_data("singh")$x
    function() scale(x[, sample(ncol(x), p)])
  })
)

# @return (logical, n) the outcome, and which columns carry it.
laws <- list(
  none = function(x) list(y = stats::rnorm(n) > 0, true = integer()),
  linear = function(x) {
    true <- c(1, 11, 21)
    list(y = rowSums(x[, true]) + stats::rlogis(n) / 1.5 > 0, true = true)
  },
  circle = function(x) list(y = x[, 1]^2 + x[, 2]^2 > 1.5, true = 1:2),
  interaction = function(x) list(y = x[, 1] * x[, 2] > 0, true = 1:2),
  threshold = function(x) {
    high <- x[, 1] > 0.7 | x[, 2] > 0.7
    list(y = stats::runif(n) < ifelse(high, 0.9, 0.1), true = 1:2)
  }
)

selectors <- list(
  moderated_t = selector_filter("moderated_t"),
  mutual_information = selector_filter("mutual_information"),
  mrmr = selector_mrmr(),
  forest = selector_learner(learner_forest(n_trees = 50))
)

kinds <- rbind(
  data.frame(features = "independent", law = names(laws)),
  expand.grid(features = c("genes", "correlated"), law = c("none", "linear"))
)

# All rules read the same runs.
judge <- function(repetition, kind) {
  set.seed(repetition)
  x <- features[[kind$features]]()
  dimnames(x) <- list(NULL, paste0("g", seq_len(p)))
  law <- laws[[kind$law]](x)
  near <- apply(abs(stats::cor(x, x[, law$true, drop = FALSE])) > 0.5, 1L, any)
  asked <- setdiff(names(selectors), if (repetition > repetitions / 2) "forest")
  rows <- lapply(asked, function(selector) {
    fit <- stability_selection(
      x, factor(law$y), pfer = 1, selector = selectors[[selector]], seed = repetition,
      progress = FALSE
    )
    lists <- list(
      "pfer = 1" = stability_selection(fit, q = 10, pfer = 1), "efp = 1" = fit,
      "fdr = 0.2" = stability_selection(fit, fdr = 0.2)
    )
    each <- lapply(names(lists), function(rule) {
      found <- match(lists[[rule]]$features, colnames(x))
      false <- setdiff(found, law$true)
      data.frame(
        selector = selector, rule = rule, true = length(found) - length(false),
        false = length(false), unrelated = sum(!near[false]), share = length(false) /
          max(1, length(found)), unrelated_share = sum(!near[false]) / max(1, length(found)),
        bound = lists[[rule]]$bound$pfer
      )
    })
    do.call(rbind, each)
  })
  do.call(rbind, rows)
}

error <- function(x) stats::sd(x) / sqrt(length(x))
for (at in seq_len(nrow(kinds))) {
  kind <- kinds[at, ]
  done <- if (file.exists(to)) utils::read.csv(to)
  if (any(done$features == kind$features & done$law == kind$law)) next
  rows <- do.call(rbind, lapply(seq_len(repetitions), judge, kind))
  own <- interaction(rows$rule, rows$selector, drop = TRUE, lex.order = FALSE)
  table <- do.call(rbind, lapply(split(rows, own), function(one) {
    data.frame(
      features = kind$features, law = kind$law, one[1, c("selector", "rule")],
      repetitions = nrow(one), true = mean(one$true), false = mean(one$false),
      se = error(one$false), unrelated = mean(one$unrelated), se_unrelated = error(one$unrelated),
      share = mean(one$share), unrelated_share = mean(one$unrelated_share),
      any = mean(one$true + one$false > 0), bound = mean(one$bound)
    )
  }))
  number <- vapply(table, is.double, NA)
  table[number] <- lapply(table[number], signif, 4)
  utils::write.csv(rbind(done, table), to, row.names = FALSE)
}
