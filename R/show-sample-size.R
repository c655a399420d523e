# The picture of a sample size plan.

#' @rdname sample-size-methods
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_sample_size <- function(object, ...) {
  open_picture(...)
  drawn <- sample_size_panels(object)
  title <- "How many samples for the same list?"
  picture(drawn, ggplot2::aes(.data$n),
    ggplot2::geom_vline(xintercept = object$study$n, colour = path_grey),
    ggplot2::geom_ribbon(
      ggplot2::aes(ymin = .data$lower, ymax = .data$upper),
      # Without a curve there is no band, and panels of missing values cannot be drawn.
      data = drawn[!is.na(drawn$lower), ], fill = path_colours[1], alpha = 0.15
    ),
    ggplot2::geom_line(
      ggplot2::aes(y = .data$fitted, linetype = .data$kind), colour = path_colours[1], na.rm = TRUE
    ),
    ggplot2::geom_point(ggplot2::aes(y = .data$value), na.rm = TRUE),
    simulated_layers(object, levels(drawn$panel)),
    ggplot2::geom_hline(
      data = data.frame(panel = drawn$panel[1], at = object$asked$target_stability),
      mapping = ggplot2::aes(yintercept = .data$at), colour = path_colours[2], linetype = "dotted"
    ),
    ggplot2::scale_linetype_manual(
      values = c(measured = "solid", extrapolated = "dashed"), name = NULL
    ),
    ggplot2::scale_x_log10(breaks = signif(object$study$n * c(0.2, 0.5, 1, 2, 4), 2)),
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), ncol = 1, scales = "free_y"),
    x = "Samples of a study", y = NULL, title = title,
    subtitle = subtitle_of_plan(object), legend = "bottom"
  )
}

subtitle_of_plan <- function(x) {
  paste0(
    sprintf(
      "Dots: %d pairs of disjoint parts; grey: the %d samples; dotted: a stability of %s",
      x$asked$n_pairs, x$study$n, figure(x$asked$target_stability)
    ),
    if (!is.null(x$simulated)) {
      sprintf(
        "\nTriangles: simulated studies with %s",
        count_of(nearest_simulation(x)$n_true[1], "true feature")
      )
    }
  )
}

# Simulated values, with bars of two standard errors.
simulated_layers <- function(x, panels) {
  if (is.null(x$simulated)) {
    return(NULL)
  }
  rows <- nearest_simulation(x)
  drawn <- data.frame(
    panel = factor(rep(panels, each = nrow(rows)), panels), n = rows$n,
    value = c(rows$stability, rows$error), se = c(rows$stability_se, rows$error_se)
  )
  # No list agrees better than with itself.
  drawn$highest <- pmin(drawn$value + 2 * drawn$se, c(1, Inf)[as.integer(drawn$panel)])
  list(
    ggplot2::geom_linerange(
      ggplot2::aes(ymin = .data$value - 2 * .data$se, ymax = .data$highest),
      data = drawn, colour = path_colours[2], na.rm = TRUE
    ),
    ggplot2::geom_point(
      ggplot2::aes(y = .data$value), data = drawn, shape = 17, size = 2.5,
      colour = path_colours[2], na.rm = TRUE
    )
  )
}

# The rows of the table with the curves between them, one panel for stability and one for error.
sample_size_panels <- function(x) {
  table <- x$table
  largest <- max(table$n[table$kind == "measured"])
  panel <- function(name, value, fitted, lower, upper) {
    points <- table$kind == "measured"
    rbind(
      data.frame(
        panel = name, n = table$n, kind = table$kind, value = table[[value]],
        fitted = table[[fitted]], lower = table[[lower]], upper = table[[upper]]
      ),
      # The dashed line begins where the solid one ends.
      data.frame(
        panel = name, n = largest, kind = "extrapolated", value = NA,
        fitted = table[[fitted]][points & table$n == largest],
        lower = table[[lower]][points & table$n == largest],
        upper = table[[upper]][points & table$n == largest]
      )
    )
  }
  both <- rbind(
    panel("Stability of the list", "stability", "fitted", "lower", "upper"),
    panel("Error of its model", "error", "error_fitted", "error_lower", "error_upper")
  )
  both$panel <- factor(both$panel, unique(both$panel))
  both$kind <- factor(both$kind, c("measured", "extrapolated"))
  both
}
