# Colours and axes that several pictures share.

path_grey <- "grey75"

# Okabe and Ito (2008), without yellow and with black: distinguishable by colour-blind readers, and
# dark enough for thin lines and text on white.
path_colours <- c(
  "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9", "#7F3C8D"
)

# Okabe and Ito's blue, green and vermilion: told apart with any colour vision.
segment_colours <- c(lower = "#0072B2", middle = "#009E73", upper = "#D55E00")

# The axis is longer than the ranks where names stand: no ticks there.
rank_ticks <- function(n) {
  ticks <- pretty(c(1, n))
  ticks[ticks > 0 & ticks <= n & ticks == round(ticks)]
}

# The look of all pictures: few lines, the title above the whole of it.
plain_theme <- function() {
  list(ggplot2::theme_minimal(), ggplot2::theme(plot.title.position = "plot"))
}

# Results without a picture of their own, such as plans.
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_result <- function(object, ...) {
  refuse_dots(...)
  abort("There is no picture of a {.cls {class(object)[1]}}.",
    call = NULL
  )
}
