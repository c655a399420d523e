#' Published data sets used in the experiments
#'
#' The experiments and some tests use published data sets that are too large, or not free enough, to
#' come with the package. `experiment_data(name)` reads one of them from a folder.
#' `experiment_data()` lists all of them, with other known sources. [colon_genes] and [mcl_sll] come
#' with the package and need no folder.
#'
#' The environment variable `STABILECT_DATA` names the folder; without it, no set is available. A
#' data set is a file `<name>.rds` that contains a list with at least `x` and `y`. [readRDS()] reads
#' it, so use only files that you trust.
#'
#' @param name (string, or `NULL`) one of the names in `experiment_data()$name`; `NULL` for the list
#'   of all sets.
#'
#' @return With a name, a list with
#'   * `x` (numeric matrix, n samples x p features);
#'   * `y` (factor of length n);
#'   * `name` (string);
#'   * `source` (string) where the data were taken from;
#'   * `reference` (string) the study; `NA` if the file does not say.
#'
#'   Without a name, a data frame with one row for each data set and the columns
#'   * `name` (string);
#'   * `n`, `p`, `classes` (integers);
#'   * `cran_package`, `cran_object` (strings) packages that contain the same study, alternatives
#'     separated by `|`; `NA` if none is known;
#'   * `source` (string);
#'   * `available` (logical) whether the file is in the folder.
#' @section Errors:
#' `stabilect_error_input` if `name` is not in the list. `stabilect_error_data` if the file is
#' missing (the message names other sources) or does not contain a list with `x` and `y`.
#' @family data sets
#' @export
#' @examples
#' sets <- experiment_data()
#' head(sets[c("name", "n", "p", "cran_package", "available")])
#' if (sets$available[sets$name == "sonar"]) {
#'   dim(experiment_data("sonar")$x)
#' }
experiment_data <- function(name = NULL) {
  sets <- read_data_table()
  if (is.null(name)) {
    sets$available <- file.exists(experiment_path(sets$name))
    return(sets)
  }
  name <- check_set_name(name, sets$name)
  path <- experiment_path(name)
  if (!file.exists(path)) {
    abort_no_data(name, Sys.getenv("STABILECT_DATA"), sets[sets$name == name, ])
  }
  set <- readRDS(path)
  refuse(!is.list(set) || is.null(set$x) || is.null(set$y),
    "{.file {path}} does not hold a list with {.field x} and {.field y}.", class = "data"
  )
  info <- sets[sets$name == name, ]
  list(
    x = set$x, y = set$y, name = name,
    source = if (is.null(set$source)) info$source else set$source,
    reference = if (is.null(set$reference)) NA_character_ else set$reference
  )
}

read_data_table <- function() {
  path <- system.file("extdata", "datasets.csv", package = "stabilect", mustWork = TRUE)
  utils::read.csv(path, na.strings = "", encoding = "UTF-8")
}

# Empty without a folder: none is looked for where the user happens to work.
experiment_path <- function(name) {
  folder <- Sys.getenv("STABILECT_DATA")
  if (nzchar(folder)) file.path(folder, paste0(name, ".rds")) else rep("", length(name))
}

check_set_name <- function(name, known) {
  if (checkmate::test_choice(name, known)) {
    return(name)
  }
  abort(
    c("{.arg name} must be the name of one data set, not {describe_value(name)}.",
      i = "The names are in {.code experiment_data()$name}."
    )
  )
}

abort_no_data <- function(name, folder, info) {
  elsewhere <- if (is.na(info$cran_package)) {
    "No CRAN package is known to ship it."
  } else {
    "CRAN: package {info$cran_package}, object {info$cran_object}."
  }
  abort(
    c(if (nzchar(folder)) {
        "The data set {.val {name}} is not in the folder {.file {folder}}."
      } else {
        "The data set {.val {name}} does not come with the package, and no folder is named."
      },
      i = "Name the folder that holds {.file {name}.rds} in the variable {.envvar STABILECT_DATA}.",
      i = elsewhere,
      i = "It was taken from: {info$source}"
    ),
    class = "data"
  )
}
