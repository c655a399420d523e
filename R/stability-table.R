# All indices by name. The families live in files of their own.
index_entries <- function() {
  entries <- c(index_entries_sets(), index_entries_similarity(), index_entries_weights())
  names(entries) <- vapply(entries, `[[`, "", "name")
  entries
}

#' The table of stability indices
#'
#' Every index that [stability()] knows, with what it needs and which properties it has.
#'
#' @return (data frame, one row per index) `index` (name to give to [stability()]), `label`,
#'   `family` (`"sets"`, `"similarity"`, `"weights"` or `"ranks"`), `lower`, `upper` (text: the
#'   range; m is the number of runs, p that of features; `"none"` without a finite bound),
#'   `corrected` (expectation 0 for random runs as it stands), `correctable`
#'   (`correct_for_chance = TRUE` makes it so), `needs` (text: what it takes beside the sets),
#'   `frequency` (computed from selection frequencies, cost linear in the number of runs), the
#'   properties of Nogueira et al. (2018) and of Hamer and Dupont (2021, section 2.1):
#'   `fully_defined`, `strictly_monotone`, `bounded`, `maximum_if_deterministic`,
#'   `corrected_for_chance`; and `reference`. For every index higher is more stable.
#' @family stability
#' @examples
#' indices <- list_stability_indices()
#' indices[indices$corrected & indices$family == "sets", c("index", "label", "lower", "upper")]
#' @export
list_stability_indices <- function() {
  rows <- lapply(index_entries(), function(entry) {
    properties <- stats::setNames(as.list(unname(entry$properties)), c(
      "fully_defined", "strictly_monotone", "bounded", "maximum_if_deterministic",
      "corrected_for_chance"
    ))
    data.frame(
      index = entry$name, label = entry$label, family = entry$family, lower = entry$lower,
      upper = entry$upper, corrected = entry$corrected, correctable = entry$correctable,
      needs = paste(entry$needs, collapse = ", "), frequency = entry$frequency, properties,
      reference = entry$reference
    )
  })
  table <- do.call(rbind, rows)
  rownames(table) <- NULL
  table
}

find_indices <- function(index, data, options, call = rlang::caller_env()) {
  entries <- index_entries()
  if (identical(index, "all")) {
    return(Filter(function(entry) is.null(missing_need(entry, data, options)), entries))
  }
  if (!is.character(index) || length(index) == 0L || anyNA(index)) {
    abort("{.arg index} must hold names from {.fn list_stability_indices}, not
      {describe_value(index)}.", call = call)
  }
  unknown <- setdiff(index, names(entries))
  if (length(unknown) > 0L) {
    near <- names(entries)[utils::adist(unknown[1], names(entries), ignore.case = TRUE) <= 2]
    abort(
      c("{.arg index} names {.val {unknown[1]}}, which is not an index.",
        i = if (length(near) > 0L) "Did you mean {.or {.val {near}}}?",
        i = "{.fn list_stability_indices} shows them all."
      ),
      call = call
    )
  }
  entries <- entries[unique(index)]
  for (entry in entries) {
    need <- missing_need(entry, data, options)
    if (!is.null(need)) {
      abort("{.arg index} {.val {entry$name}} needs {need}.", call = call)
    }
  }
  entries
}

# What an index asks for and these runs or options do not have; NULL when nothing is missing.
missing_need <- function(entry, data, options) {
  if ("similarity" %in% entry$needs && is.null(options$similarity)) {
    return("the argument `similarity`")
  }
  if ("score" %in% entry$needs && is.null(data$score)) {
    return("runs with scores or ranks")
  }
  NULL
}

# The bounds of an index as numbers, infinite where there are none.
index_range <- function(entry, data) {
  number <- function(text, otherwise) {
    if (text == "none") {
      return(otherwise)
    }
    eval(str2lang(text), list(m = data$n_runs, p = data$n_features), baseenv())
  }
  c(number(entry$lower, -Inf), number(entry$upper, Inf))
}
