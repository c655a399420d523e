#' Tables of a report as one workbook or csv files
#'
#' Writes the tables of [write_report()] in full, for the supplement of a paper: all features with
#' their effects, the tables of further results, the coefficients of the model, the checklist, and
#' what each column means. The call is that of [write_report()] with another name.
#'
#' **Excel** changes names when it opens csv files: `SEPT2` and `MARCH1` become dates, and long
#' numbers lose digits. It leaves the cells of a workbook as they are: give others the `.xlsx` file,
#' or let them import csv files with all columns as text.
#'
#' Values of single samples are not written, nor their predictions.
#' @inheritParams write_report
#' @param file (string) path of the workbook, ending in `.xlsx`, which needs the package openxlsx;
#'   or a folder for csv files, one per table (UTF-8, decimal points), which is made if need be.
#'   Existing files of these names are replaced.
#' @return The paths of the files, invisibly. The tables are
#' * `about`: data, lists, cautions, methods, references and the script;
#' * `features`: all features, with all columns of the result and, if `x` and `y` are given, the
#'   effects; numbers have all their digits;
#' * `model`: the coefficients, if the result has a model;
#' * one or more for each further result, under its name;
#' * `checklist`: items of TRIPOD+AI and REMARK, what the results say to them, and what is left to
#'   the authors, see [write_report()];
#' * `columns`: what the columns mean.
#' @section Errors:
#' Class `stabilect_error_input` as for [write_report()], for a `file` that cannot be written or
#' whose parent folder does not exist, and for more features than a workbook has rows (1,048,575).
#' @concept supplementary material
#' @concept export
#' @concept Excel
#' @family evidence
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))
#' fit <- fealect(x, y, n_runs = 50, seed = 1)
#' files <- write_tables(fit, file.path(tempdir(), "supplement"), x = x, y = y)
#' basename(files)
#' utils::read.csv(files[2], nrows = 3)
#' @export
write_tables <- function(fit, file, ..., x = NULL, y = NULL) {
  check_given()
  call <- match.call()
  call[[1]] <- quote(write_tables)
  check_subject(fit)
  as_book <- check_tables_file(file)
  call$file <- basename(file)
  others <- check_further(list(...), fit)
  study <- reported_study(x, y, fit)
  script <- script_of(fit, others, call, parent.frame())
  tables <- without_times(tables_of_report(fit, others, study, script))
  invisible(if (as_book) write_book(tables, file) else write_folder(tables, file))
}

# @return (flag) is it a workbook?
check_tables_file <- function(file) {
  refuse(!rlang::is_string(file) || !nzchar(file),
    "{.arg file} must be one path, not {describe_value(file)}."
  )
  as_book <- grepl("[.]xlsx$", file, ignore.case = TRUE)
  if (as_book) check_package("openxlsx", "workbook")
  refuse(!as_book && grepl("[.](xls|csv|tsv|txt|html?)$", file, ignore.case = TRUE), c(
    "{.arg file} is {.file {basename(file)}}: several tables do not fit into such a file.",
    i = "Take a workbook, {.code file = \"supplement.xlsx\"}, or a folder,
      {.code file = \"supplement\"}."
  ))
  refuse(!dir.exists(dirname(file)),
    "{.arg file} is in a folder that does not exist: {.file {dirname(file)}}."
  )
  as_book
}

# @return (named list of data frames).
tables_of_report <- function(fit, others, study, script) {
  features <- if ("feature" %in% names(fit$table)) features_of_tables(fit, study)
  further <- do.call(c, unname(Map(tables_of_result, others, names(others))))
  tables <- c(
    list(About = about_of_tables(fit, others, study, script)),
    if (is.null(features)) tables_of_result(fit, "Result") else list(Features = features$table),
    if (!is.null(model_of_report(fit))) list(Model = as.data.frame(fit$model)), further
  )
  tables$Checklist <- checklist_of(fit, others, study)
  tables <- lapply(tables, plain_columns)
  tables$Columns <- meanings_of_tables(tables, features$meanings)
  names(tables) <- names_of_sheets(names(tables))
  tables
}

# All columns of the result, with the place in the list first.
features_of_tables <- function(fit, study) {
  whole <- whole_table(fit, study)
  first <- c("rank", "feature", whole$direction, whole$effect)
  table <- whole$table
  list(
    table = table[c(first, setdiff(names(table), first))],
    meanings = c(column_meanings, direction_meanings, whole$meanings)
  )
}

about_of_tables <- function(fit, others, study, script) {
  facts <- facts_of(fit)
  methods <- methods_of(fit, study, others)
  verdict <- vapply(facts$verdict, join_lines, "")
  text <- c(
    Title = check_title(NULL, fit), Data = describe_study(fit$study),
    Summary = paste(story_of(fit, others), collapse = " "), verdict,
    Methods = methods$paragraph,
    stats::setNames(c(methods$references, cited_checklists), rep("Reference", length(
      c(methods$references, cited_checklists)
    ))),
    Script = paste(script, collapse = "\n")
  )
  running <- names(text) != "Script"
  text[running] <- gsub("[ \t\n]+", " ", text[running])
  data.frame(item = names(text), text = unname(text))
}

# The tables of a further result; those of single samples stay where they are.
tables_of_result <- function(x, name) {
  parts <- Filter(is.data.frame, unclass(x))
  parts <- parts[setdiff(names(parts), c("table", "predictions"))]
  names(parts) <- sprintf("%s %s", name, in_words(names(parts)))
  Filter(function(part) nrow(part) > 0L, c(stats::setNames(list(as.data.frame(x)), name), parts))
}

meanings_of_tables <- function(tables, meanings) {
  meanings <- c(meanings, column_meanings)
  rows <- Map(function(table, name) {
    known <- intersect(names(table), names(meanings))
    data.frame(table = rep(name, length(known)), column = known, meaning = unname(meanings[known]))
  }, tables, names(tables))
  do.call(rbind, unname(rows))
}

# Text and numbers only, as files have them.
plain_columns <- function(table) {
  table[] <- lapply(table, function(column) {
    if (is.list(column)) {
      vapply(column, function(one) toString(one), "")
    } else if (is.factor(column)) {
      as.character(column)
    } else {
      column
    }
  })
  # Columns that are matrices.
  do.call(data.frame, c(as.list(table), list(check.names = FALSE)))
}

# At most 31 letters, none of those that Excel forbids, and distinct whatever their case.
names_of_sheets <- function(names) {
  names <- trimws(gsub("[]*?/\\\\':[[:cntrl:]]+|\\[", " ", names))
  names <- gsub(" +", " ", names)
  names[!nzchar(names)] <- "Table"
  short <- substr(names, 1L, 31L)
  for (k in seq_along(short)) {
    n <- 1L
    while (tolower(short[k]) %in% tolower(short[seq_len(k - 1L)])) {
      n <- n + 1L
      short[k] <- paste0(substr(names[k], 1L, 31L - nchar(n) - 1L), " ", n)
    }
  }
  short
}

write_folder <- function(tables, folder) {
  if (!dir.exists(folder)) dir.create(folder, showWarnings = FALSE)
  names <- gsub("[^a-z0-9]+", "-", tolower(names(tables)))
  files <- file.path(folder, paste0(make.unique(names, "-"), ".csv"))
  done <- tryCatch(
    {
      for (k in seq_along(files)) write_one_csv(tables[[k]], files[k])
      TRUE
    },
    error = function(e) FALSE, warning = function(w) FALSE
  )
  refuse(!done, "{.arg file}: the folder {.file {folder}} cannot be written to.")
  files
}

# RFC 4180 with plain line ends, written as bytes, which no locale converts.
write_one_csv <- function(table, file) {
  quoted <- function(text) paste0("\"", gsub("\"", "\"\"", enc2utf8(text), fixed = TRUE), "\"")
  cells <- lapply(table, function(column) {
    text <- switch(typeof(column),
      character = quoted(column), double = all_digits(column), integer = sprintf("%d", column),
      as.character(column)
    )
    replace(text, is.na(column), "")
  })
  rows <- do.call(paste, c(unname(cells), sep = ","))
  connection <- file(file, "wb")
  on.exit(close(connection))
  writeLines(c(paste(quoted(names(table)), collapse = ","), rows), connection, useBytes = TRUE)
}

# The shortest text of 15 or 17 digits from which R reads the same number.
all_digits <- function(x) {
  text <- sprintf("%.15g", x)
  known <- which(is.finite(x))
  more <- known[as.numeric(text[known]) != x[known]]
  text[more] <- sprintf("%.17g", x[more])
  text
}

write_book <- function(tables, file) {
  rows <- max(vapply(tables, nrow, 0L))
  refuse(rows > most_rows, c(
    "{.arg file}: a workbook has no more than {figure(most_rows, big.mark = \",\")} rows, and there
      are {figure(rows, big.mark = \",\")}.",
    i = "Give a folder for csv files: {.code file = \"supplement\"}."
  ))
  book <- openxlsx::createWorkbook()
  bold <- openxlsx::createStyle(textDecoration = "bold")
  for (name in names(tables)) {
    openxlsx::addWorksheet(book, name)
    openxlsx::writeData(book, name, tables[[name]], headerStyle = bold)
    openxlsx::freezePane(book, name, firstRow = TRUE)
    openxlsx::setColWidths(book, name, seq_along(tables[[name]]), width_of_columns(tables[[name]]))
  }
  # Written beside the file first: half a workbook must not replace a whole one.
  part <- tempfile(".tables-", dirname(file), ".xlsx")
  on.exit(unlink(part))
  done <- tryCatch(
    {
      openxlsx::saveWorkbook(book, part, overwrite = TRUE)
      file.rename(part, file)
    },
    error = function(e) FALSE, warning = function(w) FALSE
  )
  refuse(!done, "{.arg file}: {.file {file}} cannot be written.")
  file
}

# Of a sheet of Excel, without the head.
most_rows <- 1048575L

width_of_columns <- function(table) {
  vapply(names(table), function(name) {
    column <- table[[name]]
    text <- if (is.character(column)) utils::head(column[!is.na(column)], 1000L) else "0.1234567"
    min(max(nchar(c(name, text)) + 2), 60)
  }, 0)
}
