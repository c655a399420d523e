# The only place where a user's data of any form become one object: read, checked, coded and named,
# with notes on changes. Verbs work with this object.

# @param x,y as the user gave them; `y` may be missing if `x` contains the outcome.
# @param takes (character) names of outcomes that the verb can use.
# @param what (string) the verb, for messages.
# @param family (string, or NULL) as in read_response().
# @param store function(x): how x is kept; check_x() makes a matrix in memory.
# @param covariates as the user gave them; missing for verbs that do not adjust, which then refuse
#   prepared data with covariates.
# @param roles (list) further values of samples and features, as the user gave them; data-role.R.
#   Without the name `within` the verb does not compare within groups, and refuses such data.
# @param reads (flag) are covariates a role? merge as in merge_asked().
# @return (stabilect_study) list of
#   x (double matrix n x p with column names, or `stabilect_columns`), n, p, feature_names,
#   sample_names (character or NULL), response (see read_response(), with the roles of samples),
#   features (list: the roles of
#   features), samples_from (where the names of the samples come from, see samples_of()),
#   factors (names of columns of level numbers, or NULL), notes
#   (character: what was done to the data, for prints), coding (for code_newdata(), or NULL),
#   covariate_columns (character, or NULL: columns of the user's table that are covariates, or other
#   values of samples, and no features), prepared (arguments of prepare_study(), or NULL), and
#   `copies`, `hash_of_x`, `twins` and `n_differ` where columns or rows are copies of others, see
#   data-copies.R.
open_study <- function(x, y, takes, what = "this verb", store = check_x, family = NULL,
                       covariates, roles = list(), reads = TRUE, merge = TRUE) {
  with_memory({
    holds <- !missing(covariates)
    if (!missing(x)) without_nan_warning(x)
    if (!missing(x) && !missing(y)) check_outcome_exists(y, x)
    # As after a pipe: the data first, then the formula.
    if (!missing(x) && !missing(y) && is.data.frame(x) && inherits(y, "formula")) {
      data <- x
      x <- y
      y <- data
    }
    from <- samples_from(x, if (!missing(y)) y)
    form <- features_form(x, if (!missing(y)) y)
    parted <- if (holds && !is.null(covariates)) part_covariates(x, y, covariates)
    if (!is.null(parted$x)) x <- parted$x
    if (!is.null(parted$y)) y <- parted$y
    named <- part_roles(x, y, roles)
    if (!is.null(named$x)) x <- named$x
    if (!is.null(named$y)) y <- named$y
    # find_signals() takes blocks and covariates as they are.
    blocks <- named$roles$blocks
    roles <- named$roles[setdiff(names(roles), "blocks")]
    plain <- !missing(x) && !missing(y) && is.matrix(x) && !is.object(x)
    input <- if (plain) list(x = x, y = y, notes = character()) else read_input(x, y)
    if (holds) roles["covariates"] <- list(parted$covariates)
    if (length(input$roles) > 0L) roles <- join_given(roles, input$roles, what)
    x <- store(input$x)
    response <- read_response(input$y, nrow(x), family, ncol(x))
    check_takes(response, takes, what)
    check_meaning(response)
    hint_scales(x, response, form, raw = !hint_values(x, form))
    check_samples(input$y, c(list(names = rownames(x)), from), "y")
    study <- of_class("stabilect_study",
      x = x, n = nrow(x), p = ncol(x), feature_names = colnames(x), sample_names = rownames(x),
      response = response, features = list(),
      samples_from = from,
      factors = if (is.data.frame(input$x)) level_columns(input$x), notes = input$notes,
      coding = if (length(input$notes) > 0L) input$coding
    )
    study$prepared <- input$prepared
    study$fill <- input$fill
    study$imputed <- input$imputed
    study$zeros <- input$zeros
    study$covariate_columns <- union(parted$columns, named$columns)
    # Where copies of columns stay, marks are only needed if rows agree.
    marks <- if (!isFALSE(merge) || may_have_twins(x)) marks_of_copies(x)
    study$twins <- if (!is.null(marks)) twin_rows(x, marks)
    if (!is.null(study$twins)) study$n_differ <- count_other_outcomes(study)
    if (!reads) {
      study$blocks <- blocks
      check_samples(roles$covariates, samples_of_study(study), "covariates")
      study$covariates <- roles$covariates
      roles$covariates <- NULL
    }
    if (is.null(roles$within) && is.null(roles$blocks) && !is.null(study$twins)) {
      roles$blocks <- copied_blocks(study$twins)
    }
    if (length(unlist(roles, FALSE)) > 0L) {
      study <- read_roles(study, roles, family_of(family, study$response))
    }
    study <- merge_asked(study, merge, marks)
    # Results recognise the values that were there.
    if (!is.null(input$imputed)) study$hash_of_x <- input$imputed$hash
    if (!is.null(input$missing)) study$missing <- kept_missing(input$missing, study)
    study
  })
}

hash_study <- function(study) {
  hash_data(study$x, study$response, study$factors, study$hash_of_x)
}

# Some samples, each once or with repeats, and some features.
# @param rows,features (integer) missing: all.
#' @export
`[.stabilect_study` <- function(x, rows, features) {
  study <- x
  study$hash_of_x <- NULL
  if (!missing(features)) {
    study$x <- some_columns(study$x, features)
    study$imputed <- some_imputed(study$imputed, study$n, features = features)
    study$copies <- some_copies(study$copies, features)
    study$p <- length(features)
    study$feature_names <- study$feature_names[features]
    for (name in names(study$features)) {
      study$features[[name]] <- role_registry$all()[[name]]$take(study$features[[name]], features)
    }
  }
  if (!missing(rows)) {
    study$x <- study$x[rows, , drop = FALSE]
    study$imputed <- some_imputed(study$imputed, study$n, rows)
    study$n <- length(rows)
    study["sample_names"] <- list(study$sample_names[rows])
    study$twins <- match(study$twins[rows], study$twins[rows])
    if (length(study$twins) == 0L) study$twins <- NULL
    study$response <- response_rows(study$response, rows)
  }
  study
}

# The part of the data that a result keeps: all but the values.
# @param used (integer, or NULL) features whose direction is told, NULL for all.
# @return list(n, p, feature_names, direction, type, levels, class_sizes, notes, coding, hash), and
#   for survival times n_events and follow_up (their median).
study_record <- function(study, hash = hash_study(study), used = NULL) {
  response <- study$response
  own <- kept_of_response(response)
  list_of_study <- unclass(study)
  # The plan keeps the blocks.
  roles <- if (length(setdiff(study$given, "blocks")) > 0L) roles_of(study)
  roles$blocks <- NULL
  c(
    list_of_study[c("n", "p", "feature_names")],
    list(
      direction = if (is.null(used)) feature_directions(study) else some_directions(study, used),
      type = response$type, levels = response$levels,
      class_sizes = own$class_sizes, notes = study$notes, coding = study$coding, hash = hash
    ),
    own[names(own) != "class_sizes"],
    list_of_study[intersect(
      c("prepared", "fill", "covariate_columns", "copies", "twins", "n_differ", "missing", "zeros"),
      names(study)
    )],
    if (length(roles) > 0L) list(roles = roles)
  )
}

# Features that are constant, or constant in each stratum or group: no run can select them, and what
# is said of p features is said of the others.
# @param study (stabilect_study, or the record of one, whose verb counts features).
# @return (character) names.
constant_features <- function(study) {
  x <- study$x
  if (!is.matrix(x)) {
    return(study$constant)
  }
  groups <- study$response$strata
  if (is.null(groups)) groups <- study$response$within
  first <- if (is.null(groups)) rep(1L, study$n) else match(groups, groups)
  left <- seq_len(study$p)
  rows <- which(first != seq_len(study$n))
  # Mostly a few rows tell that a feature varies.
  from <- 1L
  while (length(left) > 0L && from <= length(rows)) {
    part <- rows[from:min(2L * from - 1L, length(rows))]
    own <- x[part, left, drop = FALSE]
    apart <- abs(own - x[first[part], left, drop = FALSE]) > 1e-9 * abs(own)
    left <- left[colSums(apart) == 0L]
    from <- 2L * from
  }
  study$feature_names[left]
}

n_varying <- function(study) study$p - length(constant_features(study))

# For the records of studies whose features are counted, if there are any.
record_constant <- function(study) {
  constant <- constant_features(study)
  if (length(constant) > 0L) list(constant = constant)
}

# Names of the samples, or their numbers.
sample_labels <- function(study) {
  if (is.null(study$sample_names)) as.character(seq_len(study$n)) else study$sample_names
}

# Prepared data, formulas, tables with factors and Bioconductor containers become x and y; plain
# numbers pass unchanged.
# @return list(x, y, notes, coding, roles (list): the values that the data bring).
read_input <- function(x, y) {
  check_one_given(x, "x")
  refuse_result(x)
  if (inherits(x, "stabilect_data")) {
    return(read_prepared(x, y, missing(y)))
  }
  if (missing(y) && inherits(x, "formula")) abort_absent("data")
  if (is.null(container_kind(x)) || !missing(y)) check_one_given(y, "y")
  if (!needs_reading(x, y)) {
    return(list(x = x, y = y, notes = character()))
  }
  if (missing(y)) abort_no_outcome(x)
  raw <- gather_input(x, y, NULL, NULL, NULL)
  coded <- code_table(raw$x, "feature")
  list(
    x = coded$x, y = raw$y, notes = c(raw$coded, coded$notes), coding = coded$coding,
    roles = list(views = raw$views)
  )
}

# As in `fealect(data, outcome)`, where `outcome` is a column of the data.
check_outcome_exists <- function(y, x) {
  tryCatch(force(y), error = function(condition) {
    column <- Filter(function(name) {
      grepl(paste0("\\b\\Q", name, "\\E\\b"), conditionMessage(condition), perl = TRUE)
    }, if (is.data.frame(x)) names(x))
    if (length(column) == 0L) stop(condition)
    column <- column[which.max(nchar(column))]
    abort(c("{.arg y} could not be read: {conditionMessage(condition)}.",
      i = "Name the column of {.arg x} as text: {.code y = \"{column}\"}."
    ))
  })
}

# Plain numbers with outcome values go to check_x() and read_response() directly.
needs_reading <- function(x, y) {
  if (is.data.frame(x)) {
    return(!is_plain_table(x) || is_name(y, nrow(x)) || is_name_pair(y, nrow(x)))
  }
  inherits(x, "formula") || !is.null(container_kind(x)) || is_view_list(x)
}

abort_no_outcome <- function(x) {
  about <- container_record(x)$from
  abort(c("{.arg y} is absent but must be supplied.",
    i = "Name the outcome, a column of {.code {about}(x)}."
  ))
}

# Prepared data bring their outcome; data prepared without one take y.
read_prepared <- function(data, y, no_y) {
  refuse(!no_y && !is.null(data$y),
    "{.arg x} is prepared data with a response of its own: leave {.arg y} out."
  )
  refuse(no_y && is.null(data$y), c("{.arg x} is prepared data without a response.",
    i = "Give {.arg y}, here or to {.fn prepare_study}."
  ))
  groups <- if (isTRUE(data$within)) "within" else "blocks"
  list(
    x = data$x, y = if (no_y) data$y else y, notes = data$notes, coding = data$coding,
    prepared = data$prepared, fill = data$fill, imputed = data$imputed, missing = data$missing,
    zeros = data$zeros,
    roles = c(
      stats::setNames(list(data$blocks), groups),
      list(covariates = data$covariates, views = data$views)
    )
  )
}
