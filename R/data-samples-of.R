# The samples of data in any form, for check_samples().

# @param x data in any form; values: the same with samples in rows, if x has them elsewhere.
# @param name (string) of the argument.
# @return list(names (character, or NULL), numbered (flag: are they row numbers of a table?), name,
#   at (string: the expression that gives the names; NULL if there is no short one)).
samples_of <- function(x, name = "x", values = x) {
  if (inherits(values, "stabilect_data")) values <- values$x
  at <- if (is.matrix(x) || inherits(x, "stabilect_columns")) {
    sprintf("rownames(%s)", name)
  } else if (!is.null(container_kind(x))) {
    sprintf(container_record(x)$at, name)
  } else if (inherits(x, "stabilect_data")) {
    sprintf("rownames(%s$x)", name)
  } else if (!is_view_list(x) && length(dim(x)) == 2L) {
    sprintf("rownames(%s)", name)
  }
  list(
    names = if (is.matrix(values) || !is_view_list(values)) names_of_samples(values),
    numbered = is_numbered(values), name = name, at = at
  )
}

# Where the names of the samples of a study come from.
# @param data of a formula x.
samples_from <- function(x, data) {
  if (inherits(x, "formula")) {
    return(samples_of(data, "data")[-1L])
  }
  from <- samples_of(x)
  if (is.list(x) && is_view_list(x)) {
    named <- which(!vapply(x, function(part) is.null(names_of_samples(part)), NA))
    if (length(named) > 0L) from$at <- sprintf("rownames(x[[%d]])", named[1])
  }
  from[-1L]
}

# The samples of new data, for what belongs to them.
samples_of_new <- function(newdata) {
  values <- if (is.null(container_kind(newdata))) newdata else container_samples(newdata)
  samples_of(newdata, "newdata", values)
}
