# The states of the papers' tables and figures: a rule, found by the pages, and stored results that
# nobody changed.

# What pages share, and what guards the results that they read.
rooms <- local({
  place <- new.env()
  function() {
    for (file in c("tables.R", "states.R")) {
      sys.source(sources("vignettes", "papers", file), place)
    }
    sys.source(experiment("papers", "seals.R"), place)
    place
  }
})

test_that("a row agrees if exactness is not rejected and luck is", {
  pages <- rooms()
  state <- function(cells, ...) pages$state_of_row(pages$measure_row(cells, ...))
  statements <- pages$statements
  # Five yes-or-no statements exclude luck (1 in 32), four do not.
  expect_identical(state(statements(rep(TRUE, 5))), "agrees")
  expect_identical(state(statements(rep(TRUE, 4))), "undecided")
  expect_identical(state(statements(c(rep(TRUE, 9), FALSE))), "differs")
  expect_identical(state(statements(FALSE)), "undecided")
  # A sign within two errors is open; beyond them it counts for more than luck.
  expect_identical(statements(TRUE, c(1, 3, -3))$mark, c("open", "agrees", "differs"))
  expect_identical(state(statements(TRUE, 3)), "agrees")
  expect_identical(state(statements(TRUE, 1)), "undecided")
  expect_identical(state(statements(TRUE, c(3, 1, 1))), "undecided")
  expect_identical(state(statements(TRUE, c(3, 3, 1))), "agrees")
  # Half of the cells are not enough, however unlikely by luck.
  expect_identical(state(statements(TRUE, c(3, 1))), "undecided")
  # Equalities have no luck: one that fails is enough.
  expect_identical(state(pages$equalities(c("agrees", "agrees"))), "agrees")
  expect_identical(state(pages$equalities(c("agrees", "differs"))), "differs")
  expect_identical(state(pages$equalities(character())), "not run")
  expect_identical(pages$state_of_row(pages$measure_row(statements(TRUE)), "a reason"),
    "cannot be had")
  expect_identical(pages$about_equal(c(0.01, -0.03), 0.02)$mark, c("agrees", "differs"))
})

test_that("a claim is judged by three quarters of its cases", {
  verdict <- rooms()$verdict
  expect_identical(verdict(TRUE), "supported")
  expect_identical(verdict(rep(c(TRUE, FALSE), c(3, 1))), "supported")
  expect_identical(verdict(rep(c(TRUE, FALSE), c(2, 1))), "depends")
  expect_identical(verdict(rep(c(TRUE, FALSE), c(1, 3))), "not supported")
  # Where errors do not decide, a case speaks for neither side.
  expect_identical(verdict(c(TRUE, TRUE, TRUE, NA, NA)), "depends")
  expect_identical(verdict(c(NA, NA)), "undecided")
  expect_identical(rooms()$case_of(c(-3, 1, 2.5)), c(FALSE, NA, TRUE))
})

test_that("exact reproduction agrees, and shuffled numbers do not", {
  pages <- rooms()
  paper <- seq(0.1, 0.9, length.out = 44)
  se <- 0.02
  states <- withr::with_seed(1, vapply(1:60, function(i) {
    exact <- paper + stats::rnorm(44, sd = se * sqrt(2))
    shuffled <- sample(exact)
    c(
      pages$state_of_row(pages$measure_row(pages$numbers(exact, paper, se, se))),
      pages$state_of_row(pages$measure_row(pages$numbers(shuffled, paper, se, se)))
    )
  }, c("", "")))
  # All 44 cells would agree in 13 % of exact reproductions.
  expect_gt(mean(states[1, ] == "agrees"), 0.9)
  expect_true(all(states[2, ] == "differs"))
  # Numbers that are all alike decide nothing: luck agrees as often.
  alike <- withr::with_seed(2, 0.5 + stats::rnorm(44, sd = 0.001))
  row <- pages$measure_row(pages$numbers(alike, rep(0.5, 44), se, se))
  expect_identical(pages$state_of_row(row), "undecided")
  expect_equal(row$placebo, 44)
})

test_that("expected counts are those of the normal law, of rounding and of all permutations", {
  pages <- rooms()
  cells <- pages$numbers(c(1, 2, 3), c(1, 2, 3), 0.1, 0.1, c(0, 0, 2))
  # Half a unit of the last place is 1, seven joint errors.
  expect_equal(cells$exact, c(rep(2 * stats::pnorm(2) - 1, 2), 1), tolerance = 1e-6)
  # Fewer than four: a number from 1 to 3. Limits are 0.28, 0.28 and 1.
  width <- 2 * sqrt(0.02)
  expect_equal(cells$placebo, c(width / 2, width, 1 / 2), tolerance = 0.1)
  # By hand over the orders of four: each cell has its own number in a quarter of them; the last
  # also agrees with 3, which is half a unit away.
  four <- pages$numbers(1:4, 1:4, 0.1, 0.1, c(0, 0, 0, 2))
  expect_equal(four$placebo, c(1, 1, 1, 2) / 4, tolerance = 0.1)
  # Groups are shuffled by themselves: equal numbers of another group do not come in.
  twice <- rep(1:2, each = 4)
  grouped <- pages$numbers(twice, twice, 0.01, shuffle = twice)
  expect_equal(pages$measure_row(grouped)$placebo, 8)
  # The session's random numbers are left alone.
  set.seed(1)
  invisible(pages$numbers(1:3, 1:3))
  drawn <- stats::runif(1)
  set.seed(1)
  expect_identical(stats::runif(1), drawn)
})

test_that("every stored state follows from what is stored of its row by the rule", {
  pages <- rooms()
  states <- pages$read_states()
  contents <- pages$read_contents()
  columns <- c("paper", "item", "absent", "asked")
  both <- merge(states, contents[columns], by = c("paper", "item"))
  expect_identical(nrow(both), nrow(contents))
  expect_identical(both$asked.x, both$asked.y)
  found <- vapply(seq_len(nrow(both)), function(i) {
    pages$state_of_row(both[i, ], both$absent[i])
  }, "")
  expect_identical(found, both$state)
  counted <- both$compared > 0
  expect_true(all(both$expected[counted] <= both$compared[counted]))
  expect_true(all(both$placebo[counted] <= both$compared[counted]))
  # Inputs and mathematics are equalities, but where a simulation tests a theorem.
  exact <- contents$kind %in% c("inputs", "mathematics") & contents$item != "Theorem 5"
  rows <- pages$rows_for(states, contents[exact, c("paper", "item")])
  expect_identical(rows$expected[rows$compared > 0], as.numeric(rows$compared[rows$compared > 0]))
})

test_that("the first screen has the claims that the pages judge", {
  claims <- rooms()$read_result("papers", "claims")
  expect_setequal(claims$paper, rooms()$paper_names)
  expect_true(all(nzchar(claims$claim) & nzchar(claims$verdict) & nzchar(claims$why)))
  for (paper in rooms()$paper_names) {
    lines <- readLines(sources("vignettes", paste0("paper-", paper, ".Rmd")), encoding = "UTF-8")
    begin <- grep(paste0("show_claims[(]\"", paper, "\""), lines)
    # Before the first heading.
    expect_lt(begin, grep("^## ", lines)[1])
  }
})

test_that("what is short of the paper's size is listed with its cost, and nothing else", {
  pages <- rooms()
  states <- pages$read_states()
  contents <- pages$read_contents()
  absent <- contents$absent[match(
    paste(states$paper, states$item), paste(contents$paper, contents$item)
  )]
  lacks <- !nzchar(absent) & !is.na(states$asked) & states$run < states$asked
  listed <- pages$read_result("papers", "short")
  expect_setequal(
    paste(listed$paper, listed$item), paste(states$paper, states$item)[lacks]
  )
  expect_true(all(nzchar(listed$missing)))
  expect_true(all(is.na(listed$minutes) | listed$minutes > 0))
})

test_that("a page that finds another state than is stored is not built", {
  judge <- rooms()$state_reader("zare")
  row <- rooms()$read_states()
  row <- row[row$paper == "zare" & row$item == "Bend of the curve", ]
  cells <- rooms()$statements(rep(c(TRUE, FALSE), c(row$agree, row$compared - row$agree)), NA, 0.01)
  expect_match(judge("Bend of the curve", cells, row$run), row$state)
  cells$mark <- "agrees"
  expect_error(judge("Bend of the curve", cells, row$run), "states.csv")
  expect_error(rooms()$keep_claims("zare", rbind(c("a claim", "supported", "why"))), "claims.csv")
})

test_that("a stored number that was changed by hand is found", {
  seals <- utils::read.csv(experiment("papers", "seals.csv"))
  guards <- rooms()
  check <- function(paper, path, ...) guards$check_seal(sources(), paper, path, ...)
  for (paper in guards$paper_names) {
    paths <- list.files(experiment(paper, "results"), "[.]csv$", full.names = TRUE)
    tables <- sub("[.]csv$", "", basename(paths))
    expect_setequal(seals$table[seals$paper == paper], setdiff(tables, "made"))
    for (path in paths) expect_no_error(check(paper, path))
  }
  path <- experiment("onda", "results", "table4.csv")
  copy <- withr::local_tempfile(lines = readLines(path))
  expect_identical(guards$seal_of(copy), guards$seal_of(path))
  check("onda", copy, name = "table4")
  lines <- readLines(copy)
  substr(lines[2], nchar(lines[2]), nchar(lines[2])) <- "7"
  writeLines(lines, copy)
  expect_error(check("onda", copy, name = "table4"), "sealed")
})
