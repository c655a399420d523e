# Mutants of the C++ sources: which are drawn, which programs of core tests run each, and whether
# these notice it. Mutants of src/, the border, are tried by tests of R. Sourced by tools/mutate.R.

cpp_files <- function() {
  files <- c(
    list.files("inst/include/stabilect", "[.]h$", full.names = TRUE, recursive = TRUE),
    list.files("src", "^cpp_.*[.]cpp$", full.names = TRUE)
  )
  # Declarations of vector types.
  files[!grepl("simd", files)]
}

room_of_cpp <- function(file) ifelse(startsWith(file, "src/"), "border", basename(dirname(file)))

# Rooms share by the square root of their size, and take their turns, as in draw_r_mutants().
draw_cpp_mutants <- function(n, seed) {
  sites <- do.call(rbind, lapply(cpp_files(), regions_in_cpp_file))
  sites$room <- room_of_cpp(sites$file)
  set.seed(seed)
  size <- sqrt(table(sites$room))
  # Some will not compile.
  share <- round(1.15 * n * size / sum(size))
  plan <- do.call(rbind, lapply(names(share), function(room) {
    own <- which(sites$room == room)
    own <- own[sample.int(length(own), min(share[[room]], length(own)))]
    rows <- do.call(rbind, lapply(own, function(k) draw_cpp_mutant(sites[k, ])))
    cbind(seed = seed, room = room, rows)
  }))
  turn <- stats::ave(seq_len(nrow(plan)), plan$room, FUN = function(own) {
    seq_along(own) / length(own)
  })
  cbind(id = seq_len(nrow(plan)), plan[order(turn), ])
}

# The plan with everything built; from the last time, if the sources did not change.
prepare_core <- function(n, seed, place) {
  tree <- file.path(place, "tree")
  stored <- file.path(place, "plan.rds")
  digest <- c(tools::md5sum(cpp_files()), n = n, seed = seed)
  plan <- if (file.exists(stored)) readRDS(stored)
  if (identical(plan$digest, digest)) {
    plan <- plan$plan
  } else {
    unlink(place, recursive = TRUE)
    dir.create(place, recursive = TRUE)
    plan <- draw_cpp_mutants(n, seed)
    cat(nrow(plan), "mutants drawn\n")
    copy_tree(tree)
    repeat {
      write_switches(tree, plan)
      wrong <- find_uncompiled(tree, plan)
      if (length(wrong) == 0L) break
      # A file that has no mutant left is as it was.
      file.copy(unique(plan$file), file.path(tree, unique(plan$file)), overwrite = TRUE)
      plan <- plan[!plan$id %in% wrong, ]
    }
    saveRDS(list(digest = digest, plan = plan), stored)
  }
  cat(nrow(plan), "mutants compile\n")
  plan
}

# The package with the mutants of the border alone: those of the headers would slow it down.
# @return the library.
prepare_border <- function(plan, place) {
  tree <- file.path(place, "border")
  copy_tree(tree)
  write_switches(tree, plan)
  install_tree(tree, file.path(place, "lib"))
  file.path(place, "lib")
}

# Which mutants each program runs, and how long it takes without any.
reach_core <- function(programs) {
  files <- sub("[.]md5$", "", list.files(programs, "[.]md5$", full.names = TRUE))
  parallel::mclapply(files, function(file) {
    log <- tempfile()
    seconds <- system.time(status <- suppressWarnings(system2(
      file, env = paste0("STABILECT_REACHED=", log), stdout = FALSE, stderr = FALSE
    )))[["elapsed"]]
    # A program that fails without a mutant kills none.
    ids <- if (file.exists(log) && status == 0L) as.integer(readLines(log))
    list(file = file, seconds = seconds, ids = ids)
  }, mc.cores = n_children, mc.preschedule = FALSE)
}

# @param most seconds of tests, but at least one program.
# @return list of said (the program that failed, or ""), tests (programs), seconds.
try_core_mutant <- function(mutant, programs, most) {
  reached <- Filter(function(one) mutant$id %in% one$ids, programs)
  seconds <- vapply(reached, `[[`, 1, "seconds")
  reached <- reached[order(seconds)]
  reached <- reached[cumsum(sort(seconds)) <= most | seq_along(reached) == 1L]
  start <- proc.time()[["elapsed"]]
  said <- ""
  for (one in reached) {
    # A mutant that never ends must not take long; other work makes a program slow, too.
    status <- suppressWarnings(system2(
      "timeout", c("-s", "KILL", ceiling(20 + 8 * one$seconds), one$file, "--abort"),
      stdout = FALSE, stderr = FALSE, env = paste0("STABILECT_MUTANT=", mutant$id)
    ))
    if (status != 0L) {
      said <- basename(one$file)
      break
    }
  }
  list(said = said, tests = length(reached), seconds = proc.time()[["elapsed"]] - start)
}

# The functions of R that call into the part of a file of src/ where a mutant stands: the exported
# one that holds it, or all of the file for what these share.
border_functions <- function(file, line) {
  lines <- readLines(file)
  at <- grep("[[Rcpp::export", lines, fixed = TRUE)
  names <- regmatches(lines[at + 1L], regexpr("\\w+(?=\\()", lines[at + 1L], perl = TRUE))
  ends <- grep("^}", lines)
  last <- vapply(at, function(start) min(ends[ends > start]), 1L)
  own <- at < line & line <= last
  if (any(own)) names[own] else names
}
