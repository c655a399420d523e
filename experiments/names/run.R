# Which names does find_signals() give when the truth is known, and with which probability? Real
# features, simulated outcomes. Rscript run.R [repetitions] [seconds of processor time]
# adds to results/responses.rds and results/names.rds after every repetition and goes on from there
# when run again; then it makes the tables. With a library of the package before the posterior
# (commit f5225c69) it adds the names of forward steps on the same outcomes.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
arguments <- as.numeric(commandArgs(trailingOnly = TRUE))
repetitions <- c(arguments[1], 100)[1 + is.na(arguments[1])]
seconds <- c(arguments[2], Inf)[1 + is.na(arguments[2])]
source(file.path(dirname(folder), "designs.R"))

old <- exists("step_table", asNamespace("stabilect"), inherits = FALSE)
naming <- if (old) "steps" else "posterior"

# Names, and features with a probability from 0.5 that are not named; `r`: largest absolute
# correlation with a true feature.
names_of <- function(fit, x, drawn) {
  none <- data.frame(feature = character(), probability = numeric())
  shown <- function(table, named) {
    probability <- if (naming == "steps") rep(NA_real_, nrow(table)) else table$probability
    data.frame(feature = table$feature, probability, named = rep(named, nrow(table)))
  }
  names <- rbind(
    shown(fit$table, TRUE), shown(if (naming == "steps") none else fit$candidates, FALSE)
  )
  at <- match(names$feature, colnames(x))
  names$true <- at %in% drawn$at
  r <- abs(stats::cor(x[, at, drop = FALSE], drawn$like))
  names$r <- if (nrow(names) > 0L) apply(r, 1, max) else numeric()
  names
}

one_set <- function(x, set, cell, repetition) {
  drawn <- draw_set(x, set, cell, repetition)
  took <- system.time(
    fit <- find_signals(x, drawn$y, permute = 199, seed = drawn$seed, progress = FALSE)
  )
  key <- data.frame(naming, set, cell, repetition)
  names <- names_of(fit, x, drawn)
  list(
    responses = data.frame(
      key, seed = drawn$seed, r2 = drawn$r2, n_true = length(drawn$at), p_value = fit$p_value,
      background = if (naming == "steps") NA_real_ else fit$background$probability,
      seconds = took[["user.self"]]
    ),
    names = data.frame(key[rep(1L, nrow(names)), ], names, row.names = NULL)
  )
}

dir.create(folder, showWarnings = FALSE)
stores <- file.path(folder, c(responses = "responses.rds", names = "names.rds"))
names(stores) <- c("responses", "names")
done <- lapply(stores, function(path) if (file.exists(path)) readRDS(path))
known <- done$responses$repetition[done$responses$naming == naming]
features <- stats::setNames(lapply(set_names, read_features), set_names)
for (repetition in setdiff(seq_len(repetitions), known)) {
  if (proc.time()[["user.self"]] > seconds) break
  for (set in set_names) {
    found <- lapply(names(cells), function(cell) one_set(features[[set]], set, cell, repetition))
    for (part in names(stores)) {
      done[[part]] <- rbind(done[[part]], do.call(rbind, lapply(found, `[[`, part)))
    }
  }
  for (part in names(stores)) {
    rownames(done[[part]]) <- NULL
    saveRDS(done[[part]], stores[[part]], compress = "xz")
  }
}
source(file.path(dirname(folder), "tables.R"))
