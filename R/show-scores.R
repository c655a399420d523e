# The picture of the best scores of FeaLect, beside the scores of permuted outcomes.

score_picture <- function(object, n, n_labels) {
  best <- best_scores(object, n)
  if (nrow(best) == 0L) {
    unit <- unit_word(object$study)
    return(empty_picture(sprintf("Scores of %ss", unit), sprintf("No %s was in any model.", unit)))
  }
  band <- utils::head(object$null$curve, nrow(best))
  kinds <- levels(droplevels(best$kind))
  picture(best, ggplot2::aes(.data$rank, .data$score),
    if (!is.null(band)) {
      ggplot2::geom_ribbon(
        ggplot2::aes(.data$rank, ymin = .data$lower, ymax = .data$upper), data = band,
        inherit.aes = FALSE, fill = "grey85"
      )
    },
    ggplot2::geom_point(ggplot2::aes(colour = .data$kind, shape = .data$kind), size = 1.8),
    score_labels(best, object$study, n_labels, 0.08 * max(best$score, band$upper)),
    ggplot2::scale_colour_manual(values = score_colours[kinds], name = NULL),
    ggplot2::scale_shape_manual(values = score_shapes[kinds], name = NULL),
    # Three words do not fit into one line of a small picture.
    ggplot2::guides(
      colour = ggplot2::guide_legend(nrow = (length(kinds) + 1L) %/% 2L),
      shape = ggplot2::guide_legend(nrow = (length(kinds) + 1L) %/% 2L)
    ),
    ggplot2::scale_x_continuous(breaks = rank_ticks(nrow(best)), minor_breaks = NULL),
    ggplot2::expand_limits(y = 0),
    x = sprintf("Rank of the %s", unit_word(object$study)), y = "Score",
    title = scores_title(object, best), subtitle = scores_subtitle(object),
    caption = if (!is.null(band)) band_caption(object$null), legend = "bottom"
  )
}

# Blue and vermilion are in the list; those that permutations support are vermilion.
score_colours <- c(
  "p_fwer of at most 0.05" = "#D55E00", "in the list" = "#0072B2", "not in the list" = "grey45"
)
score_shapes <- c("p_fwer of at most 0.05" = 17, "in the list" = 16, "not in the list" = 1)

# @return (data frame) rank, feature, score, kind (factor), listed (flag).
best_scores <- function(object, n) {
  table <- object$table[object$table$score > 0, ]
  table <- utils::head(table[order(-table$score, method = "radix"), ], n)
  listed <- table$feature %in% object$features
  decided <- !is.null(object$null) && null_decides(object$null)
  supported <- if (decided) table$p_fwer <= 0.05 else FALSE
  kind <- ifelse(listed, 2L, 3L)
  kind[supported] <- 1L
  data.frame(
    rank = seq_len(nrow(table)), feature = table$feature, score = table$score, listed = listed,
    kind = factor(names(score_colours)[kind], names(score_colours))
  )
}

# Names stand to the right of the points, where a falling curve leaves room: each at the height of
# its point, moved up until no two are closer than `gap`.
score_labels <- function(best, study, n_labels, gap) {
  named <- which(best$listed)
  # Without a list the first ones show what the scores are of.
  if (length(named) == 0L) named <- seq_len(min(3L, nrow(best)))
  named <- best[utils::head(named, n_labels), ]
  if (nrow(named) == 0L) {
    return(NULL)
  }
  at <- max(named$rank) + 0.04 * nrow(best)
  wide <- 2 * at <= nrow(best)
  named$label <- shorten(with_copies(named$feature, study), if (wide) 24L else name_width)
  ladder <- rev(seq_len(nrow(named))) * gap
  # A little above, since the points to the right may be at the same height.
  named$height <- rev(cummax(rev(named$score + 0.6 * gap - ladder))) + ladder
  list(
    ggplot2::geom_segment(
      ggplot2::aes(xend = at, yend = .data$height), data = named, colour = "grey70",
      linewidth = 0.3
    ),
    ggplot2::geom_text(
      ggplot2::aes(at, .data$height, label = .data$label), data = named, hjust = -0.03, size = 3.2,
      # In a low picture the first ones stay.
      check_overlap = TRUE
    ),
    ggplot2::expand_limits(x = at / (1 - 0.0125 * max(nchar(named$label))))
  )
}

# What permutations found; the number above the cut is no finding.
scores_title <- function(object, best) {
  unit <- unit_word(object$study)
  if (is.null(object$null)) {
    m <- nrow(best)
    all <- count_of(object$selection$n_total, unit)
    if (m == object$selection$n_total) {
      return(paste("Scores of", all))
    }
    return(sprintf(
      "The %s of %s", if (m == 1L) "highest score" else paste(m, "highest scores"), all
    ))
  }
  m <- sum(object$table$p_fwer <= 0.05)
  switch(verdict_of_null(object$null),
    Signal = sprintf(
      "%s stand%s out from permuted outcomes", count_of(m, unit), if (m == 1L) "s" else ""
    ),
    Undecided = sprintf("Too few permutations to say whether a %s stands out", unit),
    sprintf("No %s stands out from permuted outcomes", unit)
  )
}

# The verdict of the permutations, with the error if there is one.
scores_subtitle <- function(object) {
  null <- object$null
  paste(c(
    if (is.null(null)) {
      "Signal not tested"
    } else {
      sprintf("Signal %s", describe_p(null$p))
    },
    if (!is.null(object$oob)) error_beside_chance(object$oob, null$error)
  ), collapse = "; ")
}

# For example: error 4 % out of bag, 42 % on permuted outcomes.
error_beside_chance <- function(oob, permuted) {
  permuted <- if (!is.null(permuted)) shown_permuted(permuted, oob)
  oob <- shown_oob(oob)
  number <- if (is_rate(oob)) as_percent else format_two
  beside <- if (!is.null(permuted)) {
    paste(number(permuted$mean), "on permuted outcomes")
  } else if (!is.null(oob$covariates)) {
    paste(number(oob$baseline), "with the covariates alone")
  } else {
    paste(number(oob$baseline), "without features")
  }
  sprintf(
    "%s %s out of bag, %s", if (is_rate(oob)) "error" else oob$measure, number(oob$error), beside
  )
}

band_caption <- function(null) {
  sprintf(
    "Shaded: 90\u00a0%% of the scores of the same rank in %s%s of the outcome",
    if (null$n_whole < null$n_permutations) sprintf("the first %d of ", null$n_whole) else "",
    count_of(null$n_permutations, "permutation")
  )
}
