# What paths know of samples and features besides: strata, weights, offset, penalty. A value that
# changes nothing (one stratum, weights 1, offset 0, penalties 1) is as if it were not given.

register_role("strata", "samples",
  read = function(value, study, family) {
    check_samples(value, samples_of_study(study), "strata")
    check_strata(value, family, study$n)
  },
  take = function(value, at) match(value[at], sort(unique(value[at]), method = "radix")),
  words = function(value, x) {
    family <- x$asked$likelihood$family
    if (is.null(family) || !family_record(family)$matched) sprintf("%d strata", max(value))
  },
  caution = function(value, x) if (!is.null(x$resamples)) caution_of_torn(value, x),
  argument = NULL, neutral = function(value) max(value) == 1L, place = 2
)

register_role("weights", "samples",
  read = function(value, study, family) {
    weights <- check_weights(value, study$response$y)
    check_samples(value, samples_of_study(study), "weights")
    weights
  },
  words = function(value, x) {
    shown <- figures(range(value), digits = 3)
    sprintf("paths with weights of samples from %s to %s", shown[1], shown[2])
  },
  # `weights` itself would be a function of R.
  argument = function(value) "weights = w", neutral = function(value) all(value == 1), place = 3
)

register_role("offset", "samples",
  read = function(value, study, family) {
    offset <- check_offset(value, family, study$n, study$response$levels)
    check_samples(value, samples_of_study(study), "offset")
    offset
  },
  words = function(value, x) "with an offset",
  argument = function(value) "offset = o", neutral = function(value) all(value == 0), place = 4
)

register_role("penalty", "features",
  read = function(value, study, family) ask_penalty(value, study),
  take = function(value, at) if (is.factor(value)) value[at, drop = TRUE] else value[at],
  words = function(value, x) describe_penalty(value, x$views),
  argument = function(value) if (is.factor(value)) "penalty = \"views\"" else "penalty = penalty",
  # A lasso selects the copy with the least penalty.
  join = function(value, stands) {
    if (is.factor(value)) {
      return(value)
    }
    least <- order(stands, value, method = "radix")
    least <- least[!duplicated(stands[least])]
    replace(value, stands[least], value[least])
  },
  neutral = function(value) is.numeric(value) && all(value == 1), place = 5
)

# A matched set says something only while samples of it are together.
caution_of_torn <- function(strata, x) {
  size <- length(strata) / max(strata)
  if (is.null(blocks_of_result(x)) && size <= 4) {
    sprintf(
      "runs tear apart strata of %s samples, which say nothing alone; %s", figure(size, digits = 2),
      "`prepare_study(x, y, blocks = )`, with the same `strata`, draws matched sets whole"
    )
  }
}
