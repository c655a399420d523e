# The tables of paths in bench/README.md, from the rows that bench/ measured last:
# Rscript tools/readme-table.R, or make readme-table. `make lint` compares page and rows.

path_table <- function() {
  rows <- utils::read.csv(file.path("bench", "results.csv"))
  rows <- rows[rows$commit == rows$commit[nrow(rows)], ]
  digits <- function(x, n) formatC(signif(x, n), digits = n, format = "fg", flag = "#")
  number <- function(x, n = 2) {
    text <- sub("[.]$", "", digits(x, n))
    ifelse(is.na(x), "", ifelse(x >= 100, format(round(x), big.mark = ",", trim = TRUE), text))
  }
  c(
    paste(
      "| data | runs | 1 thread, ms a path | 2 threads | times faster than lars | than glmnet",
      "| whole `fealect()`, s |"
    ),
    "|---|---|---|---|---|---|---|",
    sprintf(
      "| %s | %s | %s | %s | %s | %s | %s |", rows$case,
      format(rows$runs, big.mark = ",", trim = TRUE),
      number(rows$ms_per_path_1_thread, 3), number(rows$ms_per_path_2_threads, 3),
      number(rows$ratio_lars, 3), number(rows$ratio_glmnet), number(rows$fealect_seconds)
    ),
    "",
    sprintf("Measured on %s, commit %s.", rows$machine[1], rows$commit[1])
  )
}

# The paths by likelihood, from the rows of the last commit of each glmnet in
# bench/likelihood-paths.csv: milliseconds of the smallest and largest x, ratios over the cells.
likelihood_table <- function() {
  rows <- utils::read.csv(file.path("bench", "likelihood-paths.csv"))
  # The file itself changes while it is written.
  rows$commit <- sub("[+]$", "", rows$commit)
  rows <- rows[rows$commit == rows$commit[nrow(rows)], ]
  versions <- unique(rows$glmnet)
  titles <- c(
    binomial = "logistic", poisson = "Poisson", cox = "Cox", multinomial = "four classes"
  )
  size <- rows$n * rows$p
  line_of <- function(family) {
    own <- rows$family == family
    ms <- vapply(range(size), function(z) stats::median(rows$ms_a_path[own & size == z]), 0)
    ratios <- vapply(versions, function(version) {
      ratio <- rows$times_faster_1_thread[own & rows$glmnet == version]
      paste(signif(c(min(ratio), stats::median(ratio), max(ratio)), 2), collapse = " / ")
    }, "")
    cells <- c(titles[[family]], paste(signif(ms, 2), collapse = " / "), ratios)
    paste0("| ", paste(cells, collapse = " | "), " |")
  }
  shape <- function(z) {
    first <- match(z, size)
    paste(rows$n[first], "x", format(rows$p[first], big.mark = ",", trim = TRUE))
  }
  c(
    sprintf(
      "| | ms a path, %s / %s | %s |", shape(min(size)), shape(max(size)),
      paste(sprintf("times faster than glmnet %s: least / median / most", versions),
        collapse = " | "
      )
    ),
    paste0("|", strrep("---|", 2 + length(versions))),
    vapply(names(titles), line_of, "", USE.NAMES = FALSE),
    "",
    sprintf("Measured on %s, commit %s.", rows$machine[1], rows$commit[1])
  )
}

# Halves of the default number: times faster than glmnet, for 20 and for 60 features.
halves_table <- function(file = file.path("bench", "halves.csv")) {
  rows <- utils::read.csv(file)
  rows <- rows[rows$halves == 100, ]
  size <- sprintf("%d x %s", rows$n, format(rows$p, big.mark = ",", trim = TRUE))
  sizes <- unique(size)
  titles <- c(
    binomial = "logistic", poisson = "Poisson", cox = "Cox", multinomial = "four classes"
  )
  cell <- function(family, at) {
    own <- rows[rows$family == family & size == at, ]
    paste(signif(own$times_faster_1_thread[order(own$features)], 2), collapse = " / ")
  }
  lines <- vapply(names(titles), function(family) {
    paste0("| ", paste(c(titles[[family]], vapply(sizes, function(at) cell(family, at), "")),
      collapse = " | "), " |")
  }, "", USE.NAMES = FALSE)
  c(
    paste0("| | ", paste(sizes, collapse = " | "), " |"),
    paste0("|", strrep("---|", 1L + length(sizes))), lines, "",
    sprintf(
      "glmnet %s, measured on %s, commit %s; the cores were shared with other work.",
      toString(unique(rows$glmnet)), rows$machine[nrow(rows)], toString(unique(rows$commit))
    )
  )
}

# One path beside the best peer of each cell, from bench/equal-accuracy.csv: how many times as long
# it takes, with the defaults of both, and with all at the same accuracy.
equal_table <- function(file = file.path("bench", "equal-accuracy.csv")) {
  rows <- utils::read.csv(file)
  rows <- rows[!is.na(rows$violation), ]
  cell <- paste(rows$n, rows$p, rows$design)
  titles <- c(
    gaussian = "least squares", binomial = "logistic", poisson = "Poisson", cox = "Cox",
    multinomial = "four classes"
  )
  of_cells <- function(family, task, accuracy) {
    own <- rows$family == family & rows$task == task & rows$accuracy == accuracy
    ratios <- vapply(split(rows[own, ], cell[own]), function(one) {
      ours <- one$solver == "stabilect"
      if (all(ours)) NA_real_ else min(one$ms[!ours]) / one$ms[ours]
    }, 0)
    ratios <- ratios[!is.na(ratios)]
    if (length(ratios) == 0L) {
      return("")
    }
    paste(signif(c(min(ratios), stats::median(ratios), max(ratios)), 2), collapse = " / ")
  }
  asked <- expand.grid(accuracy = c("default", "equal"), task = c("to20", "full"))
  lines <- vapply(intersect(names(titles), rows$family), function(family) {
    found <- mapply(function(task, accuracy) of_cells(family, task, accuracy), asked$task,
      asked$accuracy)
    paste0("| ", paste(c(titles[[family]], found), collapse = " | "), " |")
  }, "", USE.NAMES = FALSE)
  peers <- rows$solver != "stabilect" & rows$accuracy == "default"
  ours <- rows$solver == "stabilect" & rows$accuracy == "default"
  percent <- function(x) paste0(format(signif(100 * x, 1), scientific = FALSE), " %")
  c(
    "| | to 20 features: defaults | equal accuracy | 100 penalties: defaults | equal accuracy |",
    "|---|---|---|---|---|", lines, "",
    sprintf(
      paste(
        "%d cells (%s). With their defaults peers break the conditions of optimality by up to %s",
        "of the penalty (median %s), ours by at most %s; the last model then has up to %d features",
        "too many or too few (ours: %d)."
      ),
      length(unique(paste(cell, rows$family))),
      toString(unique(paste(rows$n, "x", format(rows$p, big.mark = ",", trim = TRUE)))),
      percent(max(rows$violation[peers])), percent(stats::median(rows$violation[peers])),
      percent(max(rows$violation[ours])), max(rows$other_features[peers], na.rm = TRUE),
      max(rows$other_features[ours], na.rm = TRUE)
    ),
    sprintf(
      "Peers: %s. Measured on %s, commit %s.",
      toString(unique(paste(rows$solver, rows$version)[rows$solver != "stabilect"])),
      rows$machine[nrow(rows)], toString(unique(sub("[+]$", "", rows$commit)))
    )
  )
}

between <- function(lines, mark, table) {
  at <- match(sprintf("<!-- %s: %s -->", mark, c("start", "end")), lines)
  c(lines[seq_len(at[1])], table, lines[at[2]:length(lines)])
}

with_tables <- function(lines) {
  lines <- between(lines, "paths", path_table())
  lines <- between(lines, "equal", equal_table())
  lines <- between(lines, "halves", halves_table())
  between(lines, "likelihood", likelihood_table())
}

# sys.source() has frames of its own.
if (sys.nframe() == 0L) {
  page <- file.path("bench", "README.md")
  writeLines(with_tables(readLines(page)), page)
}
