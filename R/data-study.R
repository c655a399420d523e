# What a verb is given, before check_x() and check_y(): prepared data, formulas, tables with factors
# and Bioconductor containers become x and y here; plain numbers pass untouched.

# @param x,y as the user gave them; `y` may be missing where `x` holds the response.
# @return list(x, y, notes, blocks, coding): `x` for check_x(), `y` for check_y(), `notes`
#   (character) what was done to the data, said in the print of results, `blocks` (n values, or
#   NULL) samples that are resampled together, `coding` (list, or NULL) see code_newdata().
read_input <- function(x, y, call = rlang::caller_env()) {
  rlang::check_required(x, call = call)
  if (inherits(x, "stabilect_data")) {
    return(read_prepared(x, y, missing(y), call))
  }
  if (is.null(container_kind(x)) || !missing(y)) rlang::check_required(y, call = call)
  if (!needs_reading(x, y)) {
    return(list(x = x, y = y, notes = character(), blocks = NULL))
  }
  if (missing(y)) abort_no_outcome(x, call)
  raw <- gather_input(x, y, NULL, NULL, NULL, call)
  coded <- code_table(raw$x, "feature", call)
  list(x = coded$x, y = raw$y, notes = coded$notes, blocks = NULL, coding = coded$coding)
}

# Numbers with the values of a response are for check_x() and check_y() as they are.
needs_reading <- function(x, y) {
  if (is.data.frame(x)) {
    return(!is_plain_table(x) || is_name(y, nrow(x)))
  }
  inherits(x, "formula") || !is.null(container_kind(x))
}

abort_no_outcome <- function(x, call) {
  about <- if (container_kind(x) == "ExpressionSet") "pData" else "colData"
  abort(c("{.arg y} is absent but must be supplied.",
    i = "Name the outcome, a column of {.code {about}(x)}."
  ), call = call)
}

# Prepared data bring their response; one may be given to those that have none.
read_prepared <- function(data, y, no_y, call) {
  if (!no_y && !is.null(data$y)) {
    abort("{.arg x} is prepared data with a response of its own: leave {.arg y} out.", call = call)
  }
  if (no_y && is.null(data$y)) {
    abort(c("{.arg x} is prepared data without a response.",
      i = "Give {.arg y}, here or to {.fn prepare_data}."
    ), call = call)
  }
  list(
    x = data$x, y = if (no_y) data$y else y, notes = data$notes, blocks = data$blocks,
    coding = data$coding
  )
}

# The result of a verb remembers what was done to its data; without notes it stays as it is.
# @param coding (list, or NULL) for results that predict, see code_newdata().
with_input_notes <- function(result, notes, coding = NULL) {
  if (length(notes) == 0L) {
    return(result)
  }
  if (is.list(result$settings)) {
    result$settings$input_notes <- notes
    result$settings$input_coding <- coding
  } else {
    result$input_notes <- notes
    result$input_coding <- coding
  }
  result
}

# For print methods: one line for each note, none for plain input.
print_input_notes <- function(result) {
  notes <- if (is.list(result$settings)) result$settings$input_notes else result$input_notes
  if (length(notes) > 0L) cat(paste0("input: ", notes, "\n"), sep = "")
}
