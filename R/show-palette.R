# Colours and axes that several pictures share.

path_grey <- "grey75"

# Okabe and Ito (2008), without yellow and with black: distinguishable by colour-blind readers, and
# dark enough for thin lines and text on white.
path_colours <- c(
  "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9", "#7F3C8D"
)

# Okabe and Ito's blue, green and vermilion: told apart with any colour vision.
segment_colours <- c(lower = "#0072B2", middle = "#009E73", upper = "#D55E00")

# The axis extends beyond the ranks where names stand: no ticks there.
rank_ticks <- function(n) {
  ticks <- pretty(c(1, n))
  ticks[ticks > 0 & ticks <= n & ticks == round(ticks)]
}

# On a logarithmic axis.
ranks_by_size <- function(n) {
  ticks <- c(1, 2, 5) %o% 10^(0:9)
  # At most about seven, which have room.
  if (n > 50) ticks <- ticks[c(1, 3), ]
  ticks[ticks <= n]
}

# Whole numbers within these limits of a logarithmic axis; if they are few, all of them.
count_ticks <- function(limits) {
  whole <- seq(ceiling(limits[1] - 1e-9), floor(limits[2] + 1e-9))
  if (length(whole) <= 5L) {
    return(whole)
  }
  ticks <- ranks_by_size(limits[2])
  ticks <- ticks[ticks >= limits[1]]
  if (length(ticks) > 1L) ticks else unique(round(range(whole)))
}

# The numbers of adjacent panels must not overlap.
few_ticks <- function() {
  list(
    ggplot2::scale_x_continuous(n.breaks = 3),
    ggplot2::theme(panel.spacing.x = ggplot2::unit(14, "pt"))
  )
}

# The features of a result with their selection frequencies, and the cutoff.
# @param table (data frame) feature, frequency, selected; best first.
frequency_dots <- function(table, n, cutoff, title, subtitle) {
  value_dots(utils::head(table, n), "frequency",
    dashed_at(cutoff), ggplot2::scale_x_continuous(limits = c(0, 1)),
    x = "Share of runs that select the feature", title = title, subtitle = subtitle
  )
}

# Extension of an axis for names beside the last points: less than two fifths of the picture,
# however long they are.
room_for <- function(names) 1.12 + 0.0165 * max(nchar(names), 0L)
name_width <- 16L

# A dot for each feature, the first one on top, with a line from 0 to it.
# @param table (data frame) feature, selected (flag: in colour), the column `value`, and `place` if
#   features occur several times, in panels; ... further layers, and labels.
# @param from_zero (flag) draw the line? A logarithmic axis has no 0.
value_dots <- function(table, value, ..., from_zero = TRUE) {
  if (is.null(table$place)) table$place <- seq_len(nrow(table))
  names <- shorten(table$feature[match(sort(unique(table$place)), table$place)])
  table$place <- factor(table$place, rev(seq_along(names)))
  picture(table, ggplot2::aes(.data[[value]], .data$place, colour = .data$selected),
    if (from_zero) {
      ggplot2::geom_segment(ggplot2::aes(x = 0, xend = .data[[value]], yend = .data$place))
    },
    ggplot2::geom_point(size = 2.2),
    selected_colours(), names_of_rows(rev(names)), y = NULL, ...
  )
}

# In a low picture some names are left out rather than written over each other.
names_of_rows <- function(names) {
  ggplot2::scale_y_discrete(labels = names, guide = ggplot2::guide_axis(check.overlap = TRUE))
}

selected_colours <- function() {
  ggplot2::scale_colour_manual(
    values = c(`FALSE` = path_grey, `TRUE` = path_colours[1]), guide = "none"
  )
}

dashed_at <- function(x) {
  ggplot2::geom_vline(xintercept = x, linetype = "dashed", colour = "grey50")
}

# Results without a picture of their own, for example plans.
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect <- function(object, ...) {
  refuse_dots(...)
  abort("There is no picture of a {.cls {class(object)[1]}}.",
    call = NULL
  )
}
