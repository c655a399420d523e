# Hints: for values that need a logarithm, as measurements of instruments, whose spread grows with
# their size (given once in a session); and a warning of a column of a file that is no feature.

# Only the verb that the user called gives the hint.
# @param form (string) the expression of the features as a matrix, from what the user gave.
# @param raw (flag) look for raw intensities?
hint_scales <- function(x, response, form = "x", raw = TRUE) {
  raw <- raw && is.matrix(x) && looks_raw(x)
  numbered <- if (is.matrix(x)) columns_of_numbers(x)
  skewed <- outcome_of(response)$is_scale && looks_skewed(response$y)
  if (!(raw || skewed || length(numbered) > 0L) || !is_user_frame(user_frame())) {
    return(invisible())
  }
  if (raw) {
    noise <- if (min(x) < 0) c(i = noise_of(x))
    cli::cli_inform(
      c(i = "{.arg x} looks like raw intensities, up to {figure(max(x), digits = 3)}: on the scale
        of {.code {log_of(x, form, 2)}} a few large values weigh less.", noise),
      class = c("stabilect_message_raw", "stabilect_message"),
      .frequency = "regularly", .frequency_id = "stabilect_message_raw"
    )
  }
  if (length(numbered) > 0L) warn_numbered(x, numbered)
  if (skewed) {
    cli::cli_inform(
      c(i = "{.arg y} is strongly skewed, so that a few samples decide: consider
        {.code {log_of(response$y, 'y')}}."),
      class = c("stabilect_message_skewed", "stabilect_message"),
      .frequency = "regularly", .frequency_id = "stabilect_message_skewed"
    )
  }
}

# Columns that could be numbers of samples, which are no features: in a file sorted by the outcome
# they would be selected. All values are different whole numbers that rise, or fall, with the rows.
# It is only warned of: times and doses may be so by design. Where chance orders so few samples, or
# one of so many columns of whole numbers, and where several columns are so, nothing is said.
# @param x double matrix. @return (integer) columns.
columns_of_numbers <- function(x) {
  n <- nrow(x)
  first <- x[1L, ]
  whole <- which(first == round(first))
  if (length(whole) == 0L) {
    return(whole)
  }
  first <- x[seq_len(min(n, 8L)), whole, drop = FALSE]
  kept <- colSums(first != round(first)) == 0
  whole <- whole[kept]
  steps <- diff(first[, kept, drop = FALSE])
  found <- whole[abs(colSums(sign(steps))) == nrow(steps)]
  found <- found[vapply(found, function(j) numbers_samples(x[, j]), NA)]
  by_chance <- exp(log(2 * length(whole)) - lfactorial(n))
  if (length(found) <= min(2L, ncol(x) - 1L) && by_chance < 0.01) found else integer()
}

numbers_samples <- function(v) {
  steps <- diff(v)
  all(v == round(v)) && (all(steps > 0) || all(steps < 0))
}

warn_numbered <- function(x, columns) {
  warn(
    c("Column {.val {colnames(x)[columns[1]]}} of {.arg x} is a whole number that rises or falls
        with every row: does it number the samples?",
      x = if (length(columns) > 1L) "Column {.val {colnames(x)[columns[2]]}} also.",
      i = "Leave it out, or read the file with {.code row.names = 1}. A time or a dose may stay."
    ),
    class = "numbered"
  )
}

# The logarithm that these values have.
log_of <- function(values, name, base = NULL) {
  fun <- paste0("log", base)
  if (min(values) > 0) {
    sprintf("%s(%s)", fun, name)
  } else if (min(values) == 0) {
    sprintf("%s(%s + 1)", fun, name)
  } else if (is.null(base)) {
    sprintf("rank(%s)", name)
  } else {
    sprintf("%s(pmax(%s, %s))", fun, name, figure(noise_floor(values), digits = 3))
  }
}

# Where noise begins: of a signal of zero, background subtracted, half of the values are below zero,
# and 95 % of these above minus this value.
noise_floor <- function(values) {
  signif(max(1, stats::quantile(-values[values < 0], 0.95, names = FALSE)), 2L)
}

noise_of <- function(x) {
  floor <- noise_floor(x)
  sprintf(
    "Noise begins at about %s: as far do values fall below zero. %s of the values are below it, and
      become equal; another floor gives other features.", figure(floor), as_percent(mean(x < floor))
  )
}

# The features of data in any form as a matrix.
# @param y as the user gave it.
features_form <- function(x, y) {
  if (is.matrix(x)) {
    return("x")
  }
  of_table <- function(table, name, out) {
    text <- !all(vapply(table, is.numeric, NA))
    inner <- if (length(out) > 0L) {
      sprintf("%s[setdiff(names(%s), %s)]", name, name, deparse1(out))
    } else {
      name
    }
    sprintf("as.matrix(%s)", if (text) sprintf("Filter(is.numeric, %s)", inner) else inner)
  }
  if (inherits(x, "formula")) {
    return(of_table(y, "data", all.vars(x[[2L]])))
  }
  if (!is.null(container_kind(x))) {
    return(container_record(x)$values_at(x))
  }
  if (is.data.frame(x)) {
    return(of_table(x, "x", if (is.character(y) && length(y) < nrow(x)) intersect(y, names(x))))
  }
  if (inherits(x, "stabilect_data")) "as.matrix(x$x)" else "as.matrix(x)"
}

# Large positive numbers, few zeros, over two orders of magnitude, mostly skewed features, and a
# standard deviation that grows with the mean. The conditions exclude sparse counts, codes,
# logarithms, and features in units of their own, which are not skewed.
# @param x double matrix, n x p.
looks_raw <- function(x) {
  p <- ncol(x)
  if (p < 20L || nrow(x) < 10L) {
    return(FALSE)
  }
  at <- some_columns_to_look_at(p)
  # Mostly this tells.
  if (max(cpp_facts_of(x, at)$size) < 1000) {
    return(FALSE)
  }
  v <- x[, at, drop = FALSE]
  # Powers overflow beyond 1e100, which no instrument gives.
  if (max(v) < 1000 || max(abs(v)) > 1e100 || mean(v == 0) > 0.3 || mean(v < 0) > 0.4) {
    return(FALSE)
  }
  ends <- stats::quantile(v[v > 0], c(0.05, 0.99), names = FALSE)
  centre <- colMeans(v)
  spread <- apply(v, 2L, stats::sd)
  used <- which(centre > 0 & spread > 0)
  if (length(used) < 20L || ends[2] < 50 * ends[1]) {
    return(FALSE)
  }
  skew <- apply(v[, used, drop = FALSE], 2L, skewness)
  by_mean <- log(centre[used])
  slope <- stats::cov(by_mean, log(spread[used])) / stats::var(by_mean)
  isTRUE(stats::median(skew) > 0.5 && slope > 0.4) &&
    # A floor below which nearly everything lies is no noise of an instrument.
    (min(x) >= 0 || mean(x < noise_floor(x)) < 0.9)
}

# Some tell of all.
some_columns_to_look_at <- function(p) evenly(seq_len(p), 300L)

looks_skewed <- function(y) {
  length(y) >= 20L && max(abs(y)) < 1e100 && stats::sd(y) > 1e-100 && skewness(y) > 2.5
}

skewness <- function(v) {
  d <- v - mean(v)
  mean(d^3) / mean(d^2)^1.5
}
