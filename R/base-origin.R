# What made a result: the version of the package and the user's call, as text. Merging and hashes
# ignore both.

# Arguments that do not affect a result: results with any number of threads, with and without a
# progress bar, are the same.
not_of_call <- c("n_threads", "progress", "checkpoint")

# @param class (string) of the result.
origin_of_result <- function(class) {
  list(
    version = getNamespaceVersion("stabilect")[[1]],
    call = text_of_call(user_call()$call, sub("^stabilect_", "", class[1]))
  )
}

# @param name (string) of the verb, if a call contains the function itself, as in do.call().
text_of_call <- function(call, name) {
  if (is.null(call)) {
    return(NA_character_)
  }
  call <- call[!names_of(call) %in% not_of_call]
  parts <- as.list(call)
  if (is.function(parts[[1]])) parts[[1]] <- as.name(name)
  parts[-1] <- lapply(parts[-1], short_argument)
  # Numbers of a call are written the same in every session.
  old <- options(scipen = 0L, OutDec = ".", digits = 7L)
  on.exit(options(old))
  text <- deparse(as.call(parts), width.cutoff = 500L)
  if (length(text) > 1L) text <- paste(trimws(text), collapse = " ")
  if (nchar(text) > 1000L) paste0(substr(text, 1L, 1000L), " ...") else text
}

names_of <- function(call) if (is.null(names(call))) rep("", length(call)) else names(call)

# Values in the call itself, for example a matrix from do.call(), by their class.
short_argument <- function(x) {
  if (missing(x) || is.language(x) || is.null(x)) {
    return(x)
  }
  if (is.atomic(x) && is.null(attributes(x)) && length(x) <= 5L) {
    return(x)
  }
  as.name(paste0("<", class(x)[1], ">"))
}
