# Interrupts every call of long_calls() in tests/testthat/helper-interrupt.R after about a second,
# and measures how long it takes to end. Rscript tools/attack-interrupt.R [part of a name]
# The aim is half a second; where the machine is busy, of the processor.

source("tools/attack-store.R")
part <- commandArgs(trailingOnly = TRUE)
source("tests/testthat/helper-interrupt.R")
calls <- long_calls()
if (length(part) > 0L) calls <- calls[grepl(part[1], names(calls))]
rows <- lapply(names(calls), function(name) {
  end <- interrupt_call(calls[[name]])
  cat(sprintf("%-32s %s, %.2f s, processor %.2f s\n", name, end$how, end$seconds, end$cpu))
  data.frame(call = name, how = end$how, seconds = round(end$seconds, 2), cpu = round(end$cpu, 2))
})
rows <- do.call(rbind, rows)
dir.create(".build", showWarnings = FALSE)
utils::write.csv(rows, ".build/attack-interrupt.csv", row.names = FALSE)
store_attack("interrupts", rows)
late <- rows$how != "interrupted" | pmin(rows$seconds, rows$cpu, na.rm = TRUE) > 0.5
cat(sprintf("%d of %d ended within half a second\n", sum(!late), nrow(rows)))
if (any(late)) {
  print(rows[late, ], row.names = FALSE, right = FALSE)
  quit(status = 1L)
}
