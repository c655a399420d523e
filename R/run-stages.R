# Runs in stages, until a rule holds. A stage is the same call with more runs: what is done already
# comes out of a store, in memory or in the user's checkpoint.

# @param until (`stabilect_until`, or NULL: all runs at once).
# @param run function(resamples, checkpoint): the runs of these resamples.
# @param selections function(runs): a list of selections, each of which the rule must hold for.
# @param cutoff function(resamples): the verb's own cutoff for these; NULL when it has none, NA when
#   these resamples are too few for one.
# @return list(runs, resamples (those that were used), until (NULL, or what became of the rule)).
run_until <- function(until, resamples, checkpoint, run, selections,
                      cutoff = function(resamples) NULL, call = rlang::caller_env()) {
  if (is.null(until)) {
    return(list(runs = run(resamples, checkpoint), resamples = resamples))
  }
  check_until(until, resamples, cutoff(resamples), call)
  looks <- look_sizes(resamples)
  store <- staged_store(checkpoint, until, resamples$fingerprint)
  seed <- if (is.na(resamples$seed)) 0L else resamples$seed
  table <- NULL
  for (n in looks) {
    part <- if (n < resamples$n_runs) as_whole_plan(resamples[seq_len(n)]) else resamples
    runs <- run(part, store)
    own <- cutoff(part)
    used <- if (is.null(until$cutoff)) own else until$cutoff
    chosen <- selections(runs)
    judged <- judge_runs(until, chosen, length(looks), used, seed)
    reached <- judged$reached && !anyNA(own)
    table <- rbind(table, data.frame(
      n_runs = n, value = judged$value, target = until$target, reached = reached
    ))
    if (reached) break
  }
  list(
    runs = runs, resamples = part,
    until = list(
      rule = until, reached = reached, n_runs = n, max_runs = resamples$n_runs, looks = table,
      undecided = if (until$name == "decided") chosen[[1]]$feature_names[judged$undecided]
    )
  )
}

# What open_checkpoint() takes in the place of a file: blocks of earlier stages are kept, in memory
# or in the file, under the resamples of the whole plan and the rule.
staged_store <- function(file, until, fingerprint, opened = new.env(), key = "1") {
  open <- function(identity, call) {
    if (is.null(opened[[key]])) {
      opened[[key]] <- if (is.null(file)) {
        memory_store()
      } else {
        identity$resamples <- fingerprint
        identity$settings <- list(identity$settings, until)
        open_checkpoint(file, identity, call)
      }
    }
    opened[[key]]
  }
  structure(
    list(
      open = open,
      number = function(index) {
        staged_store(numbered_file(file, index), until, fingerprint, opened, as.character(index))
      }
    ),
    class = "stabilect_store"
  )
}

