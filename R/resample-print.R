# Plans and resamples in words.

format_share <- function(fraction) {
  denominator <- 1:20
  exact <- which(abs(fraction * denominator - round(fraction * denominator)) < 1e-9)
  if (length(exact) == 0L) return(figure(fraction, digits = 4))
  sprintf("%.0f/%d", fraction * exact[1], exact[1])
}

#' @rdname resampling
#' @param x (object of class `stabilect_resampling`) plan to print.
#' @param ... Not used.
#' @export
format.stabilect_resampling <- function(x, ...) {
  blocked <- !is.null(x$blocks)
  share <- if (isTRUE(x$fraction < 1)) {
    paste0(" of ", format_share(x$fraction), " of the ", if (blocked) "blocks" else "samples")
  } else {
    ""
  }
  text <- switch(x$scheme,
    subsample = paste0(count_of(x$n_runs, "subsample"), share, ", without replacement"),
    bootstrap = paste0(count_of(x$n_runs, "bootstrap sample"), share, ", with replacement"),
    pairs = paste0(
      count_of(x$n_runs %/% 2L, "complementary pair"), " of halves (", x$n_runs, " runs)"
    ),
    loo = if (blocked) {
      "Leave-one-block-out, one run per block"
    } else {
      "Leave-one-out, one run per sample"
    },
    folds = paste0(
      x$n_folds, "-fold cross-validation, ",
      if (x$n_repeats == 1L) "once" else paste(x$n_repeats, "times"), " (", x$n_runs, " runs)"
    ),
    custom = count_of(x$n_runs, "custom run")
  )
  flags <- c("stratified", "balanced")[c(x$stratify, x$balance)]
  paste(c(text, flags, if (blocked) describe_blocks(x$blocks)), collapse = ", ")
}

#' @export
print.stabilect_resampling <- function(x, ...) {
  cat(format(x), "\n", sep = "")
  invisible(x)
}

#' Summary and table of resamples
#'
#' @inheritParams arguments
#' @param x,object (object of class `stabilect_resamples`) resamples from [draw_resamples()].
#' @return `as.data.frame()`: one row for each run and sample, runs in order, with the integer
#'   columns `run`, `sample` and `count` (0 for a sample out of the bag).
#'
#'   `summary()`: an object of class `stabilect_resamples_summary`, a list with
#'   * `plan`, `seed`, `n`, `n_runs`, `fingerprint`: as in [draw_resamples()];
#'   * `in_bag`, `distinct`, `out_of_bag` (named double vectors: minimum, median, maximum over the
#'     runs): size of a bag with repeats, number of its different samples, and number of samples
#'     outside it;
#'   * `oob_share` (double): share of the samples out of the bag, mean over the runs;
#'   * `runs_per_sample` (named double vector: minimum, median, maximum over the samples): number of
#'     runs with a sample in the bag;
#'   * `redraws` (integer): total number of redraws; `redrawn` (integer): number of redrawn runs;
#'   * `status` (named integer vector): number of runs by status.
#' @family resampling
#' @examples
#' draws <- draw_resamples(resample_bootstrap(200), y = rep(0:1, c(3, 27)), seed = 1)
#' summary(draws)
#' head(as.data.frame(draws))
#' @name summary.stabilect_resamples
NULL

#' @rdname summary.stabilect_resamples
#' @export
print.stabilect_resamples <- function(x, ...) {
  blocks <- x$plan$blocks
  planned <- if (is.null(blocks)) x$n else nlevels(blocks)
  if (!is.na(x$plan$n_runs)) planned <- x$plan$n_runs
  all_runs <- x$n_runs == planned
  cat(if (!all_runs) paste0(count_of(x$n_runs, "run"), " of: "), format(x$plan), "\n", sep = "")
  distinct <- range(colSums(x$counts > 0L))
  cat(
    count_samples(x$n, blocks), ": ", format_range(distinct), " in bag, ",
    format_range(x$n - rev(distinct)), " out of bag per run\n",
    sep = ""
  )
  cat(
    "Seed ", x$seed, ", ", format_redraws(sum(x$redraws), sum(x$redraws > 0L)), ", ",
    format_status(x$status), ", fingerprint ", substr(x$fingerprint, 1L, 8L), "\n",
    sep = ""
  )
  invisible(x)
}

#' @rdname summary.stabilect_resamples
#' @export
summary.stabilect_resamples <- function(object, ...) {
  refuse_dots(...)
  spread <- function(values) {
    c(minimum = min(values), median = stats::median(values), maximum = max(values)) + 0
  }
  distinct <- colSums(object$counts > 0L)
  statuses <- unique(c("ok", object$status))
  of_class("stabilect_resamples_summary",
    plan = object$plan, seed = object$seed, n = object$n, n_runs = object$n_runs,
    fingerprint = object$fingerprint,
    in_bag = spread(colSums(object$counts)), distinct = spread(distinct),
    out_of_bag = spread(object$n - distinct), oob_share = mean(1 - distinct / object$n),
    runs_per_sample = spread(rowSums(object$counts > 0L)),
    redraws = sum(object$redraws), redrawn = sum(object$redraws > 0L),
    status = c(table(factor(object$status, statuses)))
  )
}

#' @export
print.stabilect_resamples_summary <- function(x, ...) {
  table <- rbind(
    "in bag, with repeats" = x$in_bag,
    "in bag, distinct" = x$distinct,
    "out of bag" = x$out_of_bag,
    "runs per sample" = x$runs_per_sample
  )
  cat(format(x$plan), "\n", sep = "")
  cat(count_of(x$n_runs, "run"), ", ", count_samples(x$n, x$plan$blocks), ", seed ", x$seed,
    "\n\n",
    sep = ""
  )
  print_figures(table)
  cat("\nOut of bag: ", figure(100 * x$oob_share, digits = 3), " % of the samples on average\n",
    "Redraws: ", format_redraws(x$redraws, x$redrawn), "\n",
    "Status: ", format_status(rep(names(x$status), x$status)), "\n",
    "Fingerprint: ", x$fingerprint, "\n",
    sep = ""
  )
  invisible(x)
}

#' @rdname summary.stabilect_resamples
#' @export
as.data.frame.stabilect_resamples <- function(x, row.names = NULL, # nolint: object_name_linter.
                                              optional = FALSE, ...) {
  data.frame(
    run = rep(seq_len(x$n_runs), each = x$n),
    sample = rep(seq_len(x$n), times = x$n_runs),
    count = c(x$counts)
  )
}

count_samples <- function(n, blocks) {
  paste0(
    count_of(n, "sample"), if (!is.null(blocks)) paste(" in", count_of(nlevels(blocks), "block"))
  )
}

format_redraws <- function(redraws, redrawn) {
  if (redraws == 0L) {
    return("no redraws")
  }
  paste0(count_of(redraws, "redraw"), " in ", count_of(redrawn, "run"))
}

format_status <- function(status) {
  failed <- table(status[status != "ok"])
  if (length(failed) == 0L) {
    return("all runs ok")
  }
  paste0(vapply(failed, count_of, "", noun = "run"), " \"", names(failed), "\"", collapse = ", ")
}
