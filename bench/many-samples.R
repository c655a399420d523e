# Verbs of many samples with their defaults: processor seconds on one thread, peak memory, and
# multiples of one path of glmnet (100 penalties) on the same data.
#
#   Rscript bench/many-samples.R [minutes] [seconds a call] [samples]
#
# A call is a process of its own, which ends after the seconds; rows in many-samples.csv are not
# measured again (delete those that are to be). It stops after the minutes of processor time.

library(stabilect)
source(file.path("bench", "bench-helpers.R"))

given <- commandArgs(TRUE)
sizes <- data.frame(
  n = c(2000, 200, 20, 5000, 20000, 100000, 200, 2000, 50000),
  p = c(500, 500, 500, 500, 1000, 40, 5000, 5000, 3000)
)

# Ten of p features have effects of seven standard errors.
draw <- function(n, p, outcome) {
  withr::with_seed(n + p, {
    x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p))))
    link <- drop(x[, 1:10] %*% rep(c(1, -1), 5)) * 7 / sqrt(n)
    y <- switch(outcome,
      numbers = link + stats::rnorm(n),
      classes = ifelse(link + stats::rnorm(n) > 0, "b", "a"),
      survival = survival::Surv(stats::rexp(n, exp(link)), stats::rbinom(n, 1, 0.7))
    )
    list(x = x, y = y)
  })
}

family_of <- c(numbers = "gaussian", classes = "binomial", survival = "cox")

calls <- list(
  glmnet = function(x, y, outcome) {
    if (outcome == "classes") y <- factor(y)
    glmnet::glmnet(x, y, family = family_of[[outcome]])
  },
  find_signals = function(x, y, ...) find_signals(x, y, seed = 1),
  `find_signals, any` = function(x, y, ...) {
    find_signals(x, y, kind = "any", permute = 99, seed = 1)
  },
  stability_selection = function(x, y, ...) stability_selection(x, y, seed = 1),
  fealect = function(x, y, ...) fealect(x, y, seed = 1),
  select_ensemble = function(x, y, ...) {
    select_ensemble(x, y, selector_lasso_path(), seed = 1)
  },
  `fealect, max_features = 30` = function(x, y, ...) fealect(x, y, max_features = 30, seed = 1),
  bolasso = function(x, y, ...) bolasso(x, y, seed = 1),
  split_test = function(x, y, ...) split_test(x, y, seed = 1),
  hybrid_rfe = function(x, y, ...) hybrid_rfe(x, y, seed = 1),
  test_signature = function(x, y, ...) test_signature(x, y, paste0("g", 1:10), seed = 1)
)
takes <- list(
  hybrid_rfe = "classes", bolasso = c("numbers", "classes"), test_signature = "numbers",
  `find_signals, any` = "numbers", split_test = "numbers"
)

# In kB, of this process.
peak_memory <- function() {
  status <- tryCatch(readLines("/proc/self/status"), error = function(e) character())
  as.numeric(gsub("[^0-9]", "", grep("^VmHWM", status, value = TRUE)))
}

# One call: `--call verb outcome n p file`, writes seconds and MiB.
if (length(given) > 0L && given[1] == "--call") {
  options(stabilect.n_threads = 1)
  data <- draw(as.numeric(given[4]), as.numeric(given[5]), given[3])
  took <- cpu_seconds(suppressWarnings(calls[[given[2]]](data$x, data$y, given[3])))
  writeLines(format(c(took, peak_memory() / 1024)), given[6])
  quit("no")
}

asked <- replace(c(15, 300, Inf), seq_along(given), as.numeric(given))
path <- file.path("bench", "many-samples.csv")
cells <- expand.grid(
  verb = names(calls), outcome = names(family_of), size = seq_len(nrow(sizes)),
  stringsAsFactors = FALSE
)
cells <- cbind(cells[c("verb", "outcome")], sizes[cells$size, ])
known_outcome <- mapply(function(verb, outcome) {
  is.null(takes[[verb]]) || outcome %in% takes[[verb]]
}, cells$verb, cells$outcome)
cells <- cells[known_outcome & cells$n <= asked[3], ]
known <- if (file.exists(path)) utils::read.csv(path, stringsAsFactors = FALSE)
id <- function(rows) paste(rows$verb, rows$outcome, rows$n, rows$p)
cells <- cells[!id(cells) %in% if (!is.null(known)) id(known), ]

spent <- 0
for (k in seq_len(nrow(cells))) {
  if (spent > 60 * asked[1]) break
  cell <- cells[k, ]
  out <- tempfile()
  started <- proc.time()
  system2(file.path(R.home("bin"), "Rscript"),
    shQuote(c("bench/many-samples.R", "--call", cell$verb, cell$outcome, cell$n, cell$p, out)),
    stdout = FALSE, stderr = FALSE, timeout = asked[2]
  )
  # A call that did not end has NA.
  found <- if (file.exists(out)) as.numeric(readLines(out)) else c(NA, NA)
  spent <- spent + sum((proc.time() - started)[c("user.child", "sys.child")])
  record("many samples", cbind(cell,
    seconds = round(found[1], 2), mib = round(found[2]), limit = asked[2]
  ), path)
}

# Multiples of one path of glmnet.
table <- utils::read.csv(path, stringsAsFactors = FALSE)
one <- table[table$verb == "glmnet", ]
at <- match(paste(table$outcome, table$n, table$p), paste(one$outcome, one$n, one$p))
table$paths <- round(table$seconds / one$seconds[at], 1)
print(table[c("verb", "outcome", "n", "p", "seconds", "mib", "paths")], row.names = FALSE)
