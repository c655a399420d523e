# The picture of a signature test: the errors of random lists, and of the list.

#' @rdname signature-methods
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_signature_test <- function(object, ...) {
  open_picture(...)
  kinds <- c(
    random = "Random lists", matched = "Random lists, matched", permuted = "Permuted outcomes"
  )
  drawn <- Filter(length, object$null[names(kinds)])
  table <- data.frame(
    kind = factor(rep(kinds[names(drawn)], lengths(drawn)), kinds),
    error = unlist(drawn, use.names = FALSE)
  )
  own <- object$oob$error
  line <- data.frame(x = c(own, object$oob$baseline), what = c("the list", "no features"))
  if (!is.null(object$oob$covariates)) line$what[2] <- "the covariates alone"
  line$what <- factor(line$what, line$what)
  picture(table, ggplot2::aes(.data$error),
    ggplot2::geom_histogram(
      ggplot2::aes(y = ggplot2::after_stat(.data$density)), breaks = error_breaks(table$error, own),
      fill = "grey75", colour = "white", linewidth = 0.2
    ),
    ggplot2::geom_vline(
      ggplot2::aes(xintercept = .data$x, colour = .data$what, linetype = .data$what), line
    ),
    ggplot2::scale_colour_manual(values = c("#D55E00", "#0072B2")),
    ggplot2::scale_linetype_manual(values = c("solid", "dashed")),
    # Permuted outcomes may all have one error: each panel has its own height.
    ggplot2::facet_wrap(ggplot2::vars(.data$kind), ncol = 1, scales = "free_y"),
    ggplot2::scale_y_continuous(breaks = NULL),
    x = error_axis(object$oob$measure), y = "Density", colour = "Error of",
    linetype = "Error of", title = "Is this list better than random ones?",
    subtitle = sprintf(
      "%s of random lists%s err as little", as_percent(object$table$as_good[1]),
      if (object$table$n[2] > 0L) {
        sprintf(" and %s of matched ones", as_percent(object$table$as_good[2]))
      } else {
        ""
      }
    ), legend = "bottom"
  )
}

# Bars of equal width that no value of a share falls between.
error_breaks <- function(errors, own) {
  range <- range(errors, own)
  values <- sort(unique(round(errors, 9)))
  step <- diff(range) / 30
  if (length(values) > 1L && length(values) < 200L) {
    unit <- min(diff(values))
    step <- unit * max(1, ceiling(step / unit))
    range <- range + c(-1, 1) * unit / 2
  }
  if (step == 0) {
    return(range[1] + c(-0.5, 0.5))
  }
  seq(range[1], range[2] + step, by = step)
}
