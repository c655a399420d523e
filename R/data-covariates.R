# What a verb holds constant beside the features: age, sex, batch.

# @param covariates as the user gave them; a formula is evaluated where it was written.
# @param levels (named list, or NULL) of a former call: new samples are coded as those were.
# @return (double matrix, n x k) columns of numbers with names, without intercept; k = 0 for NULL.
#   The attribute `levels` holds the categories of every column that had some.
read_covariates <- function(covariates, n, call, levels = NULL, other = "x") {
  if (is.null(covariates)) {
    return(matrix(0, n, 0))
  }
  covariates <- covariate_table(covariates, call)
  if (nrow(covariates) != n) {
    abort("{.arg covariates} has {nrow(covariates)} row{?s} but {.arg {other}} has {n}.",
      call = call
    )
  }
  known <- lapply(stats::setNames(nm = names(covariates)), function(name) {
    if (is.null(levels)) covariate_levels(covariates[[name]]) else levels[[name]]
  })
  columns <- lapply(names(covariates), function(name) {
    covariate_columns(covariates[[name]], name, known[[name]], call)
  })
  z <- do.call(cbind, c(list(matrix(0, n, 0)), columns))
  attr(z, "levels") <- known
  z
}

covariate_table <- function(covariates, call) {
  if (inherits(covariates, "formula")) {
    return(formula_covariates(covariates, call))
  }
  if (is.data.frame(covariates)) {
    return(covariates)
  }
  known <- is.numeric(covariates) || is.factor(covariates) || is.character(covariates) ||
    is.logical(covariates)
  if (!known) {
    abort("{.arg covariates} must be a numeric matrix, a vector, a data frame or a formula, not
      {describe_value(covariates)}.", call = call)
  }
  as.data.frame(covariates)
}

formula_covariates <- function(formula, call) {
  if (length(formula) != 2L) {
    abort(c("{.arg covariates} must be a formula with one side, such as {.code ~ age + sex}.",
      i = "The response is {.arg y}."
    ), call = call)
  }
  tryCatch(
    stats::model.frame(formula, na.action = stats::na.pass),
    error = function(e) {
      abort("{.arg covariates} cannot be evaluated: {conditionMessage(e)}.", call = call)
    }
  )
}

covariate_levels <- function(column) {
  if (is.numeric(column) || is.logical(column)) {
    return(NULL)
  }
  sort(unique(as.character(column)), method = "radix")
}

# @param levels (character, or NULL for numbers) the first is the one that has no column.
covariate_columns <- function(column, name, levels, call) {
  bad <- which(if (is.numeric(column)) !is.finite(column) else is.na(column))
  if (length(bad) > 0L) {
    abort(
      c("Column {.val {name}} of {.arg covariates} has {format(column[bad[1]])} at position
        {bad[1]}.", i = "Leave such samples out, in {.arg x} and {.arg y} too."),
      call = call
    )
  }
  if (is.null(levels)) {
    if (!(is.numeric(column) || is.logical(column))) {
      abort("Column {.val {name}} of {.arg covariates} must be numbers, as it was before.",
        call = call
      )
    }
    return(matrix(as.double(column), ncol = 1L, dimnames = list(NULL, name)))
  }
  labels <- as.character(column)
  new <- which(!labels %in% levels)
  if (length(new) > 0L) {
    abort("Column {.val {name}} of {.arg covariates} has {.val {labels[new[1]]}} at position
      {new[1]}, which is not one of {.val {levels}}.", call = call)
  }
  coded <- outer(labels, levels[-1], `==`) + 0
  dimnames(coded) <- list(NULL, paste(rep(name, length(levels) - 1L), levels[-1], sep = ": "))
  coded
}
