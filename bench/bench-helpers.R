# Shared by the scripts of this folder: who measured, where, and how results are kept.

commit_hash <- function() {
  hash <- system2("git", c("rev-parse", "--short", "HEAD"), stdout = TRUE, stderr = FALSE)
  dirty <- length(system2("git", c("status", "--porcelain"), stdout = TRUE, stderr = FALSE)) > 0
  paste0(hash, if (dirty) "+" else "")
}

machine_name <- function() {
  info <- tryCatch(readLines("/proc/cpuinfo"), error = function(e) character())
  model <- sub(".*: ", "", grep("^model name", info, value = TRUE)[1])
  sprintf("%s, %d cores, R %s", model, parallel::detectCores(), getRversion())
}

# Adds rows to results.csv, newest last; one row per figure.
record <- function(topic, rows, file = file.path("bench", "results.csv")) {
  stamp <- data.frame(
    date = format(Sys.Date()), commit = commit_hash(), machine = machine_name(), topic = topic
  )
  rows <- cbind(stamp, rows)
  new <- !file.exists(file)
  utils::write.table(rows, file,
    sep = ",", row.names = FALSE, col.names = new, append = !new, qmethod = "double"
  )
  print(rows[setdiff(names(rows), c("date", "commit", "machine", "topic"))],
    row.names = FALSE, digits = 3
  )
  invisible(rows)
}

seconds <- function(expr) system.time(expr, gcFirst = TRUE)[["elapsed"]]

# Processor time of all threads: on a machine that others use too, elapsed time is mostly theirs.
cpu_seconds <- function(expr) {
  times <- system.time(expr, gcFirst = TRUE)
  sum(times[c("user.self", "sys.self", "user.child", "sys.child")], na.rm = TRUE)
}

# Expression-like data: groups of ten correlated features, twenty of the groups informative.
expression_like <- function(n, p, seed) {
  withr::with_seed(seed, {
    groups <- ceiling(p / 10)
    factors <- matrix(stats::rnorm(n * groups), n)
    x <- factors[, rep(seq_len(groups), each = 10)[seq_len(p)]] * sqrt(0.5) +
      matrix(stats::rnorm(n * p), n) * sqrt(0.5)
    signal <- rowSums(x[, 10 * seq_len(20), drop = FALSE])
    list(x = x, y = factor(ifelse(signal + stats::rnorm(n) > 0, "a", "b")))
  })
}

# Independent features, or five factors with 70 % of the variance; an outcome of each family from
# the same ten.
likelihood_study <- function(n, p, design, seed) {
  withr::with_seed(seed, {
    x <- matrix(stats::rnorm(n * p), n)
    if (design == "factors") {
      shared <- matrix(stats::rnorm(n * 5), n) %*% matrix(stats::rnorm(5 * p), 5) / sqrt(5)
      x <- sqrt(0.7) * shared + sqrt(0.3) * x
    }
    colnames(x) <- paste0("g", seq_len(p))
    true <- x[, sample(p, 10)]
    eta <- drop(scale(true %*% rep(c(1, -1), 5)))
    link <- 1.5 * scale(true %*% matrix(stats::rnorm(40), 10))
    list(
      x = x, binomial = factor(stats::rbinom(n, 1, stats::plogis(2 * eta))),
      poisson = stats::rpois(n, exp(1 + 0.7 * eta)),
      cox = survival::Surv(stats::rexp(n, exp(eta)), stats::rbinom(n, 1, 0.7)),
      multinomial = factor(apply(exp(link), 1, function(chance) sample(4, 1, prob = chance)))
    )
  })
}
