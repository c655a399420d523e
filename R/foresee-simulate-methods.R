#' @rdname simulate_stability
#' @param x,object (object of class `stabilect_simulation`)
#' @param ... Not used.
#' @export
print.stabilect_simulation <- function(x, ...) {
  cat(sprintf(
    "<stabilect_simulation> %s of ensembles by %s\n", x$index, x$aggregation$label
  ))
  cat(sprintf(
    "%d of %d features; %s\n\n", x$n_target, x$n_features,
    if (any(x$table$se > 0, na.rm = TRUE)) {
      sprintf("%d simulated ensembles of each size, seed %d", x$n_runs, x$seed)
    } else {
      "nothing simulated"
    }
  ))
  shown <- utils::head(x$table, 20L)
  print(shown, row.names = FALSE, digits = 3)
  if (nrow(shown) < nrow(x$table)) cat(sprintf("... and %d more\n", nrow(x$table) - 20L))
  invisible(x)
}

#' @rdname simulate_stability
#' @export
summary.stabilect_simulation <- function(object, ...) {
  value <- overlap_values(object$index, object$n_features, object$n_target, object$corrected)
  table <- unique(object$table[c("n_useful", "p")])
  # With graded preferences, endless ensembles agree.
  table$plateau <- if (is.null(value) || object$preference > 0) {
    rep(NA_real_, nrow(table))
  } else {
    mapply(plateau_value, table$n_useful, table$p, MoreArgs = list(
      n_features = object$n_features, n_target = object$n_target, value = value
    ))
  }
  structure(list(simulation = object, plateaus = table), class = "summary_stabilect_simulation")
}

#' @export
print.summary_stabilect_simulation <- function(x, ...) {
  print(x$simulation)
  cat("\nstability of endless ensembles\n")
  print(utils::head(x$plateaus, 20L), row.names = FALSE, digits = 3)
  invisible(x)
}

#' @rdname simulate_stability
#' @param row.names,optional Not used.
#' @export
as.data.frame.stabilect_simulation <- function(x, row.names = NULL, optional = FALSE, ...) {
  x$table
}

# Endless ensembles choose at random among the useful features when these have the lower mean rank
# (p > n_target / n_features), among the others when they have the higher one, and among all else.
plateau_value <- function(n_useful, p, n_features, n_target, value) {
  even <- n_target / n_features
  pool <- if (p > even) {
    n_useful
  } else if (p == even) {
    n_features
  } else {
    n_features - n_useful
  }
  # Fewer others than places: all of them are chosen, and the rest at random from the useful.
  sure <- max(n_target - pool, 0)
  if (sure > 0) pool <- n_useful
  rest <- n_target - sure
  sum(value[sure + 0:rest + 1] * stats::dhyper(0:rest, rest, pool - rest, rest))
}
