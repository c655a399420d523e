# Installs the package from this folder into a library, when it is not there already from the same
# files. Rscript tools/install-package.R [library]; by default the first of the user's libraries
# that can be written to, so that library(stabilect) works afterwards. With --vignettes first, the
# pages that vignette() shows are built and installed with it, which takes some minutes.

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

# A source package with vignettes, which R CMD INSTALL does not build from a folder.
built_package <- function() {
  if (!nzchar(Sys.which("pandoc")) && !nzchar(Sys.getenv("RSTUDIO_PANDOC"))) {
    stop("Building vignettes needs pandoc, which is not installed.", call. = FALSE)
  }
  message("Building the vignettes takes some minutes")
  root <- getwd()
  folder <- tempfile()
  dir.create(folder)
  setwd(folder)
  on.exit(setwd(root))
  if (system2(file.path(R.home("bin"), "R"), c("CMD", "build", shQuote(root))) != 0L) {
    stop("R CMD build failed; its words are above.", call. = FALSE)
  }
  list.files(folder, "[.]tar[.]gz$", full.names = TRUE)
}

install <- function(library, with_vignettes = FALSE) {
  dir.create(library, recursive = TRUE, showWarnings = FALSE)
  library <- normalizePath(library)
  # What was installed last, by library: source files, and the moment R stamped on the result.
  record <- file.path(".build", paste0("installed-", gsub("[^A-Za-z0-9]+", "-", library)))
  digest <- source_digest()
  same <- file.exists(record) && identical(readLines(record), c(digest, installed_build(library)))
  if (same && !with_vignettes) {
    message("stabilect is installed from these files in ", library, ": nothing to do.")
    return(invisible())
  }
  Sys.setenv(MAKEFLAGS = paste0("-j", Sys.getenv("JOBS", "2")))
  from <- if (with_vignettes) built_package() else "."
  message("Installing stabilect into ", library, " (compiling takes a minute or two)")
  # Objects of an earlier build are not reused: make does not know which headers they came from.
  arguments <- c("CMD", "INSTALL", "--preclean", "--clean", "-l", library, from)
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
with_vignettes <- "--vignettes" %in% given
library <- setdiff(given, "--vignettes")
install(if (length(library) > 0L) library[1] else user_library(), with_vignettes)
