# What vignettes/paper-hamer.Rmd draws and builds: fronts in the form of the paper's Figure 11, toy
# runs of its Figures 3, 5 and 6 and of its Table 2. Sourced by the vignette and its test.

index_names <- c(
  nogueira = "phi", sechidis = "phi_C", phi_pears = "phi_pears", phi_iw = "phi_iw",
  canberra = "phi_can"
)
index_colours <- c(
  phi = "#D55E00", phi_pears = "#009E73", phi_iw = "#0072B2", phi_C = "#999999"
)

runs_of <- function(weights) {
  rownames(weights) <- paste0("f", seq_len(nrow(weights)))
  as_selection(weights, type = "weight", runs_in = "columns")
}

# Values of indices (named) of a features x runs matrix of weights.
values_of <- function(weights, indices, ...) {
  table <- stability(runs_of(weights), indices, ...)$table
  stats::setNames(table$estimate, table$index)[indices]
}

# Figures 3 and 5: the same 20 features in every run, with weights exp(sigma N(0, 1)).
same_features <- function(sigma, n_runs = 30, p = 10000) {
  weights <- matrix(0, p, n_runs)
  weights[1:20, ] <- exp(stats::rnorm(20 * n_runs, sd = sigma))
  weights
}

# The sigma at which the mean phi_pears of such runs is `wanted`. With ever more features of weight
# 0 it becomes a mean of cosines.
spread_for <- function(wanted, n_draws = 400) {
  normal <- matrix(stats::rnorm(20 * n_draws), 20)
  cosine <- function(sigma) {
    weights <- exp(sigma * normal)
    unit <- weights / rep(sqrt(colSums(weights^2)), each = 20)
    products <- crossprod(unit)
    mean(products[upper.tri(products)])
  }
  stats::uniroot(function(sigma) cosine(sigma) - wanted, c(0.01, 5))$root
}

# Figure 6: 15 features in every run with half of the importance, five others in each run.
half_stable <- function(n_runs = 30, p = 10000) {
  weights <- matrix(0, p, n_runs)
  weights[1:15, ] <- 2 / 3
  for (b in seq_len(n_runs)) weights[15 + 5 * (b - 1) + 1:5, b] <- 2
  weights
}

# Table 2: five groups of `size` features that are always selected and share the importance of one,
# and ten features that differ from run to run.
whole_groups <- function(size, n_runs = 30, p = 10000) {
  weights <- matrix(0, p, n_runs)
  weights[seq_len(5 * size), ] <- 2 / size
  for (b in seq_len(n_runs)) weights[5 * size + 10 * (b - 1) + 1:10, b] <- 1
  weights
}

# All points of the fronts of a data set by each index, and what some gamma chooses by each.
front_points <- function(table) {
  do.call(rbind, lapply(names(index_colours)[1:3], function(name) {
    index <- names(index_names)[match(name, index_names)]
    used <- table[table$status == "ok" & !is.na(table[[index]]), c("accuracy", index)]
    front <- pareto_front(used)$table
    data.frame(index = name, stability = front[[index]], accuracy = front$accuracy)
  }))
}

choice_points <- function(choices) {
  do.call(rbind, lapply(unname(index_names[c("nogueira", "phi_pears", "phi_iw")]), function(name) {
    column <- names(index_names)[match(name, index_names)]
    data.frame(
      optimised = unname(index_names[choices$index]), index = name, gamma = choices$gamma,
      stability = choices[[column]], accuracy = choices$accuracy
    )
  }))
}

# Three panels: points are fronts by each index, circles what is chosen when the panel's index is
# optimised, filled circles the choice at gamma = 0.5.
# @param tables (named list of data frames) the fronts of some sets, a row of panels for each.
draw_fronts <- function(tables, choices) {
  optimising <- function(name) {
    factor(paste("optimising", name), paste("optimising", names(index_colours)[1:3]))
  }
  fronts <- do.call(rbind, lapply(names(tables), function(set) {
    points <- front_points(tables[[set]])
    do.call(rbind, lapply(names(index_colours)[1:3], function(name) {
      cbind(set = factor(set, names(tables)), panel = optimising(name), points)
    }))
  }))
  chosen <- do.call(rbind, lapply(names(tables), function(set) {
    points <- choice_points(choices[choices$set == set, ])
    points$set <- factor(set, names(tables))
    points
  }))
  chosen$panel <- optimising(chosen$optimised)
  aes <- ggplot2::aes(.data$stability, .data$accuracy, colour = .data$index)
  ggplot2::ggplot(fronts, aes) +
    ggplot2::geom_line(alpha = 0.5) +
    ggplot2::geom_point(size = 1) +
    ggplot2::geom_point(data = chosen, shape = 21, size = 2.6) +
    ggplot2::geom_point(data = chosen[chosen$gamma == 0.5, ], shape = 16, size = 2.8) +
    ggplot2::facet_grid(
      if (length(tables) > 1L) ggplot2::vars(.data$set), ggplot2::vars(.data$panel),
      scales = "free_y"
    ) +
    ggplot2::scale_colour_manual(values = index_colours, breaks = names(index_colours)[1:3]) +
    ggplot2::labs(x = "Stability", y = "Accuracy out of bag", colour = NULL) +
    ggplot2::theme_minimal() +
    ggplot2::theme(legend.position = "bottom")
}

# A stored map as a selection.
stored_map <- function(maps, figure, label) {
  rows <- maps[maps$figure == figure & maps$label == label, ]
  if (nrow(rows) == 0L) stop("stored results have no map ", figure, ", ", label)
  weights <- matrix(0, rows$n_features[1], max(rows$run))
  weights[cbind(rows$feature, rows$run)] <- rows$weight
  runs_of(weights)
}
