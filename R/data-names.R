# Does a string that the user gave as data name a column or a file?

is_in_file <- function(x) {
  if (inherits(x, "stabilect_columns")) x$in_file else inherits(x, c("FBM", "DelayedArray"))
}

# "a, b, c and 4 more"
list_some <- function(text, n = 5L) {
  rest <- length(text) - n
  shown <- paste(utils::head(text, n), collapse = ", ")
  if (rest > 0L) paste(shown, "and", rest, "more") else shown
}

# A single string for many samples is the name of a column.
is_name <- function(y, n) is.character(y) && is.null(dim(y)) && length(y) == 1L && n != 1L

# The names of a time and an event? Three are of entry, time and event, which are refused by name.
is_name_pair <- function(y, n) {
  is.character(y) && is.null(dim(y)) && length(y) %in% 2:3 && n != length(y)
}

# Sample names; NULL where samples are only numbered, as in most tables.
sample_names <- function(x) {
  if (is.data.frame(x) && .row_names_info(x) <= 0L) NULL else rownames(x)
}
