# The state of a table or figure in the contents of a paper, found from the marks that its page has
# computed and from how much of it was run. No state is written by hand: judge.R in
# experiments/papers builds the pages and writes states.csv, and a page that finds anything else
# than is there is not built. Sourced by vignettes after tables.R.

holds <- function(true) ifelse(true, "agrees", "differs")

# The code of a vignette's chunks, which is in page-<paper>-*.R beside this file.
read_pages <- function(paper) {
  for (page in Sys.glob(file.path("papers", paste0("page-", paper, "-*.R")))) {
    knitr::read_chunk(page)
  }
}

# A verdict on a claim.
verdict <- function(true, yes = "supported", no = "not supported") if (true) yes else no

# The rule. `agree` of `compared` marks; `run` of the `asked` pieces of the paper's table or figure
# (sets, cells, settings ...), `asked` NA where the paper does not say with what it was made;
# `absent`: why it cannot be had. Only what was run whole can agree.
state_of_row <- function(agree, compared, run, asked, absent = "") {
  if (nzchar(absent)) return("cannot be had")
  if (compared == 0L) return("not run")
  if (agree < compared / 2) return("differs")
  if (agree == compared && !is.na(asked) && isTRUE(run >= asked)) return("agrees")
  "partly"
}

# A function that judges the rows of a paper's contents one by one, and gives the sentence for the
# text; close_states() ends it.
state_reader <- function(paper) {
  contents <- contents_of(paper)
  judged <- NULL
  function(item, mark, run = NA) {
    row <- only(contents[contents$item == item, ], item)
    mark <- mark[!is.na(mark)]
    found <- data.frame(
      paper = paper, item = item, agree = sum(mark == "agrees"), compared = length(mark),
      run = run, asked = row$asked
    )
    found$state <- state_of_row(
      found$agree, found$compared, found$run, found$asked, blank(row$absent)
    )
    check_state(found)
    judged <<- rbind(judged[judged$item != item, ], found)
    sprintf("*%s: %s (%s; %s).*", item, found$state, count_marks(mark), size_of_run(row, run))
  }
}

blank <- function(text) ifelse(is.na(text), "", text)

size_of_run <- function(row, run) {
  if (is.na(row$asked)) return("the paper does not say with what settings")
  sprintf("%s of %s %s run", format(run), format(row$asked), row$unit)
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
  same <- vapply(names(found), function(column) {
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
