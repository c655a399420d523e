# The picture of error rates.

#' @rdname error-rates-methods
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_error_rates <- function(object, ...) {
  open_picture(...)
  table <- object$table
  table <- table[table$cut != "own" & (table$matched | is.na(object$observed)), ]
  if (nrow(table) == 0L) {
    return(empty_picture(error_rates_title, paste(
      "No simulated signal is as strong as these data, or the procedure has no table to cut."
    )))
  }
  kinds <- c("unrelated", "near", "true")
  long <- do.call(rbind, lapply(kinds, function(kind) {
    cbind(table, kind = kind, number = table[[kind]])
  }))
  long$kind <- factor(long$kind, kinds)
  long$panel <- error_rates_panels(long)
  long$at <- factor(long$cutoff)
  table$panel <- error_rates_panels(table)
  table$at <- factor(table$cutoff, levels(long$at))
  one <- length(unique(table$method)) == 1L
  picture(long, ggplot2::aes(.data$at, .data$number),
    ggplot2::geom_col(ggplot2::aes(fill = .data$kind), width = 0.8),
    claimed_layer(table),
    ggplot2::facet_wrap(
      if (one) ggplot2::vars(.data$panel) else ggplot2::vars(.data$panel, .data$method),
      ncol = length(unique(table$method)), scales = if (one) "free_y" else "free",
      labeller = ggplot2::label_wrap_gen(width = 60, multi_line = FALSE)
    ),
    ggplot2::scale_fill_manual(
      values = c(unrelated = "#D55E00", near = "#E69F00", true = "#0072B2"),
      labels = c(
        unrelated = "unrelated", near = sprintf("near (|r| > %s)", object$asked$threshold),
        true = "true"
      )
    ),
    ggplot2::scale_y_continuous(n.breaks = 3),
    if (!one) {
      ggplot2::theme(axis.text.x = ggplot2::element_text(angle = 90, vjust = 0.5, hjust = 1))
    },
    x = cut_axis(table$cutoff), y = "Features in the list (mean)",
    fill = NULL, title = error_rates_title,
    subtitle = error_rates_subtitle(object), caption = claimed_caption(table),
    legend = "bottom"
  )
}

error_rates_title <- "What the lists contain when the truth is known"

error_rates_panels <- function(rows) {
  label <- sprintf("%d true, R2 %.2f", rows$n_true, rows$r_squared)
  factor(label, unique(label[order(rows$n_true, rows$r_squared)]))
}

cut_axis <- function(cutoff) {
  if (all(cutoff >= 1)) {
    "Number of best features in the list"
  } else if (all(cutoff <= 1)) {
    "Smallest frequency in the list"
  } else {
    "Cut: smallest frequency, or number of best features"
  }
}

# Claimed numbers of false positives, where they fit into the picture.
claimed_layer <- function(table) {
  largest <- max(table$size)
  claimed <- table[!is.na(table$claimed) & table$claimed <= largest, ]
  if (nrow(claimed) == 0L) {
    return(NULL)
  }
  ggplot2::geom_point(
    ggplot2::aes(.data$at, .data$claimed), data = claimed, shape = 95, size = 6
  )
}

claimed_caption <- function(table) {
  if (all(is.na(table$claimed))) NULL else "Dashes: false positives that the bound allows"
}

error_rates_subtitle <- function(object) {
  if (is.na(object$observed)) {
    return(sprintf("%d simulated outcomes on the observed features", object$asked$n_simulations))
  }
  sprintf(
    "%d simulated outcomes, as strong as the data seem (out-of-bag error %s)",
    object$asked$n_simulations, figure(object$observed, digits = 2)
  )
}
