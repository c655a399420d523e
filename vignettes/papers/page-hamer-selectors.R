# Chunks of the vignette on this paper, which reads this file by read_pages().

## ---- table5
paper5 <- result("paper-table5")
columns <- c("accuracy", three)
# By the package's own lasso_path(), at the penalties that run-lasso.R found with glmnet.
ours <- rows_for(result("own-lasso"), paper5["set"])
by_glmnet <- rows_for(table5, paper5["set"])
apart <- abs(as.matrix(ours[columns]) - as.matrix(by_glmnet[columns]))
marks <- vapply(columns, function(column) {
  se <- ours[[paste0(column, "_se")]]
  mark_of(ours[[column]], paper5[[column]], se, se, 0.01)
}, character(nrow(ours)))
# Luck: the sets change places.
# The task of gastro was found by its row.
found_by <- paper5$set == "gastro"
marks[found_by, ] <- NA
cells5 <- do.call(join_cells, lapply(columns, function(column) {
  se <- ours[[paste0(column, "_se")]][!found_by]
  numbers(ours[[column]][!found_by], paper5[[column]][!found_by], se, se, 0.01)
}))
cells <- vapply(columns, function(column) {
  beside(paper5[[column]], ours[[column]], ours[[paste0(column, "_se")]], marks[, column])
}, character(nrow(ours)))
knitr::kable(
  data.frame(paper5$set, cells), align = "lrrrr",
  col.names = c("Table 5", "accuracy", index_names[three])
)
# With the sets and the 3,000 trees that the first run of these methods left out.
more_rows <- result("more-forests")
others <- rbind(result("forest-relief"), more_rows[names(more_rows) != "part"])

## ---- maps-12
for (name in c("singh", "lsvt")) {
  print(ggplot2::autoplot(stored_map(maps, "Figure 12", name), type = "map"))
}

## ---- say-12
wider <- vapply(c("singh", "lsvt"), function(name) {
  rows <- maps[maps$figure == "Figure 12" & maps$label == name, ]
  weight <- rows$weight / tapply(rows$weight, rows$run, sum)[as.character(rows$run)]
  frequency <- table(rows$feature)
  stats::cor(
    as.numeric(frequency), tapply(weight, rows$feature, mean)[names(frequency)],
    method = "spearman"
  )
}, 0)
lower <- sum(ours$phi_iw < ours$phi_pears)
cells12 <- statements(c(wider > 0, ours$phi_iw < ours$phi_pears))
mark <- say(
  list("the lasso gives more importance to frequent features",
    sprintf("rank correlation %s (singh), %s (lsvt)", short(wider[1]), short(wider[2])),
    all(wider > 0)),
  list("phi_iw is below phi_pears", sprintf("on %d of %d sets", lower, nrow(ours)),
    lower == nrow(ours))
)

## ---- figure13
long <- function(table, by) {
  do.call(rbind, lapply(three, function(index) {
    data.frame(table[by], index = index_names[[index]], stability = table[[index]],
      accuracy = table$accuracy)
  }))
}
draw_lines <- function(table, group, facet, ...) {
  ggplot2::ggplot(table[!is.na(table$stability), ], ggplot2::aes(
    .data$stability, .data$accuracy, colour = .data$index, group = .data[[group]]
  )) +
    ggplot2::geom_path() +
    ggplot2::geom_point(size = 0.9) +
    ggplot2::facet_wrap(facet, ...) +
    ggplot2::scale_x_continuous(n.breaks = 3) +
    ggplot2::scale_colour_manual(values = index_colours) +
    ggplot2::labs(x = "Stability", y = "Accuracy out of bag", colour = NULL) +
    ggplot2::theme_minimal() +
    ggplot2::theme(legend.position = "bottom")
}
nets <- lasso[order(-lasso$alpha), ]
draw_lines(long(nets, c("set", "alpha")), "index", "set", scales = "free", ncol = 4)

## ---- say-13
net <- function(name, alpha, column) {
  only(lasso[lasso$set == name & lasso$alpha == alpha, ], paste(name, alpha))[[column]]
}
names <- unique(lasso$set)
rises <- vapply(three, function(index) {
  sum(vapply(names, function(name) net(name, 0.7, index) >= net(name, 1, index), NA))
}, 0L)
gain <- function(name) net(name, 0.7, "accuracy") - net(name, 1, "accuracy")
error <- function(name) 2 * sqrt(2) * net(name, 1, "accuracy_se")
# Signs with their errors: gain / se of the gain; and by set and index whether stability rises.
z_of <- function(name) 2 * gain(name) / error(name)
cells13 <- join_cells(
  statements(unlist(lapply(three, function(index) {
    vapply(names, function(name) net(name, 0.7, index) >= net(name, 1, index), NA)
  }))),
  statements(rep(TRUE, 4), c(z_of("singh"), z_of("alon"), z_of("lsvt"), -z_of("gravier")))
)
first <- lapply(c("singh", "alon", "lsvt"), function(name) {
  list(paste("accuracy first rises on", name),
    sprintf("from %s to %s at 0.7", short(net(name, 1, "accuracy")),
      with_se(net(name, 0.7, "accuracy"), net(name, 0.7, "accuracy_se"))),
    case_of(z_of(name)))
})
mark <- do.call(say, c(
  list(list("stability rises when lambda_2 leaves 1 (phi, phi_pears, phi_iw)",
    sprintf("on %s of %d sets", paste(rises, collapse = ", "), length(names)),
    all(rises >= length(names) - 1))),
  first,
  list(list("accuracy falls at once on gravier",
    sprintf("from %s to %s", short(net("gravier", 1, "accuracy")),
      short(net("gravier", 0.7, "accuracy"))), case_of(-z_of("gravier"))))
))

## ---- say-14
plain <- result("two-penalties")
raised <- vapply(three, function(index) {
  at <- function(lambda) plain[[index]][plain$lambda == lambda]
  sum(at(max(plain$lambda)) > at(min(plain$lambda)))
}, 0L)
n_final <- length(unique(plain$lambda_final))
# Every lambda_final and index is a cell: does the larger lambda raise it?
raised_at <- unlist(lapply(three, function(index) {
  at <- function(lambda) plain[[index]][plain$lambda == lambda]
  at(max(plain$lambda)) > at(min(plain$lambda))
}))
spread <- max(tapply(plain$nogueira, plain$lambda, function(x) diff(range(x))))
ten <- plain[plain$lambda == 10, ]
ten <- ten[order(ten$lambda_final), ]
top <- which.max(ten$accuracy)
mark <- say(
  list("phi does not depend on lambda_final", sprintf("differs by at most %s", short(spread, 3)),
    spread < 1e-9),
  list("lambda_final first raises phi_iw and accuracy, then accuracy drops (lambda = 10)",
    sprintf("accuracy %s, %s, %s; phi_iw %s to %s", short(ten$accuracy[1]),
      short(ten$accuracy[top]), short(ten$accuracy[nrow(ten)]), short(ten$phi_iw[1]),
      short(ten$phi_iw[top])),
    top > 1 && top < nrow(ten) && ten$phi_iw[top] > ten$phi_iw[1]),
  list("a larger lambda raises all three (0.1 to 100)",
    sprintf("for %s of %d lambda_final", paste(raised, collapse = ", "), n_final),
    all(raised == n_final)),
  list("with a small lambda_final phi_iw is much below phi",
    paste(short(ten$phi_iw[1]), "and", short(ten$nogueira[1])),
    ten$phi_iw[1] < 0.75 * ten$nogueira[1])
)
cells14 <- statements(c(mark[-3] == "agrees", raised_at))

## ---- figure15
both <- others
for (method in c("forest", "Relief")) {
  rows <- both[both$method == method, ]
  print(draw_lines(
    long(rows[order(rows$size), ], c("set", "size")), "index", "set", scales = "free", ncol = 4
  ))
}

## ---- say-15
value <- function(name, method, size, column) {
  only(both[both$set == name & both$method == method & both$size == size, ],
    paste(name, method, size))[[column]]
}
# Sets on which a method was run with both sizes.
run_with <- function(method, small, large) {
  at <- function(size) both$set[both$method == method & both$size == size]
  intersect(at(small), at(large))
}
# Is the value of the largest size (3,000 trees for forests) above that of `small`?
larger <- function(method, small, column) {
  vapply(unique(both$set[both$method == method]), function(name) {
    large <- max(both$size[both$set == name & both$method == method])
    value(name, method, large, column) > value(name, method, small, column)
  }, NA)
}
sets_with <- function(method, size) {
  length(unique(both$set[both$method == method & both$size == size]))
}
of_all <- function(true) sprintf("on %d of %d sets", sum(true), length(true))
most <- function(name, method) {
  rows <- both[both$set == name & both$method == method, ]
  rows$size[which.max(rows$accuracy)]
}
rise <- function(small, large) {
  vapply(three, function(index) {
    mean(vapply(run_with("forest", small, large), function(name) {
      value(name, "forest", large, index) - value(name, "forest", small, index)
    }, 0))
  }, 0)
}
early <- rise(300, 1000)
late <- rise(1000, 3000)
n_late <- length(run_with("forest", 1000, 3000))
stabler <- larger("forest", 10, "phi_iw")
better <- larger("forest", 3, "accuracy")
cat("\n**Forests** (Figure 15)\n\n")
forest_mark <- say(
  list("larger forests are more stable (10 to 3,000 trees, phi_iw)", of_all(stabler),
    all(stabler)),
  list("and more accurate (3 to 3,000)", of_all(better), all(better)),
  list("stability converges near 1,000 trees (here: less than 0.02 from 1,000 to 3,000)",
    sprintf("phi rises by %s on average of %d sets, phi_iw by %s", short(late[["nogueira"]]),
      n_late, short(late[["phi_iw"]])), max(late) < 0.02)
)
# Every set is a cell; convergence by the tolerance that is named.
cells15 <- join_cells(statements(c(stabler, better)), about_equal(max(late), 0.02))
cat("\n**Relief** (Figure 17)\n\n")
wide_relief <- larger("Relief", 1, "phi_iw")
relief_mark <- say(
  list("more neighbours are more stable in most cases (1 to 40, phi_iw)", of_all(wide_relief),
    mean(wide_relief) > 0.5)
)
# "In most cases" by a sign test over the sets.
cells17 <- statements(
  TRUE, (sum(wide_relief) - length(wide_relief) / 2) / sqrt(length(wide_relief) / 4)
)

## ---- maps-16
for (label in c("10 trees", "3000 trees")) {
  print(ggplot2::autoplot(stored_map(maps, "Figure 16", label), type = "map"))
}
for (label in c("K = 1", "K = 25")) {
  print(ggplot2::autoplot(stored_map(maps, "Figure 18", label), type = "map"))
}

## ---- say-16
map_value <- function(figure, label, index) {
  stability(stored_map(maps, figure, label), index)$table$estimate
}
map_se <- function(figure, label, index) {
  stability(stored_map(maps, figure, label), index)$table$se
}
# Differences of two estimates with their error; cautious where they are of the same runs.
z_between <- function(one, other) {
  (map_value(one[1], one[2], one[3]) - map_value(other[1], other[2], other[3])) /
    sqrt(map_se(one[1], one[2], one[3])^2 + map_se(other[1], other[2], other[3])^2)
}
trees <- vapply(c("10 trees", "3000 trees"), map_value, 0, figure = "Figure 16", index = "phi_iw")
near <- vapply(c("nogueira", "phi_iw"), map_value, 0, figure = "Figure 18", label = "K = 25")
cells16 <- statements(
  TRUE, z_between(c("Figure 16", "3000 trees", "phi_iw"), c("Figure 16", "10 trees", "phi_iw"))
)
cells18 <- statements(
  TRUE, z_between(c("Figure 18", "K = 25", "phi_iw"), c("Figure 18", "K = 25", "nogueira"))
)
mark <- say(
  list("Figure 16: large forests have the more stable map (phi_iw)",
    paste(short(trees), collapse = " and "), cells16$mark == "agrees"),
  list("Figure 18, K = 25: phi_iw is higher than phi",
    sprintf("%s and %s", short(near[["phi_iw"]]), short(near[["nogueira"]])),
    if (cells18$mark == "open") NA else cells18$mark == "agrees"),
  states = c(
    state_cell("Figure 16", cells16, length(trees)), state_cell("Figure 18", cells18, length(near))
  )
)
