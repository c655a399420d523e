# Errors of many lists of features outside the samples that fitted their models, fast enough for ten
# thousand lists: ridge regressions on the outcome's `working` targets. These take one step of
# Newton's method from the model without features, which for least squares is the whole way.

# The parts that fit and predict, as the core reads them.
# @param draws (stabilect_resamples).
# @return list of list(in, out (rows), targets (matrix, a row for each of `in`)).
fitting_parts <- function(study, draws) {
  working <- outcome_of(study$response)$working
  lapply(which(draws$status == "ok"), function(run) {
    rows <- rep(seq_len(study$n), draws$counts[, run])
    out <- which(draws$counts[, run] == 0L)
    list("in" = rows, out = out, targets = working(study$response, rows))
  })
}

# Every sample has to be predicted.
check_parts <- function(draws) {
  usable <- draws$counts[, draws$status == "ok", drop = FALSE]
  never <- which(rowSums(usable == 0L) == 0L)
  refuse(length(never) > 0L,
    c("{.arg outer} leaves sample {never[1]} out of no usable run.",
      i = "Take {.code resample_folds(10)}, or more runs."
    )
  )
}

# @param lists (list of integer vectors) columns of x, best first; sizes (integer, one per part):
#   how many of them the part takes.
# @return (list of matrices, n x lists) a matrix for each link.
links_of_lists <- function(study, parts, lists, sizes, lambda, n_threads = 1L) {
  z <- held_columns(study$response)
  sums <- cpp_left_out_lists(study$x, parts, z, lists, sizes, lambda, n_threads)
  mean_links(study, parts, sums)
}

# The same for a list of its own in every part.
links_of_choices <- function(study, parts, choices, lambda) {
  z <- held_columns(study$response)
  sums <- Map(function(part, list) {
    cpp_left_out_lists(study$x, list(part), z, list(list), length(list), lambda, 1L)
  }, parts, choices)
  mean_links(study, parts, Reduce(`+`, sums))
}

# A sample that several parts leave out has the mean of its links.
mean_links <- function(study, parts, sums) {
  times <- tabulate(unlist(lapply(parts, `[[`, "out")), study$n)
  n_links <- nrow(sums) %/% study$n
  lapply(seq_len(n_links), function(k) {
    sums[(k - 1L) * study$n + seq_len(study$n), , drop = FALSE] / times
  })
}

errors_of_links <- function(study, links) {
  outcome_of(study$response)$errors(study$response, links)
}

# The error of one list, with its interval, and of the covariates alone.
# @param links of one list. @return (stabilect_oob).
oob_of_list <- function(study, parts, links, sizes, lambda) {
  as_link <- function(links) if (length(links) == 1L) links[[1]][, 1L] else do.call(cbind, links)
  alone <- if (!is.null(study$response$covariates)) {
    as_link(links_of_lists(study, parts, list(integer()), 0L * sizes, lambda))
  }
  times <- tabulate(unlist(lapply(parts, `[[`, "out")), study$n)
  n_features <- vapply(seq_len(study$n), function(i) {
    mean(sizes[vapply(parts, function(part) i %in% part$out, NA)])
  }, 0)
  oob_of_links(study, as_link(links), times, n_features, study$response$blocks, alone)
}
