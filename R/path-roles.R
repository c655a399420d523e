# What paths know of samples and features besides: strata, weights, offset, penalty.

register_role("strata", "samples",
  read = function(value, study, family) check_strata(value, family, study$n),
  take = function(value, at) match(value[at], sort(unique(value[at]), method = "radix")),
  words = function(value, x) {
    if (!family_record(x$asked$likelihood$family)$matched) sprintf("%d strata", max(value))
  },
  argument = NULL, neutral = function(value) max(value) == 1L, place = 2
)

register_role("weights", "samples",
  read = function(value, study, family) {
    refuse_beside_within("weights", study)
    weights <- check_weights(value, study$response$y)
    check_sample_names(names(value), study$sample_names, "weights")
    weights
  },
  words = function(value, x) {
    shown <- figures(range(value), digits = 3)
    sprintf("paths with weights of samples from %s to %s", shown[1], shown[2])
  },
  neutral = function(value) all(value == 1), place = 3
)

register_role("offset", "samples",
  read = function(value, study, family) {
    refuse_beside_within("offset", study)
    offset <- check_offset(value, family, study$n, study$response$levels)
    of <- if (is.matrix(value)) rownames(value) else names(value)
    check_sample_names(of, study$sample_names, "offset")
    offset
  },
  words = function(value, x) "with an offset",
  neutral = function(value) all(value == 0), place = 4
)

register_role("penalty", "features",
  read = function(value, study, family) ask_penalty(value, study),
  take = function(value, at) if (is.factor(value)) value[at, drop = TRUE] else value[at],
  words = function(value, x) describe_penalty(value, x$blocks),
  argument = function(value) if (is.factor(value)) "penalty = \"blocks\"" else "penalty = penalty",
  neutral = function(value) is.numeric(value) && all(value == 1), place = 5
)

refuse_beside_within <- function(name, study) {
  refuse(!is.null(study$within), "{.arg {name}} cannot be combined with {.arg within}.")
}
