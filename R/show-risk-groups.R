# Survival of new samples by predicted risk: Kaplan-Meier curves beside the predicted curves, and
# both at one time.

survival_calibration <- function(x) {
  groups <- risk_groups(x$predictions$link)
  at <- shown_time(x)
  words <- c("Time", paste("Predicted share without the event at time", figure(at, digits = 3)))
  labels <- risk_labels(groups, x$predictions$event)
  curves <- survival_by_risk(x, groups, labels)
  points <- survival_at(x, groups, labels, at)
  curves$panel <- factor(words[1], words)
  if (!is.null(points)) points$panel <- factor(words[2], words)
  colours <- stats::setNames(risk_colours[as.integer(levels(groups))], labels)
  picture(curves, ggplot2::aes(.data$x, .data$y, colour = .data$group),
    ggplot2::geom_step(ggplot2::aes(linetype = .data$kind), linewidth = 0.7),
    if (!is.null(points)) {
      list(
        ggplot2::geom_segment(
          ggplot2::aes(x = 0, y = 0, xend = 1, yend = 1), data = points[1, ], colour = "grey60",
          linetype = "dashed"
        ),
        ggplot2::geom_linerange(
          ggplot2::aes(ymin = .data$lower, ymax = .data$upper), data = points, na.rm = TRUE
        ),
        ggplot2::geom_point(data = points, size = 2.4, na.rm = TRUE)
      )
    },
    ggplot2::facet_wrap(
      ggplot2::vars(.data$panel), scales = "free_x", strip.position = "bottom",
      labeller = ggplot2::label_wrap_gen(26)
    ),
    ggplot2::scale_colour_manual(values = colours, name = "Risk"),
    ggplot2::scale_linetype_manual(
      values = c("observed (Kaplan-Meier)" = "solid", predicted = "dashed"), name = NULL
    ),
    ggplot2::scale_y_continuous(limits = c(0, 1)), ggplot2::scale_x_continuous(n.breaks = 4),
    ggplot2::theme(
      strip.placement = "outside", strip.text = ggplot2::element_text(size = 11),
      legend.box = "vertical", legend.spacing.y = ggplot2::unit(0, "pt"),
      panel.spacing.x = ggplot2::unit(14, "pt")
    ),
    ggplot2::guides(
      colour = ggplot2::guide_legend(order = 1), linetype = ggplot2::guide_legend(order = 2)
    ),
    x = NULL, y = "Share without the event", title = validation_title(x),
    subtitle = slope_subtitle(x), legend = "bottom"
  )
}

# Low risk is blue, high risk vermilion.
risk_colours <- c("#0072B2", "#999999", "#D55E00")

# @return (factor, n) 1 (low), 2 or 3 (high): thirds of the risks, or halves of fewer than 30.
risk_groups <- function(risk) {
  n_groups <- if (length(risk) < 30L) 2L else 3L
  group <- similar_predictions(risk, n_groups)
  code <- if (max(group) < 2L) c(1L, 3L)[group + 1L] else group + 1L
  droplevels(factor(code, 1:3))
}

# "high: 30 (21 events)".
risk_labels <- function(groups, event) {
  words <- c("low", "middle", "high")[as.integer(levels(groups))]
  sprintf(
    "%s: %d (%d events)", if (length(words) == 1L) "all" else words,
    tabulate(groups, nlevels(groups)), tapply(event, groups, sum)
  )
}

# The time at which predictions and observations are compared: the one that was asked for, or the
# middle one of the events.
shown_time <- function(x) {
  if (!is.null(x$asked$tau)) {
    return(x$asked$tau)
  }
  stats::median(x$predictions$time[x$predictions$event == 1])
}

survival_by_risk <- function(x, groups, labels) {
  new <- x$predictions
  kinds <- c("observed (Kaplan-Meier)", "predicted")
  bind_rows_of(seq_along(labels), function(k) {
    own <- which(as.integer(groups) == k)
    seen <- baseline_hazard(new$time[own], new$event[own], numeric(length(own)))
    observed <- data.frame(x = c(0, seen$time), y = c(1, seen$survival), kind = kinds[1])
    predicted <- if (!is.null(x$baseline)) {
      times <- x$baseline$time[x$baseline$time <= max(new$time)]
      mean <- colMeans(curves_of_risk(x$baseline, new$link[own], times))
      data.frame(x = c(0, times), y = c(1, unname(mean)), kind = kinds[2])
    }
    cbind(rbind(observed, predicted), group = factor(labels[k], labels))
  })
}

# @return (data frame, a row per group) x (predicted share without the event), y (observed), lower,
#   upper, group; NULL without a baseline or an event.
survival_at <- function(x, groups, labels, at) {
  new <- x$predictions
  known <- !is.null(x$baseline) && !is.na(at)
  bind_rows_of(seq_along(labels)[known], function(k) {
    own <- which(as.integer(groups) == k)
    seen <- kaplan_meier_at(new$time[own], new$event[own], at, x$asked$conf_level)
    data.frame(
      x = mean(curves_of_risk(x$baseline, new$link[own], at)), y = seen[1], lower = seen[2],
      upper = seen[3], group = factor(labels[k], labels)
    )
  })
}

# @return c(survival, lower, upper) at a time, with the interval of Kalbfleisch and Prentice (log of
#   minus log).
kaplan_meier_at <- function(time, event, at, conf_level) {
  # Nobody was watched for so long.
  if (at > max(time)) {
    return(rep(NA_real_, 3L))
  }
  times <- sort(unique(time[event == 1 & time <= at]))
  deaths <- vapply(times, function(t) sum(time == t & event == 1), 0)
  at_risk <- vapply(times, function(t) sum(time >= t), 0)
  share <- prod(1 - deaths / at_risk)
  if (share %in% c(0, 1)) {
    return(c(share, NA, NA))
  }
  spread <- sqrt(sum(deaths / (at_risk * (at_risk - deaths)))) / abs(log(share))
  c(share, share^exp(c(1, -1) * stats::qnorm((1 + conf_level) / 2) * spread))
}
