# lintr over every R file of the project, with the rules in .lintr.

# Names with dots that others' generics ask for, and that lintr does not know of: an argument of
# as.data.frame(), and methods for generics of packages that are only suggested.
is_prescribed <- function(lint) {
  name <- substring(lint$line, lint$column_number)
  lint$linter == "object_name_linter" &&
    grepl("^(row[.]names|[a-z_]+[.](stabilect|step_select)_)", name)
}

folders <- c("R", "tests", "data-raw", "tools", "bench", "inst", "vignettes")
found <- do.call(c, lapply(folders[dir.exists(folders)], function(folder) {
  lintr::lint_dir(folder, relative_path = FALSE)
}))
found <- Filter(Negate(is_prescribed), found)

# Names that nothing defines, and values that nothing uses, in R/: read off the installed package.
# What a message of cli takes between braces counts as used.
is_in_message <- function(lint) {
  name <- sub(".*local variable ['\u2018](.*)['\u2019] assigned.*", "\\1", lint$message)
  if (name == lint$message) {
    return(FALSE)
  }
  text <- paste(readLines(lint$filename), collapse = "\n")
  grepl(paste0("\\{([^{}\n]*[^A-Za-z0-9_.{}])?", name, "\\b[^{}\n]*\\}"), text)
}
if (requireNamespace("stabilect", quietly = TRUE)) {
  # It warns of exclusions that are for other linters.
  used <- suppressWarnings(
    lintr::lint_dir("R", linters = lintr::object_usage_linter(), relative_path = FALSE)
  )
  found <- c(found, Filter(Negate(is_in_message), used))
} else {
  cat("stabilect is not installed: the use of names is not checked\n")
}
for (lint in found) {
  file <- sub(paste0(normalizePath("."), "/"), "", lint$filename, fixed = TRUE)
  cat(sprintf("%s:%d:%d %s\n", file, lint$line_number, lint$column_number, lint$message))
}
cat(length(found), "lints\n")

# The layout of the C++ sources is that of clang-format, where it is installed.
cpp_is_formatted <- function() {
  if (!nzchar(Sys.which("clang-format"))) {
    cat("clang-format is not installed: the layout of the C++ sources is not checked\n")
    return(TRUE)
  }
  sources <- c(
    list.files("inst/include", "[.]h$", recursive = TRUE, full.names = TRUE),
    setdiff(list.files("src", "[.](h|cpp)$", full.names = TRUE), "src/RcppExports.cpp"),
    list.files("tests/cpp", "[.](h|cpp)$", full.names = TRUE)
  )
  system2("clang-format", c("--dry-run", "-Werror", shQuote(sources))) == 0L
}

quit(status = as.integer(length(found) > 0L || !cpp_is_formatted()))
