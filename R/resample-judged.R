# Samples that have a model each out of bag. All models of n samples take a time in proportion to
# the square of n; of many samples some say enough.

# @param response (stabilect_response). @param possible (integer) rows that can be judged.
# @param work (number) samples times models, about, that take a few seconds.
# @return (integer) rows: all of up to 1,000 samples. Of more they are drawn, whole blocks together,
#   in proportion to classes or events; the number is larger where this leaves too few of a class.
judged_samples <- function(response, possible, work) {
  n <- length(response$y)
  code <- codes_to_judge(response)
  most <- number_to_judge(n, code[possible], work)
  if (n <= many_samples || length(possible) <= most) {
    return(possible)
  }
  unit <- units_of(response)
  first <- possible[!duplicated(unit[possible])]
  share <- most / length(possible)
  drawn <- with_seed(1, lapply(split(unit[first], code[first]), function(own) {
    own[sample.int(length(own), min(length(own), ceiling(share * length(own))))]
  }))
  possible[unit[possible] %in% unlist(drawn)]
}

# At least 300, and 30 of the rarest class if five times as many have so many of it.
number_to_judge <- function(n, code, work) {
  most <- max(300, work %/% n)
  needed <- 30 * length(code) / min(tabulate(match(code, unique(code))))
  ceiling(min(max(most, needed), 5 * most))
}

# Classes, or events and censored samples.
codes_to_judge <- function(response) {
  strata <- strata_of(response)
  if (is.null(strata)) rep(1L, length(response$y)) else strata
}

# @return (integer, or NULL) number of samples, if some were drawn of those that could be judged.
n_if_drawn <- function(n, judged, possible) if (length(judged) < length(possible)) n
