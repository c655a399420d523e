#' Sources of instability: features, runs, and features that replace each other
#'
#' Splits the index of Nogueira et al. into its parts: the contribution of each feature to 1 -
#' stability, and the influence of each run. With the similarity of features, it also finds features
#' that replace each other.
#'
#' @inheritParams arguments
#' @param selection (`stabilect_selection`, or anything that [as_selection()] takes) runs, at least
#'   three of them successful.
#' @param similarity (`list(x = )` with the n x p data, for absolute correlations; p x p matrix of
#'   numbers from 0 to 1; p group labels, or the clusters of [cluster_features()]; or `NULL`)
#'   similarity of features, as in [stability()]. `NULL` does not look for swaps.
#' @param threshold (number in \[0, 1]) features with at least this similarity can swap.
#'
#' @details
#' **Features.** \eqn{1 - \hat\Phi = \sum_f s_f^2 \big/ \big(p \frac{\bar k}{p} (1 - \frac{\bar
#' k}{p})\big)} with \eqn{s_f^2 = \frac{m}{m-1}\hat p_f(1 - \hat p_f)} (Nogueira et al. 2018, Eq.
#' 6). Every feature has its term; it is largest for features selected in half of the runs.
#'
#' **Runs.** `influence` is \eqn{(m-1)(\hat\Phi - \hat\Phi_{(-i)})}, the jackknife influence:
#' negative for runs that lower the stability.
#'
#' **Swaps.** Two similar features swap if they are selected instead of each other: the covariance
#' of their selection over runs is negative. Features linked in this way form groups. `together` is
#' the share of runs that select at least one feature of the group. `recovered` is the gain in
#' stability if a group counts as one feature, selected by a run that selects any of its features.
#'
#' @return An object of class `stabilect_explanation`, a list with
#' \describe{
#'   \item{stability}{(number) the index of Nogueira et al.; `NA` if all runs are empty or full.}
#'   \item{features}{(data frame, largest contribution first, without features of every or no run)
#'   `feature`, `frequency`, `contribution` (sums to 1 - stability), `share` (of this sum).}
#'   \item{runs}{(data frame, one row per successful run, lowest influence first) `run` (column of
#'   the selection), `size`, `influence`.}
#'   \item{swaps}{(data frame, one row per group, most frequent first) `group`, `features` (text),
#'   `n_features`, `together`, `mean_frequency`; no rows without swaps, `NULL` without
#'   `similarity`.}
#'   \item{recovered}{(number) see above; `NA` without swaps or `similarity`.}
#' }
#' `as.data.frame()` gives `features`.
#' @family stability
#' @seealso [substitutes()] for the features selected instead of a given one.
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- fealect(x, mcl_sll$MCL, n_runs = 40, max_features = 5, seed = 1)
#' explain_stability(fit, similarity = list(x = x), threshold = 0.8)
#' @export
explain_stability <- function(selection, similarity = NULL, threshold = 0.8) {
  check_given()
  selection <- as_selection(selection)
  threshold <- check_fraction(threshold, open_left = FALSE)
  runs <- index_runs(selection)
  refuse(runs$n_runs < 3L,
    "An explanation needs at least 3 successful runs, but {.arg selection} has
      {runs$n_runs}."
  )
  value <- index_values(runs, "nogueira")[[1]]
  frequency <- runs$frequency / runs$n_runs
  kappa <- mean(frequency)
  variance <- runs$n_runs / (runs$n_runs - 1) * frequency * (1 - frequency)
  contribution <- variance / (runs$n_total * kappa * (1 - kappa))
  swaps <- if (!is.null(similarity)) find_swaps(runs, similarity, threshold)
  new_object("stabilect_explanation",
    stability = value$estimate,
    features = feature_contributions(runs, frequency, contribution),
    runs = run_influences(selection, runs, value),
    swaps = swaps$table,
    recovered = if (is.null(swaps)) NA_real_ else swaps$recovered,
    n_runs = runs$n_runs, n_total = runs$n_total, label = selection$method, study = selection$study
  )
}

feature_contributions <- function(runs, frequency, contribution) {
  keep <- which(frequency > 0 & frequency < 1)
  keep <- keep[order(-contribution[keep], keep, method = "radix")]
  data.frame(
    feature = runs$feature_names[keep], frequency = frequency[keep],
    contribution = contribution[keep],
    share = contribution[keep] / max(sum(contribution[keep]), .Machine$double.xmin)
  )
}

run_influences <- function(selection, runs, value) {
  table <- data.frame(
    run = ok_runs(selection), size = runs$size,
    influence = (runs$n_runs - 1) * (value$estimate - value$loo)
  )
  sort_rows(table, table$influence)
}

# Groups of similar features that replace each other: linked if their similarity reaches the
# threshold and their selections are negatively correlated over runs.
find_swaps <- function(runs, similarity, threshold) {
  varying <- which(runs$frequency > 0 & runs$frequency < runs$n_runs)
  none <- list(
    table = data.frame(
      group = integer(), features = character(), n_features = integer(), together = numeric(),
      mean_frequency = numeric()
    ),
    recovered = NA_real_
  )
  if (length(varying) < 2L) {
    return(none)
  }
  z <- dense_rows(runs, varying)
  linked <- similarity_block(similarity, varying, runs) >= threshold
  linked <- linked & stats::cov(t(z)) < 0
  links <- which(linked & upper.tri(linked), arr.ind = TRUE)
  group <- linked_groups(links[, 1L], links[, 2L], length(varying))
  members <- split(seq_along(varying), group)
  members <- members[lengths(members) > 1L]
  if (length(members) == 0L) {
    return(none)
  }
  table <- do.call(rbind, lapply(members, function(at) {
    at <- at[order(-runs$frequency[varying[at]], at, method = "radix")]
    data.frame(
      features = paste(runs$feature_names[varying[at]], collapse = ", "), n_features = length(at),
      together = mean(colSums(z[at, , drop = FALSE]) > 0),
      mean_frequency = mean(runs$frequency[varying[at]]) / runs$n_runs
    )
  }))
  table <- sort_rows(table, -table$together, -table$n_features)
  list(
    table = cbind(group = seq_len(nrow(table)), table),
    recovered = recovered_stability(runs, varying, members)
  )
}

recovered_stability <- function(runs, varying, members) {
  label <- seq_len(runs$n_total)
  for (at in members) label[varying[at]] <- varying[at[1]]
  kept <- unique(label)
  position <- match(label, kept)
  run <- factor(rep(seq_len(runs$n_runs), runs$size), seq_len(runs$n_runs))
  sets <- lapply(split(position[runs$feature + 1L], run), unique)
  grouped <- index_runs(as_selection(unname(sets), n_total = length(kept)))
  nogueira <- function(runs) index_values(runs, "nogueira")[[1]]$estimate
  nogueira(grouped) - nogueira(runs)
}

# Selection of some features over all runs as a dense 0/1 matrix.
dense_rows <- function(runs, features) {
  at <- match(runs$feature + 1L, features)
  run <- rep(seq_len(runs$n_runs), runs$size)
  z <- matrix(0, length(features), runs$n_runs)
  z[cbind(at, run)[!is.na(at), , drop = FALSE]] <- 1
  z
}

# Similarities of some features, for every form of `similarity`.
similarity_block <- function(similarity, features, runs) {
  if (is_data_similarity(similarity)) {
    unit <- unit_columns(match_data(similarity$x, runs))[, features, drop = FALSE]
    return(abs(crossprod(unit)))
  }
  if (is.null(dim(similarity))) {
    group <- match_groups(similarity, runs)[features]
    return(outer(group, group, `==`) + 0)
  }
  as.matrix(match_similarity(similarity, runs)[features, features])
}

#' @exportS3Method
facts_of.stabilect_explanation <- function(x, n = 10L) {
  swaps <- NROW(x$swaps) > 0L
  new_facts(
    "Instability of runs: which features and runs add to it", describe_copies(x$study),
    design = c(
      sprintf("%s over %s", count_of(x$n_runs, "run"), count_of(x$n_total, "feature")), x$label
    ),
    verdict = list(Stability = c(
      sprintf("%s (Nogueira: 0 by chance, 1 identical)", figure(x$stability, digits = 3)),
      describe_sources(x), describe_swaps(x)
    )),
    sections = list(if (swaps) swap_section(x, n) else source_section(x, n)),
    calls = next_of(x)
  )
}

# Do few features and runs make the instability, or many?
describe_sources <- function(x) {
  share <- x$features$share
  if (!isTRUE(x$features$contribution[1] > 0)) {
    return("all runs select the same features")
  }
  half <- which(cumsum(share) >= 0.5 - 1e-9)[1]
  worst <- x$runs[1, ]
  c(
    sprintf(
      "half of the instability comes from %d of %s that only some runs select", half,
      count_of(length(share), "feature")
    ),
    if (isTRUE(worst$influence < 0)) {
      sprintf(
        "without run %s, which lowers it most, it would be %s", figure(worst$run),
        figure(x$stability - worst$influence / (x$n_runs - 1), digits = 3)
      )
    }
  )
}

describe_swaps <- function(x) {
  if (is.null(x$swaps)) {
    return(NULL)
  }
  if (nrow(x$swaps) == 0L) {
    return("no similar features replace each other")
  }
  sprintf(
    "similar features replace each other in %s: with each as one feature it would be %s",
    count_of(nrow(x$swaps), "group"), figure(x$stability + x$recovered, digits = 3)
  )
}

source_section <- function(x, n) {
  if (nrow(x$features) > 0L) {
    new_section(
      with_labels(x$features, x$study), n, "Features that add most to the instability",
      "share: of the instability"
    )
  }
}

swap_section <- function(x, n) {
  if (NROW(x$swaps) > 0L) {
    shown <- with_labels(utils::head(x$swaps, n), x$study)
    shown$features <- shorten_list(shown$features, 32L)
    new_section(
      shown, n, "Similar features that replace each other",
      "together: share of the runs with at least one feature of the group"
    )
  }
}

#' @rdname explain_stability
#' @return `summary()`: a list with the tables `features`, `runs` and `swaps`, which prints the
#'   first rows of each.
#' @export
summary.stabilect_explanation <- function(object, ...) {
  refuse_dots(...)
  new_summary(object,
    features = object$features, runs = object$runs, swaps = object$swaps,
    sections = list(
      source_section(object, 10L), swap_section(object, 10L),
      new_section(utils::head(object$runs, 10L), Inf, "Runs that lower the stability most")
    )
  )
}

#' @export
as.data.frame.stabilect_explanation <- function(x, row.names = NULL, optional = FALSE, ...) {
  x$features
}
