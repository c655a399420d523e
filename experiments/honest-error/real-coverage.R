# Coverage of intervals of out-of-bag errors on real data, from results/real.csv of real.R.
# Rscript experiments/honest-error/real-coverage.R; writes results/real-coverage.csv.
#
# Shares of classes: before Wilson's interval as if from n / 2 samples, now Clopper and Pearson's.
# Numbers: the logarithm's interval, before as if from n / 3 samples by the normal distribution,
# now as if from n / 4 by the t distribution with n / 4 - 1 degrees of freedom. The rest of a set
# tells a rate to within its own binomial error: coverage is the mean probability of the interval
# given the errors in the rest (Jeffreys' posterior); `counted` takes the share of errors in the
# rest for the truth.

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
draws <- utils::read.csv(file.path(folder, "real.csv"))
z <- stats::qnorm(0.975)
# The cells of real-unseen.R.
unseen <- "(classes|numbers), (wdbc|ionosphere|heart|madelon|Isolet 2:5|COIL 3:6|ligands),"

wilson <- function(e, m) {
  centre <- (e + z^2 / (2 * m)) / (1 + z^2 / m)
  half <- z / (1 + z^2 / m) * sqrt(e * (1 - e) / m + z^2 / (4 * m^2))
  list(lower = ifelse(e == 0, 0, centre - half), upper = ifelse(e == 1, 1, centre + half))
}
exact <- function(e, m) {
  list(
    lower = stats::qbeta(0.025, e * m, m - e * m + 1),
    upper = stats::qbeta(0.975, e * m + 1, m - e * m)
  )
}
of_losses <- function(rows, quantile, divisor) {
  half <- quantile * sqrt(divisor / rows$n) * rows$sd / rows$error
  list(lower = rows$error * exp(-half), upper = rows$error * exp(half))
}
counted <- function(limits, rows) mean(limits$lower <= rows$true & rows$true <= limits$upper)
covered <- function(limits, rows) {
  wrong <- rows$true * rows$rest
  at <- function(limit) stats::pbeta(limit, wrong + 0.5, rows$rest - wrong + 0.5)
  mean(at(limits$upper) - at(limits$lower))
}

summarise <- function(rows) {
  # Without any loss there is no interval, without a prediction of every sample no truth.
  rows <- rows[(rows$sd > 0 | !grepl("^numbers", rows$cell)) & !is.na(rows$true + rows$error), ]
  n <- rows$n[1]
  numbers <- grepl("^numbers", rows$cell[1])
  before <- if (numbers) of_losses(rows, z, 3) else wilson(rows$error, n / 2)
  now <- if (numbers) {
    of_losses(rows, stats::qt(0.975, n / 4 - 1), 4)
  } else {
    exact(rows$error, n / 2)
  }
  judge <- if (numbers) counted else covered
  data.frame(
    part = if (grepl(unseen, rows$cell[1])) "unseen" else "seen",
    kind = sub(",.*", "", rows$cell[1]), set = strsplit(rows$cell[1], ", ")[[1]][2], n,
    procedure = sub(".*, ", "", rows$cell[1]), draws = nrow(rows), rest = max(rows$rest),
    true = mean(rows$true), error = mean(rows$error), before = judge(before, rows),
    now = judge(now, rows),
    before_counted = counted(before, rows), now_counted = counted(now, rows),
    width_before = mean(before$upper - before$lower), width_now = mean(now$upper - now$lower)
  )
}
table <- do.call(rbind, lapply(split(draws, factor(draws$cell, unique(draws$cell))), summarise))
table <- table[order(table$kind, table$procedure, table$set, table$n), ]
is_number <- vapply(table, is.double, NA)
table[is_number] <- lapply(table[is_number], signif, 4)
utils::write.csv(table, file.path(folder, "real-coverage.csv"), row.names = FALSE)
options(width = 160)
print(table, row.names = FALSE, digits = 3)
