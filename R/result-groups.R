#' Selections of feature groups: factors, probes of a gene, pathways
#'
#' Turns runs that selected columns of x into runs that selected groups of columns: the dummy
#' columns of a factor, the probes of a gene, the genes of a pathway. [stability()],
#' [aggregate()][aggregate.stabilect_selection] and the plots then refer to groups: genes may be
#' stable even if their probes are not.
#'
#' @param object (`stabilect_selection`, or what [as_selection()] takes, for example a result of
#'   [select_ensemble()] or [fealect()]; or a `stabilect_ranking`) runs or ranking over p columns.
#' @param groups (clusters of [cluster_features()], factor or character vector of length p, or named
#'   list of character vectors) the group of each column, `NA` for none. A named vector is matched
#'   to the columns by name and may have further names. A list gives the columns of each group; a
#'   column may be in several groups, and unknown names are ignored (genes of a pathway that were
#'   not measured). A ranking needs names or a list, since it has another order than the columns.
#' @param combine (string) score of a group from the scores of its columns: `"max"`, `"mean"` or
#'   `"sum"`.
#' @param share (number in (0, 1\], or `NULL`) a group is selected if at least this share of its
#'   columns is; `NULL`: if any column is.
#' @param ungrouped (string) columns in no group are left out (`"drop"`), or are groups under their
#'   own name (`"keep"`).
#'
#' @details
#' With \eqn{s_{jb}} the score of column j in run b and G the columns of a group, its score is
#' \deqn{\max_{j \in G} s_{jb}, \quad \frac{1}{|G|} \sum_{j \in G} s_{jb} \quad \mbox{or} \quad
#' \sum_{j \in G} s_{jb},}{max s, mean s or sum s over j in G,}
#' and run b, with the selected columns \eqn{S_b}, selects the group if \eqn{|G \cap S_b| \ge 1}, or
#' with `share`, if \eqn{|G \cap S_b| / |G| \ge} `share`. Large groups are selected more often by
#' chance, and have larger maxima and sums; the mean and `share` have the opposite tendency. Columns
#' that a run did not look at (`subspace` of [select_ensemble()]) count neither in |G| nor in the
#' score. The importance of a group is the sum over its columns.
#'
#' Groups are in the order of the levels of a factor, of a list, or of their first column; groups
#' without columns are left out. Runs keep their order, status and fingerprint.
#'
#' A ranking contains only the table, not the runs. `combine` then combines scores and mean scores
#' of columns. A group is selected if its columns are, as above, and ties between groups are ordered
#' by their best column. `frequency` is the frequency of the group's most frequent column, a lower
#' limit for the group. For the exact frequency, apply `group_features()` to the selection and
#' aggregate its result.
#' @return A `stabilect_selection` over the groups (see [selection]); a `stabilect_ranking` (see
#'   [aggregate()][aggregate.stabilect_selection]) for a ranking.
#' @section Errors:
#' Class `stabilect_error_input` if `groups` does not fit the columns: another length, columns
#' without an entry, groups without a name or with the same name, no column in any group, or an
#' unnamed vector for a ranking.
#' @family selection
#' @examples
#' fit <- select_ensemble(
#'   log2(colon_genes$x), colon_genes$y, selector_filter("t"), n_features = 10, seed = 1
#' )
#' # Some genes have several probe sets, under one name.
#' genes <- group_features(fit, colon_genes$genes$source_name)
#' genes
#' aggregate(genes, aggregate_by("frequency"), n_features = 5)
#' two <- list(Hsa.692 = c("Hsa.692", "Hsa.692_1", "Hsa.692_2"), UMGAP = paste0("UMGAP_", 1:3))
#' group_features(fit, two)$score[, 1:3]
#' rbind(columns = stability(fit)$table$estimate, genes = stability(genes)$table$estimate)
#' @export
group_features <- function(object, groups, combine = c("max", "mean", "sum"), share = NULL,
                           ungrouped = c("drop", "keep")) {
  check_given()
  combine <- check_choice(combine, c("max", "mean", "sum"))
  if (!is.null(share)) share <- check_fraction(share)
  ungrouped <- check_choice(ungrouped, c("drop", "keep"))
  if (inherits(groups, "stabilect_clusters")) groups <- groups$membership
  record <- if (is.list(object)) object$study
  groups <- if (is.list(groups)) lapply(groups, stand_ins, record) else for_features(groups, record)
  if (inherits(object, "stabilect_ranking")) {
    refuse(!is.list(groups) && is.null(names(groups)),
      "The features of a ranking are in the order of their ranks: {.arg groups} must be a
        list, or have the names of the columns."
    )
    # In the order of the table: ties between groups go to the group with the best column.
    members <- group_members(groups, object$table$feature, ungrouped)
    return(group_ranking(object, members, combine, share))
  }
  selection <- as_selection(object)
  members <- group_members(groups, selection$feature_names, ungrouped)
  group_selection(selection, members, combine, share)
}

# @return list(group, feature (integer, one entry per column of a group, in the order of the
#   groups), names (character) of the groups).
# @param arg (string) name of the verb's argument `groups`.
group_members <- function(groups, feature_names, ungrouped, arg = "groups") {
  members <- if (is.list(groups)) {
    members_of_list(groups, feature_names, arg)
  } else {
    members_of_vector(groups, feature_names, arg)
  }
  if (ungrouped == "keep") {
    alone <- setdiff(seq_along(feature_names), members$feature)
    refuse_at(intersect(feature_names[alone], members$names),
      "{.val {at}} is the name of a group, and of a column in no group."
    )
    members <- list(
      group = c(members$group, length(members$names) + seq_along(alone)),
      feature = c(members$feature, alone), names = c(members$names, feature_names[alone])
    )
  }
  refuse(length(members$names) == 0L,
    c("None of the {length(feature_names)} columns is in a group.",
      i = "The columns are called {.val {utils::head(feature_names, 3)}} ..."
    )
  )
  members
}

members_of_vector <- function(groups, feature_names, arg) {
  refuse(!is.factor(groups) && !is.character(groups) || !is.null(dim(groups)),
    "{.arg {arg}} must be a factor, a character vector or a named list, not
      {describe_value(groups)}."
  )
  p <- length(feature_names)
  if (is.null(names(groups))) {
    refuse(length(groups) != p,
      "{.arg {arg}} has {length(groups)} entr{?y/ies}, but there {?is/are} {p} column{?s}."
    )
  } else {
    at <- match(feature_names, names(groups))
    refuse(anyNA(at), c("{.arg {arg}} has names, but none is {.val {feature_names[is.na(at)][1]}}.",
      i = "Columns in no group have the entry {.code NA}."
    ))
    groups <- groups[at]
  }
  groups <- blank_as_na(groups)
  groups <- droplevels(if (is.factor(groups)) groups else factor(groups, unique(groups)))
  feature <- order(as.integer(groups), na.last = NA, method = "radix")
  list(group = as.integer(groups)[feature], feature = feature, names = levels(groups))
}

members_of_list <- function(groups, feature_names, arg) {
  names <- names(groups)
  refuse(is.null(names) || anyNA(names) || any(names == "") || anyDuplicated(names),
    "{.arg {arg}} must be a list with a different name for each group."
  )
  refuse_at(!vapply(groups, function(one) is.character(one) || is.factor(one), NA),
    "Group {.val {names[at]}} of {.arg {arg}} must hold names of columns, not
      {describe_value(groups[[at]])}."
  )
  feature <- lapply(groups, function(one) {
    sort(unique(match(as.character(one), feature_names, nomatch = 0L)))
  })
  feature <- lapply(feature, function(one) one[one > 0L])
  feature <- feature[lengths(feature) > 0L]
  list(
    group = rep(seq_along(feature), lengths(feature)),
    feature = as.integer(unlist(feature, use.names = FALSE)), names = as.character(names(feature))
  )
}

group_selection <- function(selection, members, combine, share) {
  score <- selection$score
  if (is.null(score)) score <- selection$selected
  sparse <- !is.matrix(score)
  if (sparse) score <- as_dgc(score)
  map <- Matrix::sparseMatrix(
    i = members$group, j = members$feature, x = rep(1, length(members$group)),
    dims = c(length(members$names), selection$n_total), dimnames = list(members$names, NULL)
  )
  seen <- if (!sparse && anyNA(score)) as.matrix(map %*% !is.na(score))
  size <- tabulate(members$group, length(members$names))
  picked <- as_dgc(map %*% as_dgc(selection$selected))
  if (!is.null(share)) {
    run <- rep(seq_len(ncol(picked)), diff(picked@p))
    of <- if (is.null(seen)) size[picked@i + 1L] else seen[cbind(picked@i + 1L, run)]
    # Quotients are rounded: 3 of 5 must reach 0.6.
    picked@x[picked@x < share * of - 1e-9] <- 0
  }
  selected <- methods::as(Matrix::drop0(picked), "nMatrix")
  selection$score <- if (sparse) {
    group_sparse_scores(score, map, size, members, combine)
  } else {
    group_dense_scores(score, members, combine)
  }
  dimnames(selection$score) <- dimnames(selected) <- list(members$names, NULL)
  selection$selected <- selected
  if (!is.null(selection$importance)) {
    selection$importance <- as_dgc((map %*% selection$importance) * selected)
  }
  selection$method <- sprintf(
    "%s; %d groups of columns, %s score", selection$method, length(size), combine
  )
  selection$n_total <- length(size)
  selection$feature_names <- members$names
  # Groups have no copies.
  selection$study <- NULL
  selection
}

# Absent entries are scores of 0.
group_sparse_scores <- function(score, map, size, members, combine) {
  if (combine == "sum") {
    return(as_dgc(map %*% score))
  }
  if (combine == "mean") {
    return(as_dgc(Matrix::Diagonal(x = 1 / size) %*% (map %*% score)))
  }
  # Every stored score, once for each group of its column; the last of each group and run is the
  # largest.
  rows <- as_dgc(score[members$feature, , drop = FALSE])
  group <- members$group[rows@i + 1L]
  run <- rep(seq_len(ncol(rows)), diff(rows@p))
  place <- order(run, group, rows@x, method = "radix")
  last <- !duplicated(data.frame(run, group)[place, ], fromLast = TRUE)
  stored <- run_lengths(run[place], group[place])
  best <- place[last]
  value <- rows@x[best]
  # If a column of the group has no entry, the largest score is at least 0.
  value <- ifelse(stored < size[group[best]], pmax(value, 0), value)
  as_dgc(Matrix::sparseMatrix(
    i = group[best], j = run[best], x = value, dims = c(length(size), ncol(score))
  ))
}

# Lengths of runs of equal pairs; pairs are sorted.
run_lengths <- function(run, group) {
  first <- c(TRUE, diff(run) != 0 | diff(group) != 0)[seq_along(run)]
  diff(c(which(first), length(run) + 1L))
}

# The k-th columns of all groups at once, k = 1, 2, ...; NA: the run did not look at the column.
group_dense_scores <- function(score, members, combine) {
  n_groups <- length(members$names)
  k <- stats::ave(members$group, members$group, FUN = seq_along)
  total <- matrix(NA_real_, n_groups, ncol(score))
  n_seen <- matrix(0L, n_groups, ncol(score))
  for (at in split(seq_along(k), k)) {
    group <- members$group[at]
    one <- score[members$feature[at], , drop = FALSE]
    old <- total[group, , drop = FALSE]
    both <- if (combine == "max") pmax(old, one, na.rm = TRUE) else old + one
    both[is.na(old)] <- one[is.na(old)]
    both[is.na(one)] <- old[is.na(one)]
    total[group, ] <- both
    n_seen[group, ] <- n_seen[group, ] + !is.na(one)
  }
  if (combine == "mean") total / pmax(n_seen, 1L) else total
}

group_ranking <- function(ranking, members, combine, share) {
  table <- ranking$table
  of_columns <- function(column, combine) {
    drop(group_dense_scores(as.matrix(table[[column]]), members, combine))
  }
  score <- of_columns("score", combine)
  picked <- rowsum(as.integer(table$selected[members$feature]), members$group)[, 1]
  size <- tabulate(members$group, length(members$names))
  selected <- if (is.null(share)) picked > 0L else picked >= share * size - 1e-9
  # The columns of a group are in the order of the table, the best one first.
  best <- members$feature[match(seq_along(size), members$group)]
  place <- order(-score, best, na.last = TRUE, method = "radix")
  grouped <- data.frame(
    feature = members$names, score = score, rank = NA_integer_, selected = unname(selected),
    frequency = of_columns("frequency", "max"), mean_score = of_columns("mean_score", combine)
  )[place, ]
  grouped$rank <- seq_along(place)
  rownames(grouped) <- NULL
  ranking$table <- grouped
  ranking$features <- grouped$feature[grouped$selected]
  ranking$n_features <- sum(grouped$selected)
  ranking$method <- sprintf(
    "%s; %d groups of columns, %s score", ranking$method, length(size), combine
  )
  ranking
}
