# Sets R's generator for the few draws made in R, then restores the user's state.

with_seed <- function(seed, code) {
  old <- get0(".Random.seed", envir = globalenv(), inherits = FALSE)
  kinds <- RNGkind()
  on.exit({
    # R warns about the old way of sampling, which may be the user's own choice.
    suppressWarnings(RNGkind(kinds[1], kinds[2], kinds[3]))
    if (is.null(old)) {
      rm(".Random.seed", envir = globalenv())
    } else {
      assign(".Random.seed", old, envir = globalenv())
    }
  })
  set.seed(
    seed,
    kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection"
  )
  code
}

# k seeds derived from `seed`; the first ones are the same for any k.
child_seeds <- function(seed, k) {
  with_seed(seed, sample.int(.Machine$integer.max, k))
}
