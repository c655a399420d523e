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
  n_selected = "features", accuracy = "accuracy", kappa = "kappa", macro_recall = "macro recall"
)
ours4 <- list(
  n_selected = mean_of("n_features"), accuracy = accuracy4, kappa = mean_of("kappa"),
  macro_recall = mean_of("macro_recall")
)
rows4 <- t(vapply(names(shown4), function(measure) {
  digits <- if (measure == "n_selected") 0 else 3
  paste(short(number_of(measure), digits), "/", short(ours4[[measure]], digits))
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
fastest4 <- seconds4[["FRFE"]] < min(seconds4[c("SRFE3", "SRFE5", "SRFE10")])
largest4 <- ours4$n_selected[["FRFE"]] > max(ours4$n_selected[c("SRFE3", "SRFE5", "SRFE10")])
cells4 <- statements(c(as_good, fastest4, largest4, found_kinds > 0))
cells4$exact[seq_along(as_good)] <- 2 * stats::pnorm(2) - 1

## ---- ligands-say
yes_or_no <- function(true) if (true) "yes" else "no"
others4 <- range(seconds4[c("SRFE3", "SRFE5", "SRFE10")])
knitr::kable(data.frame(
  c(
    "searches are as accurate as all attributes (within two standard errors)",
    "FRFE is the fastest", "FRFE selects the most features",
    paste("all searches have in common:", names(found_kinds))
  ),
  c(
    sprintf("%d of 4 searches", sum(as_good)),
    sprintf("%s: %s s a fold, the others %s to %s s", yes_or_no(fastest4),
      short(seconds4[["FRFE"]], 0), short(others4[1], 0), short(others4[2], 0)),
    yes_or_no(largest4), sprintf("%d of the %d in every fold", found_kinds, length(common))
  ),
  sign_of(holds(c(all(as_good), fastest4, largest4, found_kinds > 0)))
), col.names = c("the paper says", "here", ""), row.names = FALSE)

## ---- claims
gap <- function(classifier) {
  means <- colMeans(wide(counted[counted$classifier == classifier, ], "accuracy"))
  max(means) - min(means)
}
sizes_of <- function(method) {
  range(tapply(folds$n_sizes[folds$method == method], folds$data[folds$method == method], mean))
}
one_by_one <- folds[folds$method == "FRFE" & folds$classifier == "libsvm", ]
total <- sets$features[match(one_by_one$data, gsub("-", "_", sets$dataset))]
saved <- range(total / one_by_one$n_sizes)
colon_sizes <- mean(folds$n_sizes[folds$method == "FRFE" & folds$data == "colon"])
keep_claims("brzezinski", rbind(
  c("searches select fewer features than plain elimination", verdict(
    below("n_mixed") > 4 && below("n_smallest") == 0, "depends on the rule on ties"),
    sprintf("p %s with the mixture, %s with one rule (LR, SVM)",
      range_p("n_mixed", c("LR", "libsvm")), range_p("n_smallest", c("LR", "libsvm")))),
  c("with a smaller standard deviation", verdict(
    below("sd_mixed") > 4 && below("sd_smallest") == 0, "depends on the rule on ties"),
    sprintf("p %s with the mixture, %s with one rule (LR, SVM)",
      range_p("sd_mixed", c("LR", "libsvm")), range_p("sd_smallest", c("LR", "libsvm")))),
  c("accuracy, kappa, recall, G-mean do not differ", verdict(all(vapply(
    c("accuracy", "kappa", "macro_recall", "g_mean_floored"), function(m) min(friedman(m)), 0
  ) > 0.05)),
    sprintf("Friedman p of accuracy %s; means within %s",
      paste(p_text(friedman("accuracy")), collapse = ", "),
      short(max(vapply(ours_by, gap, 0)), 3))),
  c("FRFE is the fastest", verdict(all(fastest), no = "depends on the classifier"),
    sprintf("first or second with RFE_F for %d of 3 classifiers", sum(fastest))),
  c("much faster than elimination one by one",
    verdict(saved[1] > 10, "supported, in sizes evaluated"),
    sprintf("FRFE looks at %s to %s sizes: %s to %s times fewer", short(sizes_of("FRFE")[1], 0),
      short(sizes_of("FRFE")[2], 0), short(saved[1], 0), short(saved[2], 0))),
  c("with one peak the result is that of one by one", verdict(all(found)),
    sprintf("%d of %d searches", sum(found), length(found))),
  c("forests: SRFE10 selects fewer features", verdict(
    p_of("n_smallest", "SRFE10", "RF") < 0.05 && stored_p("SRFE10") > 0.05, "depends on the data"),
    sprintf("p %s here (8 sets, two folds, one rule), %s by the author's scores (27 sets)",
      p_text(p_of("n_smallest", "SRFE10", "RF")), p_text(stored_p("SRFE10")))),
  c("sets are more stable (not claimed, but often concluded)", verdict(
    any(tests$p[tests$measure == "nogueira" & tests$classifier %in% c("LR", "libsvm")] < 0.05)),
    sprintf("one-sided p of Nogueira's index %s (LR, SVM)",
      range_p("nogueira", c("LR", "libsvm"))))
))
