# New samples, for every predict().

# @param record (list) of study_record(); its `coding` turns factors into numbers as in the fit.
# @param some (flag) are these only some of the features of the model?
# @return (double matrix, n x length(features)) the columns `features`, in this order; NA in samples
#   that lack more than half of them.
read_newdata <- function(newdata, record, features, some = FALSE) {
  refuse(rlang::is_missing(newdata), c("{.arg newdata} is missing.",
    i = "A result does not keep the samples it was made with."
  ))
  if (is_view_list(newdata)) {
    newdata <- read_views(newdata, NULL, NULL)$x
  } else if (!is.null(container_kind(newdata))) {
    newdata <- container_samples(newdata)
  }
  check_prepared_coding(newdata, record$coding, features)
  is_prepared <- inherits(newdata, "stabilect_data")
  if (is_prepared && !is.null(record$fill)) newdata <- unfilled(newdata)
  new <- new_groups(newdata, record)
  coded <- code_newdata(new$x, record$coding, features, record$fill)
  coded <- without_zeros(coded, intersect(record$zeros, features))
  columns <- check_newdata(coded, features, record$fill, some, if (is_prepared) {
    "{.fn prepare_study} leaves out features that are mostly missing: give the table itself."
  })
  centre_within(columns, new$groups)
}

# New samples that were prepared get what the fit knows, not what the new samples say of each other.
unfilled <- function(data) {
  at <- data$missing
  column <- match(at$names[at$column], colnames(data$x))
  known <- which(!is.na(column))
  rows <- at$row[known]
  if (is.data.frame(data$x)) {
    for (j in unique(column[known])) data$x[[j]][rows[column[known] == j]] <- NA
  } else {
    data$x[cbind(rows, column[known])] <- NA
  }
  data
}

# What fills in missing values of new samples where the data of the fit had none: the means of the
# columns of the model. Of differences within groups there are none.
# @param x (numeric matrix) these columns.
know_means <- function(record, x) {
  if (is.null(record$fill) && is.null(record$roles$within) && is.matrix(x) && ncol(x) > 0L) {
    record$fill <- structure(colMeans(x), of = "mean")
  }
  record
}

# Zeros of columns in which they were taken for missing values.
without_zeros <- function(newdata, columns) {
  for (name in intersect(columns, colnames(newdata))) {
    own <- if (is.data.frame(newdata)) newdata[[name]] else newdata[, name]
    at <- which(own == 0)
    if (is.data.frame(newdata)) newdata[[name]][at] <- NA else newdata[at, name] <- NA
  }
  newdata
}

# Prepared data have coded their categories by their own levels.
check_prepared_coding <- function(newdata, coding, features) {
  if (!inherits(newdata, "stabilect_data")) {
    return(invisible())
  }
  for (name in names(coding)) {
    used <- any(coding[[name]]$features %in% features)
    own <- newdata$coding[[name]]
    refuse(used && !is.null(own) && !identical(own, coding[[name]]),
      c("Column {.val {name}} of {.arg newdata} was prepared with other levels,
          {.val {own$levels}}, than the model knows,
          {.val {coding[[name]]$levels}}.",
        i = "Give the table itself, which is coded as in the model."
      )
    )
  }
}

# The columns of the model, in its order, as a matrix.
# @param fill (named numeric, or NULL) of the columns of the fit, for missing values.
# @param advice (string, or NULL) where columns are absent.
check_newdata <- function(newdata, features, fill = NULL, some = FALSE, advice = NULL) {
  refuse(length(dim(newdata)) != 2L,
    c("{.arg newdata} must be a matrix or data frame, not {describe_value(newdata)}.",
      i = "One sample is one row: {.code x[i, , drop = FALSE]}."
    )
  )
  absent <- setdiff(features, colnames(newdata))
  if (length(absent) > 0L) {
    shown <- utils::head(absent, 5)
    abort(
      c("{.arg newdata} lacks {length(absent)} of the {length(features)} feature{?s} of the model:
          {.val {shown}}{if (length(absent) > 5) ', ...'}.",
        i = "Columns are found by name.", i = advice
      )
    )
  }
  refuse_at(features[features %in% colnames(newdata)[duplicated(colnames(newdata))]],
    "{.arg newdata} has more than one column named {.val {at}}."
  )
  # A model without features needs no names and takes no column.
  taken <- if (length(features) > 0L) features else 0L
  columns <- as.matrix(newdata[, taken, drop = FALSE])
  if (length(features) > 0L && !is.numeric(columns) && !is.logical(columns)) {
    abort_not_numbers(newdata, features)
  }
  filled <- fill_newdata(columns, fill, some)
  columns <- filled$columns
  bad <- which(!is.finite(columns), arr.ind = TRUE)
  if (nrow(bad) > 0L) {
    value <- figure(columns[bad[1, 1], bad[1, 2]])
    abort(
      c("{.arg newdata} has {value} at row {bad[1, 1]}, column {.val {features[bad[1, 2]]}}.",
        i = if (is.na(columns[bad[1, 1], bad[1, 2]])) "Leave such samples out, or impute them."
      )
    )
  }
  storage.mode(columns) <- "double"
  columns[filled$empty, ] <- NA_real_
  columns
}

abort_not_numbers <- function(newdata, features) {
  if (!is.data.frame(newdata)) {
    abort("{.arg newdata} must have numbers, not {.cls {typeof(newdata)}}.")
  }
  numbers <- vapply(features, function(name) {
    is.numeric(newdata[[name]]) || is.logical(newdata[[name]])
  }, NA)
  bad <- features[!numbers]
  abort(
    "{.arg newdata} has {length(bad)} column{?s} of the model that {?is/are} not numbers: the first,
      {.val {bad[1]}}, has class {.cls {class(newdata[[bad[1]]])}}."
  )
}

# Missing values of new samples become those that the fit knows.
# @return list(columns, empty (integer): samples that lack too many).
fill_newdata <- function(columns, fill, some) {
  gaps <- which(is.na(columns), arr.ind = TRUE)
  value <- fill[colnames(columns)[gaps[, 2L]]]
  known <- which(!is.na(value))
  if (length(known) == 0L) {
    return(list(columns = columns, empty = integer()))
  }
  lacks <- tabulate(gaps[, 1L], nrow(columns))
  empty <- if (!some) which(lacks > ncol(columns) / 2)
  absent <- colnames(columns)[tabulate(gaps[, 2L], ncol(columns)) == nrow(columns)]
  columns[gaps[known, , drop = FALSE]] <- value[known]
  if (!some) {
    warn_empty(empty, ncol(columns))
    told <- sum(!gaps[known, 1L] %in% empty)
    of <- attr(fill, "of")
    if (is.null(of)) of <- "median"
    tell_filled(told, length(columns), of, if (nrow(columns) > 1L) absent)
  }
  list(columns = columns, empty = empty)
}

warn_empty <- function(rows, p) {
  if (length(rows) > 0L && first_told("empty")) {
    n <- length(rows)
    warn(
      "{n} of the new samples {cli::qty(n)}{?lacks/lack} more than half of the {p} feature{?s} of
        the model, and {cli::qty(n)}{?has/have} no prediction ({.code NA}): row{?s}
        {list_some(rows)}.",
      class = "empty_samples"
    )
  }
}

# @param absent (character) features that no new sample has.
tell_filled <- function(n, total, of, absent) {
  if (n == 0L || !first_told("filled")) {
    return(invisible())
  }
  cli::cli_inform(
    c(i = "{n} of {total} values of the new samples {cli::qty(n)}{?was/were} missing, and
      {?is/are} filled in with the {of}{?s} of the samples of the fit.",
      "!" = if (length(absent) > 0L) "No new sample has a value of {list_some(absent)}."),
    class = c("stabilect_message_filled", "stabilect_message")
  )
}

# One table of types for every verb; the default is the class where there are classes.
# @param known (character) further types that the verb can predict.
check_predict_type <- function(type, response, known = c("probability", "link")) {
  choices <- predict_types(outcome_records()[[response]], known)
  choices <- union(choices, intersect("contributions", known))
  check_contributions(type, choices)
  # As other packages call it.
  if (identical(type, "prob") && "probability" %in% choices) type <- "probability"
  if (is.null(type)) choices[1] else check_choice(type, choices)
}

# @param choices (character) types that the model has.
check_contributions <- function(type, choices) {
  refuse(identical(type, "contributions") && !type %in% choices, c(
    "Models of {.fn eliminate_features}, {.fn hybrid_rfe}, {.fn lars_path} and {.fn lasso_path}
      have no {.val contributions}; models of {.fn fit_model} and {.fn fealect} have.",
    i = "Fit one of the same features: {.code fit_model(x, y, selected(object))}."
  ))
}

# The outcome of new samples, which may be a column of their data, as for the verbs.
outcome_in <- function(y, newdata) {
  if (inherits(newdata, "stabilect_data")) newdata <- newdata$x
  n <- n_new_samples(newdata)
  if (is_name(y, n) || is_name_pair(y, n)) gather_input(newdata, y, NULL, NULL, NULL)$y else y
}
