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
for (lint in found) {
  file <- sub(paste0(normalizePath("."), "/"), "", lint$filename, fixed = TRUE)
  cat(sprintf("%s:%d:%d %s\n", file, lint$line_number, lint$column_number, lint$message))
}
cat(length(found), "lints\n")
quit(status = as.integer(length(found) > 0L))
