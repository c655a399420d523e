# Stores finished chunks of runs in a file: a killed call continues where it stopped.
#
# The file has a line with the format, the header (what decides the results), and the parts (chunks
# of runs) in the order of their completion. Header and parts each have a length and a checksum. A
# part's checksum includes the header's, which keeps parts of two files apart. Another checksum is
# another format.

checkpoint_format <- charToRaw("stabilect checkpoint 3\n")

# An existing file is read after a check that it belongs to this call; each new chunk is written at
# once.
# @param identity list(data, resamples, settings, seed): all that decides the results. Rules are
#   replaced by their keys, see hash_identity().
# @param n_runs (integer) maximal number of runs.
open_checkpoint <- function(file, identity, n_runs) {
  file <- check_checkpoint(file)
  header <- c(
    lapply(identity[c("data", "resamples")], hash_plain),
    list(settings = hash_identity(identity$settings), seed = as.integer(identity$seed)),
    list(version = as.character(utils::packageVersion("stabilect")))
  )
  parts <- list()
  if (file.exists(file)) {
    parts <- read_checkpoint(file, n_runs, header)$parts
  }
  remove_left_over(file)
  # A file that cannot be written must fail before the first chunk is computed.
  unlink(write_beside(file, checkpoint_bytes(header, list()), NULL))
  mark <- claim_checkpoint(file)
  list(
    parts = function() parts,
    add = function(part) {
      parts <<- c(parts, list(part))
      write_checkpoint(file, header, parts)
    },
    close = function() unlink(mark)
  )
}

# One file per selector of an ensemble, or per path of an elimination; NULL without a file.
numbered_file <- function(file, index) {
  if (is.null(file) || index == 1L) file else paste0(file, "-", index)
}

check_checkpoint <- function(file) {
  refuse(!checkmate::test_string(file, min.chars = 1L),
    "{.arg checkpoint} must be the name of a file, or NULL, not {describe_value(file)}."
  )
  refuse(dir.exists(file) || !dir.exists(dirname(file)),
    "{.arg checkpoint} must be a file in a folder that exists, not {.file {file}}."
  )
  if (!file.exists(file) && Sys.readlink(file) %in% c("", NA)) {
    return(file)
  }
  # The target of a link: renaming must not replace the link.
  tryCatch(normalizePath(file, mustWork = TRUE), error = function(e) {
    abort("{.arg checkpoint} must not be a link to a file that is gone, as {.file {file}} is.")
  })
}

# @param header what the stored header must be, or NULL.
# @return list(header, parts (list of list(index (integer, rising), value))).
read_checkpoint <- function(file, n_runs, header = NULL) {
  from <- file(file, "rb")
  on.exit(close(from))
  refuse_format(readBin(from, "raw", length(checkpoint_format)), file)
  # Only what the checksums show is called damage.
  tryCatch(
    {
      first <- read_header(from, file.size(file))
      if (!is.null(header)) compare_checkpoint(first$value, header, file)
      list(header = first$value, parts = read_parts(from, file.size(file), n_runs, first$checksum))
    },
    stabilect_error = function(e) rlang::cnd_signal(e),
    stabilect_damage = function(e) {
      abort(
        c("{.file {file}} ({.arg checkpoint}) is damaged.",
          i = "Delete it, or choose another name; nothing has been changed in the file."
        ),
        class = "checkpoint"
      )
    },
    error = function(e) {
      why <- conditionMessage(e)
      abort(
        c("{.file {file}} ({.arg checkpoint}) could not be read: {why}.",
          i = "Nothing has been changed in the file."
        ),
        class = "checkpoint"
      )
    }
  )
}

# @param found (raw) the first bytes of the file.
refuse_format <- function(found, file) {
  name <- charToRaw("stabilect checkpoint ")
  refuse(!identical(found[seq_along(name)], name),
    c("{.file {file}} ({.arg checkpoint}) exists, but is not a checkpoint of this package.",
      i = "Choose another name; nothing has been changed in the file."
    ),
    class = "checkpoint"
  )
  refuse(!identical(found, checkpoint_format),
    c("{.file {file}} ({.arg checkpoint}) has the format of another version of stabilect.",
      i = "Go on with that version, or choose another name; nothing has been changed in the file."
    ),
    class = "checkpoint"
  )
}

damaged <- function() stop(errorCondition("damaged", class = "stabilect_damage"))

read_header <- function(from, file_size) {
  header <- read_section(from, file_size, "")
  if (!is.list(header$value) || is.null(names(header$value))) damaged()
  header
}

# @param within (string) checksum of the header.
read_parts <- function(from, file_size, n_runs, within) {
  parts <- list()
  known <- integer()
  while (!is.null(section <- read_section(from, file_size, within))) {
    part <- section$value
    if (!is_part(part, n_runs)) damaged()
    # Two processes may have written to one file.
    if (any(part$index %in% known)) next
    known <- c(known, part$index)
    parts <- c(parts, list(part))
  }
  parts
}

is_part <- function(part, n_runs) {
  is.list(part) && identical(names(part), c("index", "value")) &&
    !is.null(part$value) &&
    checkmate::test_integer(part$index, 1L, n_runs, any.missing = FALSE, min.len = 1L) &&
    !is.unsorted(part$index, strictly = TRUE)
}

# @param within (string) checksum of the header; "" for the header itself.
# @return list(value, checksum); NULL at the end of the file.
read_section <- function(from, file_size, within) {
  size <- readBin(from, "double", 1L, endian = "little")
  if (length(size) == 0L && nzchar(within)) {
    return(NULL)
  }
  if (!isTRUE(size > 0 && size <= file_size)) damaged()
  checksum <- rawToChar(readBin(from, "raw", 32L))
  bytes <- readBin(from, "raw", size)
  if (length(bytes) < size || checksum != section_checksum(bytes, within)) damaged()
  list(value = bytes_to_value(bytes), checksum = checksum)
}

section_checksum <- function(bytes, within) hash_plain(list(within, bytes))

section_bytes <- function(value, within) {
  bytes <- value_to_bytes(value)
  checksum <- section_checksum(bytes, within)
  c(number_bytes(as.double(length(bytes))), charToRaw(checksum), bytes)
}

# A file as bytes; without the header, only parts to be appended.
checkpoint_bytes <- function(header, parts, whole = TRUE) {
  within <- section_checksum(value_to_bytes(header), "")
  c(
    if (whole) c(checkpoint_format, section_bytes(header, "")),
    unlist(lapply(parts, section_bytes, within))
  )
}

compare_checkpoint <- function(stored, header, file) {
  reasons <- c(
    version = "another version of stabilect", data = "other data ({.arg x} or {.arg y})",
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
      class = "checkpoint"
    )
  }
}

# The new file is written beside the old one and renamed in one step: a complete file exists
# whenever the process dies.
# @param parts (list) all parts, the new one last.
write_checkpoint <- function(file, header, parts) {
  old <- if (file.exists(file)) file
  new <- if (is.null(old)) parts else parts[length(parts)]
  beside <- write_beside(file, checkpoint_bytes(header, new, is.null(old)), old)
  if (!file.rename(beside, file)) {
    unlink(beside)
    abort_not_written(file)
  }
}

# @param old (string, or NULL) file to be copied first.
# @return name of the written file; nothing is left behind after a failure.
write_beside <- function(file, bytes, old) {
  beside <- paste0(file, this_process(), Sys.getpid(), ".part")
  written <- tryCatch(
    {
      # Another process may replace the old file meanwhile: the copy is one of the two versions.
      sizes <- if (is.null(old)) 0 else file.size(old)
      if (!is.null(old)) {
        file.copy(old, beside, overwrite = TRUE)
        sizes <- c(sizes, file.size(old))
      }
      to <- file(beside, if (is.null(old)) "wb" else "ab")
      tryCatch(writeBin(bytes, to), finally = close(to))
      # A full disk may be noticed only here.
      file.size(beside) %in% (length(bytes) + sizes)
    },
    error = function(e) FALSE, warning = function(w) FALSE,
    interrupt = function(e) {
      unlink(beside)
      rlang::interrupt()
    }
  )
  if (!isTRUE(written)) {
    unlink(beside)
    abort_not_written(file)
  }
  beside
}

abort_not_written <- function(file) {
  abort(
    c("{.file {file}} ({.arg checkpoint}) could not be written.",
      i = "Is the folder writable, the disk full, or the name too long?"
    ),
    class = "checkpoint"
  )
}
