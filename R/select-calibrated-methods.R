# Prints of stability selection with calibrated q and cutoff.

describe_calibrated <- function(x) {
  unit <- unit_word(x$asked)
  peaks <- x$calibration$peaks
  if (nrow(peaks) == 0L) {
    return(sprintf(
      "none: no pair of q and cutoff for which a bound holds selects a %s", unit
    ))
  }
  best <- peaks[1, ]
  near <- peaks[peaks$z >= 0.9 * best$z, ][-1, ]
  c(
    sprintf(
      "%s at q = %d and cutoff %s, the pair that separates %ss best (z = %s)",
      count_of(best$n_selected, unit), best$q, figure(best$cutoff), unit, figure(best$z, digits = 3)
    ),
    if (nrow(near) > 0L) {
      sprintf(
        "nearly as clear is another list: %s at q = %d and cutoff %s (z = %s)",
        count_of(near$n_selected[1], unit), near$q[1], figure(near$cutoff[1]),
        figure(near$z[1], digits = 3)
      )
    }
  )
}

caution_of_calibrated <- function(x) {
  if (nrow(x$calibration$peaks) > 0L) {
    sprintf(
      paste(
        "this rule of thumb has no error rate: the bound of this pair (%s false positives) would",
        "hold if the pair had been chosen without the data"
      ),
      figure(x$bound$pfer, digits = 2)
    )
  }
}
