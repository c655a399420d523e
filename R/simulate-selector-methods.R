#' @exportS3Method
facts_of.stabilect_simulation <- function(x, n = 10L) {
  asked <- x$asked
  new_facts(
    sprintf("Stability (%s) of simulated ensembles by %s", asked$index, asked$aggregation$label),
    sprintf("%d of %d features", asked$n_features, asked$n_total),
    if (any(x$table$se > 0, na.rm = TRUE)) {
      sprintf(
        "%d simulated ensembles of each size; seed %d", asked$n_simulations, x$made$seed
      )
    } else {
      "nothing simulated"
    },
    list(Stability = verdict_of_simulation(x)), list(new_section(x$table, n)), next_of(x)
  )
}

verdict_of_simulation <- function(x) {
  asked <- x$asked
  number <- function(value) figure(value, digits = 2)
  known <- x$table$stability[!is.na(x$table$stability)]
  if (length(known) == 0L) {
    return(sprintf(
      "%s is not defined for %d of %d features", asked$index, asked$n_features,
      asked$n_total
    ))
  }
  range <- range(known)
  sprintf(
    "%s in ensembles of %s %s",
    if (diff(range) == 0) number(range[1]) else paste(number(range), collapse = " to "),
    format_range(range(x$table$n_weak)), if (max(x$table$n_weak) == 1) "member" else "members"
  )
}

#' @rdname simulate_stability
#' @param object (object of class `stabilect_simulation`) result of `simulate_stability()`.
#' @export
summary.stabilect_simulation <- function(object, ...) {
  refuse_dots(...)
  asked <- object$asked
  value <- overlap_values(asked$index, asked$n_total, asked$n_features, asked$corrected)
  table <- unique(object$table[c("n_useful", "p")])
  # With graded preferences, ensembles of unlimited size agree completely.
  table$plateau <- if (is.null(value) || asked$preference > 0) {
    rep(NA_real_, nrow(table))
  } else {
    mapply(plateau_value, table$n_useful, table$p, MoreArgs = list(
      n_total = asked$n_total, n_features = asked$n_features, value = value
    ))
  }
  new_summary(object, plateaus = table, sections = list(
    new_section(object$table, Inf),
    new_section(table, 20L, "Stability of ensembles of unlimited size")
  ))
}

# Ensembles of unlimited size choose at random among the features with the lower mean rank: the
# useful ones for p > n_features / n_total, the others for a smaller p, all for equality.
plateau_value <- function(n_useful, p, n_total, n_features, value) {
  even <- n_features / n_total
  pool <- if (p > even) {
    n_useful
  } else if (p == even) {
    n_total
  } else {
    n_total - n_useful
  }
  # If there are fewer others than places, all of them are chosen, and the rest at random from the
  # useful.
  sure <- max(n_features - pool, 0)
  if (sure > 0) pool <- n_useful
  rest <- n_features - sure
  sum(value[sure + 0:rest + 1] * stats::dhyper(0:rest, rest, pool - rest, rest))
}
