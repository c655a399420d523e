#' Look at a calibration
#'
#' `print()` says, for the strength that gives the observed error (or for all strengths that were
#' given), what the procedures' own lists hold, and which cuts meet the targets. The picture shows
#' how many features of which kind every cut holds, with a line for what is claimed.
#'
#' @param x,object (object of class `stabilect_calibration`) made by [calibrate_selection()].
#' @param ... Not used.
#' @return `print()` returns `x`, invisibly; `autoplot()` a ggplot object, which `plot()` draws.
#' @family evidence
#' @name calibration-methods
NULL

#' @rdname calibration-methods
#' @export
print.stabilect_calibration <- function(x, ...) {
  refuse_dots(...)
  asked <- x$asked
  shown <- x$table[x$table$matched | is.na(x$observed), ]
  own <- shown[shown$cut == "own", ]
  print_verdict(c(describe_own(own), if (!is.na(x$observed)) describe_matching(x)))
  print_head(
    x, "Calibration: what the procedures get right on these features",
    sprintf("%d simulated responses for each strength", asked$n_sets)
  )
  cat(sprintf(
    "\nown lists (near: |r| > %s with a true feature)\n", figure(asked$near)
  ))
  print_calibrated(own)
  targets <- x$targets[x$targets$matched | is.na(x$observed), ]
  if (NROW(targets) > 0L) print_targets(targets, asked)
  print_next(x)
}

# What the first of the lists holds on average.
describe_own <- function(own) {
  first <- own[1, ]
  number <- function(value) figure(value, digits = 2)
  sprintf(
    "On simulated responses with %s true features (R2 %s) the list of %s holds %s: %s true, %s near
     a true one, %s unrelated.",
    first$n_true, number(first$r_squared), first$method,
    paste(number(first$size), if (first$size == 1) "feature" else "features", "on average"),
    number(first$true), number(first$near), number(first$unrelated)
  )
}

# At which strength the lists are shown, and whether the data can be imitated at all.
describe_matching <- function(x) {
  observed <- figure(x$observed, digits = 2)
  range <- split(x$error$error, x$error$n_true)
  short <- names(range)[vapply(range, function(e) x$observed < min(e), NA)]
  c(
    sprintf(
      "Shown: the strength at which simulated responses have the out-of-bag error of the data, %s.",
      observed
    ),
    if (length(short) > 0L) {
      sprintf(
        "No strength reaches it with %s true features: the data have a stronger signal, or one in
         more features, and the strongest is shown (R2 0.95).",
        paste(short, collapse = ", ")
      )
    }
  )
}

# One row per procedure and number of true features, one column per target.
print_targets <- function(targets, asked) {
  cat("\n")
  print_text(sprintf(
      "widest cuts that keep to a target (upper 95%% limit): at most %s false features on average
       (pfer), a share of at most %s (fdr); by feature, or up to neighbours (near true ones: not
       false)",
      figure(asked$pfer), figure(asked$fdr)
    ))
  kind <- paste0(targets$target, ifelse(targets$counts == "features", "", "_near"))
  rows <- split(seq_len(nrow(targets)), ceiling(seq_len(nrow(targets)) / 4))
  wide <- do.call(rbind, lapply(rows, function(at) {
    cuts <- stats::setNames(as.list(targets$cutoff[at]), kind[at])
    data.frame(
      targets[at[1], c("method", "n_true", "cut")], cuts, claimed = targets$claimed[at[1]]
    )
  }))
  if (all(is.na(wide$claimed))) wide$claimed <- NULL
  print(dash_missing(wide), row.names = FALSE)
}

print_calibrated <- function(rows) {
  columns <- c(
    "method", "n_true", "r_squared", "size", "true", "near", "unrelated", "pfer", "pfer_se",
    "claimed"
  )
  if (all(is.na(rows$claimed))) columns <- setdiff(columns, "claimed")
  rows$r_squared <- round(rows$r_squared, 2)
  print(dash_missing(join_errors(rows[columns], 2)), row.names = FALSE)
}
