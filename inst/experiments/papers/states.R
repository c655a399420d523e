# The state of a table or figure in the contents of a paper, checked against the marks that a
# vignette has computed. Sourced by vignettes after tables.R.

holds <- function(true) ifelse(true, "agrees", "differs")

# The code of a vignette's chunks, kept beside its experiment in page-*.R.
read_pages <- function(paper) {
  folder <- system.file("experiments", paper, package = "stabilect", mustWork = TRUE)
  for (page in Sys.glob(file.path(folder, "page-*.R"))) knitr::read_chunk(page)
}

# A verdict on a claim.
verdict <- function(true, yes = "supported", no = "not supported") if (true) yes else no

# All marks agree: "agrees"; fewer than half: "differs"; else, or when only a part of the table
# could be run (`whole = FALSE`): "partly". Returns the sentence for the text; an error when the
# contents say something else.
state_reader <- function(paper) {
  folder <- system.file("experiments", "papers", package = "stabilect", mustWork = TRUE)
  contents <- utils::read.csv(file.path(folder, paste0(paper, ".csv")), encoding = "UTF-8")
  function(item, mark, whole = TRUE) {
    said <- only(contents[contents$item == item, ], item)$state
    share <- mean(mark[!is.na(mark)] == "agrees")
    found <- if (share < 0.5) "differs" else if (share == 1 && whole) "agrees" else "partly"
    if (said != found) {
      stop(item, " is said to be '", said, "', but the results say '", found, "'")
    }
    sprintf("*%s: %s (%s).*", item, found, count_marks(mark))
  }
}
