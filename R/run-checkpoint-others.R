# Other processes at a checkpoint: removes their leftovers and lets only one process work at a time.

# Suffix of files that belong to a running process: only its own machine knows whether it lives.
this_process <- function() paste0("-", gsub("[^A-Za-z0-9]", "", Sys.info()[["nodename"]]), "-")

# Files of this machine's processes beside the checkpoint: unfinished files (".part") and marks of
# working processes (".work").
# @return (data frame) path, process (integer).
files_of_processes <- function(file, ending = c("part", "work")) {
  start <- paste0(basename(file), this_process())
  names <- list.files(dirname(file), all.files = TRUE)
  names <- names[startsWith(names, start)]
  rest <- substring(names, nchar(start) + 1L)
  pattern <- paste0("^([0-9]{1,9})[.](", paste(ending, collapse = "|"), ")$")
  ours <- grepl(pattern, rest)
  data.frame(
    path = file.path(dirname(file), names[ours]),
    process = as.integer(sub(pattern, "\\1", rest[ours]))
  )
}

# Files of killed processes.
remove_left_over <- function(file) {
  # On other systems, asking for a process would end it.
  if (.Platform$OS.type != "unix") {
    return(invisible())
  }
  found <- files_of_processes(file)
  dead <- !mapply(process_lives, found$process, file.mtime(found$path))
  unlink(found$path[as.logical(dead)])
}

# Does the process that made a file at `since` still live? Not if it has ended but is not yet
# collected, nor if its number now belongs to another process.
process_lives <- function(process, since) {
  if (process == Sys.getpid()) {
    return(TRUE)
  }
  if (!tools::pskill(process, 0L)) {
    return(FALSE)
  }
  told <- tryCatch(
    suppressWarnings(
      system2("ps", c("-o", "stat=", "-o", "etime=", "-p", process), stdout = TRUE, stderr = FALSE)
    ),
    error = function(e) character()
  )
  told <- strsplit(trimws(told), " +")
  # Without an answer, the process counts as living.
  if (length(told) != 1L || length(told[[1]]) != 2L) {
    return(TRUE)
  }
  age <- elapsed_seconds(told[[1]][2])
  since <- as.numeric(Sys.time()) - as.numeric(since)
  !startsWith(told[[1]][1], "Z") && !isTRUE(age < since - 5)
}

# @param text "[[days-]hours:]minutes:seconds".
elapsed_seconds <- function(text) {
  parts <- suppressWarnings(as.numeric(rev(strsplit(text, "[-:]")[[1]])))
  sum(parts * c(1, 60, 3600, 86400)[seq_along(parts)])
}

# A mark that this process works on the checkpoint, unless another process does; of two that begin
# together, the first continues.
# @return (string, or NULL) name of the mark, to be removed at the end.
claim_checkpoint <- function(file) {
  if (.Platform$OS.type != "unix") {
    return(NULL)
  }
  mark <- paste0(file, this_process(), Sys.getpid(), ".work")
  file.create(mark, showWarnings = FALSE)
  others <- files_of_processes(file, "work")
  others <- others[others$process != Sys.getpid(), ]
  since <- file.mtime(others$path)
  first <- which(since <= file.mtime(mark))[1]
  if (!is.na(first)) {
    unlink(mark)
    process <- others$process[first]
    began <- figure(since[first], "%Y-%m-%d %H:%M:%S")
    abort(
      c("Process {process} has been working on {.file {file}} ({.arg checkpoint}) since {began}.",
        i = "Wait until it has ended and repeat the call, or choose another name."
      ),
      class = "checkpoint"
    )
  }
  mark
}
