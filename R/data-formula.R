# Formulas, read without terms() and model.frame(), which fail on tens of thousands of columns.

read_formula <- function(formula, data, blocks) {
  refuse(!is.data.frame(data), c("{.arg data} must be the data frame for the formula {.arg x}, not
      {describe_value(data)}.",
    i = if (!is.null(container_kind(data))) {
      "A container is {.arg x} itself, with the name of a column as {.arg y}."
    }
  ))
  refuse(length(formula) != 3L,
    c("The formula has no left side.", i = "Write {.code response ~ .}.")
  )
  data <- as.data.frame(data)
  left <- formula[[2L]]
  taken <- c(
    left_names(left), if (is_name(blocks, nrow(data))) blocks, attr(formula, "covariates")
  )
  chosen <- formula_columns(formula[[3L]], names(data), taken)
  list(
    x = flatten_table(take_columns(data, chosen)),
    y = formula_response(left, data, formula),
    blocks = table_blocks(data, blocks), form = "formula"
  )
}

# The variables of an expression, without the names in package::function.
left_names <- function(left) {
  if (!is.call(left)) {
    return(all.vars(left))
  }
  of_package <- deparse1(left[[1L]]) %in% c("::", ":::")
  unique(unlist(lapply(if (!of_package) as.list(left)[-1L], left_names)))
}

formula_response <- function(left, data, formula) {
  unknown <- setdiff(left_names(left), names(data))
  refuse_at(unknown[!vapply(unknown, exists, NA, envir = environment(formula))],
    "The left side names {.val {at}}, which is not a column of the data."
  )
  tryCatch(eval(left, data, environment(formula)), error = function(e) {
    abort(c("The left side of the formula cannot be computed.", x = conditionMessage(e)))
  })
}

# Positions of the columns that the right side names, in its order.
# @param taken (character) columns that `.` leaves out; those without a place, which are covariates,
#   are no features even where a term names them.
formula_columns <- function(right, labels, taken) {
  # Long sums nest to the left; a loop does not exhaust the stack.
  terms <- list()
  repeat {
    is_sum <- is.call(right) && deparse1(right[[1L]]) %in% c("+", "-")
    if (!is_sum) {
      terms[[length(terms) + 1L]] <- list(add = TRUE, term = right)
      break
    }
    add <- deparse1(right[[1L]]) == "+"
    terms[[length(terms) + 1L]] <- list(add = add, term = right[[length(right)]])
    if (length(right) == 2L) break
    right <- right[[2L]]
  }
  chosen <- integer()
  for (one in rev(terms)) {
    columns <- term_columns(one$term, labels, taken)
    chosen <- if (one$add) union(chosen, columns) else setdiff(chosen, columns)
  }
  refuse(length(chosen) == 0L, "The right side of the formula leaves no column.")
  chosen
}

term_columns <- function(term, labels, taken) {
  if (is.call(term) && identical(term[[1L]], as.name("("))) {
    return(formula_columns(term[[2L]], labels, taken))
  }
  refuse(!is.symbol(term),
    c("The right side of the formula has {.code {deparse1(term)}}; it can only name columns.",
      i = "Use {.code .}, {.code +} and {.code -}; make other columns beforehand."
    )
  )
  name <- as.character(term)
  if (name == ".") {
    return(which(!labels %in% taken))
  }
  at <- which(labels == name)
  refuse(length(at) == 0L && !name %in% taken,
    "The right side of the formula names {.val {name}}, which is not a column of the data."
  )
  at
}
