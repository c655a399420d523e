# A snapshot of calls, at least one of which fails, with classes and messages of the errors: what
# expect_snapshot(error = TRUE) of testthat 3.1 writes. Later versions write other lines.
expect_refusals <- function(calls) {
  calls <- substitute(calls)
  envir <- parent.frame()
  if (identical(calls[[1]], quote(`{`))) {
    # As they are written; the first reference is that of the brace.
    texts <- lapply(attr(calls, "srcref")[-1], as.character)
    calls <- as.list(calls)[-1]
  } else {
    texts <- list(deparse(calls, width.cutoff = 80L))
    calls <- list(calls)
  }
  said <- unlist(Map(function(call, text) c(Code = list(text), outcome_lines(call, envir)),
    calls, texts), recursive = FALSE)
  expect_true(any(startsWith(names(said), "Error")))
  # Calls that say nothing stand below one another.
  repeated <- c(FALSE, utils::head(names(said), -1) == "Code") & names(said) == "Code"
  lines <- Map(function(title, text, again) c(if (!again) title, paste0("  ", text)),
    names(said), said, repeated)
  expect_snapshot_output(cat(unlist(lines), sep = "\n"))
}

# What a call prints, its warnings and its error.
outcome_lines <- function(call, envir) {
  shown <- list()
  told <- function(word, e) {
    message <- list(strsplit(conditionMessage(e), "\n", fixed = TRUE)[[1]])
    shown <<- c(shown, stats::setNames(message, sprintf("%s <%s>", word, class(e)[1])))
  }
  printed <- utils::capture.output(tryCatch(
    withCallingHandlers(
      {
        value <- withVisible(eval(call, envir))
        if (value$visible) print(value$value)
      },
      warning = function(e) {
        told("Warning", e)
        rlang::cnd_muffle(e)
      }
    ),
    error = function(e) told("Error", e)
  ))
  c(if (length(printed) > 0L) list(Output = printed), shown)
}
