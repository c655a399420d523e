# The runs of stability selection, all at once or in stages.

# A pair counts when both of its runs succeeded.
whole_pairs <- function(status, pair) {
  if (!is.null(pair)) {
    broken <- status == "ok" & pair %in% pair[status != "ok"]
    status[broken] <- "the other run of the pair failed"
  }
  status
}

# The paths of stability selection, and the bound for the pairs that were used.
# @return list(runs, resamples, until, wanted).
run_stable_paths <- function(wanted, resamples, checkpoint, run, shape, rule, until,
                             call = rlang::caller_env()) {
  if (is.null(until)) {
    return(list(runs = run(resamples, checkpoint), resamples = resamples, wanted = wanted))
  }
  if (!"q" %in% wanted$given) {
    abort(
      c("With {.arg until}, {.arg q} must be given: from {.arg cutoff} and {.arg pfer} it would
         follow from the number of pairs.",
        i = "Here, all runs would have {.arg q} = {wanted$q}."
      ),
      call = call
    )
  }
  asked <- asked_of_bound(wanted)
  bound <- function(resamples) {
    find_bound(
      wanted$p, asked$q, asked$cutoff, asked$pfer, resamples, NULL, wanted$assumption, call
    )
  }
  done <- run_until(until, resamples, checkpoint, run, function(runs) {
    pair <- resamples$pair[seq_along(runs$status)]
    sets <- path_sets(runs$paths, choose_first(wanted$q, rule))
    list(sets_to_selection(sets, shape, whole_pairs(runs$status, pair), "runs", NULL, NULL))
  }, function(resamples) {
    tryCatch(bound(resamples)$cutoff, stabilect_error_bound = function(e) NA_real_)
  }, call)
  done$wanted <- bound(done$resamples)
  done
}
