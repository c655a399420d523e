# Rscript run.R [processor minutes, 60] [outcomes of each kind, 4]
# adds to results/rankings.csv after each set and method, to results/named.csv after each outcome of
# a set, and goes on from there when run again; cheap sets come first. In the end it makes the
# tables (summarise.R), and those that the package ships. STABILECT_DATA names the sets' folder.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- if (length(file) > 0L) dirname(file) else "."
results <- file.path(folder, "results")
arguments <- as.numeric(commandArgs(trailingOnly = TRUE))
minutes <- c(arguments[1], 60)[1 + is.na(arguments[1])]
repetitions <- c(arguments[2], 4)[1 + is.na(arguments[2])]
for (part in c("sets.R", "rankings.R", "named.R")) source(file.path(folder, part))

dir.create(results, showWarnings = FALSE)
path_of <- function(name) file.path(results, paste0(name, ".csv"))
add <- function(rows, name) {
  rows[] <- lapply(rows, function(v) if (is.double(v)) signif(v, 4) else v)
  new <- !file.exists(path_of(name))
  utils::write.table(
    rows, path_of(name), append = !new, sep = ",", row.names = FALSE, col.names = new, quote = FALSE
  )
}
stored <- function(name, columns) {
  if (!file.exists(path_of(name))) {
    return(character())
  }
  do.call(paste, utils::read.csv(path_of(name))[columns])
}
spent <- function() sum(proc.time()[c("user.self", "sys.self")]) / 60

# What is known of the sets, by how long they take.
describe_set <- function(name) {
  set <- read_set(name)
  data.frame(
    set = name, study = study_of(name), genes = !name %in% not_genes,
    outcome = outcome_of_set(set$y), whole_n = set$n, whole_p = set$p, whole_classes = set$classes,
    n = nrow(set$x), p = ncol(set$x), classes = if (is.factor(set$y)) nlevels(set$y) else NA,
    # The error when always predicting the largest class, or one risk.
    none = if (is.factor(set$y)) 1 - max(table(set$y)) / length(set$y) else 0.5
  )
}
left <- setdiff(all_sets(), stored("sets", "set"))
for (name in left) add(describe_set(name), "sets")
sets <- utils::read.csv(path_of("sets"))
slow <- c(`two classes` = 1, `several classes` = 10, survival = 4)
sets <- sets[order(sets$n * sets$p * slow[sets$outcome]), ]

# @return whether there was time for all.
rank_all <- function(name, set) {
  known <- stored("rankings", c("set", "method"))
  for (method in names(ranking_methods(set$y))) {
    if (paste(name, method) %in% known) next
    if (spent() > minutes) {
      return(FALSE)
    }
    message(format(Sys.time(), "%H:%M "), name, ", ", method)
    add(cbind(set = name, one_ranking(method, set)), "rankings")
  }
  TRUE
}
name_all <- function(name, set, repetition) {
  known <- stored("named", c("set", "repetition", "kind"))
  seed <- 1000L * match(name, all_sets()) + repetition
  for (kind in c("shuffled", "imitated")) {
    if (paste(name, repetition, kind) %in% known) next
    if (spent() > minutes) {
      return(FALSE)
    }
    add(cbind(set = name, repetition = repetition, one_outcome(set, kind, seed)), "named")
  }
  TRUE
}
run_all <- function() {
  for (repetition in seq_len(repetitions)) {
    for (name in sets$set) {
      set <- read_set(name)
      in_time <- (repetition > 1L || rank_all(name, set)) && name_all(name, set, repetition)
      if (!in_time) {
        return(invisible())
      }
    }
  }
}
run_all()
source(file.path(folder, "summarise.R"))
root <- file.path(folder, "..", "..")
source(file.path(root, "experiments", "make-tables.R"))
