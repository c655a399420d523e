# What all pictures share.

# The first line of a picture: arguments that it does not know, and what it is drawn with.
open_picture <- function(...) {
  if (...length() > 0L) refuse_unknown(list(...), names(formals(sys.function(-1L))))
  check_package("ggplot2", "picture")
}

# A ggplot with the look of the package: few lines, the title above the whole of it.
# @param ... layers, scales, panels (each, or a list of some, or NULL); those with names are labels.
# @param legend (string) its place.
picture <- function(data, aes, ..., legend = "right") {
  given <- list(...)
  is_label <- rlang::names2(given) != ""
  ggplot2::ggplot(data, aes) + plain_theme() + ggplot2::theme(legend.position = legend) +
    unname(given[!is_label]) + do.call(ggplot2::labs, given[is_label])
}

plain_theme <- function() {
  list(ggplot2::theme_minimal(), ggplot2::theme(
    plot.title.position = "plot",
    # For half of a number at the end of the axis.
    plot.margin = ggplot2::margin(6, 14, 6, 6)
  ))
}

# A picture of a result without anything to draw: its title, and a sentence that says why.
empty_picture <- function(title, sentence) {
  text <- paste(strwrap(sentence, 50L), collapse = "\n")
  picture(data.frame(x = 0, y = 0, text = text), ggplot2::aes(.data$x, .data$y),
    ggplot2::geom_text(ggplot2::aes(label = .data$text), colour = "grey30"),
    ggplot2::theme_void(),
    ggplot2::theme(
      plot.title.position = "plot", plot.title = ggplot2::element_text(margin = ggplot2::margin(6)),
      plot.margin = ggplot2::margin(6, 14, 6, 6)
    ),
    title = title
  )
}

# The name of an error, as prints label it; numbers have several kinds.
error_axis <- function(measure) {
  if (measure == "misclassification rate") "Error" else capitalised(in_words(measure))
}
