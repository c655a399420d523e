#' Look at a calibration
#'
#' `print()` says in one paragraph what the list of the first procedure holds, for the strength that
#' gives the observed error (or for all strengths that were given), or that no simulated signal is
#' as strong as the data. `summary()` has the tables: the procedures' own lists, and which cuts meet
#' the targets. The picture shows how many features of which kind every cut holds, with a line for
#' what is claimed.
#'
#' @param x,object (object of class `stabilect_calibration`) made by [calibrate_selection()].
#' @param ... Not used.
#' @return `print()` returns `x`, invisibly; `summary()` an object that prints the tables;
#'   `autoplot()` a ggplot object, which `plot()` draws.
#' @family evidence
#' @name calibration-methods
NULL

#' @rdname calibration-methods
#' @export
print.stabilect_calibration <- function(x, ...) {
  refuse_dots(...)
  show_calibration(x)
  print_next(x)
}

# The one answer.
show_calibration <- function(x) {
  unreached <- unreached_sizes(x)
  own <- own_lists(x)
  own <- own[!own$n_true %in% unreached, ]
  print_verdict(if (nrow(own) == 0L) {
    sprintf(
      "No answer: no simulated signal is as strong as these data. Their out-of-bag error is %s; with
       the strongest simulated signal it is %s.", figure(x$observed, digits = 2),
      figure(min(x$error$error), digits = 2)
    )
  } else {
    c(describe_own(own), if (!is.na(x$observed)) describe_matching(x, unreached))
  })
  print_head(
    x, "Calibration: what the procedures get right on these features",
    sprintf("%d simulated responses for each strength", x$asked$n_sets)
  )
}

own_lists <- function(x) {
  x$table[(x$table$matched | is.na(x$observed)) & x$table$cut == "own", ]
}

# Numbers of true features with which no simulated strength has an error as small as that observed.
unreached_sizes <- function(x) {
  if (is.na(x$observed)) {
    return(integer())
  }
  range <- split(x$error$error, x$error$n_true)
  as.integer(names(range))[vapply(range, function(e) x$observed < min(e), NA)]
}

#' @rdname calibration-methods
#' @export
summary.stabilect_calibration <- function(object, ...) {
  refuse_dots(...)
  structure(list(calibration = object), class = "summary_stabilect_calibration")
}

#' @export
print.summary_stabilect_calibration <- function(x, ...) {
  fit <- x$calibration
  show_calibration(fit)
  cat(sprintf("\nown lists (near: |r| > %s with a true feature)\n", figure(fit$asked$near)))
  print_calibrated(own_lists(fit))
  targets <- fit$targets[fit$targets$matched | is.na(fit$observed), ]
  if (NROW(targets) > 0L) print_targets(targets, fit$asked)
  invisible(x)
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

# At which strength the lists are shown, and which sizes are no imitation of the data.
describe_matching <- function(x, unreached) {
  observed <- figure(x$observed, digits = 2)
  c(
    sprintf(
      "Shown: the strength at which simulated responses have the out-of-bag error of the data, %s.",
      observed
    ),
    if (length(unreached) > 0L) {
      sprintf("With %s true features no strength has so small an error.", toString(unreached))
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
