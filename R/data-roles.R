# Samples that are compared within groups or drawn together, covariates, and views of features.

# The first: what is read later is compared within groups too.
register_role("within", "samples",
  read = function(value, study, family) {
    check_samples(value, samples_of_study(study), "within")
    check_within(value, study$n)
  },
  take = function(value, at) value[at, drop = TRUE],
  enter = function(study, value, family) compare_within(study, value, family),
  data = function(value) sprintf("compared within %d groups", nlevels(value)),
  argument = function(value) "within = patient", excludes = c("weights", "offset"), place = -1
)

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
  argument = NULL, place = 0
)

register_role("views", "features",
  read = function(value, study, family) value,
  take = function(value, at) value[at, drop = TRUE],
  data = function(value) describe_views(value), argument = NULL, place = 0
)
