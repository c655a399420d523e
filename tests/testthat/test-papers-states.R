# The states of the papers' tables and figures: a rule, found by the pages, and stored results that
# nobody changed.

rooms <- new.env()
for (file in c("tables.R", "states.R")) {
  sys.source(
    system.file("experiments", "papers", file, package = "stabilect", mustWork = TRUE), rooms
  )
}

stored_states <- function() rooms$read_states()

test_that("only what was run whole agrees, and nothing that was not compared", {
  state <- rooms$state_of_row
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
  states <- stored_states()
  contents <- rooms$read_contents()
  both <- merge(states, contents[c("paper", "item", "absent", "asked")], by = c("paper", "item"))
  expect_identical(nrow(both), nrow(contents))
  expect_identical(both$asked.x, both$asked.y)
  found <- mapply(
    rooms$state_of_row, both$agree, both$compared, both$run, both$asked.x, both$absent
  )
  expect_identical(unname(found), both$state)
})

test_that("a page that finds another state than is stored is not built", {
  judge <- rooms$state_reader("dernoncourt")
  row <- stored_states()
  row <- row[row$item == "Table 3, Colon", ]
  mark <- rep(c("agrees", "differs"), c(row$agree, row$compared - row$agree))
  expect_match(judge("Table 3, Colon", mark, row$run), row$state)
  mark[1] <- "differs"
  expect_error(judge("Table 3, Colon", mark, row$run), "states.csv")
  expect_error(judge("Table 3, Colon", rep("agrees", row$compared), row$run), "states.csv")
})

test_that("a stored number that was changed by hand is found", {
  seals <- utils::read.csv(
    system.file("experiments", "papers", "seals.csv", package = "stabilect", mustWork = TRUE)
  )
  for (paper in rooms$paper_names) {
    folder <- system.file("experiments", paper, "results", package = "stabilect", mustWork = TRUE)
    tables <- sub("[.]csv$", "", list.files(folder, "[.]csv$"))
    expect_setequal(seals$table[seals$paper == paper], setdiff(tables, "made"))
    for (name in setdiff(tables, "made")) expect_no_error(rooms$read_result(paper, name))
  }
  path <- system.file("experiments", "onda", "results", "table4.csv", package = "stabilect")
  copy <- withr::local_tempfile(lines = readLines(path))
  expect_identical(rooms$seal_of(copy), rooms$seal_of(path))
  rooms$check_seal("onda", "table4", copy)
  lines <- readLines(copy)
  substr(lines[2], nchar(lines[2]), nchar(lines[2])) <- "7"
  writeLines(lines, copy)
  expect_error(rooms$check_seal("onda", "table4", copy), "sealed")
})
