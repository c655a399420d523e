# Signals as a procedure without own runs.

#' @exportS3Method
procedure_of.stabilect_signals <- function(x) { # nolint: object_name_linter.
  # Blocks and groups belong to the samples.
  if (is.null(x$asked$blocks) && !has_role(x, "within")) signal_procedure(x$asked)
}

signal_procedure <- function(asked) {
  new_procedure(
    "signals", asked, NULL, without_runs, read_signals, takes_of("find_signals"), join = NULL,
    least = 5, tied = "names"
  )
}

read_signals <- function(runs, asked, study, record, control) {
  units <- unit_of(study)$signals(study)
  reader <- frequency_reader(NULL, units$study$feature_names)
  signals_of_study(study, units, asked, control$seed, control, reader, record)
}
