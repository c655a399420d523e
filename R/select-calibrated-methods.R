# What stability selection says where q and cutoff were calibrated.

# The verdict.
describe_calibrated <- function(x) {
  unit <- unit_word(x$asked)
  peaks <- x$calibration$peaks
  if (nrow(peaks) == 0L) {
    return(sprintf(
      "No pair of q and cutoff parts the %ss: at none where a bound holds is a %s selected.", unit,
      unit
    ))
  }
  best <- peaks[1, ]
  near <- peaks[peaks$z >= 0.9 * best$z, ][-1, ]
  c(
    sprintf(
      "%s at q = %d and cutoff %s, the pair that parts the %ss most clearly (z = %s).",
      count_of(best$n_selected, unit), best$q, figure(best$cutoff), unit, figure(best$z, digits = 3)
    ),
    sprintf(
      paste(
        "This is a rule of thumb without an error rate: the bound of this pair, %s false ones,",
        "would hold if it had been chosen without the data."
      ),
      figure(x$bound$pfer, digits = 2)
    ),
    if (nrow(near) > 0L) {
      sprintf(
        "Nearly as clear is another list: %s at q = %d and cutoff %s (z = %s).",
        count_of(near$n_selected[1], unit), near$q[1], figure(near$cutoff[1]),
        figure(near$z[1], digits = 3)
      )
    },
    describe_named(x)
  )
}
