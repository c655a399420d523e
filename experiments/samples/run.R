# Does estimate_sample_size() foresee what more samples bring? Small studies are simulated; what
# happens with as many, twice and four times as many samples is measured on pairs of independent
# studies.
# And half of real sets is hidden. Rscript run.R [studies of each kind, 4]; writes
# results/studies.csv, truth.csv (taken from there when it exists), halves.csv and coverage.csv.
# Sets must be in the folder that STABILECT_DATA names.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
arguments <- as.numeric(commandArgs(trailingOnly = TRUE))
n_studies <- c(arguments[1], 4)[1 + is.na(arguments[1])]
space <- asNamespace("stabilect")
source(file.path(dirname(folder), "sources.R"))

# Stability and error of disjoint parts of n samples.
truth_of <- function(draw, procedure, n, n_pairs) {
  pairs <- lapply(seq_len(n_pairs), function(pair) {
    set <- draw(n)
    set$x <- named(set$x)
    study <- space$open_study(set$x, set$y, "binary", "the experiment")
    asked <- list(n_features = procedure$k, learner = learner_lda())
    procedure_of <- space$procedure_of_selector(procedure$selector, procedure$k)
    parts <- lapply(list(seq_len(n), n + seq_len(n)), function(rows) {
      result <- space$carry_out_on(procedure_of, study, rows, pair, 1L)
      space$judge_part(result, study, rows, asked, "selector", pair)
    })
    c(
      common = length(intersect(parts[[1]]$set, parts[[2]]$set)), p = ncol(set$x),
      error = (parts[[1]]$error + parts[[2]]$error) / 2
    )
  })
  pairs <- do.call(rbind, pairs)
  overlap <- pairs[, "common"] / procedure$k
  by_chance <- procedure$k / pairs[1, "p"]
  beyond <- (overlap - by_chance) / (1 - by_chance)
  data.frame(
    n = n, stability = mean(beyond), stability_se = stats::sd(beyond) / sqrt(n_pairs),
    error = mean(pairs[, "error"]), error_se = stats::sd(pairs[, "error"]) / sqrt(n_pairs)
  )
}

plan_of <- function(set, procedure, seed) {
  estimate_sample_size(
    procedure$selector, named(set$x), set$y, n_features = procedure$k, seed = seed,
    progress = FALSE
  )
}
predicted <- c("fitted", "lower", "upper", "error_fitted", "error_lower", "error_upper")

write <- function(rows, name) {
  numbers <- vapply(rows, is.double, NA)
  rows[numbers] <- lapply(rows[numbers], signif, 4)
  utils::write.csv(rows, file.path(folder, name), row.names = FALSE)
}

studies <- truth <- NULL
store <- file.path(folder, "truth.csv")
stored <- if (file.exists(store)) utils::read.csv(store)
for (source in names(sources)) {
  for (procedure in names(procedures)) {
    one <- procedures[[procedure]]
    known <- stored[stored$source == source & stored$procedure == procedure, ]
    if (NROW(known) == 0L) {
      set.seed(1)
      known <- do.call(rbind, lapply(unique(c(outer(sizes, multiples))), function(n) {
        truth_of(sources[[source]], one, n, 30)
      }))
      known <- data.frame(source = source, procedure = procedure, known)
    }
    truth <- rbind(truth, known)
    for (n in sizes) {
      for (k in seq_len(n_studies)) {
        set.seed(1000 * n + k)
        set <- sources[[source]](n)
        set <- list(x = set$x[seq_len(n), ], y = set$y[seq_len(n)])
        table <- plan_of(set, one, k)$table
        at <- table[table$kind == "extrapolated", c("n", predicted)]
        studies <- rbind(studies, data.frame(
          source = source, procedure = procedure, study = k, n_study = n, times = multiples,
          at[predicted], truth = known$stability[match(at$n, known$n)],
          error_truth = known$error[match(at$n, known$n)]
        ))
      }
    }
    write(studies, "studies.csv")
    write(truth, "truth.csv")
    message(source, " ", procedure, " ", proc.time()[["user.self"]])
  }
}

# Half of a real set is hidden: what is predicted for the half is compared with pairs of disjoint
# halves of the whole.
halves <- NULL
for (name in c("colon", "gravier", "nki500_survivALL")) {
  set <- if (name == "colon") {
    list(x = log2(colon_genes$x), y = colon_genes$y)
  } else {
    experiment_data(name)[c("x", "y")]
  }
  set$x <- as.matrix(set$x)
  set$x <- set$x[, apply(set$x, 2, stats::sd) > 0]
  for (procedure in names(procedures)) {
    one <- procedures[[procedure]]
    whole <- plan_of(set, one, 1)$table
    whole <- whole[whole$kind == "measured", ]
    whole <- whole[which.max(whole$n), ]
    for (half in seq_len(4)) {
      both <- space$draw_halves(nrow(set$x), as.integer(set$y), half)
      rows <- both[[1]]
      plan <- tryCatch(
        plan_of(list(x = set$x[rows, ], y = set$y[rows]), one, half),
        stabilect_error_input = function(e) NULL
      )
      if (is.null(plan)) next
      at <- plan$table[plan$table$kind == "extrapolated", ][1, ]
      halves <- rbind(halves, data.frame(
        set = name, procedure = procedure, half = half, n_half = at$n, at[predicted],
        truth = whole$stability, error_truth = whole$error
      ))
    }
  }
  write(halves, "halves.csv")
}
source(file.path(dirname(folder), "tables.R"))
