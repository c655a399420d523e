# Copies. Columns with |r| = 1 (the same values, negated, scaled, complements of 0/1) are one
# feature: a study has one of them, under the first of their names in the C locale (numbers at the
# end by their value), so that the order of columns decides nothing. Definitions by column keep all
# (open_study(merge = FALSE)). Rows that agree in all features, beyond what chance explains, are one
# sample in every verb: its copies are drawn together.

# @return list(columns (3 x p), rows (n)): equal for copies, see cpp_copy_marks().
marks_of_copies <- function(x) {
  if (is.matrix(x)) {
    return(cpp_copy_marks(x, 0L))
  }
  parts <- lapply(slabs_of(x$p), function(j) cpp_copy_marks(x$read(j), j[1] - 1L))
  list(
    columns = do.call(cbind, lapply(parts, `[[`, "columns")),
    rows = Reduce(`+`, lapply(parts, `[[`, "rows"))
  )
}

# The study without copies of columns, and with `copies` where there are some: list(columns
# (character) of the data, stands (integer, one for each): the feature that stands for it, turned
# (-1 if it has the other sign, or 1)).
merge_copies <- function(study, marks = marks_of_copies(study$x)) {
  # Level numbers of a factor are no numbers.
  if (!is.null(study$factors)) marks$columns[, study$feature_names %in% study$factors] <- NaN
  stands <- stands_for(marks$columns, study$feature_names, study$features$views)
  if (is.null(stands)) {
    return(study)
  }
  for (name in names(study$features)) {
    join <- role_registry$all()[[name]]$join
    study$features[[name]] <- join(study$features[[name]], stands)
  }
  # In the order of names: equal values in a run are then taken in the same order, whatever the
  # order of columns was.
  kept <- unique(stands)
  kept <- kept[order_names(study$feature_names[kept])]
  turned <- sign(marks$columns[1, ] * marks$columns[1, stands])
  copies <- list(
    columns = study$feature_names, stands = match(stands, kept),
    turned = ifelse(is.finite(turned) & turned < 0, -1, 1)
  )
  # Results recognise the data as they were given.
  hash <- hash_features(study$x, study$factors)
  study <- study[, kept]
  study$copies <- copies
  study$hash_of_x <- hash
  study
}

# For frameworks that want a score for every column: copies have the one of their feature, and come
# after it.
# @param table (data frame) feature, score; best first, or with `rank`.
# @param x (numeric matrix). @return (data frame) feature, score, rank, in the order of the columns.
scores_of_columns <- function(table, x) {
  storage.mode(x) <- "double"
  stands <- stands_for(marks_of_copies(x)$columns, colnames(x))
  if (is.null(stands)) stands <- seq_len(ncol(x))
  at <- match(colnames(x)[stands], table$feature)
  rank <- if (is.null(table$rank)) at else table$rank[at]
  place <- order(rank, stands != seq_along(stands), colnames(x), method = "radix")
  data.frame(feature = colnames(x), score = table$score[at], rank = order(place))
}

# Number of features of a table of numbers and factors.
count_features <- function(x) {
  numbers <- as.matrix(as.data.frame(x)[vapply(as.data.frame(x), is.numeric, NA)])
  storage.mode(numbers) <- "double"
  stands <- stands_for(marks_of_copies(numbers)$columns, colnames(numbers))
  ncol(x) - sum(duplicated(stands))
}

# @param merge (flag) are copies one feature? Or (character) features that must be columns of the
#   study: copies stay apart if one of these would not.
merge_asked <- function(study, merge, marks) {
  if (isFALSE(merge)) {
    return(study)
  }
  merged <- merge_copies(study, marks)
  if (is.character(merge) && !all(merge %in% merged$feature_names)) study else merged
}

# @param features (integer) of the study.
some_copies <- function(copies, features) {
  if (is.null(copies)) {
    return(NULL)
  }
  stands <- match(copies$stands, features)
  lapply(replace(copies, "stands", list(stands)), `[`, !is.na(stands))
}

# Columns whose three marks agree up to rounding, in size and in their signs to one another.
# @param view (factor, p, or NULL) features of different views are different.
# @return (integer, p) the column that stands for each, or NULL without copies.
stands_for <- function(marks, names, view = NULL) {
  group <- group_near(abs(marks[1, ]), as.integer(view))
  if (is.null(group)) {
    return(NULL)
  }
  for (k in 2:3) {
    group <- group_near(sign(marks[1, ]) * marks[k, ], group)
    if (is.null(group)) {
      return(NULL)
    }
  }
  stands <- seq_along(names)
  at <- which(group > 0L)
  at <- at[order_names(names[at], group[at])]
  stands[at] <- at[match(group[at], group[at])]
  stands
}

# As in the C locale, but X98 before X100.
# @param group what comes before the names.
order_names <- function(names, group = integer(length(names))) {
  text <- sub("[0-9]+$", "", names)
  number <- suppressWarnings(as.numeric(substring(names, nchar(text) + 1L)))
  order(group, text, ifelse(is.na(number), -1, number), names, method = "radix")
}

# The study with its columns in this order, for errors of paths: of columns that are equal in some
# of the samples the first one enters.
columns_by_name <- function(study) {
  order <- order_names(study$feature_names)
  if (is.unsorted(order)) study[, order] else study
}

# @param among (integer; length 0: one group) values are near within these; 0 is no group.
# @return (integer) groups of near values from 1, 0 for values that are alone; NULL without a group.
group_near <- function(values, among, tolerance = 1e-7) {
  if (length(among) == 0L) among <- rep(1L, length(values))
  at <- which(is.finite(values) & among > 0L)
  at <- at[order(among[at], values[at], method = "radix")]
  alike <- diff(values[at]) < tolerance & diff(among[at]) == 0L
  if (!any(alike)) {
    return(NULL)
  }
  run <- cumsum(c(TRUE, !alike))
  several <- tabulate(run)[run] > 1L
  group <- integer(length(values))
  group[at[several]] <- run[several]
  group
}

# Do some rows agree in the first feature? Others do not agree in all.
may_have_twins <- function(x) !is.matrix(x) || anyDuplicated(x[, 1L]) > 0L

# @return (integer, n) the first row with the same values, or NULL if no rows agree, or not beyond
#   chance.
twin_rows <- function(x, marks) {
  rows <- marks$rows
  first <- match(rows, rows)
  later <- which(first < seq_along(rows) & is.finite(rows))
  if (length(later) == 0L) {
    return(NULL)
  }
  later <- later[rows_agree(x, later, first[later])]
  if (length(later) == 0L) {
    return(NULL)
  }
  twins <- seq_along(rows)
  twins[later] <- first[later]
  if (is_by_chance(x, twins, marks$columns)) NULL else twins
}

# Copies with another outcome than the first of them.
count_other_outcomes <- function(study) {
  observed <- observed_columns(study$response)
  sum(Reduce(`|`, lapply(observed, function(values) values != values[study$twins])))
}

rows_agree <- function(x, a, b) {
  differ <- numeric(length(a))
  for (j in slabs_of(ncol(x))) {
    values <- if (is.matrix(x)) x else x$read(j)
    at <- if (is.matrix(x)) j else seq_along(j)
    differ <- differ + rowSums(values[a, at, drop = FALSE] != values[b, at, drop = FALSE])
  }
  differ == 0
}

# Would so many pairs of rows agree by chance, given how many do in each feature?
is_by_chance <- function(x, twins, marks) {
  # Enough rows and columns to tell; copies of a feature say nothing new.
  columns <- which(is.finite(marks[1, ]) & !duplicated(round(abs(marks[1, ]), 6)))
  values <- x[, evenly(columns, 200L), drop = FALSE]
  values <- values[evenly(seq_along(twins), 1000L), , drop = FALSE]
  pairs <- choose(nrow(values), 2)
  alike <- cpp_tied_pairs(values)
  # As in log_agreement(): tied values depend on one another.
  chance <- exp(sum(ifelse(alike == 0, 1, 0.5) * log((alike + 1) / (pairs + 1))))
  agree <- sum(choose(tabulate(twins), 2))
  expected <- choose(length(twins), 2) * chance
  stats::ppois(agree - 1, expected, lower.tail = FALSE) > 1e-4 ||
    have_near_rows(x, twins, columns)
}

# Copies agree in all features, and other rows by far not. Where rows that agree in all features
# have others that agree in nearly all, as animals have in sixteen traits, they are no copies.
have_near_rows <- function(x, twins, columns) {
  at <- evenly(columns, 200L)
  distinct <- which(twins == seq_along(twins))
  copied <- evenly(unique(twins[duplicated(twins)]), 50L)
  values <- t(as.matrix(x[evenly(distinct, 1000L), at, drop = FALSE]))
  most <- max(1, 0.05 * length(at))
  near <- vapply(copied, function(i) {
    differ <- colSums(values != as.vector(x[i, at]))
    any(differ > 0 & differ <= most)
  }, NA)
  mean(near) > 0.1
}

evenly <- function(at, most) {
  if (length(at) <= most) {
    return(at)
  }
  at[unique(round(seq(1, length(at), length.out = min(length(at), most))))]
}

# Rows that agree as blocks of samples. They give way to blocks of the user.
copied_blocks <- function(twins) {
  structure(factor(twins, unique(twins)), class = c("stabilect_copied", "factor"))
}

is_copied <- function(blocks) inherits(blocks, "stabilect_copied")

has_own_blocks <- function(blocks) !is.null(blocks) && !is_copied(blocks)

# Features by the names that the data have: of a copy, the name that stands for it.
# @param features (character, or numbers of columns).
stand_ins <- function(features, study) {
  copies <- study$copies
  if (is.null(copies) || !is.character(features) && !is.numeric(features)) {
    return(features)
  }
  at <- if (is.character(features)) match(features, copies$columns) else features
  known <- at %in% seq_along(copies$columns)
  names <- as.character(features)
  names[known] <- study$feature_names[copies$stands[at[known]]]
  unique(names)
}

# One value for each feature, from one for each column of the data.
for_features <- function(values, study) {
  copies <- study$copies
  if (is.null(copies) || length(values) != length(copies$columns) || !is.null(names(values))) {
    return(values)
  }
  values[match(study$feature_names, copies$columns)]
}

# The copies of each feature, "X158, X160"; "" for none.
# @param record (list) of study_record(), or a study.
copies_of <- function(features, record) {
  copies <- record$copies
  own <- record$feature_names[copies$stands]
  others <- copies$columns != own
  members <- split(copies$columns[others], factor(own[others], unique(own[others])))
  text <- vapply(members, function(one) {
    toString(one[order_names(one)])
  }, "")
  found <- match(features, names(text))
  ifelse(is.na(found), "", text[found])
}

# "X157 (+7)": a name that stands for eight columns.
with_copies <- function(features, record) {
  if (is.null(record$copies)) {
    return(features)
  }
  n <- tabulate(record$copies$stands, length(record$feature_names)) - 1L
  n <- n[match(features, record$feature_names)]
  ifelse(is.na(n) | n == 0L, features, sprintf("%s (+%d)", features, n))
}

# "780 of 1,107 columns are copies of others: 327 features"
describe_copies <- function(record) {
  copies <- record$copies
  if (is.null(copies)) {
    return(NULL)
  }
  all <- length(copies$columns)
  n <- tabulate(copies$stands)
  most <- which.max(n)
  sprintf(
    "copies: %s of %s columns repeat others (|r| = 1); one name stands for all, such as %s",
    figure(all - length(n), big.mark = ","), figure(all, big.mark = ","),
    with_copies(record$feature_names[most], record)
  )
}

# What is said of rows that agree: that they are drawn together, or how to.
# @param record with `twins`; blocks (of the plan, or NULL).
# @return list(data, caution), each (string, or NULL).
describe_twins <- function(record, drawn, blocks) {
  twins <- record$twins
  later <- which(twins != seq_along(twins))
  if (is.null(blocks)) blocks <- seq_along(twins)
  apart <- later[drawn & blocks[later] != blocks[twins[later]]]
  if (length(apart) > 0L) {
    return(list(caution = sprintf(
      paste(
        "rows %s agree in all %s, but are drawn apart: errors can be too small,",
        "lists too stable; give them one label of `blocks =`"
      ),
      list_pairs(twins[apart], apart), count_of(record$p, "feature")
    )))
  }
  list(data = sprintf(
    "copies: %s of %s rows repeat others in all features%s; copies count as one sample%s",
    figure(length(later), big.mark = ","), figure(record$n, big.mark = ","),
    if (isTRUE(record$n_differ > 0L)) {
      sprintf(" (%d with another outcome)", record$n_differ)
    } else {
      ""
    },
    if (drawn) ", drawn whole" else ""
  ))
}

list_pairs <- function(first, second) {
  n <- length(first)
  text <- paste(utils::head(first, 3L), "and", utils::head(second, 3L), collapse = ", ")
  if (n > 3L) sprintf("%s (%d more)", text, n - 3L) else text
}

# Names of features in a printed or drawn table say how many columns they stand for.
# @param record (list) of study_record(), or NULL.
with_labels <- function(table, record) {
  if (is.null(record$copies)) {
    return(table)
  }
  named <- c(if (counts_features(record)) "feature", "representative", "substitute", "about")
  for (name in intersect(named, names(table))) {
    table[[name]] <- with_copies(as.character(table[[name]]), record)
  }
  for (name in intersect(c("features", "list"), names(table)[vapply(table, is.character, NA)])) {
    table[[name]] <- vapply(strsplit(table[[name]], ", ", fixed = TRUE), function(one) {
      toString(with_copies(one, record))
    }, "")
  }
  # The names say it.
  table[setdiff(names(table), "copies")]
}

label_section <- function(section, record) {
  if (is.data.frame(section$table)) section$table <- with_labels(section$table, record)
  section
}

# Of clusters the name is no feature.
counts_features <- function(record) !"clusters" %in% names(record$roles)

# A table of features says which columns a name stands for, where there are copies.
name_copies <- function(table, study) {
  if (!is.null(study$copies) && counts_features(study) &&
        any(table$feature %in% study$feature_names)) {
    table$copies <- copies_of(table$feature, study)
  }
  table
}
