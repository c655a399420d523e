#' Look at a calibration
#'
#' `print()` says, for the strength that gives the observed error (or for all strengths that were
#' given), what the procedures' own lists hold, and which cuts meet the targets. The picture shows
#' how many features of which kind every cut holds, with a line for what is claimed.
#'
#' @param x,object (object of class `stabilect_calibration`) made by [calibrate()].
#' @param ... Not used.
#' @return `print()` returns `x`, invisibly; `autoplot()` a ggplot object, which `plot()` draws.
#' @family evidence
#' @name calibration-methods
NULL

#' @rdname calibration-methods
#' @export
print.stabilect_calibration <- function(x, ...) {
  asked <- x$asked
  print_head(
    x, "Calibration: what the procedures get right on these features",
    sprintf("%d simulated responses for each strength", asked$n_sets)
  )
  if (!is.na(x$observed)) {
    cat(strwrap(sprintf(
      "Shown: the strength at which simulated responses have the out-of-bag error of the data, %s.",
      format(x$observed, digits = 2)
    ), 80), sep = "\n")
  }
  shown <- x$table[x$table$matched | is.na(x$observed), ]
  cat(sprintf(
    "\nown lists (near: |r| > %s with a true feature)\n", format(asked$near)
  ))
  print_calibrated(shown[shown$cut == "own", ])
  targets <- x$targets[x$targets$matched | is.na(x$observed), ]
  if (NROW(targets) > 0L) {
    cat(sprintf(
      "\nwidest cuts with at most %s false features (pfer), or a share of %s (fdr), 95%% limits\n",
      format(asked$pfer), format(asked$fdr)
    ))
    targets$r_squared <- round(targets$r_squared, 2)
    print(targets[setdiff(names(targets), "matched")], row.names = FALSE, digits = 3)
  }
  invisible(x)
}

print_calibrated <- function(rows) {
  columns <- c(
    "method", "n_true", "r_squared", "size", "true", "near", "unrelated", "pfer", "pfer_se",
    "claimed"
  )
  if (all(is.na(rows$claimed))) columns <- setdiff(columns, "claimed")
  rows$r_squared <- round(rows$r_squared, 2)
  print(rows[columns], row.names = FALSE, digits = 2)
}
