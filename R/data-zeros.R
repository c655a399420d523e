# Hints, once in a session, of values and columns that programs write: zeros that mean "not measured",
# shares of a whole, and proteins that are decoys or contaminants.

# @param form (string) the expression of the features as a matrix, from what the user gave.
hint_values <- function(x, form = "x") {
  if (is.matrix(x)) {
    hint_absent(x, form)
    hint_shares(x, form)
  }
  hint_decoys(colnames(x))
}

# Programs that write 0 for what was not measured (MaxQuant, iBAQ) leave nothing between 0 and their
# smallest intensities: on the scale of logarithms that is as far from 0 as from the median. Counts,
# codes and 0/1 columns, whose zeros are values, have few different or small values.
# @param x double matrix. @return (number) the share of zeros, or 0 where they may be values.
share_of_absent <- function(x) {
  # Some columns tell.
  v <- x[, unique(round(seq(1, ncol(x), length.out = min(ncol(x), 300L)))), drop = FALSE]
  share <- mean(v == 0)
  if (length(v) < 200L || share < 0.01 || share > 0.9 || min(v) < 0) {
    return(0)
  }
  measured <- v[v > 0]
  if (length(unique(measured)) < length(measured) / 2) {
    return(0)
  }
  if (max(measured) > 64) measured <- log2(measured)
  ends <- stats::quantile(measured, c(0.01, 0.5), names = FALSE)
  if (ends[1] > 4.5 && ends[1] > ends[2] - ends[1]) mean(x == 0) else 0
}

hint_absent <- function(x, form = "x") {
  share <- share_of_absent(x)
  if (share > 0 && is_user_frame(user_frame())) {
    smallest <- figure(min(x[x > 0]), digits = 2)
    matrix_of <- if (form == "x") "" else paste0("x <- ", form, "; ")
    cli::cli_inform(
      c(i = "{as_percent(share)} of the values in {.arg x} are 0, and no other is below {smallest}:
          was 0 written for what was not measured? It counts as a value here.",
        i = "Make it missing with {.code {matrix_of}x[x == 0] <- NA}; then
          {.code prepare_study(x, y, na = \"median\")}."),
      class = c("stabilect_message_absent", "stabilect_message"),
      .frequency = "regularly", .frequency_id = "stabilect_message_absent"
    )
  }
}

# Are all rows shares of one, of 100 % or of a million, as relative abundances are? Indicators of one
# factor are not.
# @return (number) the whole, or 0.
whole_of_rows <- function(x) {
  if (ncol(x) < 5L || nrow(x) < 3L) {
    return(0)
  }
  sums_to <- function(rows) c(1, 100, 1e6)[colSums(abs(outer(rows, c(1, 100, 1e6), "/") - 1) > 1e-3) == 0]
  # The first row mostly tells.
  whole <- sums_to(sum(x[1L, ]))
  is_shares <- length(whole) == 1L && max(x[1L, ]) < 0.999 * whole && min(x) >= 0 &&
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
          Log ratios tell them apart: {.code {matrix_of}x <- log(x{zeros}); x <- x - rowMeans(x)}."),
      class = c("stabilect_message_shares", "stabilect_message"),
      .frequency = "regularly", .frequency_id = "stabilect_message_shares"
    )
  }
}

# As MaxQuant, Spectronaut, FragPipe and DIA-NN mark them.
decoy_names <- "^(REV__|CON__|rev_|DECOY_|decoy_|XXX_|Cont_|contam_)"

hint_decoys <- function(names) {
  found <- names[grepl(decoy_names, names)]
  # A table that has nothing else is about them.
  if (length(found) > 0L && length(found) < length(names) / 2 && is_user_frame(user_frame())) {
    n <- length(found)
    cli::cli_inform(
      c(i = "{n} feature{?s} {?has the name/have names} of {?a decoy or contaminant/decoys or
          contaminants}: {list_some(found)}. {cli::qty(n)}{?It/They} may be selected like any other.",
        i = "Leave {?it/them} out: {.code x[, !grepl(\"{decoy_names}\", colnames(x))]}."),
      class = c("stabilect_message_decoys", "stabilect_message"),
      .frequency = "regularly", .frequency_id = "stabilect_message_decoys"
    )
  }
}
