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
    agreement = stats::cor(some$nogueira, some$phi_iw),
    winners = names(sort(-count(front) / count(some)))[1:2]
  )
}
seen <- seen_on(unique(together$set))
present <- seen$present
run_on <- seen$run_on
stable <- seen$stable
gap <- seen$gap
agreement <- seen$agreement
winners <- seen$winners
# What the text says of all figures together is counted once, with the first of them; on the sets of
# each figure phi and phi_iw are "similar": within a tenth on average.
gap_on <- function(name) {
  rows <- together[together$set == name, ]
  mean(abs(rows$nogueira - rows$phi_iw))
}
less_stable <- function(name) {
  at_best <- function(method) {
    rows <- together[together$set == name & together$method == method, ]
    rows$phi_iw[which.max(rows$accuracy)]
  }
  at_best("SVM-RFE") < at_best("logistic RFE")
}
overall_cells <- local({
  less <- unlist(lapply(unique(together$set), less_stable))
  # Pairs and triples of six methods are right by luck once in 15 and in 20; a sign test over sets.
  join_cells(
    statements(
      c(
        setequal(winners, c("forest", "logistic RFE")),
        setequal(names(sort(stable))[1:3], c("lasso", "Relief", "SVM-RFE"))
      ), chance = c(1 / 15, 1 / 20)
    ),
    statements(TRUE, (sum(less) - length(less) / 2) / sqrt(length(less) / 4))
  )
})
cells_on <- function(sets, first) {
  own <- about_equal(vapply(sets, gap_on, 0), 0.1)
  if (first) join_cells(own, overall_cells) else own
}

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
mark <- say(
  list("phi and phi_iw are similar in standard use",
    sprintf("correlation %s, mean difference %s", short(agreement), short(gap)), agreement > 0.8),
  list("forests and logistic RFE are most often in the overall front",
    paste(winners, collapse = " and "), setequal(winners, c("forest", "logistic RFE"))),
  list("SVM-RFE is less stable than logistic RFE",
    sprintf("%s and %s", short(stable[["SVM-RFE"]]), short(stable[["logistic RFE"]])),
    stable[["SVM-RFE"]] < stable[["logistic RFE"]]),
  list("the lasso, Relief and SVM-RFE are the least stable",
    paste(names(sort(stable)), short(sort(stable)), collapse = ", "),
    setequal(names(sort(stable))[1:3], c("lasso", "Relief", "SVM-RFE")))
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
  state_cell(paste("Figure", 25 + i), cells_on(sets_of[[i]], i == 1L), whole)
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
keep_claims("hamer", rbind(
  c("phi is driven by the size of correlated groups, phi_iw is not",
    verdict(all(vapply(1:2, function(i) {
      abs(change(i, "phi_iw")) < abs(change(i, "nogueira")) / 2
    }, NA))),
    sprintf("phi moves by %s and %s, phi_iw by %s and %s (scenarios 1, 2; %d data sets)",
      short(change(1, "nogueira")), short(change(2, "nogueira")), short(change(1, "phi_iw")),
      short(change(2, "phi_iw")), n_sets)),
  c("optimising phi gives false stability and costs accuracy",
    verdict(all(lost > 2 * sqrt(2) * lost_se), no = "depends on the data"), sprintf(
      "accuracy %s lower on singh (error %s); on the six sets %s to %s",
      short(lost[["singh"]], 3), short(sqrt(2) * max(ours_se), 3), short(min(lost), 3),
      short(max(lost), 3))),
  c("hybrid-RFE dominates plain elimination", verdict(
    all(equal_wins), no = verdict(
      mean(equal_wins[, "nogueira"]) > 0.5, "by phi; by phi_iw it depends on the data"
    )
  ), sprintf(
    "with as many settings, 95 %% of draws ahead on %d of six sets by phi, on %d by phi_iw",
    sum(equal_wins[, "nogueira"]), sum(equal_wins[, "phi_iw"]))),
  c("the lasso gives varying importances: phi_iw below phi_pears", verdict(lower == nrow(ours)),
    sprintf("%d of %d sets", lower, nrow(ours))),
  c("forests converge near 1,000 trees", if (n_late < 11) "open" else verdict(max(late) < 0.02),
    sprintf("phi rises by %s from 300 to 1,000 trees, from there to 3,000 by %s (on %d sets)",
      short(early[["nogueira"]]), short(late[["nogueira"]]), n_late)),
  c("phi_iw varies less than phi_pears over few runs",
    verdict(all(wide$phi_iw <= wide$phi_pears), no = "depends on the data"),
    sprintf("%d of %d sets", sum(wide$phi_iw <= wide$phi_pears), nrow(wide)))
))
