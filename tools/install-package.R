# Installs the package from this folder into a library, when it is not there already from the same
# files. Rscript tools/install-package.R [library]; by default the first of the user's libraries
# that can be written to, so that library(stabilect) works afterwards.

source_digest <- function() {
  folders <- c("R", "src", "inst", "data", "man")
  files <- c("DESCRIPTION", "NAMESPACE", list.files(folders, recursive = TRUE, full.names = TRUE))
  files <- sort(files[!grepl("[.](o|so|dll)$", files)], method = "radix")
  listing <- tempfile()
  writeLines(c(R.version.string, paste(files, tools::md5sum(files))), listing)
  unname(tools::md5sum(listing))
}

installed_build <- function(library) {
  if (!dir.exists(file.path(library, "stabilect"))) {
    return("none")
  }
  as.character(utils::packageDescription("stabilect", library, fields = "Built"))
}

user_library <- function() {
  writable <- .libPaths()[file.access(.libPaths(), 2L) == 0L]
  if (length(writable) > 0L) {
    return(writable[1])
  }
  strsplit(Sys.getenv("R_LIBS_USER"), .Platform$path.sep, fixed = TRUE)[[1]][1]
}

install <- function(library) {
  dir.create(library, recursive = TRUE, showWarnings = FALSE)
  library <- normalizePath(library)
  # What was installed last, by library: source files, and the moment R stamped on the result.
  record <- file.path(".build", paste0("installed-", gsub("[^A-Za-z0-9]+", "-", library)))
  digest <- source_digest()
  if (file.exists(record) && identical(readLines(record), c(digest, installed_build(library)))) {
    message("stabilect is installed from these files in ", library, ": nothing to do.")
    return(invisible())
  }
  message("Installing stabilect into ", library, " (compiling takes a minute or two)")
  Sys.setenv(MAKEFLAGS = paste0("-j", Sys.getenv("JOBS", "2")))
  # Objects of an earlier build are not reused: make does not know which headers they came from.
  arguments <- c("CMD", "INSTALL", "--preclean", "--clean", "-l", library, ".")
  dir.create(".build", showWarnings = FALSE)
  log <- file.path(".build", "install.log")
  r_program <- file.path(R.home("bin"), "R")
  if (system2(r_program, shQuote(arguments), stdout = log, stderr = log) != 0L) {
    cat(readLines(log), sep = "\n")
    stop("R CMD INSTALL failed; its words are above.", call. = FALSE)
  }
  writeLines(c(digest, installed_build(library)), record)
}

given <- commandArgs(trailingOnly = TRUE)
install(if (length(given) > 0L) given[1] else user_library())
