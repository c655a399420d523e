# Pictures of models on samples that they had not seen.

#' Plots of a validation: calibration, risk groups, measures
#'
#' `"calibration"` compares predictions for new samples with what was observed, in groups of samples
#' with similar predictions. On the dashed line both agree.
#' * **Classes**: points are observed shares with Wilson's intervals and the numbers of samples. The
#'   bars below show how often each probability was predicted, by observed class. Of several classes
#'   it is the probability of the predicted class, and the share of right predictions. A model
#'   without probabilities shows its predictions by class.
#' * **Numbers and counts**: points are means with t intervals.
#' * **Survival times**: Kaplan-Meier curves of thirds of the samples by predicted risk (of halves,
#'   if there are fewer than 30), beside the mean predicted curve of each. The other panel compares
#'   both at one time: `tau` of [validate_model()], or the median time of the events.
#'
#' `"measures"` has a panel for each measure: the estimate with its interval, and a dashed line at
#' the value without features, or the ideal.
#'
#' @inheritParams arguments
#' @param object (object of class `stabilect_validation`) result of [validate_model()].
#' @param type (string) which picture.
#' @return `autoplot()`: a `ggplot`; `plot()` draws it and returns it invisibly.
#' @section Errors:
#' Class `stabilect_error_input` for an unknown `type`.
#' @references Kalbfleisch JD, Prentice RL (2002). *The Statistical Analysis of Failure Time Data*,
#'   2nd edition. Wiley. (intervals of survival)
#'
#'   Royston P, Altman DG (2013). External validation of a Cox prognostic model: principles and
#'   methods. *BMC Medical Research Methodology* 13, 33. (curves of risk groups)
#'
#'   Van Calster B, McLernon DJ, van Smeden M, Wynants L, Steyerberg EW (2019). Calibration: the
#'   Achilles heel of predictive analytics. *BMC Medicine* 17, 230.
#' @family evidence
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' data <- simulate_data("NC100", n = 90, n_total = 200, seed = 1)
#' model <- fit_model(data$x[1:50, ], data$y[1:50], features = 1:5)
#' found <- validate_model(model, data$x[51:90, ], data$y[51:90])
#' plot(found)
#' plot(found, type = "measures")
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_validation <- function(object, type = c("calibration", "measures"), ...) {
  open_picture(...)
  if (check_choice(type, c("calibration", "measures")) == "measures") {
    return(measures_picture(object))
  }
  switch(outcome_of(object$study)$panels,
    points = if (is.null(probabilities_of(object))) {
      class_values(object)
    } else {
      class_calibration(object)
    },
    curves = survival_calibration(object), scatter = number_calibration(object)
  )
}

# The discordance is the concordance once more.
measures_picture <- function(object) {
  table <- object$table[object$table$measure != "discordance", ]
  table$measure <- factor(in_words(table$measure), unique(in_words(table$measure)))
  picture(table, ggplot2::aes(.data$estimate, 0),
    ggplot2::geom_vline(
      ggplot2::aes(xintercept = .data$reference), data = table[!is.na(table$reference), ],
      linetype = "dashed", colour = "grey50"
    ),
    ggplot2::geom_segment(
      ggplot2::aes(x = .data$lower, xend = .data$upper, yend = 0),
      data = table[!is.na(table$lower), ], colour = path_colours[1], linewidth = 0.8
    ),
    ggplot2::geom_point(
      data = table[!is.na(table$estimate), ], size = 2.4, colour = path_colours[1]
    ),
    ggplot2::facet_wrap(ggplot2::vars(.data$measure), scales = "free_x", ncol = 2),
    few_ticks(), ggplot2::theme(panel.spacing.x = ggplot2::unit(24, "pt")),
    ggplot2::scale_y_continuous(breaks = NULL, limits = c(-1, 1)),
    x = NULL, y = NULL, title = sprintf("The model on %s", count_of(object$made$n, "new sample")),
    subtitle = "Estimate and interval; dashed: without features, or the ideal"
  )
}

#' @rdname evaluate_elimination
#' @section Picture:
#' A point for each run: the size that its search chose, and the metric on the samples that it had
#' not seen.
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_elimination_evaluation <- function(object, # nolint: object_length_linter.
                                                      ...) {
  open_picture(...)
  metric <- object$asked$metric
  is_error <- metric == "accuracy"
  value <- object$table[[metric]]
  table <- data.frame(size = object$table$n_features, value = if (is_error) 1 - value else value)
  table <- table[!is.na(table$value), ]
  title <- "Samples that the search had not seen"
  if (nrow(table) == 0L) {
    return(empty_picture(title, "No run could be judged."))
  }
  mean <- mean(table$value)
  picture(table, ggplot2::aes(.data$size, .data$value),
    ggplot2::geom_hline(yintercept = mean, linetype = "dashed", colour = "grey50"),
    ggplot2::geom_point(size = 2, alpha = 0.6, colour = path_colours[1]),
    ggplot2::scale_x_log10(breaks = count_ticks, minor_breaks = NULL),
    x = "Number of features that the search chose",
    y = if (is_error) "Error" else capitalised(in_words(metric)),
    title = title, subtitle = sprintf(
      "%s; dashed: mean %s", count_of(nrow(table), "run"),
      if (is_error) as_percent(mean) else figure(mean, digits = 3)
    )
  )
}
