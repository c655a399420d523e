# Prints of stability selection about features or clusters.

# The assumptions of the bound of a list.
caution_of_features <- function(x) {
  if (length(x$features) > 0L && x$bound$assumption != "none") {
    paste0(assumed_noise(x), "; ?stability_selection has its assumptions")
  }
}

assumed_noise <- function(x) {
  weights <- x$study$roles$penalty
  weights <- weights[is.finite(weights)]
  paste0(
    "the bound takes all noise features as equally likely to be selected",
    if (length(unique(weights)) > 1L) ", but a smaller penalty weight makes them likelier",
    if (!is.null(x$bound$by_view)) "; the bounds by view assume it only within a view"
  )
}

# The number under permutation comes first if it is clearly above the bound.
caution_of_clusters <- function(x) {
  chance <- describe_named(x)
  size <- range(x$table$size)
  caveat <- if (size[1] < size[2]) {
    sprintf(
      paste(
        "the bound assumes that clusters are selected equally often by chance, but these have",
        "%d to %s features"
      ),
      size[1], figure(size[2], big.mark = ",")
    )
  }
  if (isTRUE(attr(chance, "exceeds"))) chance else c(caveat, chance)
}

# Number selected by the procedure when everything is false; NULL without permutations.
describe_named <- function(x) {
  named <- x$null$named
  if (is.null(named)) {
    return(NULL)
  }
  bound <- x$bound$pfer
  error <- stats::sd(named) / sqrt(length(named))
  exceeds <- !is.null(rule_of(x$asked)$claim(x)) && isTRUE(mean(named) - 2 * error > bound)
  text <- sprintf(
    paste(
      "on %s of the outcome, where every %s is a false positive, this procedure selected %s on",
      "average%s"
    ),
    count_of(length(named), "permutation"), unit_of_bound(x$bound), figure(mean(named), digits = 2),
    if (length(named) > 1L) sprintf(" (standard error %s)", figure(error, digits = 2)) else ""
  )
  if (exceeds) {
    text <- c(
      sprintf(
        "%s: the bound of %s does not hold for these clusters", text, figure(bound, digits = 2)
      ),
      if (is.na(x$null$cutoff)) {
        "no cutoff would keep that number within it: take smaller clusters, or a smaller `q`"
      } else {
        sprintf("a cutoff of %s would keep that number within it", figure(x$null$cutoff))
      }
    )
  }
  structure(text, exceeds = exceeds)
}

cluster_section <- function(x, shown, measures, n, above, below = NULL, width = 40L) {
  shown$cluster <- shown$feature
  shown$members <- shorten_list(shown$members, width)
  measures <- c(setdiff(measures, "simultaneous"), "size", "members")
  columns <- function(columns) c("cluster", setdiff(columns, "feature"))
  evidence_section(x, shown, measures, n, columns, above, below)
}
