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
sets_for <- function(classifier) {
  ranks$n_sets[ranks$classifier == classifier & ranks$measure == "n_mixed"][1]
}
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
  seconds = "time", accuracy = "accuracy", kappa = "kappa", macro_recall = "macro recall",
  g_mean_floored = "G-mean"
)
n_paper <- 27
rank_rows <- function(measure, classifier) {
  theirs <- paper2$measure == measure & paper2$classifier == name_of_paper(classifier)
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
marks_of <- function(measure, what = "mark") {
  unlist(lapply(all_ranks[[measure]][ours_by], `[[`, what))
}
mark2 <- unlist(lapply(names(measure_names), function(m) c(marks_of(m), marks_of(m, "p_mark"))))
friedman <- function(measure) {
  vapply(ours_by, function(name) {
    ranks$friedman_p[ranks$measure == measure & ranks$classifier == name][1]
  }, 0)
}

## ---- stored-ranks
stored <- result("paper-stored-ranks")
stored_cells <- function(ties, classifier) {
  row <- only(stored[stored$ties == ties & stored$classifier == classifier, ], classifier)
  if (ties != "as_published") {
    return(short(unlist(row[methods])))
  }
  rows <- paper2$measure == "n_mixed" & paper2$classifier == classifier
  published <- unlist(paper2[rows, methods])
  paste(short(published), "/", short(unlist(row[methods])))
}
four <- c("GBM", "LR", "RF", "SVM")
knitr::kable(rbind(
  cbind(paste(four, "printed / stored scores"), t(vapply(four, stored_cells, methods,
    ties = "as_published"))),
  cbind(paste(four, "smallest for all"), t(vapply(four, stored_cells, methods,
    ties = "smallest_for_all")))
), col.names = c("", methods), align = c("l", rep("r", 8)), row.names = FALSE)

## ---- author-ranks
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

## ---- author-diagrams
author_sizes <- result("author-sizes")
for (name in four) {
  rows <- author_sizes[author_sizes$classifier == name, ]
  values <- tapply(rows$n_mixed, list(rows$data, rows$method), mean)[, methods]
  print(ggplot2::autoplot(
    compare_methods(values, direction = "min", na = "last")
  ) + ggplot2::ggtitle(paste(name, "the author's scores", sep = ", ")))
}
