#' Feature stability maps
#'
#' Each row is a run. Its rectangles are the features it selected; their widths are the shares of
#' importance in the model of the run. They are sorted from left to right by selection frequency in
#' all runs. Where colours form straight columns, runs agree on features and on their importance.
#' Features at the left are the most reliable, wide ones matter most in the models (Hamer and Dupont
#' 2021, Section 3).
#'
#' `plot(selection, type = "map")` draws the map, see [plot_selection]. The `n_colours` most often
#' selected features get a colour of their own; the others are grey.
#'
#' @details
#' Without importance, the features of a run have equal widths; see [feature_importance()]. The
#' features beyond `max_features` of each run are drawn as one rectangle.
#'
#' Colours depend on names: each name has a place among twelve colours. They are those of Okabe and
#' Ito and five more, which can be distinguished with protan, deutan and tritan vision. Two names of
#' one map with the same place are moved apart. A map of other features may therefore show some of
#' them in another colour. For maps to be compared use `colours = list(a, b)`, with the selections
#' of all maps.
#'
#' Failed runs are left out; a run that selected nothing is an empty row.
#'
#' @section Errors:
#' Class `stabilect_error_input` if `colours` are not named.
#' @references Hamer V, Dupont P (2021). An importance weighted feature selection stability measure.
#'   *Journal of Machine Learning Research* 22(116), 1-57.
#'
#'   Okabe M, Ito K (2008). Color universal design. <https://jfly.uni-koeln.de/color/>
#' @family selection
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' # Ten runs: three features in all of them, two others in each.
#' w <- matrix(0, 10, 30, dimnames = list(NULL, paste0("gene", 1:30)))
#' w[, 1:3] <- rep(c(4, 2, 1), each = 10)
#' for (b in 1:10) w[b, 3 + b + c(0, 10)] <- 1
#' runs <- as_selection(w, type = "weight")
#' plot(runs, type = "map", n_colours = 3)
#' @name stability_map
NULL

map_picture <- function(selection, n_colours = 12, max_features = 200, colours = NULL, ...) {
  open_picture(...)
  selection <- as_selection(selection)
  max_features <- check_count(max_features)
  colours <- picture_colours(colours, selection, n_colours)
  if (length(rank_features(selection)) == 0L) {
    return(empty_picture(map_title, "No run selected any feature."))
  }
  tiles <- map_tiles(selection, max_features, colours)
  runs <- ok_runs(selection)
  n_rows <- length(runs)
  breaks <- run_breaks(n_rows)
  # Borders of a fixed width would cover the thin rectangles of large maps.
  border <- min(0.25, 6 / n_rows, 12 / max(table(tiles$row)))
  legend <- map_legend(tiles, selection)
  ggplot2::ggplot(tiles) +
    ggplot2::geom_rect(
      ggplot2::aes(
        xmin = .data$left, xmax = .data$right, ymin = .data$row - 0.5, ymax = .data$row + 0.5,
        fill = .data$colour
      ),
      colour = "white", linewidth = border
    ) +
    ggplot2::scale_fill_identity(
      guide = if (nrow(legend) > 0L) "legend" else "none",
      breaks = legend$colour, labels = legend$label
    ) +
    ggplot2::scale_x_continuous(
      labels = function(v) paste0(100 * v, " %"), expand = ggplot2::expansion(0)
    ) +
    ggplot2::scale_y_reverse(
      breaks = breaks, labels = runs[breaks], limits = c(n_rows, 1) + c(0.5, -0.5),
      expand = ggplot2::expansion(0)
    ) +
    map_titles(selection) +
    map_theme(legend$label)
}

# Beside the map there is room only for short names.
# @param names (character) of a legend.
map_theme <- function(names = character()) {
  below <- max(nchar(names), 0L) > 18L
  list(
    ggplot2::theme_minimal(),
    ggplot2::theme(
      panel.grid = ggplot2::element_blank(), plot.title.position = "plot",
      axis.ticks.x = ggplot2::element_line(colour = "grey50", linewidth = 0.3),
      legend.key.size = ggplot2::unit(0.9, "lines"),
      legend.position = if (below) "bottom" else "right",
      legend.text = ggplot2::element_text(size = 9),
      plot.margin = ggplot2::margin(6, 20, 6, 6)
    ),
    if (below) ggplot2::guides(fill = ggplot2::guide_legend(ncol = 2, title.position = "top"))
  )
}

map_title <- "Which features each run selected, the most frequent first"

map_titles <- function(selection) {
  runs <- ok_runs(selection)
  failed <- selection$n_runs - length(runs)
  weighted <- !is.null(selection$importance)
  picture_labels(
    x = if (weighted) "Share of the importance in the run" else "Share of the features of the run",
    y = "Run", fill = "Feature (runs with it)",
    title = map_title,
    subtitle = paste0(
      sprintf(
        "%d run%s%s, %d of %d features ever selected", length(runs),
        if (length(runs) == 1L) "" else "s",
        if (failed > 0L) sprintf(" (%d failed, left out)", failed) else "",
        sum(drawn_frequency(selection) > 0), selection$n_total
      ),
      if (!weighted) "; no importance known, equal widths"
    )
  )
}

# Shown next to the rows; more than a dozen are not readable.
run_breaks <- function(n_rows) {
  if (n_rows <= 12L) {
    return(seq_len(n_rows))
  }
  marks <- pretty(seq_len(n_rows), 6)
  c(1, marks[marks > 1 & marks <= n_rows])
}

# Features that no run looked at are drawn like those that none selected.
drawn_frequency <- function(selection) {
  frequency <- mean_selected(selection)
  replace(frequency, is.na(frequency), 0)
}

# Numbers of the features that were ever selected: by frequency, then by total share of importance,
# then by position.
rank_features <- function(selection) {
  frequency <- drawn_frequency(selection)
  weight <- map_shares(selection)
  total <- tapply(weight$share, factor(weight$feature, seq_len(selection$n_total)), sum)
  total[is.na(total)] <- 0
  order <- order_best(selection$feature_names, frequency, total)
  order[frequency[order] > 0]
}

# Selected features of each successful run with their share of its importance.
map_shares <- function(selection) {
  selected <- selection$selected[, ok_runs(selection), drop = FALSE]
  size <- diff(selected@p)
  row <- rep(seq_along(size), size)
  feature <- selected@i + 1L
  value <- rep(1, length(feature))
  if (!is.null(selection$importance)) {
    importance <- selection$importance[, ok_runs(selection), drop = FALSE]
    key <- (row - 1) * selection$n_total + feature
    stored <- rep(seq_along(size), diff(importance@p))
    at <- match(key, (stored - 1) * selection$n_total + importance@i + 1L)
    value <- ifelse(is.na(at), 0, importance@x[at])
    # A run whose features all have importance 0 still selected them.
    none <- tapply(value, factor(row, seq_along(size)), sum) %in% 0
    value[none[row]] <- 1
  }
  total <- as.vector(tapply(value, factor(row, seq_along(size)), sum))
  data.frame(row = row, feature = feature, share = value / total[row])
}

map_tiles <- function(selection, max_features, colours) {
  ranked <- rank_features(selection)
  tiles <- map_shares(selection)
  tiles$rank <- match(tiles$feature, ranked)
  tiles$name <- selection$feature_names[tiles$feature]
  late <- tiles$rank > max_features
  if (any(late)) {
    rest <- stats::aggregate(share ~ row, tiles[late, ], sum)
    rest <- data.frame(rest, feature = NA_integer_, rank = max_features + 1L, name = NA_character_)
    tiles <- rbind(tiles[!late, ], rest[names(tiles)])
  }
  tiles <- tiles[order(tiles$row, tiles$rank), ]
  tiles$right <- stats::ave(tiles$share, tiles$row, FUN = cumsum)
  tiles$left <- tiles$right - tiles$share
  tiles$colour <- unname(colours[tiles$name])
  grey <- is.na(tiles$colour)
  tiles$colour[grey] <- map_greys[1L + tiles$rank[grey] %% 2L]
  tiles$colour[tiles$rank > max_features] <- rest_grey
  tiles$is_named <- !grey
  tiles
}

map_legend <- function(tiles, selection) {
  first <- tiles[tiles$is_named & !duplicated(tiles$feature), ]
  first <- first[order(first$rank), ]
  frequency <- drawn_frequency(selection)[first$feature]
  is_grey <- !tiles$is_named & !is.na(tiles$feature)
  n_grey <- length(unique(tiles$feature[is_grey]))
  n_merged <- sum(drawn_frequency(selection) > 0) - nrow(first) - n_grey
  names <- shorten(with_copies(first$name, selection$study))
  label <- sprintf("%s (%s)", names, percent(frequency))
  rbind(
    data.frame(colour = first$colour, label = label),
    if (n_grey > 0L) {
      data.frame(colour = tiles$colour[is_grey][1], label = sprintf("%d more", n_grey))
    },
    if (n_merged > 0L) {
      data.frame(colour = rest_grey, label = sprintf("%d drawn as one", n_merged))
    }
  )
}

# 1 stays 100 % only if every run has the feature; likewise 0.
percent <- function(share) {
  value <- ifelse(share == 1, 100, pmin(round(100 * share), 99))
  ifelse(share > 0 & value == 0, "<1 %", paste(value, "%"))
}

# Okabe and Ito's seven colours and five found by search. With normal, protan, deutan or tritan
# vision (Machado et al. 2009), no two of them are nearer in Lab than Okabe and Ito's nearest pair,
# nor is any to the greys. Neighbours differ much: names that only differ in a number get
# neighbouring places.
map_palette <- c(
  "#0072B2", "#D55E00", "#009E73", "#9966FF", "#E69F00", "#800000", "#56B4E9", "#CC79A7",
  "#F0E442", "#661A4D", "#00FF99", "#331A99"
)

# Two greys in turn for the other features: equal neighbours would look like one feature.
map_greys <- c("grey76", "grey86")

rest_grey <- "grey94"

# Given colours, or colours of the most often selected features of some selections.
picture_colours <- function(colours, selection, n_colours = 12) {
  n_colours <- check_count(n_colours, min = 0, max = length(map_palette))
  if (is.null(colours)) colours <- list(selection)
  if (is.list(colours) && length(colours) > 0L) {
    return(feature_colours(lapply(colours, as_selection), n_colours))
  }
  check_colours(colours)
}

# @param selections (list) whose most often selected features get a colour.
# @return (named character) colours by the name of the feature.
feature_colours <- function(selections, n_colours = 12) {
  ranked <- lapply(selections, rank_features)
  # Features of each selection in turn, best first: every map has coloured features.
  table <- do.call(rbind, Map(function(selection, rank) {
    data.frame(name = selection$feature_names[rank], place = seq_along(rank))
  }, selections, ranked))
  table <- table[order(table$place, method = "radix"), ]
  names <- utils::head(unique(table$name), n_colours)
  # Given in the order of the names, not of the frequencies: the same features always have the same
  # colours.
  names <- sort(names, method = "radix")
  free <- rep(TRUE, length(map_palette))
  colours <- character(length(names))
  for (i in seq_along(names)) {
    wanted <- (name_hash(names[i]) + seq_along(map_palette) - 2L) %% length(map_palette) + 1L
    place <- wanted[free[wanted]][1]
    free[place] <- FALSE
    colours[i] <- map_palette[place]
  }
  stats::setNames(colours, names)
}

# A hash that is the same on every platform and in every version of R, unlike a hash of R's memory
# layout.
name_hash <- function(name) {
  Reduce(function(h, code) (h * 31 + code) %% 2147483647, utf8ToInt(enc2utf8(name)), 7)
}

check_colours <- function(colours) {
  refuse(!is.character(colours) || (length(colours) > 0L && is.null(names(colours))),
    "{.arg colours} must be colours with the names of features, or a list of selections, not
      {describe_value(colours)}."
  )
  colours
}
