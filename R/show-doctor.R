# The lasso path of a doctor, as lars draws it.

#' @rdname train.doctor
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_doctor_path <- function(object, xvar = c("norm", "df", "step"), n_labels = 8,
                                           ...) {
  open_picture(...)
  xvar <- check_choice(xvar, c("norm", "df", "step"))
  n_labels <- check_count(n_labels, min = 0)
  beta <- path_beta(object, normalised = TRUE)
  used <- which(colSums(abs(beta)) > 0)
  norm <- rowSums(abs(beta))
  x <- switch(xvar,
    norm = norm / max(norm), df = unname(object$df), step = seq_along(norm) - 1
  )
  lines <- data.frame(
    x = rep(x, each = length(used)), coefficient = as.vector(t(beta[, used, drop = FALSE])),
    index = unname(used), feature = colnames(beta)[used]
  )
  labels <- path_labels(lines, n_labels)
  lines$coefficient <- hide_zeros(lines)
  draw_profiles(lines, labels) +
    ggplot2::scale_x_continuous(expand = ggplot2::expansion(mult = c(0.02, 0.02))) +
    picture_labels(
      title = "Lasso path of a doctor",
      subtitle = sprintf("%d steps, %d features enter", length(norm) - 1L, length(used)),
      x = c(norm = "Share of the final L1 norm", df = "Degrees of freedom", step = "Step")[[xvar]],
      y = "Coefficient (scaled columns)"
    ) +
    path_theme(labels$feature)
}

#' @rdname train.doctor
#' @export
plot.stabilect_doctor_path <- plot.stabilect
