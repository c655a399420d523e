# The state of a table or figure in the contents of a paper, found from the cells that its page has
# compared. No state is written by hand: judge.R in experiments/papers builds the pages and writes
# states.csv, and a page that finds anything else than is there is not built. Sourced by vignettes
# after tables.R.
#
# A cell has a mark ("agrees", "differs", or "open" for a sign that its error does not decide), the
# chance `exact` that it does not differ if the paper is exactly right, and the chance `placebo`
# that it agrees by luck. A row's state follows from how many cells agree and differ, beside what
# both chances let expect.

holds <- function(true) ifelse(true, "agrees", "differs")

# The code of a vignette's chunks, which is in page-<paper>-*.R beside this file.
read_pages <- function(paper) {
  for (page in Sys.glob(file.path("papers", paste0("page-", paper, "-*.R")))) {
    knitr::read_chunk(page)
  }
}

# The verdict on a claim from its cases (sets, settings, selectors): TRUE where it holds, FALSE
# where it fails, NA where errors do not decide. In three quarters of them it must hold, or fail;
# "depends" is all else in which a case is decided.
enough_cases <- 0.75
verdict <- function(cases) {
  if (all(is.na(cases))) return("undecided")
  if (mean(cases %in% TRUE) >= enough_cases) return("supported")
  if (mean(cases %in% FALSE) >= enough_cases) return("not supported")
  "depends"
}

# A case by how many standard errors it is on the claim's side.
case_of <- function(z) ifelse(abs(z) <= 2, NA, z > 0)

# ---- Cells

# Statements that are true or not. With `z`, how many standard errors the number is on the side that
# the paper says: within two it is open. Without, luck makes one in two true, or `chance`.
statements <- function(true, z = NA, chance = 0.5) {
  n <- if (length(true) == 0L) 0L else max(length(true), length(z))
  true <- rep_len(true, n)
  z <- rep_len(as.numeric(z), n)
  mark <- ifelse(is.na(z), holds(true), ifelse(abs(z) <= 2, "open", holds(z > 0)))
  data.frame(
    mark = unname(mark), exact = ifelse(is.na(z), 1, stats::pnorm(2)),
    placebo = ifelse(is.na(z), chance, stats::pnorm(-2)), relative = rep(NA_real_, length(z)),
    placebo_runs = rep(NA, length(z))
  )
}

# "About equal": two numbers differ by at most the named tolerance.
about_equal <- function(difference, tolerance, chance = 0.5) {
  statements(abs(difference) <= tolerance, chance = chance)
}

# Numbers beside the paper's. The placebo shuffles ours within the groups of `shuffle` (all of one
# group by default), and counts the cells that agree: methods, features or sets change places. Fewer
# than four have too few orders; in their place is a number between the smallest and the largest of
# the row.
numbers <- function(ours, paper, se = 0, paper_se = 0, unit = 0, shuffle = 1) {
  table <- data.frame(ours, paper, se, paper_se, unit, shuffle)
  table <- table[!is.na(table$ours) & !is.na(table$paper), ]
  known <- function(x) ifelse(is.na(x), 0, x)
  joint <- sqrt(known(table$se)^2 + known(table$paper_se)^2)
  limit <- pmax(2 * joint, known(table$unit) / 2)
  agree_at <- function(ours, se) {
    mark_of(ours, table$paper, se, table$paper_se, table$unit) == "agrees"
  }
  few <- stats::ave(seq_along(table$ours), table$shuffle, FUN = length) < 4
  cells <- data.frame(
    mark = holds(agree_at(table$ours, table$se)),
    exact = ifelse(joint > 0, 2 * stats::pnorm(limit / pmax(joint, 1e-12)) - 1, 1),
    placebo = NA_real_, relative = abs(table$ours / table$paper - 1)
  )
  cells$relative[!is.finite(cells$relative)] <- NA
  runs <- with_fixed_seed(replicate(2000L, {
    at <- stats::ave(seq_len(nrow(table)), table$shuffle, FUN = function(i) {
      i[sample.int(length(i))]
    })
    drawn <- stats::runif(nrow(table), min(table$paper), max(table$paper))
    agree_at(ifelse(few, drawn, table$ours[at]), ifelse(few, table$se, table$se[at]))
  }))
  cells$placebo_runs <- I(split(matrix(runs, nrow(table)), seq_len(nrow(table))))
  cells$placebo <- vapply(cells$placebo_runs, mean, 0)
  cells
}

# The session's random numbers are left alone.
with_fixed_seed <- function(code) {
  old <- get0(".Random.seed", envir = globalenv(), inherits = FALSE)
  on.exit(if (is.null(old)) {
    rm(".Random.seed", envir = globalenv())
  } else {
    assign(".Random.seed", old, envir = globalenv())
  })
  set.seed(1)
  code
}

# Equalities: sizes of inputs, and mathematics. Nothing can be shuffled, and all must hold.
equalities <- function(mark) {
  mark <- mark[!is.na(mark)]
  statements(mark == "agrees", chance = 0)
}

join_cells <- function(...) {
  parts <- lapply(list(...), function(part) {
    if (!is.list(part$placebo_runs)) part$placebo_runs <- I(rep(list(NULL), nrow(part)))
    part
  })
  do.call(rbind, parts)
}

# ---- Rows

# Counts of agreeing cells under the placebo: shuffled where numbers were, independent elsewhere.
placebo_counts <- function(cells) {
  shuffled <- vapply(cells$placebo_runs, is.logical, NA) &
    lengths(cells$placebo_runs) > 1L
  from_runs <- if (any(shuffled)) Reduce(`+`, cells$placebo_runs[shuffled]) else rep(0, 2000L)
  chance <- cells$placebo[!shuffled]
  if (length(chance) == 0L) return(from_runs)
  with_fixed_seed({
    from_runs + colSums(matrix(stats::runif(2000L * length(chance)) < chance, length(chance)))
  })
}

# What is stored of a row, but for its state. `placebo`: counts of a shuffle that the page has run.
# rare: chance of as few cells that do not differ as there are, if the paper is exact (binomial);
# lucky: chance of as many that agree under the placebo; power: chance that the placebo passes.
measure_row <- function(cells, placebo = NULL) {
  n <- nrow(cells)
  if (n == 0L) {
    return(data.frame(
      agree = 0L, open = 0L, compared = 0L, expected = NA_real_, placebo = NA_real_,
      rare = NA_real_, lucky = NA_real_, passes = NA_real_, relative = NA_real_
    ))
  }
  if (is.null(placebo)) placebo <- placebo_counts(cells)
  agree <- sum(cells$mark == "agrees")
  intact <- n - sum(cells$mark == "differs")
  chance <- mean(cells$exact)
  needed <- stats::qbinom(0.05, n, chance)
  share <- function(least) mean(placebo >= least)
  data.frame(
    agree = agree, open = sum(cells$mark == "open"), compared = n,
    expected = signif(n * chance, 3), placebo = signif(mean(placebo), 3),
    rare = signif(stats::pbinom(intact, n, chance), 2), lucky = signif(share(agree), 2),
    passes = signif(share(needed), 2),
    relative = signif(stats::median(cells$relative, na.rm = TRUE), 2)
  )
}

# The rule. A row agrees if exactness is not rejected (rare > 0.05), luck is (lucky < 0.05), and
# more than half of its cells agree. It differs if exactness is rejected by cells that luck would
# not pass. All else is undecided.
state_of_row <- function(row, absent = "") {
  if (nzchar(absent)) return("cannot be had")
  if (row$compared == 0L) return("not run")
  most <- row$agree > row$compared / 2
  if (most && row$rare > 0.05 && row$lucky < 0.05) return("agrees")
  if (row$rare <= 0.05 && row$passes < 0.05) return("differs")
  "undecided"
}

# A function that judges the rows of a paper's contents one by one, and gives the sentence for the
# text; close_states() ends it. `cells` are made by statements(), numbers() or equalities(); marks
# alone are equalities where the row holds inputs or mathematics, and else statements.
state_reader <- function(paper) {
  contents <- contents_of(paper)
  judged <- NULL
  function(item, cells, run = NA, placebo = NULL) {
    row <- only(contents[contents$item == item, ], item)
    if (!is.data.frame(cells)) {
      cells <- unname(cells[!is.na(cells)])
      exact <- row$kind %in% c("inputs", "mathematics")
      cells <- if (exact) equalities(cells) else statements(cells == "agrees")
    }
    found <- data.frame(
      paper = paper, item = item, measure_row(cells, placebo), run = run, asked = row$asked
    )
    found$state <- state_of_row(found, blank(row$absent))
    check_state(found)
    judged <<- rbind(judged[judged$item != item, ], found)
    sprintf("*%s: %s (%s%s).*", item, found$state, say_cells(found), size_of_run(row, run))
  }
}

blank <- function(text) ifelse(is.na(text), "", text)

say_cells <- function(found) {
  open <- if (found$open > 0L) sprintf(", %d open", found$open) else ""
  if (isTRUE(found$placebo == 0) && isTRUE(found$expected == found$compared)) {
    return(sprintf("%d of %d%s", found$agree, found$compared, open))
  }
  sprintf(
    "%d of %d%s; %s if exact, %s by luck", found$agree, found$compared, open,
    short(found$expected, 1), short(found$placebo, 1)
  )
}

# Only what is short of the paper's size.
size_of_run <- function(row, run) {
  if (is.na(row$asked)) return("; the paper does not give all settings")
  if (isTRUE(run >= row$asked)) return("")
  sprintf("; %s of %s %s run", format(run), format(row$asked), row$unit)
}

# Where judge.R wants the states; NULL while a page is built as usual.
states_wanted <- function() getOption("stabilect.states")

read_states <- function() read_result("papers", "states")

# What was found is what is stored, but for the run of judge.R that stores it.
check_state <- function(found) {
  if (!is.null(states_wanted())) {
    return(invisible())
  }
  stored <- read_states()
  stored <- only(stored[stored$paper == found$paper & stored$item == found$item, ], found$item)
  same <- vapply(c("agree", "compared", "run", "asked", "state"), function(column) {
    isTRUE(all.equal(found[[column]], stored[[column]], check.attributes = FALSE)) ||
      (is.na(found[[column]]) && is.na(stored[[column]]))
  }, NA)
  if (!all(same)) {
    stop(
      found$item, ": the results give '", found$state, "' (", found$agree, " of ", found$compared,
      " agree, ", found$run, " run), states.csv has '", stored$state, "' (", stored$agree, " of ",
      stored$compared, ", ", stored$run, "); see experiments/papers/judge.R"
    )
  }
}

# All rows of the paper's contents: those without marks are not run, or cannot be had.
close_states <- function(state) {
  place <- environment(state)
  for (item in setdiff(place$contents$item, place$judged$item)) state(item, character(), 0)
  found <- place$judged[match(place$contents$item, place$judged$item), ]
  if (!is.null(states_wanted())) {
    utils::write.csv(
      found, file.path(states_wanted(), paste0(found$paper[1], ".csv")), row.names = FALSE
    )
  }
  invisible(found)
}
