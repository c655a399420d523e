# One word for one thing: the arguments of all exports against one table, names against those of
# other packages, and defaults that can be written out.

live_exports <- function() {
  compat <- c(
    "FeaLect", "compute.balanced", "compute.logistic.score", "doctor.validate", "ignore.redundant",
    "input.check.FeaLect", "random.subset", "train.doctor"
  )
  setdiff(getNamespaceExports("stabilect"), compat)
}

run_tail <- c("seed", "n_threads", "progress", "checkpoint", "until")

test_that("no verb has more than 16 arguments", {
  many <- vapply(live_exports(), function(name) {
    length(formals(args(getExportedValue("stabilect", name))))
  }, 0L)
  expect_identical(names(many)[many > 16L], character())
})

test_that("verbs show their arguments", {
  hidden <- vapply(live_exports(), function(name) {
    identical(names(formals(args(getExportedValue("stabilect", name))))[-1], "...")
  }, NA)
  # Other packages have methods for these.
  expect_setequal(names(hidden)[hidden], c("as_selection", "selected"))
})

test_that("there are at most 95 exports, the eight of the CRAN interface included", {
  expect_lte(length(getNamespaceExports("stabilect")), 95L)
})

test_that("every argument of every export is a word of the table", {
  words <- utils::read.csv(test_path("fixtures", "words.csv"))
  used <- unique(unlist(lapply(live_exports(), function(name) {
    names(formals(getExportedValue("stabilect", name)))
  })))
  expect_identical(setdiff(used, words$word), character())
  expect_identical(setdiff(words$word, used), character())
  expect_identical(anyDuplicated(words$word), 0L)
  expect_identical(anyDuplicated(words$meaning), 0L)
})

test_that("verbs end with the same arguments in the same order", {
  for (name in live_exports()) {
    given <- intersect(names(formals(getExportedValue("stabilect", name))), run_tail)
    expect_identical(given, intersect(run_tail, given), info = name)
  }
})

test_that("names do not hide those of packages that users attach beside this one", {
  theirs <- utils::read.csv(test_path("fixtures", "attached-names.csv"))
  ours <- c(live_exports(), utils::data(package = "stabilect")$results[, "Item"])
  # stabs and mboost ask the same question with selected(): see its page.
  met <- theirs[theirs$name %in% setdiff(ours, "selected"), ]
  expect_identical(paste(met$package, met$name, sep = "::"), character())
})

test_that("defaults can be written out", {
  x <- as.matrix(mcl_sll[, -1])
  y <- mcl_sll$MCL
  verbs <- list(
    fealect = list(n_runs = 5), split_test = list(n_runs = 4, n_folds = 3),
    stability_selection = list(q = 3, pfer = 1, n_pairs = 5),
    bolasso = list(n_runs = 5), select_ensemble = list(selector = selector_filter("t")),
    eliminate_features = list(), find_signals = list(),
    score_features = list(selector = selector_filter("t")),
    lars_path = list(), lasso_path = list(), fit_model = list()
  )
  for (name in names(verbs)) {
    verb <- getExportedValue("stabilect", name)
    default <- if (inherits(verb, "function") && !is.null(formals(verb)$y)) {
      verb
    } else {
      utils::getS3method(name, "default", optional = TRUE)
    }
    default <- if (is.null(default)) verb else default
    written <- formals(default)
    written <- written[!vapply(written, rlang::is_missing, NA)]
    written <- lapply(written[setdiff(names(written), c("...", names(verbs[[name]])))], eval)
    written$seed <- if ("seed" %in% names(formals(default))) 1
    written$progress <- if ("progress" %in% names(formals(default))) FALSE
    plain <- c(list(x, y), verbs[[name]], written[c("seed", "progress")])
    plain <- plain[!vapply(plain, is.null, NA)]
    expect_no_error(spelt <- do.call(verb, c(list(x, y), verbs[[name]], written)))
    expect_equal(without_call(spelt), without_call(do.call(verb, plain)), info = name)
  }
})
