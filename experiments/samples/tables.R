# From the stored predictions: how often bands held the truth, and how far predictions were from it.
# Sourced by run.R; needs `folder`.

if (!exists("folder")) {
  file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
  folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
}
studies <- utils::read.csv(file.path(folder, "studies.csv"))
csv <- file.path(folder, "halves.csv")
halves <- if (file.exists(csv)) utils::read.csv(csv)

summary_of <- function(rows, label, times) {
  there <- rows[!is.na(rows$fitted), ]
  with_error <- rows[!is.na(rows$error_fitted), ]
  data.frame(
    sources = label, times = times, studies = nrow(rows), with_curve = nrow(there),
    covered = mean(there$lower <= there$truth & there$truth <= there$upper),
    above = mean(there$truth > there$upper), below = mean(there$truth < there$lower),
    bias = mean(there$fitted - there$truth), rmse = sqrt(mean((there$fitted - there$truth)^2)),
    width = mean(there$upper - there$lower), with_error = nrow(with_error),
    error_covered = mean(with_error$error_lower <= with_error$error_truth &
      with_error$error_truth <= with_error$error_upper),
    error_rmse = sqrt(mean((with_error$error_fitted - with_error$error_truth)^2))
  )
}

groups <- c(
  list("with signal" = c("strong", "weak")),
  as.list(stats::setNames(nm = unique(studies$source)))
)
coverage <- do.call(rbind, lapply(names(groups), function(group) {
  do.call(rbind, lapply(sort(unique(studies$times)), function(times) {
    of_group <- studies$source %in% groups[[group]] & studies$times == times
    summary_of(studies[of_group, ], group, times)
  }))
}))
if (!is.null(halves)) coverage <- rbind(coverage, summary_of(halves, "half hidden", 1))
numbers <- vapply(coverage, is.double, NA)
coverage[numbers] <- lapply(coverage[numbers], signif, 3)
utils::write.csv(coverage, file.path(folder, "coverage.csv"), row.names = FALSE)
