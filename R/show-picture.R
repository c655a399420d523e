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
    unname(given[!is_label]) + do.call(picture_labels, given[is_label])
}

# Labels of a picture, which break where a picture of the width of a journal's column (3.5 inches)
# would cut them off.
picture_labels <- function(...) {
  labels <- list(...)
  for (name in intersect(names(labels), names(label_widths))) {
    if (is.character(labels[[name]])) labels[[name]] <- wrap(labels[[name]], label_widths[[name]])
  }
  do.call(ggplot2::labs, labels)
}

# In letters.
label_widths <- c(title = 42L, subtitle = 52L, caption = 56L, x = 44L, y = 28L)

# Between statements if that is enough, else lines as short as the text allows, so that the last one
# is no single word.
wrap <- function(text, width) {
  vapply(strsplit(text, "\n", fixed = TRUE), function(lines) {
    paste(unlist(lapply(lines, wrap_line, width)), collapse = "\n")
  }, "")
}

wrap_line <- function(line, width) {
  if (nchar(line) <= width) {
    return(line)
  }
  statements <- strsplit(line, "(?<=;) ", perl = TRUE)[[1]]
  if (length(statements) > 1L && all(nchar(statements) <= width)) {
    whole <- paste(gsub(" ", "\u00a0", statements), collapse = " ")
    return(gsub("\u00a0", " ", strwrap(whole, width + 1L)))
  }
  n_lines <- length(strwrap(line, width + 1L))
  even <- Filter(function(w) length(strwrap(line, w + 1L)) == n_lines, seq_len(width))
  strwrap(line, min(even, width) + 1L)
}

plain_theme <- function() {
  list(ggplot2::theme_minimal(), ggplot2::theme(
    plot.title.position = "plot", plot.caption.position = "plot",
    plot.title = ggplot2::element_text(size = ggplot2::rel(1.1)),
    plot.subtitle = ggplot2::element_text(size = ggplot2::rel(0.9)),
    legend.margin = ggplot2::margin(), legend.box.spacing = ggplot2::unit(4, "pt"),
    # For half of a number at the end of the axis.
    plot.margin = ggplot2::margin(6, 14, 6, 6)
  ))
}

# A picture of a result without anything to draw: its title, and a sentence that says why.
empty_picture <- function(title, sentence) {
  text <- wrap(sentence, 44L)
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
