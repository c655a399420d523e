# Values as bytes and back: only vectors, lists and sparse matrices with their attributes. A file
# therefore cannot contain code, which readRDS() would run (CVE-2024-27322).

# A type's position is its number in the file.
stored_types <- c("NULL", "logical", "integer", "double", "character", "list", "S4")
stored_classes <- c("dgCMatrix", "lgCMatrix", "ngCMatrix")

# Type, length, values, attributes; slots of a Matrix count as its attributes.
value_to_bytes <- function(x) {
  type <- match(typeof(x), stored_types)
  refuse(is.na(type) || isS4(x) && !class(x) %in% stored_classes,
    "A checkpoint cannot keep {describe_value(x)}, which a run returned.",
      class = "checkpoint"
  )
  marks <- if (isS4(x)) slots_of(x) else attributes(x)
  # Without class, no method interferes.
  attributes(x) <- NULL
  values <- switch(stored_types[type],
    character = string_bytes(x),
    list = unlist(lapply(x, value_to_bytes)),
    `NULL` = ,
    S4 = raw(),
    number_bytes(x)
  )
  size <- number_bytes(as.double(if (type == 7L) 0 else length(x)))
  # Names and values apart: a list with names has an attribute itself.
  c(
    as.raw(type), size, values, as.raw(!is.null(marks)),
    if (!is.null(marks)) c(value_to_bytes(names(marks)), value_to_bytes(unname(marks)))
  )
}

slots_of <- function(x) {
  names <- methods::slotNames(x)
  c(list(class = as.vector(class(x))), sapply(names, methods::slot, object = x, simplify = FALSE))
}

number_bytes <- function(x) writeBin(x, raw(), endian = "little")

# Lengths, NA for NA, then all strings without gaps.
string_bytes <- function(x) {
  x <- enc2utf8(x)
  size <- nchar(x, "bytes")
  size[is.na(x)] <- NA
  c(number_bytes(size), charToRaw(paste(x[!is.na(x)], collapse = "")))
}

# The value of value_to_bytes(); an error if there is none or if bytes are left over.
bytes_to_value <- function(bytes) {
  from <- rawConnection(bytes)
  on.exit(close(from))
  value <- read_value(from, length(bytes), 0L)
  if (length(readBin(from, "raw", 1L)) > 0L) stop("bytes are left over")
  value
}

# @param n_bytes (number) upper limit of a vector's length. @param depth (integer) nesting of lists.
read_value <- function(from, n_bytes, depth) {
  type <- stored_types[as.integer(readBin(from, "raw", 1L))]
  size <- readBin(from, "double", 1L, endian = "little")
  if (length(type) != 1L || is.na(type) || !isTRUE(size >= 0 && size <= n_bytes) || depth > 50L) {
    stop("no value")
  }
  value <- switch(type,
    list = lapply(seq_len(size), function(k) read_value(from, n_bytes, depth + 1L)),
    character = read_strings(from, size, n_bytes),
    `NULL` = ,
    S4 = NULL,
    read_numbers(from, type, size)
  )
  if (readBin(from, "raw", 1L) == 0L) {
    return(value)
  }
  names <- read_value(from, n_bytes, depth + 1L)
  marks <- stats::setNames(read_value(from, n_bytes, depth + 1L), names)
  if (type == "S4") {
    return(matrix_of_slots(marks))
  }
  attributes(value) <- marks
  value
}

read_numbers <- function(from, type, size) {
  values <- readBin(from, type, size, endian = "little")
  if (length(values) != size) stop("the end is missing")
  values
}

read_strings <- function(from, size, n_bytes) {
  lengths <- read_numbers(from, "integer", size)
  absent <- is.na(lengths)
  lengths[absent] <- 0L
  if (any(lengths < 0L) || sum(as.double(lengths)) > n_bytes) stop("no strings")
  values <- readChar(from, lengths, useBytes = TRUE)
  Encoding(values) <- "UTF-8"
  replace(values, absent, NA_character_)
}

matrix_of_slots <- function(slots) {
  if (!isTRUE(slots$class %in% stored_classes)) stop("no matrix")
  # new() checks the slots.
  do.call(methods::new, c(list(slots$class), slots[names(slots) != "class"]))
}
