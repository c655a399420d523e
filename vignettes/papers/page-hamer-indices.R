# Chunks of the vignette on this paper, which reads this file by read_pages().

## ---- data
data <- result("paper-data")
# Four alphas by run-lasso.R, six by run-alphas.R.
lasso <- result("elastic-net")
lasso <- rbind(lasso, result("more-alphas")[names(lasso)])
table5 <- lasso[lasso$alpha == 1, ]
here <- rows_for(table5[c("set", "n", "p")], data["set"])
# A first line read as header loses a sample; arcene comes in two files.
header <- here$n - data$n
mark <- holds(header == 0 | header == ifelse(data$set == "arcene", 2, 1))
knitr::kable(data.frame(
  data$place, data$set, paste(data$n, "/", here$n), data$p, sign_of(mark)
), col.names = c("", "set", "samples", "features", ""))
first <- state_of("Table 3", mark[data$place == "Table 3"], sum(data$place == "Table 3"))
second <- state_of("Table 4", mark[data$place == "Table 4"], sum(data$place == "Table 4"))

## ---- toys
set.seed(1)
four <- c(three, "canberra")
sigma <- function(figure) spread_for(said(figure, "toy", "phi_pears"))
repeated <- function(draw, n_repeats = 8) {
  values <- replicate(n_repeats, values_of(draw(), four, location = 20))
  list(mean = rowMeans(values), sd = apply(values, 1L, stats::sd))
}
toys <- list(
  "Figure 3" = repeated(function() same_features(sigma("Figure 3"))),
  "Figure 5" = repeated(function() same_features(sigma("Figure 5"))),
  "Figure 6" = list(mean = values_of(half_stable(), four, location = 20), sd = rep(0, 4))
)
# What is compared: not phi, which is 1 by design, nor phi_pears, from which the spread is found.
compared_in <- function(figure) if (figure == "Figure 6") four else c("phi_iw", "canberra")
cells_of_toy <- list()
rows <- do.call(rbind, lapply(names(toys), function(figure) {
  paper <- vapply(four, function(index) said(figure, "toy", index), 0)
  ours <- toys[[figure]]
  at <- match(compared_in(figure), four)
  cells_of_toy[[figure]] <<- numbers(ours$mean[at], paper[at], ours$sd[at], 0, 0.01)
  mark <- mark_of(ours$mean, paper, ours$sd, 0, 0.01)
  mark[-at] <- NA
  data.frame(
    figure, index = unname(index_names[four]), mark,
    cell = beside(paper, ours$mean, ifelse(ours$sd > 0, ours$sd, NA), mark)
  )
}))
toy_mark <- function(figure) {
  if (figure == "Figure 6") rows$mark[rows$figure == figure] else cells_of_toy[[figure]]
}
states <- vapply(names(toys), function(figure) {
  state_cell(figure, toy_mark(figure), if (figure == "Figure 6") 1 else NA)
}, "")
cross(
  c(rows$cell, states), c(rows$figure, names(states)), c(rows$index, rep("state", length(states)))
)

## ---- half
plot(runs_of(half_stable()), type = "map")

## ---- slips
# Five runs of eight of forty features with random importances, which add up to eight.
set.seed(3)
slip_runs <- vapply(1:5, function(b) {
  weights <- replace(numeric(40), c(1:4, 4 + sample.int(36, 4)), stats::rexp(8))
  8 * weights / sum(weights)
}, numeric(40))
slip_of <- function(runs) {
  n_runs <- ncol(runs)
  k <- mean(colSums(runs))
  shared <- function(minima) vapply(seq_len(nrow(runs)), minima, 0)
  minima <- shared(function(f) sum(outer(runs[f, ], runs[f, ], pmin)))
  present <- rowSums(runs > 0)
  chance <- function(i, j) sum(outer(runs[runs[, i] > 0, i], runs[runs[, j] > 0, j], pmin))
  couples <- utils::combn(n_runs, 2)
  corrective <- mean(mapply(chance, couples[1, ], couples[2, ])) / nrow(runs)
  by_frequency <- function(importance) {
    spread <- n_runs / (n_runs - 1) * (k - sum(importance * (present / n_runs)^2))
    1 - spread / (k - corrective)
  }
  # As printed, but that line 7 sets C to 0 again for every pair: then only the last one is left.
  printed <- sum(vapply(seq_len(n_runs), function(i) {
    sum(vapply(seq_len(n_runs), function(j) printed_pair(runs[, i], runs[, j]), 0))
  }, 0)) / n_runs^2 / nrow(runs)
  c(
    phi_iw = unname(values_of(runs, "phi_iw")),
    by_equation = by_frequency(ifelse(present > 0, minima / pmax(present, 1)^2, 0)),
    by_m = by_frequency(minima / n_runs^2), minima = corrective, printed = printed
  )
}
# Lines 8 to 17 of Algorithm 2: line 12 has the smallest importance of run j for every feature.
printed_pair <- function(one, other) {
  one <- sort(one[one > 0])
  other <- sort(other[other > 0])
  sum(vapply(other, function(importance) {
    below <- sum(one < importance)
    if (below == 0) return(other[1] * length(one))
    sum(one[seq_len(below)]) + (length(one) - below) * importance
  }, 0))
}
slip <- as.list(slip_of(slip_runs))
stopifnot(all.equal(slip$by_equation, slip$phi_iw), abs(slip$by_m - slip$phi_iw) > 0.05)

## ---- properties
five <- c("nogueira", "phi_pears", "phi_iw", "sechidis")
with_groups <- function(weights, size = 1) {
  group <- c(rep(1:5, each = size), 5 + seq_len(nrow(weights) - 5 * size))
  values_of(weights, five, similarity = factor(group))
}
same <- matrix(rep(c(1, 2, 3, 4, rep(0, 96)), 10), 100)
disjoint <- matrix(0, 20, 5)
for (b in 1:5) disjoint[4 * (b - 1) + 1:4, b] <- 1
shifted <- cbind(c(1, 2, 3, 4, 0, 0), c(4, 3, 2, 1, 0, 0))
parallel <- cbind(c(1, 2, 3, 4, 0.5), c(2, 3, 4, 5, 1.5))
set.seed(2)
random <- replicate(50, with_groups(
  vapply(1:10, function(b) sample(c(stats::runif(10), rep(0, 90))), numeric(100))
))
random_c <- replicate(50, values_of(
  vapply(1:10, function(b) sample(rep(1:0, c(10, 90))), numeric(100)), "sechidis",
  similarity = factor(rep(1:10, each = 10))
))
unequal <- matrix(0, 40, 4)
unequal[cbind(c(1, 2, 1, 3:5, 1:3, 6:8, 2, 9, 10), rep(1:4, c(2, 4, 6, 3)))] <- 1:15
group_a_run <- matrix(0, 20, 5)
for (b in 1:5) group_a_run[4 * (b - 1) + 1:4, b] <- 1
# A feature like two others, which are not like each other: not the correlations of any features.
one_like_two <- diag(6)
one_like_two[cbind(c(1, 2, 2, 3), c(2, 1, 3, 2))] <- 1
in_turn <- cbind(c(0, 1, 0, 0, 0, 0), c(1, 0, 1, 0, 0, 0))
members <- matrix(0, 200, 10)
for (b in 1:10) members[cbind(c(0, 10, 20, 30, 40) + b, b)] <- 1
parts <- list(
  "runs of 2, 4, 6 and 3 features" = with_groups(unequal),
  "the same and a run without features" = with_groups(cbind(unequal, 0)),
  "same features, same importance (upper bound 1)" = with_groups(same),
  "no feature in common, 5 runs (lower bound -0.25)" = with_groups(disjoint),
  "another whole group of 4 in every run (lower bound -0.25)" = values_of(
    group_a_run, five, similarity = factor(rep(1:5, each = 4))
  ),
  "a feature, then the two that are like it (upper bound 1)" = values_of(
    in_turn, five, similarity = one_like_two
  ),
  "same features, other importance" = with_groups(shifted),
  "all features, importance plus a constant" = c(
    nogueira = NA, values_of(parallel, c("phi_pears", "phi_iw")), sechidis = NA
  ),
  "random features (0)" = rowMeans(random),
  "five whole groups of 1 and ten others" = with_groups(whole_groups(1)),
  "the same, groups of 10" = with_groups(whole_groups(10), 10),
  "one member of each group of 10, another in every run" = with_groups(members, 10)
)
values <- do.call(rbind, parts)[, five]
v <- function(row, index) values[grep(row, rownames(values), fixed = TRUE), index]
random_se <- max(apply(random, 1L, stats::sd)) / sqrt(50)
random_c_se <- stats::sd(random_c) / sqrt(50)
# Two methods in one model, the importance of the first multiplied by `first`; both together have 25
# features and a mean importance of one.
draw_method <- function(n_always, n_once, p = 10000, n_runs = 30) {
  weights <- matrix(0, p, n_runs)
  weights[seq_len(n_always), ] <- stats::runif(n_always * n_runs, 0.5, 1.5)
  for (b in seq_len(n_runs)) {
    weights[n_always + n_once * (b - 1) + seq_len(n_once), b] <- stats::runif(n_once, 0.5, 1.5)
  }
  weights * rep(colSums(weights > 0) / colSums(weights), each = p)
}
methods_of <- list(draw_method(12, 3), draw_method(2, 8))
alone <- vapply(methods_of, values_of, numeric(3), indices = three)
decompose <- function(first) {
  change <- c(first, (25 - 15 * first) / 10)
  share <- c(15, 10) / 25
  square <- share * change^2
  cbind(
    together = values_of(do.call(rbind, Map(`*`, change, methods_of)), three),
    weighted = drop(alone %*% (share * change)), plain = drop(alone %*% share),
    squares = drop(alone %*% (square / sum(square)))
  )
}
decomposed <- decompose(0.5)
by_which <- function(index, formula) {
  abs(decomposed[index, "together"] - decomposed[index, formula]) < 0.002
}
# What the paper says of an index in a situation, TRUE where it does so here.
said_of <- matrix(NA, nrow(values), ncol(values), dimnames = dimnames(values))
says <- function(row, index, true) {
  said_of[grep(row, rownames(values), fixed = TRUE), index] <<- true
}
says("runs of 2, 4", five, !is.na(v("runs of 2, 4", five)))
says("without features", five, !is.na(v("without features", five)))
says("same features, same", five, abs(v("same features, same", five) - 1) < 1e-9)
says("no feature", three, abs(v("no feature", three) + 0.25) < 1e-9)
says("another whole group", "sechidis", v("another whole group", "sechidis") < -0.25)
says("the two that are like it", "sechidis", v("the two that are like it", "sechidis") > 1)
says("other importance", "nogueira", v("other importance", "nogueira") == 1)
says("other importance", "phi_iw", v("other importance", "phi_iw") < 1)
says("plus a constant", "phi_pears", abs(v("plus a constant", "phi_pears") - 1) < 1e-9)
says("plus a constant", "phi_iw", v("plus a constant", "phi_iw") < 1)
says("random", three, abs(v("random", three)) < 3 * random_se)
says("random", "sechidis", abs(mean(random_c)) < 3 * random_c_se)
larger <- v("the same, groups", three) - v("five whole", three)
says("the same, groups", "phi_iw", abs(larger[["phi_iw"]]) < 0.01)
says("the same, groups", "nogueira", larger[["nogueira"]] > 0.1)
says("the same, groups", "phi_pears", larger[["phi_pears"]] < -0.1)
says("one member", "sechidis", v("one member", "sechidis") > 0.9)
says("one member", three, v("one member", three) < 0.1)
knitr::kable(matrix(
  paste(short(values + 0), sign_of(holds(said_of))), nrow(values),
  dimnames = list(rownames(values), index_names[five])
), align = "r")
# The fields of the second table: Property 6 is the sum by size and importance.
of_sums <- matrix(NA, 3, 4, dimnames = dimnames(decomposed))
of_sums["phi_iw", "weighted"] <- by_which("phi_iw", "weighted")
of_sums["nogueira", c("weighted", "plain")] <- c(
  !by_which("nogueira", "weighted"), by_which("nogueira", "plain")
)
of_sums["phi_pears", "weighted"] <- !by_which("phi_pears", "weighted")
cat("\n\n")
knitr::kable(matrix(
  paste(short(decomposed, 3), sign_of(holds(of_sums))), 3,
  dimnames = list(index_names[three], c(
    "two methods in one model", "weighted by size and importance", "by size (Equation 17)",
    "by importance squared (Equation 18)"
  ))
), align = "r")
mark <- c(holds(said_of), holds(of_sums))
mark_properties <- mark[!is.na(mark)]
n_properties <- 8

## ---- groups-data
groups <- result("correlated-groups")
whole <- table(groups$data_set)
groups <- groups[groups$data_set %in% names(whole)[whole == max(whole)], ]
n_sets <- length(unique(groups$data_set))
settings <- result("paper-table1")
used <- unique(groups[c("scenario", "mean_group", "correlation", "method")])
# Table 1 is used as printed.
stopifnot(vapply(names(used), function(column) all(used[[column]] == settings[[column]]), NA))
over_sets <- function(value) {
  stats::aggregate(
    list(value = value$estimate), value[c("scenario", "group_size", "index")],
    function(x) c(mean = mean(x), se = stats::sd(x) / sqrt(length(x)))
  )
}
mean_groups <- do.call(data.frame, over_sets(groups))
at <- function(scenario, size, index, what = "value.mean") {
  only(mean_groups[mean_groups$scenario == scenario & mean_groups$group_size == size &
    mean_groups$index == index, ], paste(scenario, size, index))[[what]]
}
ends <- function(scenario, index) {
  sprintf("%s to %s",
    with_se(at(scenario, 1, index), at(scenario, 1, index, "value.se")),
    with_se(at(scenario, 20, index), at(scenario, 20, index, "value.se"))
  )
}
negative <- sum(groups$estimate[groups$scenario == 1 & groups$group_size == 20 &
  groups$index == "sechidis"] < 0)
change <- function(scenario, index) at(scenario, 20, index) - at(scenario, 1, index)

## ---- groups-plot
mean_groups$name <- index_names[mean_groups$index]
ggplot2::ggplot(
  mean_groups, ggplot2::aes(.data$group_size, .data$value.mean, colour = .data$name)
) +
  ggplot2::geom_line() +
  ggplot2::geom_pointrange(ggplot2::aes(
    ymin = .data$value.mean - 2 * .data$value.se, ymax = .data$value.mean + 2 * .data$value.se
  ), size = 0.25) +
  ggplot2::facet_wrap("scenario", labeller = ggplot2::label_both) +
  ggplot2::coord_cartesian(ylim = c(0, 1)) +
  ggplot2::scale_colour_manual(values = index_colours) +
  ggplot2::labs(x = "Size of the groups", y = "Stability", colour = NULL) +
  ggplot2::theme_minimal() +
  ggplot2::theme(legend.position = "bottom")

## ---- groups-say
mark <- say(
  list("scenarios 1, 2: phi grows with c", paste(ends(1, "nogueira"), "and", ends(2, "nogueira")),
    min(change(1, "nogueira"), change(2, "nogueira")) > 0.1),
  list("1, 2: phi_pears starts higher than the others and falls",
    paste(ends(1, "phi_pears"), "and", ends(2, "phi_pears")),
    max(change(1, "phi_pears"), change(2, "phi_pears")) < -0.1),
  list("1, 2: phi_iw stays about constant (here: moves least of the three)",
    paste(ends(1, "phi_iw"), "and", ends(2, "phi_iw")), all(vapply(1:2, function(i) {
      abs(change(i, "phi_iw")) < min(abs(change(i, "nogueira")), abs(change(i, "phi_pears")))
    }, NA))),
  list("1: phi_C rises first, then falls without bound",
    sprintf("%s; negative at c = 20 in %d of %d data sets", ends(1, "sechidis"), negative, n_sets),
    change(1, "sechidis") < -2 * sqrt(
      at(1, 1, "sechidis", "value.se")^2 + at(1, 20, "sechidis", "value.se")^2
    )),
  list("2: phi_C grows like phi", ends(2, "sechidis"), change(2, "sechidis") > 0.1),
  list("3: phi_C stays about constant", ends(3, "sechidis"), abs(change(3, "sechidis")) < 0.1),
  list("3: phi falls", ends(3, "nogueira"), change(3, "nogueira") < 0),
  list("3: phi_pears falls", ends(3, "phi_pears"), change(3, "phi_pears") < 0),
  list("3: phi_iw falls", ends(3, "phi_iw"), change(3, "phi_iw") < 0)
)

## ---- maps-7
maps <- result("maps")
for (size in c("groups of 1", "groups of 10")) {
  print(ggplot2::autoplot(stored_map(maps, "Figure 7", size), type = "map"))
}

## ---- share
share <- tapply(groups$group_share, list(groups$scenario, groups$group_size), mean)
# The same data sets with groups of 10 and of 1: their difference against its standard error.
share_change <- vapply(1:2, function(scenario) {
  rows <- unique(groups[groups$scenario == scenario, c("data_set", "group_size", "group_share")])
  wide <- tapply(rows$group_share, rows[c("data_set", "group_size")], mean)
  difference <- wide[, "10"] - wide[, "1"]
  c(mean(difference), stats::sd(difference) / sqrt(length(difference)))
}, c(0, 0))
# "About constant": within a tenth of the importance.
share_mark <- about_equal(share_change[1, ], 0.1)
