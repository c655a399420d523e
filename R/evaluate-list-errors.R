# Errors of many lists of features outside the samples that fitted their models, fast enough for ten
# thousand lists: ridge regressions on the outcome's working_targets(). These take one step of
# Newton's method from the model without features, which for least squares is the whole way.

# The parts that fit and predict, as the core reads them.
# @param draws (stabilect_resamples).
# @return list of list(in, out (rows), targets (matrix, a row for each of `in`)).
fitting_parts <- function(study, draws) {
  lapply(which(draws$status == "ok"), function(run) {
    rows <- rep(seq_len(study$n), draws$counts[, run])
    out <- which(draws$counts[, run] == 0L)
    list("in" = rows, out = out, targets = working_targets(study$response, rows))
  })
}

# Parts with the products of all features, of many samples, where these are made sooner than those
# of each list. They take p x p numbers a part.
share_products <- function(study, parts, n_lists, size) {
  # The products of a list, and its way to them.
  own <- n_lists * size * (size + 20)
  if (study$n <= many_samples || study$p > 2000L || own <= study$p^2) {
    return(parts)
  }
  z <- held_columns(study$response)
  lapply(parts, function(part) c(part, list(shared = cpp_shared_products(study$x, part, z))))
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
# @return list(row, part (integer), link (list of matrices, a column for each list)), an entry for
#   each sample that each part leaves out.
links_of_lists <- function(study, parts, lists, sizes, lambda, n_threads = 1L) {
  links_in_parts(study, parts, rep(list(lists), length(parts)), sizes, lambda, n_threads)
}

# The same for a list of its own in every part.
links_of_choices <- function(study, parts, choices, lambda) {
  links_in_parts(study, parts, lapply(choices, list), lengths(choices), lambda)
}

# @param lists (list of lists of integer vectors), sizes (integer): of each part.
links_in_parts <- function(study, parts, lists, sizes, lambda, n_threads = 1L) {
  z <- held_columns(study$response)
  each <- Map(function(part, lists, size) {
    links <- cpp_left_out_lists(study$x, part, z, lists, size, lambda, n_threads)
    if (ncol(part$targets) == 1L) {
      return(list(links))
    }
    lapply(seq_len(ncol(part$targets)), function(k) {
      links[(k - 1L) * length(part$out) + seq_along(part$out), , drop = FALSE]
    })
  }, parts, lists, sizes)
  out <- lapply(parts, `[[`, "out")
  link <- lapply(seq_along(each[[1L]]), function(k) do.call(rbind, lapply(each, `[[`, k)))
  list(row = unlist(out), part = rep(seq_along(out), lengths(out)), link = link)
}

# A sample that several parts leave out has the mean of its links.
# @param turns of links_in_parts(). @return (list of matrices, n x lists) one for each link.
mean_links <- function(study, turns) {
  times <- tabulate(turns$row, study$n)
  if (all(times == 1L)) {
    return(lapply(turns$link, function(link) link[order(turns$row), , drop = FALSE]))
  }
  lapply(turns$link, function(link) {
    sums <- matrix(0, study$n, ncol(link))
    for (at in split(seq_along(turns$row), turns$part)) {
      rows <- turns$row[at]
      sums[rows, ] <- sums[rows, , drop = FALSE] + link[at, , drop = FALSE]
    }
    sums / times
  })
}

# Pairs of samples are compared by the model of one part.
errors_of_links <- function(study, turns) {
  response <- study$response
  if (outcome_of(response)$ranked == "error") {
    return(link_errors(response_rows(response, turns$row), turns$link, turns$part))
  }
  link_errors(response, mean_links(study, turns))
}

# The error of one list, with its interval, and of the covariates alone.
# @param turns of one list. @return (stabilect_oob).
oob_of_list <- function(study, parts, turns, sizes, lambda) {
  alone <- if (!is.null(study$response$covariates)) {
    links_of_lists(study, parts, list(integer()), 0L * sizes, lambda)
  }
  n_features <- vapply(split(sizes[turns$part], factor(turns$row, seq_len(study$n))), mean, 0)
  judged <- lapply(list(turns, alone), links_with_order, study = study)
  oob_of_links(study, judged[[1L]], tabulate(turns$row, study$n), n_features, judged[[2L]])
}

# @return list(link, order) for oob_of_links(); NULL without `turns`.
links_with_order <- function(turns, study) {
  if (is.null(turns)) {
    return(NULL)
  }
  as_link <- function(links) if (length(links) == 1L) links[[1]][, 1L] else do.call(cbind, links)
  order <- if (outcome_of(study$response)$ranked != "none") {
    value <- values_to_rank(as_link(turns$link), study$response)
    list(row = turns$row, group = turns$part, value = value)
  }
  list(link = as_link(mean_links(study, turns)), order = order)
}
