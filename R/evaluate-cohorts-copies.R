# Copies of columns in several cohorts.

# Copies in one cohort need not be copies in another: columns are one feature where they are copies
# in all cohorts, under the name that would stand for them.
# @param parts (list, by cohort) record, correlation, p (named by feature), named (character).
one_name_in_all <- function(parts) {
  if (all(vapply(parts, function(part) is.null(part$record$copies), NA))) {
    return(parts)
  }
  own <- lapply(parts, function(part) stand_in_of_columns(part$record))
  all <- Reduce(intersect, lapply(own, names))
  together <- do.call(paste, lapply(own, function(names) match(names[all], names)))
  code <- match(together, unique(together))
  place <- order_names(all, code)
  common <- all[place][!duplicated(code[place])]
  copies <- if (anyDuplicated(code)) list(columns = all, stands = code)
  Map(function(part, names) {
    was <- names[common]
    turned <- turned_columns(part$record)
    sign <- if (part$record$directed) turned[common] else 1
    part$correlation <- stats::setNames(part$correlation[was] * sign, common)
    part$p <- stats::setNames(part$p[was], common)
    part$named <- common[was %in% part$named]
    part$record$feature_names <- common
    part$record["copies"] <- list(if (!is.null(copies)) {
      c(copies, list(turned = unname(turned[all] * turned[common][code])))
    })
    part
  }, parts, own)
}

# @return (character, named by the columns of the data) the feature that stands for each.
stand_in_of_columns <- function(record) {
  copies <- record$copies
  if (is.null(copies)) {
    return(stats::setNames(record$feature_names, record$feature_names))
  }
  stats::setNames(record$feature_names[copies$stands], copies$columns)
}

# @return (numeric, named by the columns of the data) -1 for those that are turned.
turned_columns <- function(record) {
  copies <- record$copies
  if (is.null(copies)) {
    return(stats::setNames(rep(1, record$p), record$feature_names))
  }
  stats::setNames(copies$turned, copies$columns)
}
