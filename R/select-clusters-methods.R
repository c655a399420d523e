# What prints of stability selection of clusters say.

# The verdict. What permutations named comes first when it is clearly more than the bound.
describe_clusters <- function(x) {
  chance <- describe_named(x)
  m <- length(x$features)
  of <- figure(x$bound$n_total, big.mark = ",")
  claim <- if (m == 0L) {
    sprintf(
      "No cluster of %s is selected stably: none is in %s of the runs or more.", of,
      figure(x$bound$cutoff)
    )
  } else {
    sprintf(
      "%s of %s; the bound on the expected number of false ones is %s.",
      count_of(m, "stable cluster"), of, figure(x$bound$pfer, digits = 2)
    )
  }
  size <- range(x$table$size)
  caveat <- if (size[1] < size[2]) {
    sprintf(
      paste(
        "The bound takes clusters to be selected equally often by chance, but these have %d to %s",
        "features."
      ),
      size[1], figure(size[2], big.mark = ",")
    )
  }
  if (isTRUE(attr(chance, "exceeds"))) c(chance, claim) else c(claim, caveat, chance)
}

# What the procedure named where everything is false; NULL without permutations.
describe_named <- function(x) {
  named <- x$null$named
  if (is.null(named)) {
    return(NULL)
  }
  bound <- x$bound$pfer
  error <- stats::sd(named) / sqrt(length(named))
  exceeds <- !is_calibrated(x$asked) && isTRUE(mean(named) - 2 * error > bound)
  text <- sprintf(
    "On %s of the response, where every %s is false, this procedure named %s on average%s",
    count_of(length(named), "permutation"), unit_word(x$asked), figure(mean(named), digits = 2),
    if (length(named) > 1L) sprintf(" (standard error %s)", figure(error, digits = 2)) else ""
  )
  if (exceeds) {
    text <- c(
      sprintf(
        "%s: the bound of %s does not hold for these clusters.", text, figure(bound, digits = 2)
      ),
      if (is.na(x$null$cutoff)) {
        "No cutoff would keep that number within it: take smaller clusters, or a smaller `q`."
      } else {
        sprintf("A cutoff of %s would keep that number within it.", figure(x$null$cutoff))
      }
    )
  } else {
    text <- paste0(text, ".")
  }
  structure(text, exceeds = exceeds)
}

print_cluster_rows <- function(x, shown, n) {
  shown$cluster <- shown$feature
  shown$members <- shorten_list(shown$members, 40L)
  print_evidence_rows(x, shown, c("frequency", "size", "members"), n, function(columns) {
    c("cluster", setdiff(columns, "feature"))
  })
  cat("\npredict(result, x) gives a column for each stable cluster.\n")
}
