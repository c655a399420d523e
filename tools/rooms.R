# The rooms of R/: who calls whom, read off the parse trees. A file's room is its name up to the
# first hyphen. Sourced by tools/lint.R, which fails on a circle between files, on an arrow between
# rooms that the table in DESIGN.md does not allow, and on calls of leaves to the kernel that
# design/waist.txt does not list; `make rooms` draws the picture in DESIGN.md.

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

# A call of an S3 generic is one of its file: methods of outcomes and results stand above their
# callers, and dispatch is what keeps these from knowing them. read_dispatch() tells where they are.
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

# The methods of S3 generics of R/.
# @return data frame, one row per method: `generic`, `generic_file`, `method`, `method_file`.
read_dispatch <- function(definitions) {
  is_generic <- vapply(definitions, function(one) "UseMethod" %in% one$calls, NA)
  rows <- lapply(definitions[is_generic], function(generic) {
    own <- Filter(function(one) startsWith(one$name, paste0(generic$name, ".")),
      Filter(function(one) !is.na(one$name), definitions)
    )
    data.frame(
      generic = rep(generic$name, length(own)), generic_file = rep(generic$file, length(own)),
      method = vapply(own, `[[`, "", "name"), method_file = vapply(own, `[[`, "", "file")
    )
  })
  do.call(rbind, rows)
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

# The longest chain of files that call one another, counted in files.
count_floors <- function(calls) {
  files <- unique(calls[c("from_file", "to_file")])
  floor <- stats::setNames(rep(1, length(unique(unlist(files)))), unique(unlist(files)))
  for (i in seq_along(floor)) {
    below <- tapply(floor[files$to_file], files$from_file, max)
    if (all(floor[names(below)] == below + 1)) break
    floor[names(below)] <- below + 1
  }
  max(floor)
}

room_arrows <- function(calls) {
  rooms <- data.frame(from = room_of(calls$from_file), to = room_of(calls$to_file))
  unique(rooms[rooms$from != rooms$to, ])
}

# The table of rooms in DESIGN.md: for each room, in the order of the table, what it may call. "all
# of the above" are the rows above, perhaps "but" some.
read_allowed <- function(file = "DESIGN.md") {
  rows <- grep("^[|] `[a-z]+` [|]", readLines(file), value = TRUE)
  cells <- strsplit(rows, "|", fixed = TRUE)
  rooms <- gsub("[` ]", "", vapply(cells, `[`, "", 2L))
  words <- trimws(vapply(cells, `[`, "", 4L))
  allowed <- lapply(seq_along(rooms), function(i) {
    above <- rooms[seq_len(i - 1L)]
    named <- strsplit(sub("^all of the above( but )?", "", words[i]), ", *")[[1]]
    if (startsWith(words[i], "all of the above")) {
      setdiff(above, named)
    } else if (words[i] == "nothing") {
      character()
    } else {
      named
    }
  })
  stats::setNames(allowed, rooms)
}

# What is wrong with the rooms, one sentence each.
judge_rooms <- function(calls, allowed) {
  files <- unique(calls[c("from_file", "to_file")])
  circles <- find_circles(files$from_file, files$to_file)
  arrows <- room_arrows(calls)
  forbidden <- !mapply(function(from, to) to %in% allowed[[from]], arrows$from, arrows$to)
  examples <- vapply(which(forbidden), function(i) {
    inside <- room_of(calls$from_file) == arrows$from[i] & room_of(calls$to_file) == arrows$to[i]
    one <- calls[which(inside)[1], ]
    sprintf("%s() in %s calls %s() in %s", one$from, one$from_file, one$to, one$to_file)
  }, "")
  c(
    vapply(circles, function(one) paste("files in a circle:", toString(one)), ""),
    sprintf(
      "DESIGN.md does not let %s call %s: %s", arrows$from[forbidden], arrows$to[forbidden],
      examples
    )
  )
}

# The waist, design/waist.txt: the rooms that are leaves, and a function of the kernel on each line.
# @return list(leaves, listed (character)).
read_waist <- function(file = "design/waist.txt") {
  lines <- readLines(file)
  start <- grep("^leaves: ", lines)
  lines <- lines[start:length(lines)]
  names <- sub(" .*", "", grep("^[a-zA-Z]", lines[-1], value = TRUE))
  list(leaves = strsplit(sub("^leaves: ", "", lines[1]), " +")[[1]], listed = names)
}

# What users call (NAMESPACE) everybody may call.
read_exports <- function(file = "NAMESPACE") {
  lines <- grep("^export\\(", readLines(file), value = TRUE)
  gsub("\"", "", sub("^export\\((.*)\\)$", "\\1", lines))
}

# Calls of leaves to the kernel.
calls_to_kernel <- function(calls, leaves) {
  calls[room_of(calls$from_file) %in% leaves & !room_of(calls$to_file) %in% leaves, ]
}

# What is wrong with the waist, one sentence each.
# @param exports (character) functions that users call.
judge_waist <- function(calls, waist, exports) {
  down <- calls_to_kernel(calls, waist$leaves)
  down <- down[!duplicated(down$to) & !down$to %in% exports, ]
  up <- calls[!room_of(calls$from_file) %in% waist$leaves, ]
  up <- up[room_of(up$to_file) %in% waist$leaves, ]
  unlisted <- down[!down$to %in% waist$listed, ]
  unused <- setdiff(waist$listed, down$to)
  c(
    sprintf("the kernel calls a leaf: %s() in %s calls %s() in %s",
      up$from, up$from_file, up$to, up$to_file
    ),
    sprintf("%s() in %s calls %s() of the kernel, which is not in design/waist.txt",
      unlisted$from, unlisted$from_file, unlisted$to
    ),
    sprintf("no leaf calls %s(), which is in design/waist.txt", unused),
    sprintf("design/waist.txt has %s twice", waist$listed[duplicated(waist$listed)])
  )
}

# An arrow is drawn when no chain of others says the same.
draw_rooms <- function(arrows, rooms) {
  rooms <- intersect(rooms, c(arrows$from, arrows$to))
  direct <- matrix(FALSE, length(rooms), length(rooms), dimnames = list(rooms, rooms))
  direct[cbind(arrows$from, arrows$to)] <- TRUE
  reach <- direct
  for (k in rooms) reach <- reach | outer(reach[, k], reach[k, ])
  by_chain <- (direct %*% reach) > 0
  kept <- which(direct & !by_chain, arr.ind = TRUE)
  kept <- kept[order(kept[, 1], kept[, 2]), , drop = FALSE]
  c("```mermaid", "graph TD", sprintf("  %s --> %s", rooms[kept[, 1]], rooms[kept[, 2]]), "```")
}

# DESIGN.md with the picture as the code has it.
with_picture <- function(lines, arrows, rooms) {
  start <- grep("<!-- rooms: start", lines, fixed = TRUE)
  end <- grep("<!-- rooms: end", lines, fixed = TRUE)
  c(lines[seq_len(start)], "", draw_rooms(arrows, rooms), "", lines[end:length(lines)])
}
