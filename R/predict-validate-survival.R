# Survival curves and risks of new samples, compared with their times.

# @param link (numeric, n) predicted log hazards. @param baseline of baseline_hazard().
measure_survival <- function(time, event, link, baseline, conf_level, tau) {
  harrell <- concordance_of(time, event, link)
  uno <- concordance_uno(time, event, link, tau)
  interval <- function(found) {
    logit_interval(found$concordance, sum(found$influence^2), conf_level)
  }
  slope <- calibration_of_risk(time, event, link)
  half <- stats::qnorm((1 + conf_level) / 2) * slope[2]
  times <- check_times(NULL, baseline)
  brier <- function(curves) integrated_brier(time, event, curves, times, tau)
  alike <- baseline$survival[match(times, baseline$time)]
  rbind(
    measure_row(
      "discordance", 1 - harrell$concordance, 1 - rev(interval(harrell)), 0.5, -harrell$influence
    ),
    measure_row("concordance", harrell$concordance, interval(harrell), 0.5, harrell$influence),
    measure_row("concordance_uno", uno$concordance, interval(uno), 0.5, uno$influence),
    measure_row(
      "integrated_brier", brier(curves_of_risk(baseline, link, times)),
      reference = brier(matrix(alike, length(time), length(times), byrow = TRUE))
    ),
    measure_row("calibration_slope", slope[1], slope[1] + c(-half, half), 1)
  )
}
