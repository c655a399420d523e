# nolint start: object_name_linter, T_and_F_symbol_linter.
# The checks, draws and balancing of FeaLect 1.20, under their original names. R's sample() is
# called in the same places with the same arguments: the same set.seed() gives the same rows.

#' Checks, subsets and balancing of the R package FeaLect
#'
#' The helper functions of the R package FeaLect 1.20, with its arguments and results, for scripts
#' that call them; see [FeaLect()].
#'
#' @param F_,F (numeric matrix, n samples x p features) features; rows and columns are called 1, 2,
#'   ... without names.
#' @param L_ (n values) labels of the samples, named like the rows of the matrix: 0/1, -1/1,
#'   `FALSE`/`TRUE`, or a factor of two levels, the second being positive.
#' @param maximum.features.num (whole number >= 1) largest number of steps of a path that count.
#' @param gamma (number > 0) size of a random subset relative to n; at most 1 without replacement,
#'   1,000 with.
#' @param persistence (whole number >= 1) number of attempts to draw a subset with both classes.
#' @param minimum.class.size (whole number >= 0) smallest size of a class in a subset, with repeats.
#' @param replace (flag) draw with replacement?
#' @param num.of.values (whole number >= 1) columns with at most this many distinct values are left
#'   out.
#'
#' @details
#' `compute.balanced()` draws samples of the smaller class again, with replacement, until both
#' classes have the same size. If the smaller class is one sample, at position k, R's `sample(k,
#' ...)` draws from the positions 1 to k, of either class. This fault of FeaLect is kept, since any
#' other draw would change every later result.
#'
#' @return
#' `input.check.FeaLect()`: list of `F_` and `L_` with names, `L_` numeric, and
#' `maximum.features.num`, lowered to `gamma` times the number of samples with a warning.
#'
#' `random.subset()`: list of `X_` (the drawn rows, columns that are constant among them left out),
#' `Y_` (their labels) and `remainder.samples` (names of the others).
#'
#' `compute.balanced()`: list of `F_` and `L_` with the rows drawn again added at the end.
#'
#' `ignore.redundant()`: the matrix without those columns.
#' @section Errors:
#' Class `stabilect_error_input` for other labels than above, missing values, lengths that disagree,
#' duplicated names, samples without a label, and a class that is too small in `persistence`
#' subsets.
#' @family FeaLect
#' @examples
#' F <- as.matrix(mcl_sll[, -1])
#' L <- setNames(mcl_sll$MCL, rownames(F))
#' checked <- input.check.FeaLect(F, L, maximum.features.num = 10, gamma = 3 / 4)
#' set.seed(1)
#' subset <- random.subset(checked$F_, checked$L_, gamma = 3 / 4, replace = TRUE)
#' table(compute.balanced(subset$X_, subset$Y_)$L_)
#' dim(ignore.redundant(F))
#' @name input.check.FeaLect
NULL

#' @rdname input.check.FeaLect
#' @export
input.check.FeaLect <- function(F_, L_, maximum.features.num, gamma) {
  check_given()
  check_feature_matrix(F_)
  maximum.features.num <- check_count(maximum.features.num)
  gamma <- check_number(gamma, min = 0)
  L_ <- code_labels(L_, nrow(F_))
  if (is.null(colnames(F_))) colnames(F_) <- seq_len(ncol(F_))
  unnamed <- which(is.na(colnames(F_)))
  colnames(F_)[unnamed] <- paste0("NA", unnamed)
  if (is.null(rownames(F_)) || is.null(names(L_))) {
    rownames(F_) <- names(L_) <- seq_len(nrow(F_))
  }
  check_twice(colnames(F_), "columns")
  check_twice(rownames(F_), "rows")
  most <- gamma * nrow(F_)
  if (maximum.features.num > most) {
    maximum.features.num <- max(1L, as.integer(round(most, 0)))
    warn(
      c("{.arg maximum.features.num} was automatically reduced to {maximum.features.num}, gamma
         times the number of samples.",
        i = "A lasso fit cannot hold more features than samples."
      ),
      class = "limit"
    )
  }
  check_label_names(rownames(F_), names(L_))
  list(F_ = F_, L_ = L_, maximum.features.num = maximum.features.num)
}

check_table <- function(F_) {
  refuse(length(dim(F_)) != 2L, "{.arg F} must be a numeric matrix, not {describe_value(F_)}.")
}

check_feature_matrix <- function(F_) {
  refuse(!is.matrix(F_) || !(is.numeric(F_) || is.logical(F_)),
    c("{.arg F} must be a numeric matrix, not {describe_value(F_)}.",
      i = "{.code as.matrix(F)} makes one of a data frame of numbers."
    )
  )
  refuse(nrow(F_) < 3L || ncol(F_) < 1L,
    "{.arg F} must have at least 3 rows and 1 column, not {nrow(F_)} x {ncol(F_)}."
  )
  if (is.finite(sum(F_)) || all(is.finite(F_))) {
    return(invisible(F_))
  }
  bad <- which(!is.finite(F_), arr.ind = TRUE)[1, ]
  abort(
    c("{.arg F} has {figure(F_[bad[1], bad[2]])} at row {bad[1]}, column {bad[2]}.",
      i = "Remove or impute missing and infinite values first."
    )
  )
}

# Labels as FeaLect uses them: numbers, the positive class >= 1. Names stay. read_response()
# differs: it takes more (text, levels without samples, any numbers), codes -1 and 1 where FeaLect
# keeps 0 and 1, and its errors name `x` and `y`.
code_labels <- function(L_, n) {
  refuse(!is.null(dim(L_)) || !(is.numeric(L_) || is.logical(L_) || is.factor(L_)),
    c("{.arg L} must hold 0 and 1 (or -1 and 1, logical values, a factor of two levels), not be
       {describe_value(L_)}.",
      i = "Labels in words: {.code factor(L, levels = c(\"negative\", \"positive\"))}."
    )
  )
  refuse(length(L_) != n,
    "{.arg L} has {length(L_)} value{?s}, but {.arg F} has {n} row{?s}; they should be the
      same."
  )
  refuse_blank(L_, "{.arg L}")
  refuse(anyNA(L_), "{.arg L} has a missing value at position {which(is.na(L_))[1]}.")
  values <- if (is.factor(L_)) levels(L_) else sort(unique(as.double(L_)))
  usable <- if (is.factor(L_)) {
    length(values) == 2L && length(unique(L_)) == 2L
  } else {
    identical(values, c(0, 1)) || identical(values, c(-1, 1))
  }
  refuse(!usable,
    c("{.arg L} must have two classes, coded 0 and 1, or -1 and 1; it holds {.val {values}}.",
      i = "{.code as.numeric(L == \"positive\")} sets one class against the rest."
    )
  )
  stats::setNames(if (is.factor(L_)) as.integer(L_) - 1 else as.double(L_), names(L_))
}

check_twice <- function(labels, what) {
  again <- anyDuplicated(labels)
  refuse(again > 0L, c("Two {what} of {.arg F} are called {.val {labels[again]}}.",
    i = "Make names unique, for example with {.fn make.unique}."
  ))
}

check_label_names <- function(samples, labelled) {
  if (identical(samples, labelled)) {
    return(invisible())
  }
  at <- which(!(samples == labelled) %in% TRUE)[1]
  warn(
    c("The names of {.arg L} should be the row names of {.arg F}: number {at} is
       {.val {labelled[at]}}, the row {.val {samples[at]}}.",
      i = "Labels are taken by name, not by position."
    ),
    class = "names"
  )
  refuse_at(setdiff(samples, labelled),
    "{.arg L} has no label called {.val {at}}, a row of {.arg F}."
  )
}

#' @rdname input.check.FeaLect
#' @export
random.subset <- function(F_, L_, gamma, persistence = 1000, minimum.class.size = 2, replace) {
  check_given()
  check_table(F_)
  gamma <- check_number(gamma, min = 0, max = 1000)
  persistence <- check_count(persistence)
  minimum.class.size <- check_count(minimum.class.size, min = 0)
  replace <- check_flag(replace)
  refuse(is.null(names(L_)) || !is.atomic(L_),
    "{.arg L} must be labels that are named as the rows of {.arg F}, not {describe_value(L_)}."
  )
  labels <- L_[rownames(F_)]
  coded <- code_labels(labels, nrow(F_))
  drawn <- draw_rows(coded, gamma, persistence, minimum.class.size, replace)
  list(
    X_ = ignore.redundant(F_[drawn, , drop = FALSE]), Y_ = labels[drawn],
    remainder.samples = rownames(F_)[-unique(drawn)]
  )
}

draw_rows <- function(labels, gamma, persistence, minimum.class.size, replace) {
  n <- length(labels)
  for (try in seq_len(persistence)) {
    drawn <- sample(seq_len(n), gamma * n, replace = replace)
    positive <- sum(labels[drawn] >= 1)
    if (min(positive, length(drawn) - positive) >= minimum.class.size) {
      return(drawn)
    }
  }
  abort(
    c("Not enough variation in the labels: {persistence} subsets of {floor(gamma * n)} of {n}
       samples had fewer than {minimum.class.size} of one class.",
      i = "There are {sum(labels >= 1)} positive and {sum(labels < 1)} negative labels; raise
        {.arg gamma} or {.arg persistence}, or lower {.arg minimum.class.size}."
    )
  )
}

#' @rdname input.check.FeaLect
#' @export
compute.balanced <- function(F_, L_) {
  check_given()
  check_table(F_)
  again <- draw_balance(code_labels(L_, nrow(F_)))
  list(F_ = rbind(F_, F_[again, , drop = FALSE]), L_ = c(L_, L_[again]))
}

# Positions to repeat. sample() on a single position is the fault described in ?compute.balanced.
draw_balance <- function(labels) {
  positive <- which(labels >= 1)
  negative <- which(labels < 1)
  missing <- length(negative) - length(positive)
  sample(if (missing >= 0) positive else negative, abs(missing), replace = TRUE)
}

#' @rdname input.check.FeaLect
#' @export
ignore.redundant <- function(F, num.of.values = 1) {
  check_given()
  check_table(F)
  num.of.values <- check_number(num.of.values, min = 0)
  distinct <- apply(F, 2L, function(column) length(unique(column)))
  as.matrix(F[, distinct > num.of.values, drop = FALSE])
}

# nolint end
