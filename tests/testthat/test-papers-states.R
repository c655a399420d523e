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

test_that("only what was run whole agrees, and nothing that was not compared", {
  state <- rooms()$state_of_row
  expect_identical(state(3, 3, 5, 5), "agrees")
  expect_identical(state(3, 3, 4, 5), "partly")
  expect_identical(state(3, 4, 5, 5), "partly")
  expect_identical(state(1, 4, 5, 5), "differs")
  expect_identical(state(0, 0, 0, 5), "not run")
  expect_identical(state(0, 0, 0, NA, "a drawing"), "cannot be had")
  # The settings are not in the paper: no run of ours is the whole of it.
  expect_identical(state(3, 3, NA, NA), "partly")
})

test_that("every stored state follows from its counts by the rule", {
  pages <- rooms()
  states <- pages$read_states()
  contents <- pages$read_contents()
  both <- merge(states, contents[c("paper", "item", "absent", "asked")], by = c("paper", "item"))
  expect_identical(nrow(both), nrow(contents))
  expect_identical(both$asked.x, both$asked.y)
  found <- mapply(
    pages$state_of_row, both$agree, both$compared, both$run, both$asked.x, both$absent
  )
  expect_identical(unname(found), both$state)
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
  judge <- rooms()$state_reader("dernoncourt")
  row <- rooms()$read_states()
  row <- row[row$item == "Table 3, Colon", ]
  mark <- rep(c("agrees", "differs"), c(row$agree, row$compared - row$agree))
  expect_match(judge("Table 3, Colon", mark, row$run), row$state)
  mark[1] <- "differs"
  expect_error(judge("Table 3, Colon", mark, row$run), "states.csv")
  expect_error(judge("Table 3, Colon", rep("agrees", row$compared), row$run), "states.csv")
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
