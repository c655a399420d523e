# Chunks of the vignette on this paper, which reads this file by read_pages().

## ---- figure19
# Without borovecki, where some runs have no feature, so that phi_pears is not defined.
variation <- result("variation")
n_varied <- length(unique(variation$set))
variation <- variation[!variation$set %in% variation$set[is.na(variation$variation)], ]
wide <- stats::reshape(
  variation[c("set", "index", "variation")], direction = "wide", idvar = "set", timevar = "index"
)
names(wide) <- sub("variation.", "", names(wide), fixed = TRUE)
# A standard deviation of 200 values has a relative error of about 1 / sqrt(400).
order_of <- function(row) {
  v <- unlist(row[three])
  if (diff(range(v)) < 2 * sqrt(2) * mean(v) / sqrt(400)) return("no difference")
  paste(index_names[three][order(v)], collapse = " < ")
}
wide$order <- vapply(seq_len(nrow(wide)), function(i) order_of(wide[i, ]), "")
knitr::kable(
  data.frame(wide$set, short(wide$nogueira), short(wide$phi_pears), short(wide$phi_iw), wide$order),
  col.names = c("sd / mean of 200 estimates from 5 runs", index_names[three], "order")
)
# A set within its errors is open; an order of three is right by luck once in six.
right_order <- ifelse(
  wide$set == "ionosphere", wide$phi_pears < wide$phi_iw & wide$phi_iw < wide$nogueira,
  wide$nogueira <= wide$phi_iw & wide$phi_iw <= wide$phi_pears
)
cells19 <- statements(right_order, ifelse(wide$order == "no difference", 1, NA), chance = 1 / 6)

## ---- figure20
samples <- result("variation-values")
values20 <- do.call(rbind, lapply(three, function(index) {
  data.frame(set = samples$set, index = index_names[[index]], value = samples[[index]])
}))
ggplot2::ggplot(values20, ggplot2::aes(sample = .data$value, colour = .data$index)) +
  ggplot2::geom_qq(size = 0.7) +
  ggplot2::geom_qq_line() +
  ggplot2::facet_wrap("set") +
  ggplot2::scale_colour_manual(values = index_colours) +
  ggplot2::labs(x = "Normal quantile", y = "Estimate", colour = NULL) +
  ggplot2::theme_minimal() +
  ggplot2::theme(legend.position = "bottom")

## ---- say-20
normal_p <- unlist(lapply(unique(samples$set), function(name) {
  vapply(three, function(index) {
    stats::shapiro.test(samples[[index]][samples$set == name])$p.value
  }, 0)
}))

## ---- methods
columns <- c("set", "accuracy", "nogueira", "phi_iw")
rfe <- do.call(rbind, lapply(fronts, function(table) table[table$n_stable == 0, columns]))
net_rows <- lasso[lasso$alpha < 1, columns]
svm <- result("svm-rfe")
together <- rbind(
  cbind(method = "lasso", table5[columns]), cbind(method = "elastic net", net_rows),
  cbind(method = "logistic RFE", rfe), cbind(method = "SVM-RFE", svm[columns]),
  cbind(method = ifelse(both$method == "forest", "forest", "Relief"), both[columns])
)
together <- together[!is.na(together$phi_iw), ]
on_front <- do.call(rbind, lapply(split(together, together$set), function(table) {
  table[pareto_front(table[c("accuracy", "phi_iw")])$table$row, ]
}))
methods <- unique(together$method)
# What the text says of all methods, on some of the sets.
seen_on <- function(sets) {
  some <- together[together$set %in% sets, ]
  front <- on_front[on_front$set %in% sets, ]
  count <- function(rows) {
    vapply(methods, function(m) length(unique(rows$set[rows$method == m])), 0L)
  }
  stable <- vapply(methods, function(method) {
    rows <- some[some$method == method, ]
    mean(vapply(split(rows, rows$set), function(table) {
      table$phi_iw[which.max(table$accuracy)]
    }, 0))
  }, 0)
  list(
    run_on = count(some), present = count(front), stable = stable,
    gap = mean(abs(some$nogueira - some$phi_iw)),
    agreement = stats::cor(some$nogueira, some$phi_iw)
  )
}
seen <- seen_on(unique(together$set))
present <- seen$present
run_on <- seen$run_on
stable <- seen$stable
gap <- seen$gap
agreement <- seen$agreement
# On the sets of each figure phi and phi_iw are "similar": within a tenth on average. What the text
# says of all methods together is a row of its own.
gap_on <- function(name) {
  rows <- together[together$set == name, ]
  mean(abs(rows$nogueira - rows$phi_iw))
}
at_best <- function(name, method) {
  rows <- together[together$set == name & together$method == method, ]
  if (nrow(rows) == 0L) NA else rows$phi_iw[which.max(rows$accuracy)]
}
on_overall <- function(name, method) any(on_front$set == name & on_front$method == method)
# How many standard errors a method is above another one over the sets that both were run on.
ahead_by <- function(one, other, value) {
  names <- unique(together$set)
  off <- vapply(names, function(name) value(name, one) - value(name, other), 0)
  off <- off[!is.na(off)]
  mean(off) / (stats::sd(off) / sqrt(length(off)))
}
# The least of `these` against the most of the others: open where the sets do not decide.
all_ahead <- function(these, score, value) {
  others <- setdiff(methods, these)
  ahead_by(
    these[which.min(score[these])], others[which.max(score[others])], value
  )
}
most_present <- c("forest", "logistic RFE")
least_stable <- c("lasso", "Relief", "SVM-RFE")
overall_z <- c(
  all_ahead(most_present, present / run_on, on_overall),
  ahead_by("logistic RFE", "SVM-RFE", at_best),
  all_ahead(setdiff(methods, least_stable), stable, at_best)
)
overall_cells <- statements(TRUE, overall_z)
cells_on <- function(sets) about_equal(vapply(sets, gap_on, 0), 0.1)

## ---- figure26
ggplot2::ggplot(
  together, ggplot2::aes(.data$phi_iw, .data$accuracy, colour = .data$method)
) +
  ggplot2::geom_point(size = 0.9) +
  ggplot2::facet_wrap("set", scales = "free", ncol = 4) +
  ggplot2::scale_x_continuous(n.breaks = 3) +
  ggplot2::scale_colour_manual(values = grDevices::hcl.colors(length(methods), "Dark 3")) +
  ggplot2::labs(x = "Stability (phi_iw)", y = "Accuracy out of bag", colour = NULL) +
  ggplot2::theme_minimal() +
  ggplot2::theme(legend.position = "bottom")

## ---- say-26
knitr::kable(data.frame(
  methods, run_on, present, short(stable)
), row.names = FALSE, col.names = c(
  "method", "sets", "of these on the overall front", "mean phi_iw at its best accuracy"
))
similar <- vapply(unique(together$set), gap_on, 0) <= 0.1
mark <- say(
  list("random forests and the logistic RFE are most present in the overall front",
    paste(names(sort(-present)), sort(-present) * -1, collapse = ", "), case_of(overall_z[1])),
  list("SVM-RFE is less stable than logistic RFE",
    sprintf("%s and %s", short(stable[["SVM-RFE"]]), short(stable[["logistic RFE"]])),
    case_of(overall_z[2])),
  list("the lasso, Relief and SVM-RFE are the least stable",
    paste(names(sort(stable)), short(sort(stable)), collapse = ", "), case_of(overall_z[3]))
)
sets_of <- list(
  c("ionosphere", "sonar"), c("breast", "gastro", "lsvt"), c("alon", "singh", "chiaretti"),
  c("gravier", "arcene")
)
# Methods that were run on a set with all that the paper tried of them.
whole_methods <- function(name) {
  has <- unique(together$method[together$set == name])
  sum(
    has %in% c("lasso", "logistic RFE", "SVM-RFE", "Relief"),
    length(unique(lasso$alpha[lasso$set == name])) >= 10,
    any(others$set == name & others$method == "forest" & others$size == 3000)
  )
}
states <- vapply(1:4, function(i) {
  whole <- sum(vapply(sets_of[[i]], whole_methods, 0L))
  state_cell(paste("Figure", 25 + i), cells_on(sets_of[[i]]), whole)
}, "")
gaps <- vapply(sets_of, function(sets) {
  toString(paste(sets, short(vapply(sets, gap_on, 0))))
}, "")
cat("\n\n")
knitr::kable(
  data.frame(25 + 1:4, gaps, states),
  col.names = c("Figure", "mean difference of phi and phi_iw", "state")
)

## ---- claims
# In the order of the paper, with its sections.
range_in <- function(index) {
  paste(short(at(3, 1, index)), "to", short(at(3, 20, index)))
}
keep_claims("hamer", rbind(
  c("phi_iw has the six properties of Table 2, the other indices lack some",
    verdict(mark_properties == "agrees"),
    sprintf("%d of %d checks; phi_pears is not defined when a run has no feature",
      sum(mark_properties == "agrees"), length(mark_properties))),
  c("phi is driven by the size of correlated groups that are taken whole, phi_iw is not (5.3)",
    verdict(vapply(1:2, function(i) {
      abs(change(i, "phi_iw")) < abs(change(i, "nogueira")) / 2
    }, NA)),
    sprintf("phi moves by %s and %s, phi_iw by %s and %s (scenarios 1, 2; %d data sets)",
      short(change(1, "nogueira")), short(change(2, "nogueira")), short(change(1, "phi_iw")),
      short(change(2, "phi_iw")), n_sets)),
  c("where single members are taken phi_iw falls, too; phi_C does not (5.3, scenario 3)",
    verdict(c(change(3, "phi_iw") < -0.1, abs(change(3, "sechidis")) < 0.1)),
    sprintf("phi_iw %s, phi_C %s", range_in("phi_iw"), range_in("sechidis"))),
  c("hybrid-RFE dominates plain elimination by phi (6.1, a micro-array set)",
    verdict(equal_wins[micro_array, "nogueira"]), sprintf(
      paste("with as many settings, 95 %% of draws ahead on %d of %d micro-array sets; by phi_iw,",
        "which is not claimed, on %d of %d sets"),
      sum(equal_wins[micro_array, "nogueira"]), length(micro_array), sum(equal_wins[, "phi_iw"]),
      nrow(equal_wins))),
  c("optimising phi gives a false sense of stability (7.1)", verdict(too_high), sprintf(
    "phi of its choice is more than 0.1 above phi_iw on %d of %d sets", sum(too_high),
    length(too_high))),
  c("and sacrifices accuracy (7.1)", verdict(case_of(lost / (sqrt(2) * lost_se))), sprintf(
    "lower by more than two errors on %s; from %s to %s on the %d sets",
    paste(names(lost)[lost > 2 * sqrt(2) * lost_se], collapse = " and "), short(min(lost), 3),
    short(max(lost), 3), length(lost))),
  c("phi_iw is like phi in standard use (7.2)", verdict(similar), sprintf(
    "within 0.1 on average on %d of %d sets; correlation %s", sum(similar), length(similar),
    short(agreement))),
  c("the lasso gives varying importances: phi_iw below phi_pears (7.2.1)",
    verdict(ours$phi_iw < ours$phi_pears), sprintf("%d of %d sets", lower, nrow(ours))),
  c("forests converge near 1,000 trees (7.2.4)", verdict(max(late) < 0.02),
    sprintf("phi rises by %s from 300 to 1,000 trees, from there to 3,000 by %s (on %d sets)",
      short(early[["nogueira"]]), short(late[["nogueira"]]), n_late)),
  c("phi_iw generally varies less than phi_pears over few runs (7.3)",
    verdict(wide$phi_iw <= wide$phi_pears),
    sprintf("%d of %d sets", sum(wide$phi_iw <= wide$phi_pears), nrow(wide)))
))
