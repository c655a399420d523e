# Chunks of the vignette on this paper, which reads this file by read_pages().

## ---- figure4
draw_curves <- function(curves) {
  curves$kind <- ifelse(curves$method %in% searches, "searches", "plain elimination")
  curves$kind <- factor(curves$kind, c("searches", "plain elimination"))
  couple <- apply(pairs, 1L, paste, collapse = " / ")
  curves$pair <- factor(couple[(match(curves$method, methods) + 1) %/% 2], couple)
  chosen <- unique(curves[c("classifier", "pair", "kind", "chosen")])
  ggplot2::ggplot(curves, ggplot2::aes(.data$size, .data$score, colour = .data$pair)) +
    ggplot2::geom_line(alpha = 0.5) +
    ggplot2::geom_point(size = 0.8) +
    ggplot2::geom_vline(
      ggplot2::aes(xintercept = .data$chosen, colour = .data$pair), data = chosen, linetype = 3
    ) +
    ggplot2::facet_grid(classifier ~ kind, scales = "free_y") +
    ggplot2::labs(x = "Number of features", y = "Inner accuracy", colour = NULL) +
    ggplot2::theme_minimal() +
    ggplot2::theme(legend.position = "bottom")
}
# Logistic regression, and the author's machine and folds.
curves <- result("curves")
curves <- curves[curves$classifier == "LR", ]
his_curves <- result("curves-svm")
curves <- rbind(curves, his_curves[names(curves)])
draw_curves(curves)

## ---- say-4
# Does the search look more densely near the size that it chooses? One answer for each pair.
nearer_in <- function(curves) {
  distance <- function(method, classifier) {
    rows <- curves[curves$method == method & curves$classifier == classifier, ]
    stats::median(abs(rows$size - rows$chosen[1])) / max(rows$size)
  }
  unlist(lapply(unique(curves$classifier), function(name) {
    vapply(seq_len(nrow(pairs)), function(i) {
      distance(pairs[i, 1], name) < distance(pairs[i, 2], name)
    }, NA)
  }))
}
nearer <- nearer_in(curves)
nearer_author <- nearer_in(result("author-curves"))
# Fold 1 of run.R, made again: the same sizes.
first <- folds[folds$data == "arcene" & folds$fold == 1, ]
again <- unique(curves[curves$classifier == "LR", c("classifier", "method", "chosen")])
first <- rows_for(first, again[c("classifier", "method")])
stopifnot(first$n_features == again$chosen)

## ---- table4
case <- result("paper-case-study")
paper4 <- result("paper-table4")
knitr::kable(data.frame(
  case$selector, case$n_selected, case$sd, 10 * case$time_per_fold_s, case$accuracy,
  case$fleiss_kappa
), col.names = c(
  "author's files", "features", "sd", "seconds, ten folds", "accuracy", "agreement of folds (kappa)"
))
value4 <- function(method, column) only(case[case$selector == method, ], method)[[column]]
quicker <- vapply(seq_len(4), function(i) {
  value4(pairs[i, 2], "time_per_fold_s") < value4(pairs[i, 1], "time_per_fold_s")
}, NA)
agree_more <- vapply(seq_len(4), function(i) {
  value4(pairs[i, 2], "fleiss_kappa") > value4(pairs[i, 1], "fleiss_kappa")
}, NA)

## ---- ligands
# The public sample, with forests (ligands.R).
ligands <- result("ligands")
paper4 <- result("paper-table4")
ligand_folds <- max(ligands$fold)
mean_of <- function(column) tapply(ligands[[column]], ligands$method, mean)[c(searches, "All")]
number_of <- function(measure) unlist(paper4[paper4$measure == measure, c(searches, "All")])
accuracy4 <- mean_of("accuracy")
# Of the fragments that were left out; the same ones for every method.
tested <- 763 * ligand_folds / 10
accuracy_se <- sqrt(accuracy4 * (1 - accuracy4) / tested)
shown4 <- c(
  n_selected = "features", sd_n_selected = "their standard deviation",
  time_s = "seconds, ten folds / of a fold here", accuracy = "accuracy", kappa = "kappa",
  macro_recall = "macro recall", g_mean = "G-mean"
)
ours4 <- list(
  n_selected = mean_of("n_features"),
  sd_n_selected = replace(tapply(ligands$n_features, ligands$method, stats::sd), "All", NA),
  time_s = mean_of("seconds"), accuracy = accuracy4, kappa = mean_of("kappa"),
  macro_recall = mean_of("macro_recall"), g_mean = mean_of("g_mean_floored")
)
rows4 <- t(vapply(names(shown4), function(measure) {
  digits <- if (measure %in% c("n_selected", "sd_n_selected", "time_s")) 0 else 3
  paste(short(number_of(measure), digits), "/",
    short(ours4[[measure]][c(searches, "All")], digits))
}, character(5)))
dimnames(rows4) <- list(shown4, c(searches, "all"))
knitr::kable(rows4, align = "r")
# Attributes that every search selected in every fold.
attributes <- result("ligand-attributes")$attribute
picked <- strsplit(ligands$chosen[ligands$method != "All"], " ")
common <- attributes[as.integer(Reduce(intersect, picked))]
kinds <- c(
  "eigenvalues" = "_E[123]_E[123]$|_sqrt_E[123]$", "diameter" = "^skeleton_diameter$",
  "differences of electrons" = "^delta_electrons", "near atoms O, N, C" = "near_cut_count_[ONC]$"
)
found_kinds <- vapply(kinds, function(kind) sum(grepl(kind, common)), 0L)
seconds4 <- mean_of("seconds")
as_good <- abs(accuracy4[searches] - accuracy4[["All"]]) <=
  2 * sqrt(2) * accuracy_se[["All"]]
# By how many standard errors over the folds FRFE is below the nearest of the others.
below_others <- function(column, up = 1) {
  of_fold <- function(method) up * ligands[[column]][ligands$method == method]
  others <- setdiff(searches, "FRFE")
  nearest <- others[which.min(vapply(others, function(method) mean(of_fold(method)), 0))]
  off <- of_fold(nearest) - of_fold("FRFE")
  mean(off) / (stats::sd(off) / sqrt(length(off)))
}
z4 <- c(below_others("seconds"), below_others("n_features", -1))
cells4 <- join_cells(
  statements(as_good), statements(TRUE, z4), statements(found_kinds > 0)
)
# Two standard errors of so few fragments are wider than what is asked: luck passes as well.
good <- seq_along(as_good)
cells4$exact[good] <- cells4$placebo[good] <- 2 * stats::pnorm(2) - 1

## ---- ligands-say
others4 <- range(seconds4[c("SRFE3", "SRFE5", "SRFE10")])
knitr::kable(data.frame(
  c(
    "searches are as accurate as all attributes (within two standard errors)",
    "FRFE is the fastest", "FRFE selects the most features",
    paste("all searches have in common:", names(found_kinds))
  ),
  c(
    sprintf("%d of 4 searches", sum(as_good)),
    sprintf("%s s a fold, the others %s to %s s",
      short(seconds4[["FRFE"]], 0), short(others4[1], 0), short(others4[2], 0)),
    sprintf("%s, the others %s to %s", short(ours4$n_selected[["FRFE"]], 0),
      short(min(ours4$n_selected[searches[-1]]), 0), short(max(ours4$n_selected[searches[-1]]), 0)),
    sprintf("%d of the %d attributes that every search selects in every fold", found_kinds,
      length(common))
  ),
  sign_of(c(holds(all(as_good)), cells4$mark[length(as_good) + 1:2], holds(found_kinds > 0)))
), col.names = c("the paper says", "here", ""), row.names = FALSE)

## ---- claims
gap <- function(classifier) {
  means <- colMeans(wide(counted[counted$classifier == classifier, ], "accuracy"))
  max(means) - min(means)
}
sizes_of <- function(method) {
  range(tapply(folds$n_sizes[folds$method == method], folds$data[folds$method == method], mean))
}
one_by_one <- folds[folds$method == "FRFE" & folds$classifier %in% ours_by, ]
total <- sets$features[match(one_by_one$data, gsub("-", "_", sets$dataset))]
saved <- total / one_by_one$n_sizes
colon_sizes <- mean(folds$n_sizes[folds$method == "FRFE" & folds$data == "colon"])
by_rules <- function(measures) {
  paste(
    vapply(measures, range_p, "", classifiers = c("LR", "libsvm")),
    c("by his mixture of rules", "with the smallest size for all", "with the largest"),
    collapse = ", "
  )
}
# Searches that are significantly smaller, ours with LR and his SVM, by each rule.
rule_holds <- function(measures) vapply(measures, function(rule) below(rule) > 4, NA)
k_searches <- setdiff(searches, "FRFE")
of_forests <- rbind(
  vapply(names(rule_names), function(rule) below(rule, "RF", k_searches), 0L),
  vapply(names(rule_names), function(rule) sum(author_p(rule, "RF")[-1] < 0.05), 0L)
)
their_p <- function(measure) {
  short(only(paper2[paper2$measure == measure & paper2$classifier == "SVM", ], measure)$friedman_p)
}
last_two <- local({
  row <- only(paper2[paper2$measure == "accuracy" & paper2$classifier == "SVM", ], "accuracy")
  names(sort(-unlist(row[methods])))[1:2]
})
keep_claims("brzezinski", rbind(
  c("searches select fewer features than plain elimination", verdict(rule_holds(names(rule_names))),
    sprintf("on the rule on ties: p %s (LR, SVM). His scores, four classifiers: %s",
      by_rules(names(rule_names)), his_tests("n"))),
  c("with a smaller standard deviation",
    verdict(rule_holds(c("sd_mixed", "sd_smallest", "sd_largest"))),
    sprintf("on the rule on ties: p %s (LR, SVM). His scores: %s",
      by_rules(c("sd_mixed", "sd_smallest", "sd_largest")), his_tests("sd"))),
  c("forests: 3-, 5- and 10-SRFE select fewer features",
    verdict(rep(c(TRUE, FALSE), c(sum(of_forests), 3 * length(of_forests) - sum(of_forests)))),
    sprintf(paste("on the rule on ties: significant of three by his mixture, smallest, largest for",
      "all: ours %s, his scores %s"),
      paste(of_forests[1, ], collapse = ", "), paste(of_forests[2, ], collapse = ", "))),
  c("FRFE is significantly faster than all but RFE_F",
    verdict(ifelse(apart, TRUE, ifelse(ahead_of_six, NA, FALSE))),
    sprintf("by fits ahead for %d of %d classifiers, significantly for %d: few sets",
      sum(ahead_of_six), length(apart), sum(apart))),
  # The measures have no power (Table 2).
  c("accuracy, kappa, recall, G-mean do not differ", verdict(NA), sprintf(
    paste("no difference seen, on few sets: Friedman p of accuracy %s. The paper's text sees none,",
      "its Table 2 has p = %s (accuracy) and %s (recall) for the SVM, with %s last"),
    paste(p_text(friedman("accuracy")), collapse = ", "), their_p("accuracy"),
    their_p("macro_recall"), paste(last_two, collapse = " and "))),
  c("with one peak the result is that of one by one", verdict(c(found)),
    sprintf("%d of %d searches", sum(found), length(found))),
  c("much faster than elimination one by one", verdict(saved > 10),
    sprintf("in sizes evaluated: FRFE looks at %s to %s, %s to %s times fewer",
      short(sizes_of("FRFE")[1], 0), short(sizes_of("FRFE")[2], 0), short(min(saved), 0),
      short(max(saved), 0)))
))
