# What the vignettes on the five papers share: stored results, the mark of a comparison, tables with
# the paper's number beside ours. Sourced by vignettes/paper-*.Rmd and papers.Rmd.

paper_names <- c("zare", "onda", "dernoncourt", "hamer", "brzezinski")

# The stored tables of a paper, by name: those that experiments/make-tables.R ships. judge.R names
# the folder of tables that are newer than the installed ones.
results_of <- function(paper) {
  folder <- getOption(
    "stabilect.results", system.file("extdata", "results", package = "stabilect", mustWork = TRUE)
  )
  readRDS(file.path(folder, paste0(paper, ".rds")))
}

# One of them; the vignette is not made without it.
read_result <- function(paper, name) {
  tables <- results_of(paper)
  if (!name %in% names(tables)) stop("no table ", name, " is stored of ", paper)
  tables[[name]]
}

# Exactly one row of a stored table, or an error that names it.
only <- function(rows, what) {
  if (nrow(rows) != 1L) stop("stored results have ", nrow(rows), " rows for ", what)
  rows
}

# The rows of `table` that belong to those of `wanted` by their common columns, each exactly once.
rows_for <- function(table, wanted) {
  by <- intersect(names(wanted), names(table))
  key <- function(rows) do.call(paste, c(unname(lapply(rows[by], as.character)), sep = " | "))
  for (one in key(wanted)) only(table[key(table) == one, ], one)
  table[match(key(wanted), key(table)), ]
}

# Does our number agree with the paper's? They agree when they differ by at most two joint standard
# errors, sqrt(se^2 + paper_se^2), or by at most half a unit in the last place that the paper
# prints (`unit`: 0.01 for two decimals). NA where either is missing.
mark_of <- function(ours, paper, se = 0, paper_se = 0, unit = 0) {
  zero_if_missing <- function(x) ifelse(is.na(x), 0, x)
  joint <- sqrt(zero_if_missing(se)^2 + zero_if_missing(paper_se)^2)
  near <- abs(ours - paper) <= pmax(2 * joint, unit / 2) + 1e-9
  ifelse(near, "agrees", "differs")
}

mark_signs <- c(agrees = "\u2713", differs = "\u2717", open = "?")
sign_of <- function(mark) ifelse(is.na(mark), "", mark_signs[mark])

short <- function(value, digits = 2) {
  ifelse(is.na(value), "\u2013", formatC(value, format = "f", digits = digits))
}
# 0.2 in units of 0.1, 0.20 in units of 0.01, 130 in units of 1.
in_units <- function(value, unit) {
  unname(mapply(short, value, pmax(0, -floor(log10(unit) + 1e-9))))
}
with_se <- function(value, se, digits = 2) {
  se <- rep_len(se, length(value))
  both <- sprintf("%s (%s)", short(value, digits), short(se, digits))
  ifelse(is.na(se), short(value, digits), both)
}

# "paper / ours (se) mark", the form of every cell in which both are. With `unit`, of the last place
# that the paper prints, its number has the digits that it has there.
beside <- function(paper, ours, se, mark, digits = 2, unit = NULL) {
  printed <- if (is.null(unit)) short(paper, digits) else in_units(paper, unit)
  text <- paste(printed, "/", with_se(ours, se, digits), sign_of(mark))
  trimws(ifelse(is.na(paper) & is.na(ours), "", text))
}

# Rows by columns of a long table, in the order in which both first appear.
cross <- function(values, row, column, ...) {
  row <- factor(row, unique(row))
  column <- factor(column, unique(column))
  wide <- tapply(values, list(row, column), function(value) {
    if (length(value) != 1L) stop("stored results have ", length(value), " values for one cell")
    value
  })
  wide[is.na(wide)] <- ""
  knitr::kable(wide, align = "r", ...)
}

# "12 of 16 agree", for sentences.
count_marks <- function(mark) {
  mark <- mark[!is.na(mark)]
  sprintf("%d of %d", sum(mark == "agrees"), length(mark))
}

# The contents of a paper: all its tables and figures; `asked` is how many pieces (`unit`) each has,
# `absent` why it cannot be had.
contents_of <- function(paper) read_result("papers", paper)

# All tables and figures of the five papers with their state, as their pages found it, and the
# section of the paper's page (`where`) that shows them; an error when one has no state.
read_contents <- function() {
  rows <- do.call(rbind, lapply(paper_names, contents_of))
  rows$state <- rows_for(read_result("papers", "states"), rows[c("paper", "item")])$state
  rows$where <- sub("^#", "", rows$where)
  rows
}

# ---- The first screen

# The claims of a paper with their verdicts, as its page judged them last; on top of the page, which
# ends with keep_claims(): a page that judges otherwise than is stored is not built.
show_claims <- function(paper) {
  claims <- read_result("papers", "claims")
  claims <- claims[claims$paper == paper, c("claim", "verdict", "why")]
  knitr::kable(claims, col.names = c("The paper's claim", "Here", "Why"), row.names = FALSE)
}

# `claims`: a matrix of claim, verdict and why.
keep_claims <- function(paper, claims) {
  found <- data.frame(
    paper, claim = unname(claims[, 1]), verdict = unname(claims[, 2]), why = unname(claims[, 3])
  )
  wanted <- getOption("stabilect.states")
  if (!is.null(wanted)) {
    path <- file.path(wanted, paste0(paper, "-claims.csv"))
    return(utils::write.csv(found, path, row.names = FALSE))
  }
  stored <- read_result("papers", "claims")
  stored <- stored[stored$paper == paper, ]
  at <- which(stored$claim != found$claim | stored$verdict != found$verdict)
  if (nrow(stored) != nrow(found) || length(at) > 0L) {
    stop("The claims of ", paper, " are not those of claims.csv; see experiments/papers/judge.R")
  }
}

# "Table 1, Figure 2", the rows of a paper in a state.
rows_in <- function(paper, state) {
  rows <- read_result("papers", "states")
  items <- rows$item[rows$paper == paper & rows$state == state]
  if (length(items) == 0L) "nothing" else toString(items)
}
