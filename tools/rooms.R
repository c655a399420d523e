# The rooms of R/: who calls whom, read off the parse trees. A file's room is its name up to the
# first hyphen. Sourced by tools/lint.R, which fails on a circle between files and on an arrow
# between rooms that the table in DESIGN.md does not allow; `make rooms` draws the picture there.

# Children of a call or pairlist that are there (x[, 1] has one that is not).
children_of <- function(e) Filter(function(child) !is_absent(child), as.list(e))

is_absent <- function(child) is.symbol(child) && !nzchar(as.character(child))

# The symbols of an expression, calls and values alike, but no field names and no other packages'.
symbols_in <- function(e) {
  if (is.symbol(e)) {
    return(as.character(e))
  }
  if (is.call(e) && is.symbol(e[[1]])) {
    head <- as.character(e[[1]])
    if (head %in% c("::", ":::")) {
      return(character())
    }
    if (head %in% c("$", "@")) {
      return(symbols_in(e[[2]]))
    }
  }
  if (is.call(e) || is.pairlist(e)) unlist(lapply(children_of(e), symbols_in)) else character()
}

# Arguments and local variables of a function, which hide the package's objects of that name ...
names_bound_in <- function(e) {
  if (!is.call(e)) {
    return(character())
  }
  bound <- character()
  if (is.symbol(e[[1]])) {
    head <- as.character(e[[1]])
    if (head == "function") bound <- names(e[[2]])
    if (head %in% c("<-", "=", "<<-", "for") && is.symbol(e[[2]])) bound <- as.character(e[[2]])
  }
  c(bound, unlist(lapply(children_of(e), names_bound_in)))
}

# ... except where they are called: a call finds functions only.
names_called_in <- function(e) {
  if (is.pairlist(e)) {
    return(unlist(lapply(children_of(e), names_called_in)))
  }
  if (!is.call(e)) {
    return(character())
  }
  head <- if (is.symbol(e[[1]])) as.character(e[[1]])
  if (identical(head, "::") || identical(head, ":::")) {
    return(character())
  }
  c(head, unlist(lapply(children_of(e), names_called_in)))
}

# Every object that a file of R/ defines, with the symbols that it may take from other places.
# @return list of list(name, file, calls).
read_definitions <- function(folder = "R") {
  files <- setdiff(list.files(folder, "[.]R$"), "RcppExports.R")
  unlist(lapply(files, function(file) {
    expressions <- parse(file.path(folder, file), keep.source = FALSE)
    lapply(seq_along(expressions), function(k) {
      e <- expressions[[k]]
      is_assignment <- is.call(e) && as.character(e[[1]])[1] %in% c("<-", "=")
      body <- if (is_assignment) e[[3]] else e
      list(
        name = if (is_assignment) as.character(e[[2]]) else NA_character_, file = file,
        calls = unique(c(setdiff(symbols_in(body), names_bound_in(body)), names_called_in(body)))
      )
    })
  }), recursive = FALSE)
}

# @return data frame, one row per call from one object to one of another file: `from`, `from_file`,
#   `to`, `to_file`.
read_calls <- function(definitions) {
  names <- vapply(definitions, `[[`, "", "name")
  home <- stats::setNames(vapply(definitions, `[[`, "", "file"), names)
  rows <- lapply(definitions, function(one) {
    to <- setdiff(intersect(one$calls, names), one$name)
    data.frame(
      from = rep(one$name, length(to)), from_file = rep(one$file, length(to)), to = to,
      to_file = unname(home[to])
    )
  })
  calls <- do.call(rbind, rows)
  calls[calls$from_file != calls$to_file, ]
}

room_of <- function(file) sub("-.*", "", sub("[.]R$", "", file))

# Sets of nodes that reach one another (Warshall's closure; there are few nodes).
find_circles <- function(from, to) {
  nodes <- unique(c(from, to))
  reach <- matrix(FALSE, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  reach[cbind(from, to)] <- TRUE
  for (k in nodes) reach <- reach | outer(reach[, k], reach[k, ])
  both <- reach & t(reach)
  diag(both) <- FALSE
  unique(lapply(nodes[rowSums(both) > 0], function(v) sort(unique(c(v, nodes[both[v, ]])))))
}

room_arrows <- function(calls) {
  rooms <- data.frame(from = room_of(calls$from_file), to = room_of(calls$to_file))
  unique(rooms[rooms$from != rooms$to, ])
}
