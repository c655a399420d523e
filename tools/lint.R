# lintr over every R file of the project, with the rules in .lintr.

# Names with dots that others' generics ask for, and that lintr does not know of: an argument of
# as.data.frame(), methods for generics of packages that are only suggested, and methods of
# outcomes, which NAMESPACE does not list.
is_prescribed <- function(lint) {
  name <- substring(lint$line, lint$column_number)
  lint$linter == "object_name_linter" &&
    grepl("^(row[.]names|[a-zA-Z_.]+[.](stabilect|step_select|outcome)(_| <-))", name)
}

folders <- c("R", "tests", "data-raw", "tools", "bench", "experiments", "inst", "vignettes")
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

# Rooms as DESIGN.md has them: its table allows the calls, its picture shows them. Floors are files
# that call one another in a chain: the fewer, the less a reader must hold.
rooms_are_kept <- function() {
  tools <- new.env()
  sys.source("tools/rooms.R", tools)
  definitions <- tools$read_definitions()
  calls <- tools$read_calls(definitions)
  dispatch <- tools$read_dispatch(definitions)
  allowed <- tools$read_allowed()
  waist <- tools$read_waist()
  exports <- tools$read_exports()
  wrong <- c(tools$judge_rooms(calls, allowed), tools$judge_waist(calls, waist, exports))
  floors <- tools$count_floors(calls)
  public <- intersect(tools$calls_to_kernel(calls, waist$leaves)$to, exports)
  cat("floors of R/:", floors, "\n")
  cat("dispatch:", length(unique(dispatch$generic)), "generics,", nrow(dispatch), "methods\n")
  cat("waist:", length(waist$listed), "functions, and", length(public), "that users call\n")
  lines <- readLines("DESIGN.md")
  if (!identical(lines, tools$with_picture(lines, tools$room_arrows(calls), names(allowed)))) {
    wrong <- c(wrong, "the picture in DESIGN.md is not that of the code: make rooms")
  }
  if (length(wrong) > 0L) cat(paste0("rooms: ", wrong, "\n"), sep = "")
  length(wrong) == 0L
}

# Tests that the documents name are there.
documents_are_true <- function() {
  lines <- unlist(lapply(c("DESIGN.md", list.files("design", full.names = TRUE)), readLines))
  named <- unique(unlist(regmatches(lines, gregexpr("test[-_][a-zA-Z0-9_-]+[.](R|cpp)", lines))))
  there <- c(list.files("tests/testthat"), list.files("tests/cpp"))
  absent <- setdiff(named, there)
  if (length(absent) > 0L) cat("named in a document, but not there:", toString(absent), "\n")
  length(absent) == 0L
}

# Snapshots hold plain letters only: R writes others as codes where the locale has no UTF-8.
snapshots_are_plain <- function() {
  files <- list.files("tests/testthat/_snaps", "[.]md$", recursive = TRUE, full.names = TRUE)
  plain <- vapply(files, function(file) {
    all(charToRaw(paste(readLines(file), collapse = "\n")) < as.raw(128L))
  }, NA)
  if (!all(plain)) cat("letters that not every locale has:", toString(files[!plain]), "\n")
  all(plain)
}

# The speeds that bench/README.md tells are those that were measured last.
speeds_are_measured <- function() {
  tools <- new.env()
  sys.source("tools/readme-table.R", tools)
  lines <- readLines(file.path("bench", "README.md"))
  same <- identical(lines, tools$with_tables(lines))
  if (!same) cat("the tables in bench/README.md are not those of bench/: make readme-table\n")
  same
}

ok <- c(
  length(found) == 0L, cpp_is_formatted(), rooms_are_kept(), documents_are_true(),
  snapshots_are_plain(), speeds_are_measured()
)
quit(status = as.integer(!all(ok)))
