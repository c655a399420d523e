# Pictures within a page.

# An R that was built without a device for pictures writes the page without them.
opens_png <- function(file, size) {
  opened <- tryCatch({
    grDevices::png(file, size[1], size[2], res = size[3])
    TRUE
  }, error = function(e) FALSE)
  if (!opened && first_told("pictures")) {
    warn(
      c("The page has no pictures: this R cannot draw PNG files.",
        i = "{.code capabilities()} must have {.val png} or {.val cairo}."
      ),
      class = "pictures"
    )
  }
  opened
}

# Pixels, and pixels per inch: the text is as large as the text of the page on a wide screen, and
# readable on a narrow one.
picture_sizes <- list(wide = c(1500, 990, 216), narrow = c(720, 790, 180))

# A picture within the page; NULL without ggplot2 or without a picture. Its title is text of the
# page, where it has room on every screen.
# @param draw function(x): a ggplot.
html_picture <- function(x, draw = NULL) {
  if (!requireNamespace("ggplot2", quietly = TRUE) || is.null(draw) && !can_draw(x)) {
    return(NULL)
  }
  if (is.null(draw)) draw <- ggplot2::autoplot
  drawn <- tryCatch(draw(x), error = function(e) NULL)
  if (is.null(drawn)) {
    return(NULL)
  }
  words <- drawn$labels[c("title", "subtitle", "caption")]
  drawn <- drawn + ggplot2::labs(title = NULL, subtitle = NULL, caption = NULL)
  wide <- png_of(picture_sizes$wide, drawn)
  narrow <- if (!is.na(wide)) png_of(picture_sizes$narrow, drawn)
  if (is.null(narrow) || is.na(narrow)) {
    return(NULL)
  }
  html_tag("figure", paste0(
    html_caption(words), sprintf(
      paste0(
        "<picture><source media=\"(max-width: 40rem)\" srcset=\"%s\">",
        "<img alt=\"%s\" src=\"%s\"></picture>"
      ),
      narrow, escape_html(paste(unlist(words[1:2]), collapse = ". ")), wide
    )
  ))
}

html_caption <- function(words) {
  lines <- c(
    if (!is.null(words$title)) html_tag("strong", html_text(words$title)),
    html_text(c(words$subtitle, words$caption))
  )
  if (length(lines) > 0L) html_tag("figcaption", paste(lines, collapse = "<br>"))
}

# @param size one of `picture_sizes`. @return (string) a data URI; NA where nothing can be drawn.
png_of <- function(size, drawn) {
  file <- tempfile(fileext = ".png")
  on.exit(unlink(file))
  if (!opens_png(file, size)) {
    return(NA_character_)
  }
  done <- tryCatch(
    {
      draw_picture(drawn)
      TRUE
    },
    error = function(e) FALSE, finally = grDevices::dev.off()
  )
  if (!done) {
    return(NA_character_)
  }
  paste0("data:image/png;base64,", encode_base64(readBin(file, "raw", file.size(file))))
}

can_draw <- function(x) {
  known <- vapply(class(x), function(class) {
    !is.null(utils::getS3method("autoplot", class, TRUE, asNamespace("ggplot2")))
  }, NA)
  any(known)
}

# RFC 4648: three bytes are four letters of six bits each.
encode_base64 <- function(bytes) {
  letters64 <- c(LETTERS, letters, 0:9, "+", "/")
  padding <- -length(bytes) %% 3L
  bits <- matrix(as.integer(rawToBits(c(bytes, raw(padding)))), 8L)[8:1, , drop = FALSE]
  values <- drop(c(32L, 16L, 8L, 4L, 2L, 1L) %*% matrix(bits, 6L))
  out <- letters64[values + 1L]
  if (padding > 0L) out[length(out) + 1L - seq_len(padding)] <- "="
  paste(out, collapse = "")
}
