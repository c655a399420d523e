# Rscript summarise.R: tables of results/rankings.csv and results/named.csv, as far as these are
# there. A set counts when all of its methods are done, an outcome when all of its lists are.
#   methods.csv      a row for each group of sets, method and size: means, and differences to t
#   differences.csv  a row for each set and method at 20 features
#   lists.csv        a row for each list and kind of outcome
# Versions of the same samples are one study: means are of studies, and so are intervals.

if (!exists("results")) {
  file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
  results <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
}
read_result <- function(name) utils::read.csv(file.path(results, paste0(name, ".csv")))
write_result <- function(table, name) {
  numbers <- vapply(table, is.double, NA)
  table[numbers] <- lapply(table[numbers], signif, 4)
  utils::write.csv(
    table, file.path(results, paste0(name, ".csv")), row.names = FALSE, quote = FALSE
  )
}
about <- read_result("sets")

of_studies <- function(values, study) as.vector(tapply(values, study, mean))
# A mean over studies with its 95 % interval, NA for fewer than two.
interval <- function(values, study, name) {
  means <- of_studies(values, study)
  k <- length(means)
  margin <- if (k > 1L) stats::qt(0.975, k - 1) * stats::sd(means) / sqrt(k) else NA
  out <- data.frame(mean(means), mean(means) - margin, mean(means) + margin)
  stats::setNames(out, paste0(name, c("", "_low", "_high")))
}

# Rankings ------------------------------------------------------------------------------------

rankings <- merge(read_result("rankings"), about[c("set", "study", "genes", "outcome", "p")])
n_methods <- tapply(rankings$method, rankings$set, function(method) length(unique(method)))
wanted <- ifelse(about$outcome == "survival", 9L, 11L)
done <- about$set[which(n_methods[about$set] == wanted)]
rankings <- rankings[rankings$set %in% done, ]
key <- paste(rankings$set, rankings$n_features)
of_t <- rankings[rankings$method == "t", ]
at <- match(key, paste(of_t$set, of_t$n_features))
rankings$error_difference <- rankings$error - of_t$error[at]
rankings$stability_difference <- rankings$nogueira - of_t$nogueira[at]

one_row <- function(rows) {
  # Errors of survival times are of another kind, and two methods do not take them. Only with 100
  # features are all sizes of lists there.
  classes <- rows[rows$outcome != "survival" & rows$p >= 100, ]
  by_study <- of_studies(sign(rows$error_difference), rows$study)
  data.frame(
    rows[1L, c("method", "n_features")], sets = nrow(rows), studies = length(unique(rows$study)),
    error = mean(of_studies(classes$error, classes$study)),
    interval(rows$error_difference, rows$study, "error_difference"),
    studies_lower = sum(by_study < 0), studies_higher = sum(by_study > 0),
    stability = mean(of_studies(classes$nogueira, classes$study)),
    interval(rows$stability_difference, rows$study, "stability_difference"),
    seconds = stats::median(rows$seconds), failed = sum(rows$failed)
  )
}
rows_of_group <- function(group) {
  rows <- switch(group,
    all = rankings, genes = rankings[rankings$genes, ], other = rankings[!rankings$genes, ]
  )
  parts <- split(rows, list(factor(rows$method, unique(rankings$method)), rows$n_features),
    drop = TRUE
  )
  if (length(parts) > 0L) cbind(group = group, do.call(rbind, lapply(parts, one_row)))
}
write_result(do.call(rbind, lapply(c("all", "genes", "other"), rows_of_group)), "methods")
write_result(rankings[rankings$n_features == 20L & rankings$method != "t", c(
  "set", "study", "genes", "outcome", "method", "error", "error_difference", "nogueira",
  "stability_difference"
)], "differences")

# Named lists ---------------------------------------------------------------------------------

named <- merge(read_result("named"), about[c("set", "study", "outcome")], sort = FALSE)
one_list <- function(rows) {
  by_study <- of_studies(rows$named > 0, rows$study)
  data.frame(
    rows[1L, c("kind", "list")], outcomes = nrow(rows), sets = length(unique(rows$set)),
    any = mean(by_study), any_se = stats::sd(by_study) / sqrt(length(by_study)),
    named = mean(of_studies(rows$named, rows$study)), most = max(rows$named),
    true = mean(of_studies(rows$true, rows$study)),
    found = mean(of_studies(rows$found, rows$study)),
    unrelated = mean(of_studies(rows$unrelated, rows$study)),
    seconds = stats::median(rows$seconds)
  )
}
parts <- split(named, list(factor(named$list, unique(named$list)), named$kind), drop = TRUE)
write_result(do.call(rbind, lapply(parts, one_list)), "lists")
