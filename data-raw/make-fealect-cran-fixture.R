# Answers of CRAN FeaLect 1.20 under known seeds, for tests/testthat/fixtures/fealect-cran.rds.
# Run from the package's root: Rscript data-raw/make-fealect-cran-fixture.R [reference.rds]
#
# With an argument the fixture is cut from a reference file: a named list with an element per call,
# with seed, m (models), K (maximum.features.num), args (the other arguments), x and y where the
# data are not mcl_sll, rows_drawn and rows_balanced (row names of every model, in order) and fields
# of FeaLect's result. Without one the answers are made again, which takes FeaLect 1.20 with rms 6
# (Debian: r-cran-rms) and a minute; the generated data are then those of the present fixture.

target <- file.path("tests", "testthat", "fixtures", "fealect-cran.rds")
result_fields <- c(
  "log.scores", "best.features.intersection", "features.with.best.global.error",
  "num.of.features.score", "feature.scores.history"
)
doctor_fields <- c(
  "selected.features.sequence", "global.errors", "best.number.of.features", "probabilities",
  "accuracy", "best.logistic.cof", "training.samples", "precision", "recall"
)
call_fields <- c("x", "y", "seed", "m", "K", "args", "rows_drawn", "rows_balanced")

trim <- function(element) {
  kept <- element[intersect(c(call_fields, result_fields), names(element))]
  kept$doctors <- lapply(element$doctors, `[`, doctor_fields)
  kept
}

# The rows, by drawing them as FeaLect does, with its own functions.
draw_again <- function(element, x, y, fealect) {
  args <- utils::modifyList(list(replace = TRUE, balance = TRUE), element$args)
  set.seed(element$seed)
  lapply(seq_len(element$m), function(b) {
    drawn <- rownames(fealect$random.subset(x, y, gamma = 3 / 4, replace = args$replace)$X_)
    rows <- unique(drawn)
    # FeaLect leaves the name of a single added row empty.
    balanced <- if (args$balance) rownames(fealect$compute.balanced(x[rows, ], y[rows])$F_)
    list(drawn = drawn, balanced = balanced)
  })
}

make_anew <- function(element, fealect) {
  stopifnot(utils::packageVersion("FeaLect") == "1.20", utils::packageVersion("rms") < "7")
  x <- element$x
  y <- element$y
  if (is.null(x)) {
    data <- get(load(file.path("data", "mcl_sll.rda")))
    x <- as.matrix(data[, -1])
    y <- stats::setNames(as.numeric(data[, 1]), rownames(x))
  }
  rows <- draw_again(element, x, y, fealect)
  set.seed(element$seed)
  answer <- do.call(fealect$FeaLect, c(
    list(
      F = x, L = y, maximum.features.num = element$K, total.num.of.models = element$m,
      plot.scores = FALSE, return_linear.models = FALSE
    ),
    element$args
  ))
  # One draw per model, or the rows above are not those of the models.
  stopifnot(identical(
    lapply(rows, function(row) unique(row$drawn)),
    lapply(answer$doctors, `[[`, "training.samples")
  ))
  element$rows_drawn <- lapply(rows, `[[`, "drawn")
  element$rows_balanced <- Filter(length, lapply(rows, `[[`, "balanced"))
  element[result_fields] <- answer[result_fields]
  element$doctors <- answer$doctors
  element
}

source_file <- commandArgs(trailingOnly = TRUE)
elements <- if (length(source_file) == 1) {
  readRDS(source_file)
} else {
  lapply(readRDS(target), make_anew, fealect = asNamespace("FeaLect"))
}
saveRDS(lapply(elements, trim), target, compress = "xz")
cat(target, file.size(target), "bytes\n")
