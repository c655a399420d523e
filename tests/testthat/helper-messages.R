# A message as the user reads it, without the bullets' symbols, which depend on the terminal.
message_of <- function(expr, class = "stabilect_error_input") {
  text <- cli::ansi_strip(conditionMessage(expect_error(expr, class = class)))
  gsub("\n\\S ", "\n ", text)
}

# A print without line breaks and indentation.
printed_words <- function(x) {
  gsub("\\s+", " ", paste(utils::capture.output(print(x)), collapse = " "))
}
