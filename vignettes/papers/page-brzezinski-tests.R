# Chunks of the vignette on this paper, which reads this file by read_pages().

## ---- comparisons
wide <- function(table, column) {
  table <- table[!is.na(table[[column]]), ]
  out <- tapply(table[[column]], list(table$data, table$method), mean)[, methods]
  out[stats::complete.cases(out), ]
}
compare <- function(classifier, column) {
  compare_methods(wide(counted[counted$classifier == classifier, ], column),
    direction = "min", pairs = pairs, alternative = "better", p_adjust = "none")
}
their_sizes <- result("paper-stored-sizes")
# Missing runs come last, as in the author's script.
compare_theirs <- function(classifier, column) {
  rows <- their_sizes[their_sizes$classifier == classifier & their_sizes$data != "ALLAML", ]
  compare_methods(tapply(rows[[column]], list(rows$data, rows$method), mean)[, methods],
    direction = "min", na = "last", pairs = pairs, alternative = "better",
    p_adjust = "none")
}
diagram <- function(comparison, title) {
  print(ggplot2::autoplot(comparison) + ggplot2::ggtitle(title))
}

## ---- figure2
for (name in ours_by) {
  diagram(compare(name, "n_fits"), paste(classifier_names[[name]], "fits", sep = ", "))
}

## ---- say-2
apart <- vapply(ours_by, function(name) {
  comparison <- compare(name, "n_fits")
  all(comparison$nemenyi["FRFE", c("SRFE3", "RFE3", "SRFE5", "RFE5", "SRFE10", "RFE10")] < 0.05)
}, NA)
ahead_of_six <- vapply(ours_by, function(name) {
  rank <- with(compare(name, "n_fits")$table, stats::setNames(mean_rank, method))
  rank[["FRFE"]] < min(rank[setdiff(methods, c("FRFE", "RFE_F"))])
}, NA)
# Open where ahead and not significant.
cells_f2 <- statements(TRUE, z = ifelse(apart, 3, ifelse(ahead_of_six, 1, -3)))

## ---- figure3
for (name in ours_by) {
  title <- paste0(classifier_names[[name]], ", features, ")
  diagram(compare(name, "n_mixed"), paste0(title, "author's mixture"))
  diagram(compare(name, "n_smallest"), paste0(title, "smallest for all"))
}
diagram(compare_theirs("GBM", "n_features"), "GBM, author's stored scores, as published")
diagram(compare_theirs("GBM", "n_smallest"), "GBM, author's stored scores, smallest for all")

## ---- say-3
ahead <- function(comparison) {
  rank <- stats::setNames(comparison$table$mean_rank, comparison$table$method)
  rank[pairs[, 1]] < rank[pairs[, 2]]
}
ahead_by <- function(column) {
  vapply(ours_by, function(name) ahead(compare(name, column))[-1], logical(3))
}
mixed <- ahead_by("n_mixed")
one_rule <- ahead_by("n_smallest")
theirs_one <- vapply(four, function(name) {
  rank <- stats::setNames(author_of("n_smallest", name), methods)
  (rank[pairs[, 1]] < rank[pairs[, 2]])[-1]
}, logical(3))

## ---- table3
paper3 <- result("paper-table3")
p_cell <- function(measure, search, classifier) {
  row <- only(paper3[paper3$measure == measure & paper3$search == search, ], paste(measure, search))
  theirs <- row[[name_of_paper(classifier)]]
  if (classifier == "GBM") {
    return(list(cell = p_text(theirs), mark = NA))
  }
  ours <- only(tests[tests$measure == measure & tests$search == search &
    tests$classifier == classifier, ], paste(measure, search, classifier))$p
  if (classifier == "SVM") {
    return(list(cell = p_text(ours), mark = NA))
  }
  mark <- if (measure == "seconds") NA else holds((theirs < 0.05) == (ours < 0.05))
  # Another sample of sets moves p: the chance that it stays on the printed side of 0.05.
  z <- stats::qnorm(theirs, lower.tail = FALSE) - stats::qnorm(0.95)
  list(
    cell = paste(p_text(theirs), "/", p_text(ours), sign_of(mark)), mark = mark,
    stays = stats::pnorm(abs(z) / sqrt(2))
  )
}
grid <- expand.grid(search = searches, measure = unique(paper3$measure), stringsAsFactors = FALSE)
results <- lapply(names(classifier_names), function(name) {
  Map(p_cell, grid$measure, grid$search, name)
})
columns <- lapply(results, function(one) vapply(one, `[[`, "", "cell"))
knitr::kable(
  do.call(data.frame, c(
    list(
      c(measure_names, seconds = "time: seconds (not compared)")[grid$measure], grid$search
    ), columns
  )),
  col.names = c("", "search", "LR", "SVM", "RF", "LIBLINEAR (ours)", "GBM (paper)"),
  row.names = FALSE, align = "llrrrrr"
)
# By luck: p-values of the same measure of the paper, in another order, against ours.
placebo3 <- local({
  low <- function(p) mean(p < 0.05, na.rm = TRUE)
  measures <- setdiff(paper3$measure, "seconds")
  theirs <- low(unlist(paper3[paper3$measure %in% measures, c("LR", "SVM", "RF")]))
  ours <- low(tests$p[tests$classifier %in% ours_by & tests$measure %in% measures])
  theirs * ours + (1 - theirs) * (1 - ours)
})
mark3 <- unlist(lapply(results, function(one) vapply(one, function(x) as.character(x$mark), "")))
cells3 <- statements(mark3[!is.na(mark3)] == "agrees", chance = placebo3)
cells3$exact <- unlist(lapply(results, function(one) {
  unlist(lapply(one, function(x) if (!is.na(x$mark)) x$stays))
}))

## ---- ties
p_of <- function(measure, search, classifier) {
  only(tests[tests$measure == measure & tests$search == search & tests$classifier == classifier, ],
    paste(measure, search, classifier))$p
}
rule_names <- c(
  n_mixed = "author's mixture", n_smallest = "smallest for all", n_largest = "largest for all"
)
range_p <- function(measure, classifiers) {
  p <- tests$p[tests$measure == measure & tests$classifier %in% classifiers]
  sprintf("%s to %s", p_text(min(p)), p_text(max(p)))
}
rows <- do.call(rbind, lapply(c(ours_by, "SVM"), function(name) {
  do.call(rbind, lapply(names(rule_names), function(rule) {
    c(classifier_names[[name]], paste("ours,", rule_names[[rule]]), p_text(vapply(searches, p_of, 0,
      measure = rule, classifier = name)))
  }))
}))
his_rows <- do.call(rbind, lapply(four, function(name) {
  do.call(rbind, lapply(names(rule_names), function(rule) {
    c(name, paste("his scores,", rule_names[[rule]]), p_text(author_p(rule, name)))
  }))
}))
# Not in the paper: are the sets of the outer folds more stable?
stable_rows <- do.call(rbind, lapply(ours_by, function(name) {
  c(classifier_names[[name]], "stability of the sets (not in the paper), ours",
    p_text(vapply(searches, p_of, 0, measure = "nogueira", classifier = name)))
}))
knitr::kable(
  rbind(rows, his_rows, stable_rows),
  col.names = c("", "p of fewer features", searches), align = "llrrrr"
)
below <- function(rule, classifiers = c("LR", "libsvm"), which = searches) {
  rows <- tests[tests$measure == rule & tests$classifier %in% classifiers, ]
  sum(rows$p[rows$search %in% which] < 0.05)
}

## ---- table-s1
theirs <- their_sizes[their_sizes$classifier == "SVM", ]
# His machine and folds (run-svm.R), by his mixture of rules on ties.
his_machine$n_mixed <- ifelse(
  his_machine$method %in% searches, his_machine$n_features, his_machine$n_largest
)
mine <- stats::aggregate(his_machine["n_mixed"], his_machine[c("data", "method")], mean)
spread <- stats::aggregate(n_mixed ~ data + method, his_machine, function(v) {
  stats::sd(v) / sqrt(length(v))
})
mine$se <- rows_for(spread, mine[c("data", "method")])$n_mixed
both <- merge(theirs, mine, by = c("data", "method"), suffixes = c("", "_ours"))
both <- both[order(both$data, match(both$method, methods)), ]
# The machine of LIBLINEAR, with shuffled folds (run.R), on the same sets.
liblinear <- rows_for(
  cells[cells$classifier == "SVM", c("data", "method", "n_mixed")], both[c("data", "method")]
)
from_paper <- function(ours) short(mean(abs(log(ours / both$n_features))))
folds_his_machine <- nrow(unique(his_machine[c("data", "fold")]))
their_se <- both$n_features_sd / sqrt(both$folds)
both$mark <- mark_of(both$n_mixed, both$n_features, both$se, their_se, 1)
# Luck: the methods of a set change places.
cells_s1 <- numbers(both$n_mixed, both$n_features, both$se, their_se, 1, both$data)
both$cell <- beside(both$n_features, both$n_mixed, both$se, both$mark, 0)
cross(both$cell, both$data, both$method)
