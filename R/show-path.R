#' Coefficient profiles of an exact lasso path
#'
#' Shows one line per feature that ever enters. The features with the largest final coefficients are
#' coloured and named at the right end of their line; all others are grey.
#'
#' @param object (`stabilect_path`) result of [lars_path()].
#' @param xvar (string) horizontal axis: `"norm"` (share of the final L1 norm of the coefficients of
#'   scaled columns), `"lambda"` (falling to the right) or `"step"`.
#' @param n_labels (whole number >= 0) number of features to name; at most 8 get a colour of their
#'   own.
#' @param ... Not used.
#' @return `autoplot()`: a `ggplot`; `plot()` draws it and returns it invisibly. Both need the
#'   package ggplot2. The vertical axis has the coefficients of the scaled columns, which are
#'   comparable between features with different units.
#' @family lasso paths
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' path <- lars_path(as.matrix(mtcars[, -1]), mtcars$mpg)
#' plot(path, n_labels = 4)
#' plot(path, xvar = "lambda")
#' @importFrom rlang .data
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_path <- function(object, xvar = c("norm", "lambda", "step"), n_labels = 8, ...) {
  open_picture(...)
  xvar <- check_choice(xvar, c("norm", "lambda", "step"))
  n_labels <- check_count(n_labels, min = 0)
  lines <- path_profiles(object, xvar)
  labels <- path_labels(lines, n_labels)
  lines$coefficient <- hide_zeros(lines)
  scale_x <- if (xvar == "lambda") ggplot2::scale_x_reverse else ggplot2::scale_x_continuous
  draw_profiles(lines, labels) +
    scale_x(expand = ggplot2::expansion(mult = c(0.02, 0.02))) +
    path_titles(object, xvar) +
    path_theme(labels$feature)
}

# One line for each feature: the features of `labels` in colour, with their names.
draw_profiles <- function(lines, labels) {
  lines$colour <- labels$colour[match(lines$index, labels$index)]
  lines$colour[is.na(lines$colour)] <- path_grey
  named <- lines$index %in% labels$index
  aes <- ggplot2::aes(
    x = .data$x, y = .data$coefficient, group = .data$index, colour = .data$colour
  )
  ggplot2::ggplot(lines, aes) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey70", linewidth = 0.3) +
    ggplot2::geom_line(data = lines[!named, ], linewidth = 0.3, na.rm = TRUE) +
    ggplot2::geom_line(data = lines[named, ], linewidth = 0.7, na.rm = TRUE) +
    ggplot2::geom_segment(
      data = labels, ggplot2::aes(xend = .data$x_label, yend = .data$y_label), linewidth = 0.25
    ) +
    ggplot2::geom_text(
      data = labels, ggplot2::aes(x = .data$x_label, y = .data$y_label, label = .data$feature),
      hjust = -0.08, size = 3.2
    ) +
    ggplot2::scale_colour_identity() +
    ggplot2::coord_cartesian(clip = "off")
}

#' Coefficient profiles in long form
#' @return data frame with a row per active feature and knot: x, coefficient, index, feature.
#' @noRd
path_profiles <- function(object, xvar) {
  used <- features_entered(object)
  b <- as.matrix(object$coefficients[used, , drop = FALSE]) * object$scale[used]
  norm <- colSums(abs(b))
  end <- norm[length(norm)]
  x <- switch(xvar,
    norm = if (end > 0) norm / end else norm,
    lambda = object$lambda,
    step = seq_along(object$lambda) - 1
  )
  data.frame(
    x = rep(unname(x), each = length(used)), coefficient = as.vector(b),
    index = rep(used, length(x)), feature = rep(names(used), length(x))
  )
}

#' Coefficients with `NA` in the middle of ranges of zeros
#'
#' Only the ways from and to zero are drawn: dozens of lines along zero would hide each other.
#' @noRd
hide_zeros <- function(lines) {
  if (nrow(lines) == 0) {
    return(numeric(0))
  }
  n_used <- length(unique(lines$index))
  b <- matrix(lines$coefficient, nrow = n_used)
  zero <- b == 0
  before <- cbind(rep(TRUE, n_used), zero[, -ncol(b), drop = FALSE])
  after <- cbind(zero[, -1, drop = FALSE], rep(TRUE, n_used))
  b[zero & before & after] <- NA
  as.vector(b)
}

#' Features to name at the right end of the profiles, at places that do not overlap
#' @return data frame: index, feature, x and coefficient (end of the line), x_label, y_label,
#'   colour.
#' @noRd
path_labels <- function(lines, n_labels) {
  n_used <- length(unique(lines$index))
  ends <- utils::tail(lines, n_used)
  ends <- ends[ends$coefficient != 0, ]
  ends <- utils::head(ends[order(-abs(ends$coefficient), ends$index), ], n_labels)
  gap <- 0.045 * diff(range(0, lines$coefficient))
  start <- if (nrow(lines) > 0) lines$x[1] else 0
  ends$x_label <- ends$x + 0.03 * (ends$x - start)
  ends$y_label <- spread_labels(ends$coefficient, gap)
  ends$feature <- shorten(ends$feature, name_width)
  ends$colour <- rep_len(path_colours, nrow(ends))
  ends
}

#' Nearest positions to `y` that are at least `gap` apart
#'
#' Least squares under ordered spacing is an isotonic regression of y minus its share of the gaps.
#' @noRd
spread_labels <- function(y, gap) {
  if (length(y) < 2) {
    return(y)
  }
  rising <- order(y)
  offset <- gap * (seq_along(y) - 1)
  placed <- stats::isoreg(y[rising] - offset)$yf + offset
  placed[order(rising)]
}

path_titles <- function(object, xvar) {
  picture_labels(
    title = path_kind(object$asked$type),
    subtitle = sprintf(
      "%d x %d, %d steps, %d features enter", object$study$n, object$study$p,
      length(object$actions), length(unique(object$coefficients@i))
    ),
    x = switch(xvar,
      norm = "Share of the final L1 norm", lambda = "Lambda", step = "Step"
    ),
    y = if (object$asked$scaling == "sd") "Coefficient (scaled columns)" else "Coefficient"
  )
}

path_theme <- function(labels) {
  # Names are written outside the panel: the margin must have room for the longest.
  room <- 14 + 6 * max(0, nchar(labels))
  ggplot2::theme_minimal() +
    ggplot2::theme(
      panel.grid.minor = ggplot2::element_blank(), plot.title.position = "plot",
      plot.margin = ggplot2::margin(6, room, 6, 6)
    )
}
