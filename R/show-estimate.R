#' Plot of predicted ensemble stability
#'
#' Shows stability against the size of the ensemble, with its interval and the plateau (dashed). For
#' comparison it shows the stability of real ensembles: the regrouped real runs (see
#' [estimate_stability()]), with one standard error, and given values.
#'
#' @inheritParams arguments
#' @param object (object of class `stabilect_estimate`) result of [estimate_stability()].
#' @param real (data frame with `n_weak` and `stability`, and possibly `lower`, `upper`; or `NULL`)
#'   measured stabilities of other real ensembles. The single runs are always shown.
#' @return A `ggplot`; [plot()] draws it and returns it invisibly.
#' @family estimation
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' x <- as.matrix(mcl_sll[, -1])
#' runs <- select_ensemble(x, mcl_sll$MCL, selector_filter("t"), n_features = 10, seed = 1)
#' plot(estimate_stability(runs, n_simulations = 50, n_boot = 50, seed = 1))
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_estimate <- function(object, real = NULL, ...) {
  open_picture(...)
  real <- rbind(object$real, check_real(real))
  table <- object$table
  kinds <- c("simulated", "regrouped", "real")
  table$kind <- factor("simulated", kinds)
  regrouped <- object$regrouped[object$regrouped$n_weak > 1L, ]
  regrouped$kind <- factor(rep("regrouped", nrow(regrouped)), kinds)
  real$kind <- factor("real", kinds)
  # A single size has no band, nor do sizes whose intervals are withheld.
  band <- table[!is.na(table$lower), ]
  picture(table,
    ggplot2::aes(.data$n_weak, .data$stability, colour = .data$kind, shape = .data$kind),
    ggplot2::geom_hline(yintercept = object$plateau, linetype = 2, colour = path_grey),
    ggplot2::geom_ribbon(
      ggplot2::aes(ymin = .data$lower, ymax = .data$upper), data = band[nrow(band) > 1L, ],
      fill = path_colours[1], alpha = 0.2, colour = NA
    ),
    ggplot2::geom_line(),
    ggplot2::geom_point(),
    ggplot2::geom_line(data = regrouped),
    ggplot2::geom_pointrange(
      ggplot2::aes(ymin = .data$stability - .data$se, ymax = .data$stability + .data$se),
      data = regrouped, size = 0.3
    ),
    ggplot2::geom_linerange(
      ggplot2::aes(ymin = .data$lower, ymax = .data$upper), data = real[!is.na(real$lower), ]
    ),
    ggplot2::geom_point(data = real, size = 2.5),
    ggplot2::scale_colour_manual(values = path_colours[c(1, 3, 2)], name = NULL, drop = FALSE),
    ggplot2::scale_shape_manual(values = c(16, 15, 17), name = NULL, drop = FALSE),
    ggplot2::scale_x_log10(
      breaks = sort(unique(c(table$n_weak, regrouped$n_weak, real$n_weak))), minor_breaks = NULL
    ),
    ggplot2::expand_limits(y = 0),
    x = "Members of the ensemble", y = sprintf("Stability (%s)", object$asked$index),
    title = "How stable ensembles would be",
    subtitle = sprintf(
      "%d useful features, p = %.2f, from %d real runs; dashed: unlimited size",
      object$n_useful, object$p, object$made$n_runs
    ), legend = "top"
  )
}

check_real <- function(real) {
  if (is.null(real)) {
    return(NULL)
  }
  ok <- is.data.frame(real) && all(c("n_weak", "stability") %in% names(real)) &&
    is.numeric(real$n_weak) && is.numeric(real$stability) && all(real$n_weak >= 1)
  refuse(!ok,
    "{.arg real} must be a data frame with the columns {.val n_weak} and {.val stability}."
  )
  for (name in setdiff(c("lower", "upper"), names(real))) real[[name]] <- rep(NA_real_, nrow(real))
  real[c("n_weak", "stability", "lower", "upper")]
}
