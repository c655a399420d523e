# Chunks of the vignette on this paper, which reads this file by read_pages().

## ---- data
paper1 <- result("paper-table1")
sets <- result("sets")
here <- sets[match(paper1$dataset, sets$dataset), ]
same <- here$features == paper1$features & here$examples == paper1$examples &
  here$classes == paper1$classes
n_folds <- function(classifier) {
  rows <- counted[counted$classifier == classifier & counted$method == "FRFE", ]
  found <- rows$n_folds[match(gsub("-", "_", paper1$dataset), rows$data)]
  ifelse(is.na(found), "", found)
}
mark1 <- holds(same)
knitr::kable(data.frame(
  paper1$dataset, paper1$features, paper1$examples, paper1$classes, sign_of(mark1),
  n_folds("LR"), n_folds("libsvm"), n_folds("SVM"), n_folds("RF")
), col.names = c(
  "Table 1", "features", "samples", "classes", "same here", "folds LR", "SVM", "LIBLINEAR", "RF"
), align = "lrrrcrrrr")
missing <- paper1$dataset[is.na(same)]

## ---- figure1
f <- function(x) -0.2 * x^2 + 2 * x
asked_by <- function(search, p, f, tie = "smallest") {
  asked <- integer()
  search$run(p, function(sizes) {
    asked <<- c(asked, sizes[sizes <= p])
    ifelse(sizes > p, -Inf, f(sizes))
  }, tie)
  unique(asked)
}
looked <- list(
  FRFE = asked_by(search_peak(), 10, f), SRFE3 = asked_by(search_peak(3), 10, f)
)
graphics::par(mfrow = c(1, 2), mar = c(4, 4, 2, 1))
for (name in names(looked)) {
  graphics::curve(
    f, 1, 10, xlab = "number of features", ylab = "score", main = name, col = "grey50",
    ylim = c(-0.8, 5.2)
  )
  graphics::points(looked[[name]], f(looked[[name]]), pch = 16)
  graphics::text(looked[[name]], f(looked[[name]]), seq_along(looked[[name]]), pos = 1, xpd = NA)
}

## ---- unimodal
set.seed(1)
found <- replicate(400, {
  p <- sample(5:80, 1)
  top <- sample(p, 1)
  score <- function(x) -abs(x - top) * ifelse(x > top, 1, 3)
  vapply(list(search_peak(), search_peak(3), search_peak(10)), function(search) {
    asked <- asked_by(search, p, score)
    asked[which.max(score(asked))] == top
  }, NA)
})
mark_f1 <- holds(c(5 %in% looked$FRFE, 5 %in% looked$SRFE3, all(found)))

## ---- table2
paper2 <- result("paper-table2")
measure_names <- c(
  n_mixed = "features, author's mixture of rules", sd_mixed = "their sd, author's mixture",
  n_fits = "time: fits (the paper: seconds; not compared)", accuracy = "accuracy", kappa = "kappa",
  macro_recall = "macro recall",
  g_mean_floored = "G-mean"
)
# All of his sets but ALLAML, which is leukemia again.
n_paper <- nrow(paper1) - 1
rank_rows <- function(measure, classifier) {
  of_paper <- if (measure == "n_fits") "seconds" else measure
  theirs <- paper2$measure == of_paper & paper2$classifier == name_of_paper(classifier)
  theirs <- only(paper2[theirs, ], paste("Table 2", measure, classifier))
  ours <- ranks[ranks$measure == measure & ranks$classifier == classifier, ]
  if (classifier == "GBM") {
    cells <- c(short(unlist(theirs[methods])), "", p_text(theirs$friedman_p))
    return(list(cells = cells, mark = NA))
  }
  ours <- rows_for(ours, data.frame(method = methods))
  paper <- unlist(theirs[methods])
  mark <- mark_of(ours$ours, paper, ours$se, ours$se * sqrt(ours$n_sets / n_paper), 0.01)
  p_mark <- holds((theirs$friedman_p < 0.05) == (ours$friedman_p[1] < 0.05))
  # Seconds are of his machine and code.
  if (measure == "n_fits") mark[] <- p_mark <- NA
  list(
    cells = c(
      beside(paper, ours$ours, rep(NA, 8), mark), short(mean(ours$se)),
      paste(short(theirs$friedman_p), "/", p_text(ours$friedman_p[1]), sign_of(p_mark))
    ), mark = mark, p_mark = p_mark
  )
}
all_ranks <- list()
for (measure in names(measure_names)) {
  rows <- lapply(names(classifier_names), function(name) rank_rows(measure, name))
  names(rows) <- names(classifier_names)
  all_ranks[[measure]] <- rows
  table <- do.call(rbind, lapply(rows, `[[`, "cells"))
  rownames(table) <- classifier_names
  cat("\n**", measure_names[[measure]], "**\n", sep = "")
  print(knitr::kable(
    table, col.names = c(methods, "se", "Friedman p"), align = "r", row.names = TRUE
  ))
}
friedman <- function(measure) {
  vapply(ours_by, function(name) {
    ranks$friedman_p[ranks$measure == measure & ranks$classifier == name][1]
  }, 0)
}

## ---- table2-cells
# Cells of one classifier and measure. Sizes: his stored sizes and ours on the same sets, paired;
# else our mean ranks beside the printed ones. `order`: for each set, which method's value each
# method gets (the placebo shuffles).
his_sizes <- result("paper-stored-sizes")
his_sizes$data <- gsub("-", "_", his_sizes$data)
his_column <- c(n_mixed = "n_features", sd_mixed = "n_features_sd")
wide_of <- function(rows, column) {
  out <- tapply(rows[[column]], list(rows$data, rows$method), mean)[, methods]
  out[stats::complete.cases(out), , drop = FALSE]
}
rank_sets <- function(values) t(apply(values, 1L, rank))
input_of <- function(measure, classifier) {
  ours <- wide_of(counted[counted$classifier == classifier, ], measure)
  if (measure %in% names(his_column)) {
    rows <- his_sizes[his_sizes$classifier == name_of_paper(classifier), ]
    theirs <- wide_of(rows, his_column[[measure]])
    common <- intersect(rownames(ours), rownames(theirs))
    return(list(
      ours = rank_sets(ours[common, , drop = FALSE]),
      theirs = rank_sets(theirs[common, , drop = FALSE])
    ))
  }
  theirs <- paper2$measure == measure & paper2$classifier == name_of_paper(classifier)
  list(ours = rank_sets(-ours), theirs = unlist(only(paper2[theirs, ], measure)[methods]))
}
cells_at <- function(input, order = NULL) {
  ours <- input$ours
  if (!is.null(order)) {
    ours[] <- ours[cbind(c(row(ours)), c(order[seq_len(nrow(ours)), ]))]
  }
  n <- nrow(ours)
  spread <- function(m) sqrt(colSums((m - rep(colMeans(m), each = n))^2) / (n - 1) / n)
  if (is.matrix(input$theirs)) {
    off <- ours - input$theirs
    return(abs(colMeans(off)) <= 2 * spread(off) + 1e-9)
  }
  se <- spread(ours) * sqrt(1 + n / n_paper)
  abs(colMeans(ours) - input$theirs) <= pmax(2 * se, 0.005) + 1e-9
}
compared2 <- setdiff(names(measure_names), "n_fits")
inputs <- lapply(stats::setNames(compared2, compared2), function(measure) {
  lapply(ours_by, input_of, measure = measure)
})
agree2 <- lapply(inputs, function(parts) unlist(lapply(parts, cells_at)))
# One order of the methods for each set and classifier, in all measures alike.
shuffled2 <- with_fixed_seed(replicate(300L, {
  orders <- lapply(ours_by, function(name) t(replicate(20L, sample.int(8L))))
  vapply(inputs, function(parts) sum(unlist(Map(cells_at, parts, orders))), 0)
}))
placebo2 <- colSums(shuffled2)
chance <- 2 * stats::pnorm(2) - 1
cells2 <- statements(unlist(agree2))
cells2$exact <- chance
groups2 <- c(
  n_mixed = "sizes, paired on the same sets", sd_mixed = "their sd, paired on the same sets",
  accuracy = "accuracy, kappa, recall, G-mean"
)
group_of <- function(measure) if (measure %in% names(his_column)) measure else "accuracy"
member <- vapply(names(agree2), group_of, "")
power2 <- do.call(rbind, lapply(names(groups2), function(group) {
  own <- unlist(agree2[member == group])
  data.frame(
    groups2[[group]], length(own), sum(own), chance * length(own),
    mean(colSums(shuffled2[member == group, , drop = FALSE]))
  )
}))
rank_cor <- vapply(seq_along(ours_by), function(i) {
  stats::cor(colMeans(inputs$n_mixed[[i]]$ours), colMeans(inputs$n_mixed[[i]]$theirs))
}, 0)
names(rank_cor) <- classifier_names[ours_by]

## ---- author-ranks
four <- c("GBM", "LR", "RF", "SVM")
author_ranks <- result("author-ranks")
author_tests <- result("author-tests")
author_of <- function(measure, classifier) {
  rows <- author_ranks[author_ranks$measure == measure & author_ranks$classifier == classifier, ]
  rows_for(rows, data.frame(method = methods))$rank
}
printed_of <- function(classifier) {
  unlist(only(paper2[paper2$measure == "n_mixed" & paper2$classifier == classifier, ],
    classifier)[methods])
}
ours_of <- function(classifier) {
  rows <- ranks[ranks$measure == "n_mixed" & ranks$classifier == sub("SVM", "libsvm", classifier), ]
  if (nrow(rows) == 0L) return(rep(NA, 8))
  rows_for(rows, data.frame(method = methods))$ours
}
knitr::kable(t(vapply(four, function(name) {
  paste(
    short(printed_of(name)), short(author_of("n_mixed", name)), short(ours_of(name)), sep = " / "
  )
}, methods)), col.names = methods, align = "r")
author_order <- vapply(four, function(name) {
  stats::cor(printed_of(name), author_of("n_mixed", name), method = "spearman")
}, 0)
author_p <- function(measure, classifier) {
  rows <- author_tests[author_tests$measure == measure & author_tests$classifier == classifier, ]
  rows_for(rows, data.frame(search = searches))$p
}
printed_p <- result("paper-table3")
printed_p <- printed_p[printed_p$measure == "n_mixed", ]
author_p_mark <- unlist(lapply(four, function(name) {
  theirs <- printed_p[match(searches, printed_p$search), name]
  holds((theirs < 0.05) == (author_p("n_mixed", name) < 0.05))
}))
author_one_rule <- unlist(lapply(four, author_p, measure = "n_smallest"))
author_below <- sum(author_one_rule < 0.05)
author_largest <- unlist(lapply(four, author_p, measure = "n_largest"))
