# Stores finished blocks of runs in a file, so that a killed call continues where it stopped.

# An existing file is read after a check that it belongs to this call; each new block is written at
# once.
# @param identity list(data, resamples, settings, seed): all that decides the results. Rules among
#   the settings stand for their keys, see hash_identity().
open_checkpoint <- function(file, identity, call = rlang::caller_env()) {
  check_checkpoint(file, call)
  header <- c(
    lapply(identity[c("data", "resamples")], rlang::hash),
    list(settings = hash_identity(identity$settings), seed = as.integer(identity$seed)),
    list(version = as.character(utils::packageVersion("stabilect")))
  )
  parts <- list()
  if (file.exists(file)) {
    stored <- read_checkpoint(file, call)
    compare_checkpoint(stored$header, header, file, call)
    parts <- stored$parts
  }
  list(
    parts = function() parts,
    add = function(part) {
      parts <<- c(parts, list(part))
      write_checkpoint(
        list(format = "stabilect checkpoint 1", header = header, parts = parts), file
      )
    }
  )
}

# One file per selector of an ensemble, or per path of an elimination; NULL without a file.
numbered_file <- function(file, index) {
  if (is.null(file) || index == 1L) file else paste0(file, "-", index)
}

check_checkpoint <- function(file, call) {
  if (!checkmate::test_string(file, min.chars = 1L)) {
    abort("{.arg checkpoint} must be the name of a file, or NULL, not {describe_value(file)}.",
      call = call
    )
  }
  if (dir.exists(file) || !dir.exists(dirname(file))) {
    abort("{.arg checkpoint} must be a file in a folder that exists, not {.file {file}}.",
      call = call
    )
  }
}

read_checkpoint <- function(file, call) {
  stored <- tryCatch(readRDS(file), error = function(e) NULL, warning = function(w) NULL)
  if (!is.list(stored) || !identical(stored$format, "stabilect checkpoint 1")) {
    abort(
      c("{.file {file}} ({.arg checkpoint}) is there, but is not a checkpoint of this package.",
        i = "Choose another name; nothing has been changed in the file."
      ),
      class = "checkpoint", call = call
    )
  }
  stored
}

compare_checkpoint <- function(stored, header, file, call) {
  reasons <- c(
    version = "another version of stabilect ({stored$version}; this is {header$version})",
    data = "other data ({.arg x} or {.arg y})",
    seed = "another seed ({stored$seed}, not {header$seed})",
    resamples = "other resamples", settings = "other settings"
  )
  differs <- vapply(names(reasons), function(field) {
    !identical(stored[[field]], header[[field]])
  }, NA)
  if (any(differs)) {
    why <- cli::format_inline(reasons[differs][1])
    abort(
      c("{.file {file}} ({.arg checkpoint}) was made with {why}.",
        i = "Repeat the call that made it to go on, or choose another name."
      ),
      class = "checkpoint", call = call
    )
  }
}

# The new file is written beside the old one and renamed in one step, so that a complete file exists
# whenever the process dies.
write_checkpoint <- function(value, file) {
  beside <- tempfile(paste0(basename(file), "-"), tmpdir = dirname(file))
  saveRDS(value, beside, compress = FALSE)
  if (!file.rename(beside, file)) {
    unlink(beside)
    abort("{.file {file}} ({.arg checkpoint}) could not be written.", class = "checkpoint")
  }
}
