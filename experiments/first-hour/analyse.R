# From golub in a csv to the report, as in vignette("five-minutes").
# Rscript analyse.R FOLDER RESULTS
folders <- commandArgs(TRUE)
golub <- readRDS(file.path(Sys.getenv("STABILECT_DATA"), "golub.rds"))
csv <- file.path(folders[1], "golub.csv")
utils::write.csv(
  data.frame(sample = seq_along(golub$y), leukaemia = golub$y, golub$x, check.names = FALSE), csv,
  row.names = FALSE
)

timed <- function(step, expr) {
  begin <- proc.time()
  value <- force(expr)
  spent <- proc.time() - begin
  row <- data.frame(
    step = step, elapsed = spent[["elapsed"]], processor = sum(spent[c(1, 2, 4, 5)], na.rm = TRUE)
  )
  utils::write.table(row, file.path(folders[2], "steps.csv"),
    append = TRUE, sep = ",", row.names = FALSE, col.names = FALSE, quote = FALSE
  )
  value
}

timed("library(stabilect)", library(stabilect))
samples <- timed("read.csv()", read.csv(csv, row.names = 1, check.names = FALSE))
# Intensities below 100 are noise of this array (Dudoit, Fridlyand and Speed 2002).
samples[-1] <- log2(pmax(as.matrix(samples[-1]), 100))
fit <- timed("fealect()", fealect(samples, "leukaemia", permute = 39, seed = 1))
said <- timed("print()", utils::capture.output(print(fit)))
timed("plot_values()", {
  grDevices::png(file.path(folders[1], "values.png"), 700, 500)
  print(plot_values(fit, samples, "leukaemia"))
  grDevices::dev.off()
})
short <- timed("stability_selection()", {
  stability_selection(samples, "leukaemia", pfer = 1, seed = 1)
})
page <- timed("write_report()", write_report(
  fit, file.path(folders[1], "golub.html"), x = samples, y = "leukaemia",
  title = "Acute leukaemia: ALL and AML"
))
writeLines(c(said, "", "selected(short)", selected(short)), file.path(folders[2], "print.txt"))
facts <- data.frame(
  samples = nrow(samples), features = ncol(samples) - 1L, megabytes = file.size(page) / 1e6,
  selected = length(fit$features), short = length(selected(short))
)
utils::write.csv(facts, file.path(folders[2], "facts.csv"), row.names = FALSE)
