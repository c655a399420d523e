# Measurement noise: every run sees x as if it had been measured again.

register_role("jitter", "features",
  read = function(value, study, family) check_jitter(value, study$feature_names),
  words = function(value, x) {
    noisy <- value[value > 0]
    sprintf(
      "measurement noise in every run, for %s, with standard deviation %s",
      count_of(length(noisy), "feature"), format_range(figures(range(noisy), digits = 3))
    )
  },
  argument = function(value) {
    if (all(value == value[1])) sprintf("jitter = %s", deparse(value[[1]])) else "jitter = noise"
  },
  # Of copies, which are one feature, the largest counts.
  join = function(value, stands) {
    replace(value, unique(stands), tapply(value, factor(stands, unique(stands)), max))
  },
  see = function(study, value) {
    # What is constant says nothing, however it is measured.
    noisy <- names(value)[value > 0]
    noisy <- setdiff(noisy, constant_features(study))
    # In the order of names: that of columns decides nothing.
    noisy <- sort(noisy, method = "radix")
    with_data(function(x, seed) {
      noise <- with_seed(seed, stats::rnorm(nrow(x) * length(noisy)))
      x[, noisy] <- x[, noisy] + noise * rep(sd, each = nrow(x))
      x
    }, noisy = match(noisy, study$feature_names), sd = value[noisy])
  },
  neutral = function(value) all(value == 0), place = 7
)

# @return (named numeric, p).
check_jitter <- function(jitter, feature_names) {
  p <- length(feature_names)
  refuse(!is.numeric(jitter) || !is.null(dim(jitter)),
    "{.arg jitter} must be numbers, not {describe_value(jitter)}."
  )
  given <- names(jitter)
  refuse(is.null(given) && !length(jitter) %in% c(1L, p),
    c("{.arg jitter} has {length(jitter)} value{?s} but {.arg x} has {p} column{?s}.",
      i = "Give one standard deviation for all features, one for each, or some by name."
    )
  )
  refuse_at(setdiff(given, feature_names),
    "{.arg jitter} names {.val {at}}, which is not a feature of {.arg x}."
  )
  refuse_at(given[duplicated(given)], "{.arg jitter} has two values for {.val {at}}.")
  refuse_at(!is.finite(jitter) | jitter < 0,
    "{.arg jitter} has {figure(jitter[[at]])} at position {at}; standard deviations are numbers
      >= 0."
  )
  all <- numeric(p)
  all[if (is.null(given)) seq_len(p) else match(given, feature_names)] <- jitter
  stats::setNames(all, feature_names)
}
