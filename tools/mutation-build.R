# A copy of the sources in which all C++ mutants sleep behind switches, and what is built from it:
# one program per file of core tests, and the package for the mutants of the border.
# Sourced by tools/mutate.R.

# on(id): is this the mutant that STABILECT_MUTANT names? With STABILECT_REACHED, the ids that were
# asked for are written to that file, so that a mutant is tried only where it matters. The package
# is loaded before a process is forked for a mutant: there the variable is read every time.
switch_header <- '#pragma once
#include <cstdio>
#include <cstdlib>
namespace mutation {
inline int current() {
  const char *given = std::getenv("STABILECT_MUTANT");
  return given ? std::atoi(given) : 0;
}
#ifdef STABILECT_FORKED
inline bool on(int id) { return current() == id; }
#else
struct State {
  int chosen = current();
  const char *log = std::getenv("STABILECT_REACHED");
  unsigned char seen[10000] = {};
};
inline State &state() {
  static State s;
  return s;
}
inline bool on(int id) {
  State &s = state();
  if (s.log && !s.seen[id]) {
    s.seen[id] = 1;
    if (std::FILE *f = std::fopen(s.log, "a")) {
      std::fprintf(f, "%d\\n", id);
      std::fclose(f);
    }
  }
  return s.chosen == id;
}
#endif
} // namespace mutation
'

copy_tree <- function(tree) {
  folders <- c("R", "src", "inst/include", "tests/cpp", "data")
  files <- c(
    list.files(folders, recursive = TRUE, full.names = TRUE), "DESCRIPTION", "NAMESPACE",
    "LICENSE.md"
  )
  files <- files[!grepl("[.](o|so|d)$", files)]
  for (folder in unique(dirname(file.path(tree, files)))) {
    dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  }
  file.copy(files, file.path(tree, files), overwrite = TRUE)
  writeLines(switch_header, file.path(tree, "mutation.h"))
}

# Headers are included within namespaces, too, so that their switch must come before all of them.
switch_include <- function(tree) sprintf('#include "%s"', file.path(tree, "mutation.h"))

# Each file of the plan with its mutants; lines keep their numbers.
write_switches <- function(tree, plan) {
  for (file in unique(plan$file)) {
    text <- switched_source(file, plan[plan$file == file, ])
    if (startsWith(file, "src/")) {
      text <- c("#define STABILECT_FORKED", switch_include(tree), "#line 1", text)
    }
    writeLines(text, file.path(tree, file))
  }
}

# Mutants whose types do not fit, by the lines of the compiler's errors in one translation unit
# that includes all headers, and one with the border.
find_uncompiled <- function(tree, plan) {
  dir.create(file.path(tree, "all"), showWarnings = FALSE)
  headers <- list.files(file.path(tree, "inst/include"), "[.]h$", recursive = TRUE)
  # Bodies are included by others, for each vector width.
  headers <- file.path("inst/include", headers[!grepl("_body|simd", headers)])
  units <- list(core = headers, border = grep("^src/", unique(plan$file), value = TRUE))
  lines <- unlist(lapply(names(units), function(unit) {
    main <- file.path(tree, "all", paste0(unit, ".cpp"))
    includes <- sprintf('#include "%s"', file.path("..", units[[unit]]))
    writeLines(c(switch_include(tree), includes), main)
    flags <- c(compile_flags(tree), "-fsyntax-only", "-fmax-errors=0", main)
    suppressWarnings(system2("g++", flags, stdout = TRUE, stderr = TRUE))
  }))
  hits <- regmatches(lines, regexec("^(.*?):([0-9]+):[0-9]+: (fatal )?error", lines, perl = TRUE))
  hits <- Filter(length, hits)
  file <- normalizePath(file.path(vapply(hits, `[`, "", 2L)), mustWork = FALSE)
  at <- as.integer(vapply(hits, `[`, "", 3L))
  wrong <- vapply(seq_len(nrow(plan)), function(k) {
    own <- file == normalizePath(file.path(tree, plan$file[k]))
    any(own & at >= plan$line[k] & at <= plan$last[k])
  }, NA)
  if (length(hits) > 0L && !any(wrong)) {
    cat(utils::head(lines, 20L), sep = "\n")
    stop("the sources with switches do not compile, and no mutant stands there", call. = FALSE)
  }
  plan$id[wrong]
}

compile_flags <- function(tree) {
  folder <- function(package, folder = "include") system.file(folder, package = package)
  others <- c(
    vapply(c("RcppEigen", "sitmo", "Rcpp", "RcppParallel"), folder, ""),
    folder("testthat", "include/testthat/vendor"), R.home("include")
  )
  # No debug information and no optimization: the compiler is what takes long.
  c(
    "-std=c++14", "-O0", "-w", "-DSTRICT_R_HEADERS",
    paste0("-I", file.path(tree, c("inst/include", "src", "tests/cpp"))),
    paste("-isystem", others)
  )
}

# One program per file of core tests; only of those that changed since the last time.
build_core <- function(tree, programs) {
  dir.create(programs, showWarnings = FALSE, recursive = TRUE)
  folder <- file.path(tree, "tests/cpp")
  file.copy(list.files("tests/cpp", "[.](h|cpp)$", full.names = TRUE), folder, overwrite = TRUE)
  main <- file.path(programs, "main.o")
  # What all tests include is compiled once.
  first <- file.path(programs, "first.h")
  if (!file.exists(main)) {
    compile_cpp(tree, file.path(folder, "main.cpp"), main)
    writeLines(c(switch_include(tree), "#include \"catch.h\"", "#include <Eigen/Dense>"), first)
    run_or_stop("g++", c(compile_flags(tree), first, "-o", paste0(first, ".gch")))
  }
  sources <- list.files(folder, "^test_.*[.]cpp$", full.names = TRUE)
  ends <- parallel::mclapply(sources, function(source) {
    program <- file.path(programs, sub("[.]cpp$", "", basename(source)))
    stamp <- paste0(program, ".md5")
    digest <- unname(tools::md5sum(source))
    if (file.exists(stamp) && identical(readLines(stamp), digest)) {
      return(TRUE)
    }
    object <- paste0(program, ".o")
    compile_cpp(tree, source, object, c("-include", first))
    run_or_stop("g++", c(main, object, "-o", program, "-pthread"))
    writeLines(digest, stamp)
    TRUE
  }, mc.cores = n_children, mc.preschedule = FALSE)
  built <- vapply(ends, isTRUE, NA)
  if (!all(built)) stop(basename(sources[!built])[1], " was not built", call. = FALSE)
}

compile_cpp <- function(tree, source, object, more = character()) {
  run_or_stop("g++", c(compile_flags(tree), more, "-c", source, "-o", object))
}

install_tree <- function(tree, lib) {
  dir.create(lib, showWarnings = FALSE, recursive = TRUE)
  r_program <- file.path(R.home("bin"), "R")
  run_or_stop(r_program, c("CMD", "INSTALL", "--no-docs", "--no-test-load", "-l", lib, tree))
}

run_or_stop <- function(command, arguments) {
  said <- suppressWarnings(system2(command, arguments, stdout = TRUE, stderr = TRUE))
  if (!is.null(attr(said, "status"))) {
    cat(utils::tail(said, 40L), sep = "\n")
    stop(command, " failed", call. = FALSE)
  }
}
