# What adopters call: containers, frameworks, schedulers. Every call checks its own answer.
# Rscript experiments/adopters/calls.R writes results/calls.csv; then make-tables.R ships it, and
# vignettes/frameworks.Rmd shows it. ONLY="knitr, targets" runs some calls and writes nothing.

library(stabilect)

# @param call (string); packages (character) that it needs, the first is its own; checked (string);
# @param run (function) stops if the answer is wrong; returns a text if it was to be refused.
new_call <- function(call, packages, checked, run) {
  list(call = call, packages = packages, checked = checked, run = run)
}

x <- as.matrix(mcl_sll[, -1])
rownames(x) <- paste0("s", seq_len(nrow(x)))
y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- normalizePath(if (length(file) > 0L) dirname(file) else "experiments/adopters")
for (part in c("containers", "frameworks", "workers")) source(file.path(folder, paste0(part, ".R")))
calls <- c(container_calls, framework_calls, worker_calls)

run_call <- function(one) {
  here <- vapply(one$packages, requireNamespace, NA, quietly = TRUE)
  row <- data.frame(
    call = one$call, package = one$packages[1], version = "", checked = one$checked,
    state = paste("package not here:", toString(one$packages[!here])), seconds = NA_real_
  )
  if (!all(here)) {
    return(row)
  }
  row$version <- as.character(utils::packageVersion(row$package))
  begin <- proc.time()[["elapsed"]]
  said <- suppressMessages(one$run())
  row$state <- if (identical(said, "refused as documented")) said else "ran"
  row$seconds <- round(proc.time()[["elapsed"]] - begin, 1)
  row
}

only <- trimws(strsplit(Sys.getenv("ONLY"), ",")[[1]])
chosen <- Filter(function(one) length(only) == 0L || one$call %in% only, calls)
rows <- lapply(chosen, function(one) {
  cat(one$call, "... ")
  row <- tryCatch(run_call(one), error = function(e) stop(one$call, ": ", conditionMessage(e)))
  cat(row$state, "\n")
  row
})
if (length(only) == 0L) {
  dir.create(file.path(folder, "results"), showWarnings = FALSE)
  table <- file.path(folder, "results", "calls.csv")
  utils::write.csv(do.call(rbind, rows), table, row.names = FALSE)
}
