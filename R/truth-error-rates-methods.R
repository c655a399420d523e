#' Summary and plot of error rates of a procedure
#'
#' The print shows what the list of the first procedure contains, at the strength that gives the
#' observed error (or at all given strengths). If no simulated signal is as strong as the data, it
#' says so. `summary()` has the tables: the procedures' own lists, and the cuts that satisfy the
#' targets. The picture shows how many features of each kind every cut contains, with a line for the
#' claimed bound.
#'
#' @inheritParams arguments
#' @param object (object of class `stabilect_error_rates`) result of [estimate_error_rates()].
#' @return `summary()`: a list that prints its tables, `own` and `targets`; `autoplot()`: a ggplot
#'   object, which `plot()` draws.
#' @family evidence
#' @name error-rates-methods
NULL

#' @exportS3Method
facts_of.stabilect_error_rates <- function(x, n = 10L) {
  unreached <- unreached_sizes(x)
  own <- own_lists(x)
  own <- own[!own$n_true %in% unreached, ]
  result_facts(
    x, "Error rates: what the procedures get right on these features",
    sprintf("%d simulated outcomes for each strength", x$asked$n_simulations),
    list(
      List = if (nrow(own) == 0L) {
        c(
          "cannot be said: no simulated signal is as strong as these data",
          sprintf(
            "out-of-bag error of the data %s; with the strongest simulated signal %s",
            figure(x$observed, digits = 2), figure(min(x$error$error), digits = 2)
          )
        )
      } else {
        describe_own(own)
      },
      Caution = if (nrow(own) > 0L && !is.na(x$observed)) describe_matching(x, unreached)
    )
  )
}

own_lists <- function(x) {
  x$table[(x$table$matched | is.na(x$observed)) & x$table$cut == "own", ]
}

# Numbers of true features for which no simulated strength has an error as small as observed, up to
# two Monte Carlo errors.
unreached_sizes <- function(x) {
  if (is.na(x$observed)) {
    return(integer())
  }
  smallest <- tapply(x$error$error - 2 * x$error$error_se, x$error$n_true, min)
  as.integer(names(smallest))[x$observed < smallest]
}

#' @rdname error-rates-methods
#' @export
summary.stabilect_error_rates <- function(object, ...) {
  refuse_dots(...)
  targets <- object$targets[object$targets$matched | is.na(object$observed), ]
  own <- own_lists(object)
  new_summary(object, own = own, targets = targets, sections = list(
    new_section(own_rates_table(own), Inf, sprintf(
      "Own lists (near: |r| > %s with a true feature)", figure(object$asked$threshold)
    )),
    if (NROW(targets) > 0L) target_section(targets, object$asked)
  ))
}

# The mean contents of the lists of all procedures with the same simulated signal.
describe_own <- function(own) {
  first <- own[1, ]
  number <- function(value) figures(value, digits = 2)
  same <- own[!duplicated(own$method) & own$n_true == first$n_true, ]
  c(
    sprintf(
      "%s on average in the list of %s: %s true, %s near a true one, %s unrelated%s",
      paste(number(same$size), ifelse(same$size == 1, "feature", "features")), same$method,
      number(same$true), number(same$near), number(same$unrelated),
      ifelse(same$behind > 0, sprintf(" (%s along the diffuse part)", number(same$behind)), "")
    ),
    sprintf(
      "on simulated outcomes with %s (R2 %s%s)", count_of(first$n_true, "true feature"),
      number(first$r_squared),
      if (first$diffuse > 0) paste(",", as_percent(first$diffuse), "of it diffuse") else ""
    )
  )
}

# The strength at which lists are shown, and the sizes that do not imitate the data.
describe_matching <- function(x, unreached) {
  number <- function(value) figure(value, digits = 2)
  spread <- x$table$spread[x$table$n_true > 0L & !x$table$n_true %in% unreached]
  far <- spread[abs(log(spread / x$spread)) > log(1.25)]
  c(
    sprintf(
      "this holds at the strength that gives the out-of-bag error of these data, %s",
      number(x$observed)
    ),
    if (length(far) > 0L) {
      sprintf(
        "squared correlations with features are %s times chance here, %s in simulations",
        number(x$spread), paste(unique(number(range(spread))), collapse = " to ")
      )
    },
    if (length(unreached) > 0L) {
      sprintf("with %s true features no strength has so small an error", toString(unreached))
    }
  )
}

# One row per procedure and number of true features, one column per target.
target_section <- function(targets, asked) {
  kind <- paste0(targets$target, ifelse(targets$counts == "features", "", "_near"))
  rows <- split(seq_len(nrow(targets)), ceiling(seq_len(nrow(targets)) / 4))
  wide <- do.call(rbind, lapply(rows, function(at) {
    cuts <- stats::setNames(as.list(targets$cutoff[at]), kind[at])
    data.frame(
      targets[at[1], c("method", "n_true", "cut")], cuts, claimed = targets$claimed[at[1]]
    )
  }))
  if (all(is.na(wide$claimed))) wide$claimed <- NULL
  new_section(dash_missing(wide), Inf, sprintf(
    paste(
      "Widest cuts that keep to a target (upper 95 %% limit): at most %s false positives on",
      "average (pfer), a share of at most %s (fdr); by feature, or up to neighbours (near true",
      "ones: not false)"
    ),
    figure(asked$pfer), figure(asked$fdr)
  ))
}

own_rates_table <- function(rows) {
  columns <- c(
    "method", "n_true", "r_squared", "diffuse", "size", "true", "near", "unrelated", "behind",
    "pfer", "pfer_se", "claimed"
  )
  if (all(rows$diffuse == 0)) columns <- setdiff(columns, c("diffuse", "behind"))
  if (all(is.na(rows$claimed))) columns <- setdiff(columns, "claimed")
  rows[c("r_squared", "diffuse")] <- round(rows[c("r_squared", "diffuse")], 2)
  dash_missing(join_errors(rows[columns], 2))
}
