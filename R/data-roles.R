# Covariates, and samples that are drawn together (groups of `within` too).

register_role("covariates", "samples",
  read = function(value, study, family) {
    z <- study_covariates(value, study)
    if (ncol(z) > 0L) z
  },
  words = function(value, x) paste("adjusted for", describe_held(colnames(value))),
  argument = NULL, place = 1
)

register_role("blocks", "samples",
  # Text is no number of a block; blocks of copies stay such.
  read = function(value, study, family) {
    if (is_copied(value)) value else factor(value, unique(value))
  },
  words = function(value, x) NULL, argument = NULL, place = 0
)
