# Permuted outcomes: the arrangements that are equally likely without association, drawn or
# enumerated.

# Permutations that go through the whole procedure.
n_whole_permutations <- 20L
# Size of the largest models whose entries count for the statistic, and number of values kept of
# each permutation.
null_path_size <- 10L
n_null_top <- 500L

# Groups of units that may swap their responses, and what a unit is.
# Without blocks all samples swap. Blocks whose samples share one outcome swap as a whole, with
# blocks of the same size; in other blocks, samples swap within the block. Samples of different
# strata of survival times never swap. With covariates all samples differ, even with equal outcomes.
# @return list(scheme (string), unit (integer, n: unit of each sample), group (integer, one per
#   unit: units of one group swap), value (one per unit: code of its response)).
exchangeable_units <- function(study, blocks) {
  units <- units_of_blocks(study, blocks)
  strata <- study$response$strata
  if (!is.null(strata)) units <- split_units(units, strata)
  if (holds_samples(study$response)) units$value <- seq_along(units$value)
  units
}

# Blocks with samples of several strata are not units.
split_units <- function(units, strata) {
  first <- match(seq_along(units$group), units$unit)
  refuse(any(strata != strata[first][units$unit]),
    c("{.arg permute} cannot swap blocks with samples of several {.arg strata}.",
      i = "Leave the strata, or the blocks, out of the permutations."
    ), call = NULL
  )
  group <- paste(units$group, strata[first])
  units$group <- match(group, unique(group))
  if (units$scheme == "samples") units$scheme <- "within strata"
  units
}

units_of_blocks <- function(study, blocks) {
  y <- study$response$y
  value <- distinct_codes(study$response)
  if (is.null(blocks)) {
    return(list(
      scheme = "samples", unit = seq_along(y), group = rep(1L, length(y)), value = value
    ))
  }
  block <- as.integer(blocks)
  if (!blocks_are_pure(value, blocks)) {
    if (!is_copied(blocks)) {
      return(list(scheme = "within blocks", unit = seq_along(y), group = block, value = value))
    }
    # Copies swap all of their outcomes.
    all <- vapply(split(value, block), paste, "", collapse = " ")
    value <- match(all, unique(all))[block]
  }
  sizes <- tabulate(block)
  list(
    scheme = "whole blocks", unit = block, group = match(sizes, unique(sizes)),
    value = value[match(seq_along(sizes), block)]
  )
}

# The number of distinct arrangements, including the observed one; Inf if too large for a number.
count_orders <- function(units) {
  exp(sum(vapply(split(units$value, units$group), function(values) {
    lfactorial(length(values)) - sum(lfactorial(tabulate(values)))
  }, 0)))
}

# Arrangements of the response.
# @param n (integer) largest number; if there are no more, all of them.
# @return list(orders (list of integer vectors: sample i has the response of sample order[i]),
#   complete (flag: every distinct arrangement except the observed one), scheme, n_possible).
draw_arrangements <- function(study, blocks, n, seed) {
  units <- exchangeable_units(study, blocks)
  possible <- count_orders(units)
  refuse(possible < 1.5,
    c("{.arg permute} needs samples that can swap their responses, but here no two can
       ({units$scheme}).",
      i = "Blocks of one response swap with blocks of the same size, other blocks swap the
        responses of their samples.",
      i = if (is_copied(blocks)) {
        "Rows that agree in all features are one sample: leave the copies out,
          {.code x[!duplicated(x), ]}."
      }
    )
  )
  all <- other_arrangements(units, n)
  complete <- !is.null(all)
  orders <- if (complete) {
    # In random order: the slow parts use only the first ones.
    all[with_seed(permutation_seed(seed), sample.int(length(all)))]
  } else {
    with_seed(permutation_seed(seed), lapply(seq_len(n), function(r) shuffle_units(units)))
  }
  list(
    orders = lapply(orders, order_of_samples, units = units), complete = complete,
    scheme = units$scheme, n_possible = round(possible)
  )
}

# Not the stream of the resamples and selectors.
permutation_seed <- function(seed) bitwXor(if (is.na(seed)) 0L else seed, 1431655765L)

shuffle_units <- function(units) {
  order <- seq_along(units$group)
  for (members in split(order, units$group)) {
    order[members] <- members[sample.int(length(members))]
  }
  order
}

# Every arrangement but the observed one, as orders of units, or NULL if there are more than `most`.
# @param units list(group, value) as of exchangeable_units().
other_arrangements <- function(units, most) {
  if (count_orders(units) < most + 1.5) {
    Filter(function(order) !identical(units$value[order], units$value), arrange_all(units))
  }
}

# Every distinct arrangement of the values, as orders of units.
arrange_all <- function(units) {
  orders <- list(seq_along(units$group))
  for (members in split(seq_along(units$group), units$group)) {
    values <- units$value[members]
    ways <- lapply(distinct_arrangements(values), function(arranged) {
      way <- integer(length(members))
      way[order(arranged, method = "radix")] <- members[order(values, method = "radix")]
      way
    })
    orders <- unlist(lapply(orders, function(order) {
      lapply(ways, function(way) replace(order, members, way))
    }), recursive = FALSE)
  }
  orders
}

# Every distinct order of some values, which may repeat.
distinct_arrangements <- function(values) {
  if (length(values) < 2L) {
    return(list(values))
  }
  unlist(lapply(sort(unique(values)), function(first) {
    rest <- values[-match(first, values)]
    lapply(distinct_arrangements(rest), function(others) c(first, others))
  }), recursive = FALSE)
}

# An order of units as an order of samples; units that swap have the same number of samples.
order_of_samples <- function(order, units) {
  samples <- split(seq_along(units$unit), units$unit)
  out <- integer(length(units$unit))
  out[unlist(samples)] <- unlist(samples[order])
  out
}

# The study with its responses rearranged; with covariates, with the residuals of the response or of
# the features.
permute_study <- function(study, order, family = NULL) {
  if (holds_samples(study$response)) {
    return(permute_residuals(study, order, family))
  }
  study$response$y <- study$response$y[order]
  for (part in c("codes", "event")) {
    if (!is.null(study$response[[part]])) {
      study$response[[part]] <- study$response[[part]][order]
    }
  }
  study
}

# @param family (string, or NULL for least squares).
swaps_response <- function(family, response) {
  (is.null(family) || family_record(family)$squares) && outcome_of(response)$is_scale &&
    !has_row_values(response)
}

# Numbers: residuals of the outcome given the covariates swap (Freedman & Lane 1983). Other outcomes
# have no residuals of their own kind: residuals of the features swap (Potter 2005; Werft & Benner
# 2010), in the same order for all features, which keeps outcome, covariates and their dependence.
# Strata have means of their own.
permute_residuals <- function(study, order, family) {
  free <- cbind(rep(1, study$n), study$response$covariates)
  strata <- study$response$strata
  if (!is.null(strata)) free <- cbind(free, outer(strata, unique(strata)[-1], `==`) + 0)
  decomposed <- qr(free)
  swap <- function(values) {
    left <- qr.resid(decomposed, values)
    values - left + if (is.matrix(left)) left[order, , drop = FALSE] else left[order]
  }
  if (swaps_response(family, study$response)) {
    study$response$y <- swap(study$response$y)
  } else {
    study$x <- swap(study$x)
    study$imputed <- NULL
  }
  study
}

# The resamples of the same plan and seed for other outcomes. Without strata they are the same,
# except that runs with one class are drawn again. Resamples that are not a whole plan stay the
# same, and runs with one class fail.
permuted_draws <- function(draws, study) {
  y <- study$response$y
  one_value <- runs_of_one_value(draws$counts, y)
  plan <- draws$plan
  if (!any(one_value) && sum(draws$redraws) == 0 && !plan$stratify && !plan$balance) {
    draws$status[] <- "ok"
    return(draws)
  }
  if (is_whole_draw(draws)) {
    return(draw_resamples(plan, response_labels(study$response), seed = draws$seed))
  }
  draws$status <- ifelse(one_value, "one class", "ok")
  draws
}

runs_of_one_value <- function(counts, y) {
  inside <- counts > 0L
  first <- y[max.col(t(inside), "first")]
  colSums(inside & y != rep(first, each = length(y))) == 0
}

is_whole_draw <- function(draws) {
  plan <- draws$plan
  drawn <- paste(draws$seed, seq_len(draws$n_runs))
  plan$scheme %in% c("subsample", "bootstrap", "pairs", "folds") && !is.na(draws$seed) &&
    identical(draws$run_id, drawn) && draws$n_runs == plan$n_runs
}

# A question about permuted outcomes, here or on workers.
# @param about of question(); n (number) of permutations, or less where there are no more.
# @param read function(about, draws, seed): the value of a permutation; `about` and `draws` are then
#   those of its study.
# @return list(values (list), complete (flag)).
over_permutations <- function(about, draws, n, seed, read) {
  response <- about$study$response
  arranged <- draw_arrangements(about$study, response$blocks, n, seed)
  orders <- arranged$orders
  family <- outcome_of(response)$family
  seeds <- child_seeds(seed, length(orders))
  task <- with_data(function(k) {
    about$study <- permute_study(about$study, orders[[k]], family)
    read(about, permuted_draws(draws, about$study), seeds[k])
  },
  about = quietly(about), orders = orders, family = family, draws = draws, read = read,
  seeds = seeds)
  values <- run_tasks(length(orders), task, about$control, "Permutations")
  list(values = values, complete = arranged$complete)
}
