# Hints, once in a session, of values and columns that programs write: zeros that mean "not
# measured", shares of a whole, and proteins that are decoys or contaminants.

# @param form (string) the expression of the features as a matrix, from what the user gave.
# @return (flag, invisibly) were zeros told of? A hint to take logarithms would contradict it.
hint_values <- function(x, form = "x") {
  told <- is.matrix(x) && hint_absent(x)
  if (is.matrix(x)) hint_shares(x, form)
  hint_decoys(colnames(x), form)
  invisible(told)
}

# Programs that write 0 for what was not measured (MaxQuant, iBAQ) leave nothing between 0 and the
# smallest intensity of a protein: on the scale of logarithms that is as far from 0 as from the
# median. Counts, codes and 0/1 columns, whose zeros are values, have few different or small values.
# @param v (numeric) a column.
has_zeros_apart <- function(v) {
  v <- v[!is.na(v)]
  measured <- v[v != 0]
  if (length(measured) %in% c(0L, length(v)) || min(measured) < 0) {
    return(FALSE)
  }
  if (length(unique(measured)) < max(5, length(measured) / 2)) {
    return(FALSE)
  }
  if (max(measured) > 64) measured <- log2(measured)
  lowest <- min(measured)
  lowest > 4.5 && lowest > stats::median(measured) - lowest
}

# Some columns tell. It is said of tables in which most columns that have zeros have them apart.
# @param x double matrix. @return (number) their share among these columns, or 0.
share_of_absent <- function(x) {
  at <- some_columns_to_look_at(ncol(x))
  zeros <- cpp_facts_of(x, at)$zeros
  some <- zeros > 0 & zeros < nrow(x)
  if (sum(some) < 10L) {
    return(0)
  }
  apart <- apply(x[, at[some], drop = FALSE], 2L, has_zeros_apart)
  share <- sum(zeros[some][apart]) / (nrow(x) * length(at))
  if (mean(apart) > 0.5 && share >= 0.01) share else 0
}

hint_absent <- function(x) {
  share <- share_of_absent(x)
  told <- share > 0 && is_user_frame(user_frame())
  if (told) {
    cli::cli_inform(
      c(i = "{as_percent(share)} of the values in {.arg x} are 0, far from all others of their
          features: was 0 written for what was not measured? It counts as a value here.",
        i = "{.code prepare_study(x, y, na = \"impute\", zeros = \"missing\")} takes it for missing,
          {.fn missing_pattern} asks whether presence goes with {.arg y}."),
      class = c("stabilect_message_absent", "stabilect_message"),
      .frequency = "regularly", .frequency_id = "stabilect_message_absent"
    )
  }
  told
}

# @param x matrix or data frame.
# @return list(x, columns (names), note (string, or NULL)): zeros of columns that have them apart
#   are NA.
zeros_as_missing <- function(x) {
  refuse(!is.matrix(x) && !is.data.frame(x), c(
    "{.code zeros = \"missing\"} needs a matrix or data frame in memory, not {describe_value(x)}.",
    i = "Read it with {.fn as.matrix} first."
  ))
  column <- function(j) if (is.data.frame(x)) x[[j]] else x[, j]
  numbers <- which(vapply(seq_len(ncol(x)), function(j) {
    is.numeric(column(j)) && is.null(dim(column(j)))
  }, NA))
  apart <- numbers[vapply(numbers, function(j) has_zeros_apart(column(j)), NA)]
  smallest <- function(j) {
    measured <- column(j)[which(column(j) != 0)]
    if (length(measured) == 0L) Inf else min(measured)
  }
  if (length(apart) > 0L) {
    # Of columns that are mostly zeros few values are left to tell: they go with the others.
    limit <- min(vapply(apart, smallest, 0))
    few <- setdiff(numbers, apart)
    few <- few[vapply(few, function(j) {
      any(column(j) == 0, na.rm = TRUE) && mean(column(j) == 0, na.rm = TRUE) >= 0.5 &&
        smallest(j) >= limit
    }, NA)]
    apart <- sort(c(apart, few))
  }
  n <- 0L
  for (j in apart) {
    at <- which(column(j) == 0)
    n <- n + length(at)
    if (is.data.frame(x)) x[[j]][at] <- NA else x[at, j] <- NA
  }
  list(x = x, columns = colnames(x)[apart], note = if (n > 0L) {
    sprintf(
      "%s zero%s in %s taken for missing values", figure(n, big.mark = ","),
      if (n == 1L) "" else "s", count_of(length(apart), "feature")
    )
  })
}

# Are all rows shares of one, of 100 % or of a million, as relative abundances are? Indicators of
# one factor are not.
# @return (number) the whole, or 0.
whole_of_rows <- function(x) {
  if (ncol(x) < 5L || nrow(x) < 3L) {
    return(0)
  }
  wholes <- c(1, 100, 1e6)
  sums_to <- function(rows) wholes[colSums(abs(outer(rows, wholes, "/") - 1) > 1e-3) == 0]
  # The first row mostly tells.
  first <- x[1L, ]
  whole <- sums_to(sum(first))
  is_shares <- length(whole) == 1L && max(first) < 0.999 * whole && min(x) >= 0 &&
    identical(sums_to(rowSums(x)), whole)
  if (is_shares) whole else 0
}

hint_shares <- function(x, form = "x") {
  whole <- whole_of_rows(x)
  if (whole > 0 && is_user_frame(user_frame())) {
    zeros <- if (any(x == 0)) " + min(x[x > 0]) / 2"
    matrix_of <- if (form == "x") "" else paste0("x <- ", form, "; ")
    cli::cli_inform(
      c(i = "The rows of {.arg x} sum to {figure(whole)}: where one feature rises, the others fall.
          Log ratios tell them apart: {.code {matrix_of}x <- log(x{zeros}); x <- x -
          rowMeans(x)}."),
      class = c("stabilect_message_shares", "stabilect_message"),
      .frequency = "regularly", .frequency_id = "stabilect_message_shares"
    )
  }
}

# As MaxQuant, Spectronaut, FragPipe and DIA-NN mark them, also within a group of proteins.
decoy_names <- "(^|;)(REV__|CON__|rev_|DECOY_|decoy_|XXX_|Cont_|contam_)"

hint_decoys <- function(names, form = "x") {
  # All marks hold this letter, which is found faster.
  found <- names[grepl("_", names, fixed = TRUE)]
  found <- found[grepl(decoy_names, found, perl = TRUE)]
  # A table that has nothing else is about them.
  if (length(found) > 0L && length(found) < length(names) / 2 && is_user_frame(user_frame())) {
    n <- length(found)
    code <- if (form == "x") {
      "x[, !grepl(\"{decoy_names}\", colnames(x))]"
    } else {
      "grepl(\"{decoy_names}\", <names of the features>)"
    }
    cli::cli_inform(
      c(i = "{n} feature{?s} {?has the name/have names} of {?a decoy or contaminant/decoys or
          contaminants}: {list_some(found)}. {cli::qty(n)}{?It/They} may be selected like any
          other.",
        i = paste0(if (form == "x") "Without {cli::qty(n)}{?it/them}: " else "They are found by ",
          "{.code ", code, "}.")),
      class = c("stabilect_message_decoys", "stabilect_message"),
      .frequency = "regularly", .frequency_id = "stabilect_message_decoys"
    )
  }
}
