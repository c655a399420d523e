#' Plot of accuracy against stability
#'
#' `autoplot()` draws accuracy (or another metric) against stability, one panel for each optimised
#' index (Hamer and Dupont 2021, Figures 9, 11 and 21 to 25). Steps and dots are the fronts of all
#' indices, the same in each panel. The outlined marks of a panel are the settings on the hull of
#' *its* front, which some weight of the metric chooses. They are shown at the values of all
#' indices, with a shape for each index. Where marks lie off the front of their colour, optimising
#' one index has not optimised the other. If there is room, `plot()` adds the stability map of the
#' setting that `gamma` chooses by each index, whose mark is filled.
#'
#' @inheritParams arguments
#' @param x,object (object of class `stabilect_tradeoff`) result of [tune_tradeoff()].
#' @param index (character, or `NULL`) indices to draw; `NULL` for all of them.
#' @param gamma (number in \[0, 1\]) weight of the metric in the choice, see [pareto_front()].
#' @param maps (flag, or `NULL`) draw the maps? `NULL`: if the device has room, at least nine inches
#'   in width and four in height for each index.
#' @return `autoplot()`: a ggplot of all fronts; `plot()` draws it, or the fronts one by one beside
#'   maps, and returns it invisibly.
#' @section Errors:
#' Class `stabilect_error_input` for indices that were not computed, or are undefined everywhere.
#' @family trade-off
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' x <- as.matrix(mcl_sll[, -1])
#' tuned <- tune_tradeoff(
#'   x, mcl_sll$MCL, list(n_stable = c(0, 3, 6), lambda_final = c(1, 30)), n_features = 6,
#'   resampling = resample_bootstrap(12), seed = 1
#' )
#' plot(tuned, gamma = 0.5, maps = FALSE)
#' @importFrom rlang .data
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_tradeoff <- function(object, index = NULL, gamma = 0.5, ...) {
  open_picture(...)
  index <- plotted_indices(object, index)
  gamma <- check_fraction(gamma, open_left = FALSE)
  draw_fronts(object, index, index, gamma)
}

plotted_indices <- function(object, index) {
  if (is.null(index)) index <- object$index
  refuse(!is.character(index) || length(index) == 0L || !all(index %in% object$index),
    "{.arg index} must be among {.val {object$index}}."
  )
  defined <- !vapply(lapply(index, tradeoff_front, x = object), is.null, NA)
  refuse(!all(defined), "{.val {index[!defined][1]}} is not defined for any setting.")
  unique(index)
}

# @param measures (character) indices whose fronts are drawn. @param optimised (character) panels.
draw_fronts <- function(object, measures, optimised, gamma) {
  metric <- in_words(object$asked$metric)
  points <- front_points(object, measures, optimised)
  hulls <- hull_points(object, measures, optimised, gamma)
  # A front or hull of one point has no line.
  size_of <- function(table) {
    stats::ave(seq_len(nrow(table)), table$panel, table$measure, FUN = length)
  }
  shades <- stats::setNames(rep_len(tradeoff_colours, length(measures)), measures)
  aes <- ggplot2::aes(.data$stability, .data$score, colour = .data$measure)
  picture(points, aes,
    ggplot2::geom_step(
      data = points[size_of(points) > 1L, ], direction = "vh", linewidth = 0.4, alpha = 0.6
    ),
    ggplot2::geom_point(size = 1.2),
    ggplot2::geom_path(data = hulls[size_of(hulls) > 1L, ], linewidth = 0.4, linetype = "dotted"),
    ggplot2::geom_point(
      data = hulls, ggplot2::aes(shape = .data$measure), size = 3.2, fill = NA, stroke = 0.8
    ),
    ggplot2::geom_point(
      data = hulls[hulls$chosen, ],
      ggplot2::aes(fill = .data$measure, shape = .data$measure), size = 3.2,
      stroke = 0.8, alpha = 0.7, show.legend = FALSE
    ),
    ggplot2::scale_colour_manual(values = shades, aesthetics = c("colour", "fill")),
    ggplot2::scale_shape_manual(values = rep_len(21:25, length(measures))),
    ggplot2::facet_wrap("panel", nrow = 1L, labeller = ggplot2::label_wrap_gen(14L)),
    ggplot2::guides(
      colour = ggplot2::guide_legend(title.position = "top"),
      shape = ggplot2::guide_legend(title.position = "top")
    ),
    few_ticks(),
    x = "Stability", y = paste(capitalised(metric), "out of bag"), colour = "Measured by",
    shape = "Measured by",
    title = sprintf("What %s costs in stability", metric),
    subtitle = sprintf(
      "Dots: fronts of %d settings. Outlined: hull of the panel's index; filled: gamma = %s",
      sum(object$table$status == "ok"), figure(gamma)
    ), legend = "bottom"
  )
}

tradeoff_colours <- c("#D55E00", "#009E73", "#0072B2", "#CC79A7", "#E69F00", "#56B4E9", "#000000")

panel_names <- function(optimised) {
  names <- paste("optimising", optimised)
  factor(names, names)
}

front_points <- function(object, measures, optimised) {
  one <- do.call(rbind, lapply(measures, function(name) {
    front <- tradeoff_front(object, name)$table
    data.frame(measure = name, stability = front[[name]], score = front[[object$asked$metric]])
  }))
  one$measure <- factor(one$measure, measures)
  do.call(rbind, lapply(seq_along(optimised), function(k) {
    cbind(one, panel = panel_names(optimised)[k])
  }))
}

hull_points <- function(object, measures, optimised, gamma) {
  bind_rows_of(seq_along(optimised), function(k) {
    front <- tradeoff_front(object, optimised[k])
    corners <- front$table$row[front$table$hull]
    chosen <- selected(front, gamma)$row
    do.call(rbind, lapply(measures, function(name) {
      data.frame(
        panel = panel_names(optimised)[k], measure = factor(name, measures),
        stability = object$table[[name]][corners],
        score = object$table[[object$asked$metric]][corners],
        chosen = corners %in% chosen
      )
    }))
  })
}

#' @rdname autoplot.stabilect_tradeoff
#' @export
plot.stabilect_tradeoff <- function(x, index = NULL, gamma = 0.5, maps = NULL, ...) {
  refuse_dots(...)
  picture <- autoplot.stabilect_tradeoff(x, index = index, gamma = gamma)
  index <- plotted_indices(x, index)
  if (is.null(maps)) maps <- all(grDevices::dev.size() >= c(9, 4 * length(index)))
  if (!check_flag(maps)) {
    draw_picture(picture)
    return(invisible(picture))
  }
  chosen <- vapply(index, function(name) selected(tradeoff_front(x, name), gamma)$row, 0L)
  colours <- feature_colours(x$selections[unique(chosen)])
  # All panels on the same scales.
  all <- hull_points(x, index, index, gamma)
  layout <- grid::grid.layout(length(index), 2L, widths = grid::unit(c(3, 4), "null"))
  grid::grid.newpage()
  grid::pushViewport(grid::viewport(layout = layout))
  for (k in seq_along(index)) {
    place <- function(column) grid::viewport(layout.pos.row = k, layout.pos.col = column)
    front <- draw_fronts(x, index, index[k], gamma) +
      ggplot2::labs(title = NULL, subtitle = NULL) +
      ggplot2::expand_limits(x = all$stability, y = all$score) +
      ggplot2::guides(
        colour = ggplot2::guide_legend(title.position = "top"),
        shape = ggplot2::guide_legend(title.position = "top")
      ) +
      ggplot2::theme(legend.position = if (k == length(index)) "bottom" else "none")
    draw_picture(front, vp = place(1L))
    draw_picture(chosen_map(x, chosen[[k]], index, gamma, colours), vp = place(2L))
  }
  grid::popViewport()
  invisible(picture)
}

chosen_map <- function(x, row, index, gamma, colours) {
  table <- x$table[row, ]
  map_picture(x$selections[[row]], colours = colours) +
    ggplot2::labs(
      title = sprintf("gamma = %s: setting %d", figure(gamma), row),
      subtitle = sprintf(
        "%s %.3f; %s", in_words(x$asked$metric), table[[x$asked$metric]],
        paste(sprintf("%s %.2f", index, unlist(table[index])), collapse = ", ")
      ), x = NULL
    ) +
    ggplot2::theme(
      plot.title = ggplot2::element_text(size = 11), plot.subtitle = ggplot2::element_text(size = 9)
    )
}
