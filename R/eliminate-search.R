# Searches for the best number of features. A search only requests scores of sizes; it does not know
# what is scored, or how.

#' Search strategies for the number of features
#'
#' A search decides which numbers of features (sizes) [eliminate_features()] evaluates, and in which
#' order. `search_sizes()` takes given sizes. `search_peak()` has the two searches of Brzezinski
#' (2020), Fibonacci search and k-subsecting. They need \eqn{O(\log p)} of the p sizes.
#'
#' @param sizes (whole numbers >= 1, or `NULL`) sizes to evaluate; sizes above p are left out.
#' @param step (whole number >= 1, number in (0, 1), or `NULL`) instead of `sizes`: number of
#'   features dropped at a time, or their share of the remaining features, rounded down but at least
#'   one. `step = 1` eliminates one by one.
#' @param n_sizes (whole number >= 2, or `NULL`) instead of `sizes`: number of sizes, evenly spaced
#'   from p to 1.
#' @param k (whole number >= 3, or `NULL`) number of parts into which k-subsecting cuts an interval;
#'   `NULL` for Fibonacci search.
#' @param max_steps (whole number >= 2, or `Inf`) stop after so many sizes. The field `interval` of
#'   the result then shows which sizes may still be better.
#'
#' @details
#' All searches evaluate all p features first, for the first ranking. No size above p is evaluated,
#' and none twice.
#'
#' **Fibonacci search** (Algorithm 1). Let \eqn{F_n} be the first Fibonacci number above p - 1. Of
#' the two sizes \eqn{1 + F_{n-2}} and \eqn{1 + F_{n-1}} the better one is kept, and the sizes
#' beyond the other are discarded. Then one more size at a time is evaluated. Sizes above p count as
#' worse than all others. When at most three sizes are left, all of them are evaluated.
#'
#' **k-subsecting** (Algorithm 2). An interval is cut in steps of \eqn{\lfloor (\mathrm{upper} -
#' \mathrm{lower}) / k \rfloor}, at least 1. The next interval extends one step to either side of
#' the best size of this pass, until the step is 1. It takes more sizes and finds more if scores
#' have several peaks. k is at least 3 (the paper has 3, 5 and 10): with k = 2, the interval around
#' the best size would be cut into the same two steps again, and the search would walk through most
#' sizes.
#'
#' Suppose that the ranking of the features does not change during the elimination. Suppose further
#' that scores rise up to a peak (one or more sizes with the best score) and fall after it. Then
#' both searches find the result of eliminating one by one, for either rule on ties. Equal scores
#' away from the peak can mislead any search that does not evaluate all sizes. In all other cases
#' the best evaluated size is taken.
#' @return An object of class `stabilect_search`: a list with `name`, `label` (strings), `params`
#'   (list), `max_steps` and `run` (function, internal).
#' @section Errors:
#' Class `stabilect_error_input` for arguments out of range.
#' @references Brzezinski D (2020). Fibonacci and k-subsecting recursive feature elimination.
#'   *arXiv* 2007.14920.
#' @family elimination
#' @concept FRFE
#' @concept Fibonacci recursive feature elimination
#' @concept SRFE
#' @concept k-SRFE
#' @concept k-subsecting
#' @concept subsecting
#' @examples
#' search_peak()
#' search_peak(k = 5)
#' search_sizes(step = 0.2)
#' @name search
NULL

# @param run function(p, ask, tie): may ask for scores of sizes in 1..p any number of times. Its
#   return value is ignored: the best of all requested sizes is taken.
new_search <- function(name, label, params, run, max_steps = Inf) {
  one_object(of_class("stabilect_search",
    name = name, label = label, params = params, max_steps = max_steps, run = run,
    key = new_key(name, c(params, max_steps = max_steps))
  ))
}

check_search <- function(search) {
  refuse(!inherits(search, "stabilect_search"),
    "{.arg search} must be made by a {.code search_*()} function, such as
      {.code search_peak()}, not be {describe_value(search)}."
  )
  invisible(search)
}

check_max_steps <- function(max_steps) {
  if (identical(max_steps, Inf)) Inf else check_count(max_steps, min = 2)
}

# A search with given sizes.
sweep_search <- function(name, label, params, sizes_for, max_steps = Inf) {
  new_search(name, label, params, function(p, ask, tie) ask(sizes_for(p)), max_steps)
}

#' @rdname search
#' @export
search_sizes <- function(sizes = NULL, step = NULL, n_sizes = NULL) {
  given <- !vapply(list(sizes, step, n_sizes), is.null, NA)
  refuse(sum(given) != 1L,
    "Give one of {.arg sizes}, {.arg step} and {.arg n_sizes}, not {sum(given)} of them."
  )
  if (!is.null(step)) {
    return(step_search(step))
  }
  if (!is.null(n_sizes)) {
    n_sizes <- check_count(n_sizes, min = 2)
    return(sweep_search("uniform", paste(n_sizes, "sizes"), list(n_sizes = n_sizes), function(p) {
      unique(round(seq(p, 1, length.out = n_sizes)))
    }))
  }
  refuse(!is.numeric(sizes) || length(sizes) == 0L,
    "{.arg sizes} must be whole numbers >= 1, not {describe_value(sizes)}."
  )
  sizes <- vapply(sizes, check_count, 0L, name = "sizes")
  sizes <- sort(unique(sizes), decreasing = TRUE)
  sweep_search("sizes", paste(length(sizes), "given sizes"), list(sizes = sizes), function(p) {
    c(p, sizes[sizes < p])
  })
}

step_search <- function(step) {
  is_share <- checkmate::test_number(step) && step > 0 && step < 1
  if (!is_share) step <- check_count(step)
  label <- if (is_share) paste(figure(100 * step), "% at a time") else paste(step, "at a time")
  sweep_search("steps", label, list(step = step), function(p) {
    if (!is_share) {
      return(unique(c(seq(p, 1L, by = -step), 1L)))
    }
    sizes <- p
    while (sizes[length(sizes)] > 1) {
      left <- sizes[length(sizes)]
      sizes <- c(sizes, left - max(1, floor(step * left)))
    }
    sizes
  })
}

# The search, and after it the largest size that may be chosen.
with_largest <- function(search, largest) {
  if (is.null(largest)) {
    return(search)
  }
  run <- search$run
  new_search(
    search$name, search$label, c(search$params, largest = largest),
    function(p, ask, tie) {
      run(p, ask, tie)
      ask(min(largest, p))
    }, search$max_steps
  )
}

#' @rdname search
#' @export
search_peak <- function(k = NULL, max_steps = Inf) {
  max_steps <- check_max_steps(max_steps)
  if (is.null(k)) {
    return(new_search("fibonacci", "Fibonacci search", list(), run_fibonacci, max_steps))
  }
  k <- check_count(k)
  refuse(k < 3L, c("{.arg k} must be at least 3, not {k}.",
    i = "Two parts are the two steps around the best size, which the search would not narrow.",
    i = "{.code search_peak()} asks for the fewest sizes."
  ))
  new_search(
    "subsect", sprintf("%d-subsecting", k), list(k = k),
    function(p, ask, tie) run_subsect(p, ask, tie, k), max_steps
  )
}

#' @rdname search
#' @inheritParams arguments
#' @param x (object of class `stabilect_search`) search to print.
#' @export
print.stabilect_search <- function(x, ...) {
  stop_at <- if (is.finite(x$max_steps)) sprintf(", at most %d sizes", x$max_steps) else ""
  cat(sprintf("<stabilect_search> %s%s\n", x$label, stop_at))
  invisible(x)
}

run_fibonacci <- function(p, ask, tie) {
  ask(p)
  fib <- c(0, 1)
  while (fib[length(fib)] <= p - 1) fib <- c(fib, sum(utils::tail(fib, 2L)))
  at <- function(n) fib[n + 1L]
  n <- length(fib) - 1L
  lower <- 1
  upper <- lower + at(n)
  # Below n = 4, x1 = x2: all remaining sizes are evaluated.
  while (n > 3L) {
    x <- lower + c(at(n - 2L), at(n - 1L))
    # Sizes above p are worse than all others, whatever the rule on ties.
    right <- all(x <= p) && {
      y <- ask(x)
      is_better(y[2], y[1]) || (tie == "largest" && !is_better(y[1], y[2]))
    }
    if (right) lower <- x[1] else upper <- x[2]
    n <- n - 1L
  }
  ask(seq(lower, min(upper, p)))
}

run_subsect <- function(p, ask, tie, k) {
  lower <- 1
  upper <- p
  step <- max(1, floor((upper - lower) / k))
  while (step > 0) {
    sizes <- unique(c(seq(upper, lower, by = -step), lower))
    best <- best_size(sizes, ask(sizes), tie)
    lower <- max(1, best - step)
    upper <- min(p, best + step)
    cut <- floor((upper - lower) / k)
    step <- if (step > 1 && cut == 0) 1 else min(cut, step - 1)
  }
}

# Means over folds that differ only by rounding are ties.
tie_tolerance <- 1e-10

is_better <- function(a, b) a > b + tie_tolerance * max(1, abs(a), abs(b))

best_size <- function(sizes, scores, tie) {
  top <- max(scores)
  tied <- sizes[!vapply(scores, function(one) is_better(top, one), NA)]
  if (tie == "smallest") min(tied) else max(tied)
}

# The next sizes of a search. The search is repeated from its start on the known scores, up to the
# first unknown one. It can therefore be written as if scores were always available, although
# nothing is fitted while it runs.
# @param value (numeric, p) scores, NA for sizes that have not been evaluated.
# @return (integer, falling) sizes; none when the search is done.
next_sizes <- function(search, value, tie) {
  ask <- function(sizes) {
    known <- value[sizes]
    if (anyNA(known)) signalCondition(new_question(sizes[is.na(known)]))
    known
  }
  tryCatch(
    {
      search$run(length(value), ask, tie)
      integer()
    },
    stabilect_question = function(question) sort(unique(question$sizes), decreasing = TRUE)
  )
}

new_question <- function(sizes) {
  of_class(c("stabilect_question", "condition"), message = "", call = NULL, sizes = sizes)
}

# @param score function(sizes, ...): scores of new sizes, falling.
# @return list(sizes (falling), scores, pass (integer: the request in which a size first occurred),
#   complete (flag)).
run_search <- function(search, p, score, tie, ...) {
  value <- rep(NA_real_, p)
  pass <- integer(p)
  repeat {
    wanted <- next_sizes(search, value, tie)
    sizes <- wanted[seq_len(min(length(wanted), search$max_steps - sum(pass > 0L)))]
    if (length(sizes) == 0L) break
    pass[sizes] <- max(pass) + 1L
    value[sizes] <- score(sizes, ...)
  }
  sizes <- rev(which(pass > 0L))
  list(
    sizes = sizes, scores = value[sizes], pass = pass[sizes], complete = length(wanted) == 0L
  )
}

# Sizes between the neighbours of the best one: with a single peak, the best of all is among them.
# @param largest (number, or NULL) the largest that may be chosen.
promising_sizes <- function(sizes, best, p, largest = NULL) {
  below <- sizes[sizes < best]
  above <- sizes[sizes > best]
  c(
    lower = if (length(below) > 0L) max(below) + 1L else 1L,
    upper = as.integer(min(if (length(above) > 0L) min(above) - 1L else p, largest))
  )
}
