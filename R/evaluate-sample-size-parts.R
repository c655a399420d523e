# Disjoint parts of growing size, and what a procedure finds in them.

# Numbers of units (samples, or blocks) of the parts: a fifth to a half of all.
# @return (whole numbers, ascending).
part_sizes <- function(study) {
  units <- if (is.null(study$response$blocks)) study$n else length(unique(study$response$blocks))
  what <- if (is.null(study$response$blocks)) "samples" else "blocks"
  refuse(units < 20L,
    c("An estimate of the sample size needs at least 20 {what}; there are {units}.",
      i = "The smallest parts hold a fifth of them."
    )
  )
  codes <- strata_of_units(study)
  counts <- if (!is.null(codes)) tabulate(codes)
  if (any(counts < 10L)) {
    of <- strata_words(study$response, what)[which.min(counts)]
    abort(
      c("An estimate of the sample size needs at least 10 {of}; there are {min(counts)}.",
        i = "The smallest parts hold a fifth of them."
      )
    )
  }
  fractions <- exp(seq(log(0.2), log(0.5), length.out = 5L))
  unique(pmin(round(fractions * units), units %/% 2L))
}

# The stratum of each unit; NULL without strata, or if blocks contain several.
strata_of_units <- function(study) {
  codes <- strata_of(study$response)
  blocks <- study$response$blocks
  if (is.null(codes) || is.null(blocks)) {
    return(codes)
  }
  if (blocks_are_pure(codes, blocks)) codes[!duplicated(blocks)] else NULL
}

# Two disjoint halves as orders of units. Every part is the beginning of one: strata alternate in
# proportion, and all beginnings contain them as evenly as possible.
draw_halves <- function(n_units, strata, seed) {
  if (is.null(strata)) strata <- rep(1L, n_units)
  with_seed(seed, {
    dealt <- order(strata, stats::runif(n_units), method = "radix")
    shift <- stats::runif(2L)
  })
  lapply(1:2, function(side) {
    # Stratum by stratum, one unit to either half in turn.
    half <- dealt[seq(side, by = 2L, length.out = n_units %/% 2L)]
    of <- strata[half]
    place <- stats::ave(seq_along(half), of, FUN = function(at) {
      (seq_along(at) - shift[side]) / length(at)
    })
    half[order(place, method = "radix")]
  })
}

# All parts of every half.
# @return (list, by half) of lists (by size) of list(set, error), or of a string, the reason of a
#   failure.
run_parts <- function(about, sizes, asked) {
  study <- about$study
  blocks <- study$response$blocks
  unit_of <- if (is.null(blocks)) seq_len(study$n) else match(blocks, unique(blocks))
  strata <- strata_of_units(study)
  seeds <- child_seeds(about$seed, 3L * asked$n_pairs)
  halves <- unlist(lapply(seeds[seq_len(asked$n_pairs)], function(own) {
    draw_halves(max(unit_of), strata, own)
  }), recursive = FALSE)
  parts <- unlist(lapply(halves, function(half) {
    lapply(sizes, function(size) which(unit_of %in% half[seq_len(size)]))
  }), recursive = FALSE)
  of_half <- rep(seq_along(halves), each = length(sizes))
  own <- seeds[asked$n_pairs + of_half]
  name <- about$procedure$name
  read <- with_data(function(result, study, rows, seed) {
    judge_part(result, study, rows, asked, name, seed)
  }, asked = asked, name = name)
  done <- over_parts(about, parts, read, "Parts", asked, own)
  unname(split(done, of_half))
}

# @param result of answer_on(), which had this seed.
judge_part <- function(result, study, rows, asked, name, seed) {
  one <- rank_part(result, study, rows, name)
  if (is.character(one)) {
    return(one)
  }
  set <- if (is.null(asked$n_features)) one$own else utils::head(one$order, asked$n_features)
  y <- response_labels(study$response)
  z <- study$response$covariates
  # Some learners draw from R's generator.
  error <- with_seed(seed, error_of_set(
    set, samples_at(study$x, y, z, rows), samples_at(study$x, y, z, -rows), asked$learner
  ))
  list(set = set, error = error)
}

# @return data frame, one row per pair and size.
pairs_of_parts <- function(done, sizes, n_per_unit) {
  bind_rows_of(seq_len(length(done) %/% 2L), function(pair) {
    first <- done[[2L * pair - 1L]]
    second <- done[[2L * pair]]
    failed <- vapply(first, is.character, NA) | vapply(second, is.character, NA)
    of <- function(fun) {
      vapply(seq_along(sizes), function(k) {
        if (failed[k]) NA_real_ else as.double(fun(first[[k]], second[[k]]))
      }, 0)
    }
    data.frame(
      pair = pair, n = sizes * n_per_unit,
      n_common = of(function(a, b) length(intersect(a$set, b$set))),
      size_1 = of(function(a, b) length(a$set)), size_2 = of(function(a, b) length(b$set)),
      error = of(function(a, b) (a$error + b$error) / 2)
    )
  })
}
