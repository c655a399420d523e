# Counts from simulated sets as error rates, and the cuts that satisfy a target.

# @param counted of count_in_cells().
error_rates_table <- function(counted, cells, n_simulations) {
  false <- counted$size - counted$true
  counted$near <- counted$related - counted$true
  counted$unrelated <- counted$size - counted$related
  counted$fdr <- ifelse(counted$size > 0, false / counted$size, 0)
  counted$fdr_near <- ifelse(counted$size > 0, counted$unrelated / counted$size, 0)
  counted$power <- ifelse(counted$n_true > 0, counted$true / counted$n_true, NA)
  key <- paste(counted$method, counted$cell, counted$cut, counted$cutoff)
  groups <- split(seq_along(key), factor(key, unique(key)))
  bind_rows_of(groups, function(at) {
    one <- counted[at, ]
    se <- function(v) stats::sd(v) / sqrt(n_simulations)
    wrong <- one$size - one$true
    data.frame(
      method = one$method[1], cells[one$cell[1], ], cut = one$cut[1], cutoff = one$cutoff[1],
      size = mean(one$size), true = mean(one$true), near = mean(one$near),
      unrelated = mean(one$unrelated), unrelated_se = se(one$unrelated),
      behind = mean(one$behind), pfer = mean(wrong),
      pfer_se = se(wrong), fdr = mean(one$fdr), fdr_se = se(one$fdr),
      fdr_near = mean(one$fdr_near), fdr_near_se = se(one$fdr_near), power = mean(one$power),
      power_se = se(one$power), claimed = one$claimed[1], spread = mean(one$spread),
      n_simulations = n_simulations
    )
  })
}

# For every procedure and cell, the widest cut that satisfies each target.
error_rates_targets <- function(table, asked) {
  rated <- table[table$cut != "own", ]
  kinds <- list(
    list("pfer", "features", "pfer", "pfer_se", asked$pfer),
    list("pfer", "neighbours", "unrelated", "unrelated_se", asked$pfer),
    list("fdr", "features", "fdr", "fdr_se", asked$fdr),
    list("fdr", "neighbours", "fdr_near", "fdr_near_se", asked$fdr)
  )
  groups <- split(rated, paste(rated$method, rated$n_true, rated$r_squared))
  groups <- groups[unique(paste(rated$method, rated$n_true, rated$r_squared))]
  bind_rows_of(groups, function(one) {
    do.call(rbind, lapply(kinds, function(kind) {
      met <- widest_cut(one, kind[[3]], kind[[4]], kind[[5]])
      data.frame(
        one[1, c("method", "n_true", "r_squared", "matched")], target = kind[[1]],
        counts = kind[[2]], cut = one$cut[1], cutoff = met$cutoff, power = met$power,
        claimed = if (kind[[1]] == "pfer") claimed_cutoff(one, kind[[5]]) else NA_real_
      )
    }))
  })
}

# The widest cut that satisfies a target together with all narrower ones. A cut that only one
# simulated list has gives no upper limit and satisfies no target.
widest_cut <- function(rows, rate, error, target) {
  narrow_first <- order(if (rows$cut[1] == "frequency") -rows$cutoff else rows$cutoff)
  rows <- rows[narrow_first, ]
  limit <- upper_limit(rows[[rate]], rows[[error]], rows$n_simulations, rate)
  meets <- cumprod(!is.na(limit) & limit <= target) == 1
  last <- sum(meets)
  if (last == 0L) {
    return(list(cutoff = NA_real_, power = NA_real_))
  }
  list(cutoff = rows$cutoff[last], power = rows$power[last])
}

# One-sided 95 % limits of a mean: normal, but with few or no false positives at least the limit of
# a Poisson or binomial count.
upper_limit <- function(mean, error, n_simulations, rate) {
  normal <- mean + stats::qnorm(0.95) * error
  if (startsWith(rate, "fdr")) {
    pmax(normal, stats::qbeta(0.95, 1, n_simulations))
  } else {
    pmax(normal, stats::qgamma(0.95, 1) / n_simulations)
  }
}

# The smallest cutoff of the grid at which the bound is at most the target.
claimed_cutoff <- function(rows, target) {
  holds <- !is.na(rows$claimed) & rows$claimed <= target
  if (any(holds)) min(rows$cutoff[holds]) else NA_real_
}
