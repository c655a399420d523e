# Pictures of the stored tables, in the folder that STABILECT_PICTURES names (default: results/).

save_figure <- function(plot, name, height = 4) {
  path <- file.path(Sys.getenv("STABILECT_PICTURES", folder), paste0(name, ".png"))
  ggplot2::ggsave(path, plot, width = 9, height = height, dpi = 100, bg = "white")
}

line_plot <- function(table, x, y, colour, labels) {
  ggplot2::ggplot(table, ggplot2::aes(.data[[x]], .data[[y]], colour = .data[[colour]])) +
    ggplot2::geom_line(linewidth = 0.5) +
    ggplot2::geom_point(size = 1) +
    ggplot2::facet_wrap(~panel, nrow = 1, scales = "free") +
    ggplot2::scale_colour_viridis_d(end = 0.9, option = "D") +
    labels +
    ggplot2::theme_minimal() +
    ggplot2::theme(plot.title.position = "plot")
}

# Figures 3 and 9 (left), 10 and 11.
figure_simulated <- function() {
  table <- read_csv("figure9")
  table$panel <- paste0(table$data, "\nn_useful = ", table$n_useful)
  table$p <- factor(table$p)
  line_plot(table, "n_weak", "stability", "p", ggplot2::labs(
    title = "Figures 3, 9 and 11: simulated ensembles", x = "weak selectors", y = "Jaccard"
  ))
}

# Real ensembles; those of grown-forests.R in the place of smaller ones of run.R.
read_real <- function() {
  table <- read_csv("ensembles")
  grown <- read_csv("grown-ensembles")
  key <- function(rows) paste(rows$data, rows$mtry)
  replaced <- table$selector == "forest" & table$reading == "one_half" & key(table) %in% key(grown)
  share <- ifelse(is.na(grown$mtry), "", paste0("-mtry", grown$mtry))
  grown$case <- paste0(grown$data, "-forest", grown$n_tree, share, "-one_half")
  grown <- data.frame(grown, selector = "forest", reading = "one_half", seconds = NA)
  rbind(table[!replaced, ], grown[names(table)])
}

figure_real <- function(mtry, title) {
  table <- read_real()
  table <- table[table$selector == "forest", ]
  table <- table[if (is.na(mtry)) is.na(table$mtry) else table$mtry %in% mtry, ]
  table$panel <- paste0(table$data, "\n", table$reading)
  table$n_tree <- factor(table$n_tree)
  line_plot(table, "n_weak", "stability", "n_tree", ggplot2::labs(
    title = title, x = "weak selectors", y = "Jaccard", colour = "trees"
  ))
}

figure_accuracy <- function() {
  table <- read_real()
  table <- table[!is.na(table$accuracy) & is.na(table$mtry), ]
  table$panel <- table$data
  table$n_tree <- factor(table$n_tree)
  line_plot(table, "n_weak", "accuracy", "n_tree", ggplot2::labs(
    title = "Figures 1 (left) and 6: accuracy, leave one out", x = "weak selectors",
    y = "accuracy", colour = "trees"
  )) + ggplot2::facet_wrap(~panel, scales = "free_x") + ggplot2::ylim(0.5, 1)
}

figure_frequencies <- function() {
  table <- read_csv("frequencies")
  wanted <- c("colon-forest500-one_half", "lymphoma-forest500-one_half",
    "prostate-forest500-one_half")
  table <- table[table$case %in% wanted, ]
  table$panel <- sub("-.*", "", table$case)
  both <- rbind(
    data.frame(panel = table$panel, times = table$times, features = table$features, by = "forest"),
    data.frame(panel = table$panel, times = table$times, features = table$uniform, by = "uniform")
  )
  both <- both[both$features > 0.01, ]
  line_plot(both, "times", "features", "by", ggplot2::labs(
    title = "Figures 1 (right) and 7: how often features are selected in n runs",
    x = "times selected", y = "features (log scale)", colour = NULL
  )) + ggplot2::scale_y_log10()
}

figure_verification <- function() {
  table <- read_csv("figure2")
  table$panel <- "colon"
  table$p <- factor(table$p)
  line_plot(table, "n_useful", "verified", "p", ggplot2::labs(
    title = "Figure 2 (left): n_useful counted again in the simulated selector", y = "n_useful_v"
  )) + ggplot2::geom_abline(linetype = "dashed", linewidth = 0.3) + ggplot2::ylim(0, 200)
}

# Figures 2 (right) and 8: the bands of p as ribbons.
figure_bands <- function() {
  table <- read_csv("figure8")
  table <- table[!is.na(table$p_low), ]
  table$panel <- paste0(table$data, "\nn_useful_v = ", table$target_useful)
  ggplot2::ggplot(table, ggplot2::aes(.data$n_useful, colour = .data$criterion)) +
    ggplot2::geom_linerange(
      ggplot2::aes(ymin = .data$p_low - 0.005, ymax = .data$p_high + 0.005), linewidth = 1.2,
      alpha = 0.7
    ) +
    ggplot2::facet_wrap(~panel, nrow = 1, scales = "free_x") +
    ggplot2::labs(
      title = "Figures 2 (right) and 8: p that fits the stability, and p that fits n_useful_v",
      y = "p", colour = NULL
    ) +
    ggplot2::theme_minimal() +
    ggplot2::theme(plot.title.position = "plot", legend.position = "bottom")
}

figure_predictions <- function() {
  table <- read_csv("predictions")
  table <- table[is.na(table$n_tree) | table$n_weak_max >= 20, ]
  long <- rbind(
    data.frame(table[c("case", "n_weak")], stability = table$real, what = "real"),
    data.frame(table[c("case", "n_weak")], stability = table$predicted, what = "paper's model"),
    data.frame(table[c("case", "n_weak")], stability = table$graded, what = "graded preferences")
  )
  long$panel <- long$case
  line_plot(long, "n_weak", "stability", "what", ggplot2::labs(
    title = "Ensembles: reality and predictions", x = "weak selectors", y = "Jaccard",
    colour = NULL
  )) + ggplot2::facet_wrap(~panel, ncol = 4, scales = "free_x") +
    ggplot2::theme(legend.position = "bottom")
}

draw_figures <- function() {
  save_figure(figure_accuracy(), "figure6")
  save_figure(figure_frequencies(), "figure7")
  save_figure(figure_verification(), "figure2")
  save_figure(figure_bands(), "figure8")
  save_figure(figure_simulated(), "figure9")
  save_figure(figure_real(NA, "Figures 3 (right) and 10: real ensembles"), "figure10")
  save_figure(figure_real(0.1, "Figure 15: real ensembles, normalised mtry 0.1"), "figure15")
  save_figure(figure_predictions(), "predictions", height = 12)
}
