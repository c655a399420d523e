# Mutants of R/: which are drawn, which test files run each, and whether these notice it. Sourced
# by tools/mutate.R. Each mutant has a process of its own.

# Not for this purpose: what compares words, starts other sessions, or takes minutes.
spared_tests <- "^test-(run-workers|all-(interrupts|attack|sentences|words)|data-experiments)[.]R$"
# Printed output and pictures: counted apart, never drawn.
shown_files <- "^(show|resample-print|base-describe|base-progress)|^report-"

r_files <- function() {
  files <- setdiff(list.files("R", "[.]R$"), c("RcppExports.R", "base-package.R"))
  file.path("R", files[!grepl(shown_files, files)])
}

room_of_r <- function(file) sub("[-.].*", "", basename(file))

# Functions that print, plot or write are no place for mutants in the other files either.
shown_names <- "^(print|format|plot|autoplot|summary|toString|describe|say|write)(_|[.]|$)"

# The top-level name whose definition holds a line; "" for none.
names_at_lines <- function(file, lines) {
  expressions <- parse(file, keep.source = TRUE)
  refs <- utils::getSrcref(expressions)
  first <- vapply(refs, function(ref) ref[1], 1L)
  last <- vapply(refs, function(ref) ref[3], 1L)
  vapply(lines, function(line) {
    at <- which(first <= line & line <= last)
    e <- if (length(at) > 0L) expressions[[at[1]]]
    if (is.call(e) && length(e) == 3L && is.symbol(e[[2]])) as.character(e[[2]]) else ""
  }, "")
}

# Rooms share by the square root of their size; within a room one kind is as likely as another.
# Room after room takes its turn, so that a run that is cut short has some of each.
draw_r_mutants <- function(n, seed) {
  sites <- do.call(rbind, lapply(r_files(), sites_in_r_file))
  sites$name <- unlist(lapply(split(sites, factor(sites$file, unique(sites$file))), function(own) {
    names_at_lines(own$file[1], own$line)
  }), use.names = FALSE)
  sites <- sites[nzchar(sites$name) & !grepl(shown_names, sites$name), ]
  sites$room <- room_of_r(sites$file)
  set.seed(seed)
  size <- sqrt(table(sites$room))
  share <- round(n * size / sum(size))
  turns <- lapply(names(share), function(room) {
    own <- which(sites$room == room)
    weight <- 1 / table(sites$kind[own])[sites$kind[own]]
    own[sample.int(length(own), min(share[[room]], length(own)), prob = weight)]
  })
  rows <- unlist(turns)
  turn <- unlist(lapply(turns, function(own) seq_along(own) / length(own)))
  cbind(seed = seed, sites[rows[order(turn)], ])
}

# The package, its tests and their helpers as children of this process have them: these only fork,
# which spares each mutant the loading. No thread may run here.
start_tests <- function(lib) {
  .libPaths(c(lib, .libPaths()))
  Sys.setenv(R_LIBS = lib, NOT_CRAN = "false", TZ = "UTC")
  suppressPackageStartupMessages({
    library(testthat)
    library(stabilect)
  })
  read_helpers()
}

# A function in a process of its own. @return list of value, said (a text; "crash" or "time limit"
# when there is none) and seconds.
run_child <- function(fun, limit) {
  start <- proc.time()[["elapsed"]]
  job <- parallel::mcparallel(fun(), silent = TRUE)
  repeat {
    value <- parallel::mccollect(job, wait = FALSE, timeout = 1)
    seconds <- proc.time()[["elapsed"]] - start
    if (!is.null(value) || seconds > limit) break
  }
  if (is.null(value)) tools::pskill(job$pid, 9L)
  said <- if (is.null(value)) "time limit" else value[[1]]
  list(
    value = value[[1]], said = if (is.character(said) && length(said) == 1L) said else "crash",
    seconds = seconds
  )
}

# Which functions of the package each one calls; a generic calls its methods.
read_callers <- function() {
  ns <- asNamespace("stabilect")
  names <- Filter(function(name) is.function(get(name, ns)), ls(ns, all.names = TRUE))
  calls <- lapply(names, function(name) {
    own <- names[startsWith(names, paste0(name, "."))]
    c(intersect(all.names(body(get(name, ns))), ls(ns, all.names = TRUE)), own)
  })
  split(rep(names, lengths(calls)), unlist(calls))
}

# Steps from each function of the package to one of `names`, along who calls whom; named.
steps_to <- function(names, callers) {
  steps <- stats::setNames(rep(0, length(names)), names)
  repeat {
    more <- setdiff(unlist(callers[names(steps)], use.names = FALSE), names(steps))
    if (length(more) == 0L) {
      return(steps)
    }
    steps[more] <- max(steps) + 1
  }
}

# The tests that reach a mutant's function, or the functions closest to it that call it: those of
# files named like its own first, then the quick ones, until they take `most` seconds.
tests_of <- function(file, names, tests, callers, most) {
  tests <- tests[tests$ok, ]
  steps <- steps_to(names, callers)
  # Methods, functions in lists and tables have no call that bears their name.
  away <- vapply(tests$reached, function(own) min(Inf, steps[intersect(own, names(steps))]), 1)
  own <- tests[is.finite(away) & away == min(away), ]
  words <- strsplit(sub("[.](R|cpp)$", "", basename(file)), "[-_]")[[1]][-1]
  named <- grepl(paste(c("^$", words), collapse = "|"), own$file)
  own <- own[order(!named, own$seconds), ]
  utils::head(own[cumsum(own$seconds) <= most | seq_along(own$seconds) <= 3L, ], 150L)
}

# @param names functions of R/ that the mutant is in, or that call it.
# @param change a function that brings the mutant into the package.
# @param most seconds of tests.
# @return list of said (what failed, "" for nothing), tests (how many), seconds.
try_in_r <- function(file, names, change, tests, callers, most) {
  own <- tests_of(file, names, tests, callers, most)
  end <- list(said = "", seconds = 0)
  if (nrow(own) > 0L) {
    limit <- 30 + 5 * sum(own$seconds)
    end <- run_child(function() run_mutant(change, own), limit)
    # A test that fails without the mutant, too, kills nothing.
    repeat {
      by <- which(paste0(own$file, ": ", own$test) == end$said)
      if (length(by) == 0L) break
      if (!nzchar(run_child(function() run_mutant(NULL, own[by, ]), limit)$said)) break
      own <- own[-by, ]
      end <- run_child(function() run_mutant(change, own), limit)
    }
  }
  list(said = end$said, tests = nrow(own), seconds = end$seconds)
}

try_r_mutant <- function(mutant, tests, callers, most) {
  lines <- mutated_lines(mutant$file, mutant)
  try_in_r(mutant$file, mutant$name, function() put_lines(lines), tests, callers, most)
}

try_border_mutant <- function(mutant, tests, callers, most) {
  change <- function() Sys.setenv(STABILECT_MUTANT = mutant$id)
  names <- border_functions(mutant$file, mutant$line)
  try_in_r(mutant$file, names, change, tests, callers, most)
}
