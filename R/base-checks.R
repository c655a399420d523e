# Every argument check of the package. Each check returns the cleaned value or raises one error that
# names the argument, says what was wrong (and where), and what to do. The message names the
# function that the user called (`user_frame()`), not the check.

#' Raise an error of the package
#'
#' @param message (character) cli markup; names mark bullets (`"i"`, `"x"`).
#' @param class (string) ending of the condition class: `stabilect_error_<class>`.
#' @param call (environment or NULL) frame of the function that the message names.
#' @param env (environment) where the braces of the message are evaluated.
#' @return Never returns.
#' @noRd
abort <- function(message, class = "input", call = user_frame(), env = rlang::caller_env()) {
  cli::cli_abort(
    message,
    class = c(paste0("stabilect_error_", class), "stabilect_error"),
    call = call, trace = shown_trace(),
    .envir = env
  )
}

# `abort()` when something is wrong; otherwise the message is never evaluated.
# @param wrong (flag) what must not be true.
refuse <- function(wrong, message, class = "input", call = user_frame(),
                   env = rlang::caller_env()) {
  if (wrong) abort(message, class, call, env)
}

# `refuse()` for the first of several; the message has it as `{at}`.
# @param bad (flags: `at` is a position; or names or positions) what must not be.
refuse_at <- function(bad, message, class = "input", env = rlang::caller_env()) {
  if (is.logical(bad)) bad <- which(bad)
  if (length(bad) > 0L) abort(message, class, env = rlang::new_environment(list(at = bad[1]), env))
}

# A warning of the package; it names the user's function, as errors do.
# @param class (string) ending of the condition class: `stabilect_warning_<class>`.
warn <- function(message, class) {
  cli::cli_warn(message,
    class = paste0("stabilect_warning_", class), call = user_frame(),
    .envir = rlang::caller_env()
  )
}

# A backtrace of our own functions would bury the message: none in scripts, on request at the
# prompt. NULL: R's default.
shown_trace <- function() {
  wanted <- rlang::is_interactive() || identical(Sys.getenv("TESTTHAT"), "true")
  if (!wanted) rlang::trace_back(bottom = 0)[0L, ]
}

# A rejected value as short text.
describe_value <- function(x) {
  if (is.null(x)) {
    return("NULL")
  }
  if (is.atomic(x) && !is.object(x) && length(x) == 1L) {
    return(if (is.character(x) && !is.na(x)) dQuote(x, FALSE) else figure(x, digits = 7))
  }
  paste0("an object of class <", class(x)[1], "> and length ", length(x))
}

# Text for the range of a number: ">= 1", "between 1 and 20", "" when unbounded.
describe_range <- function(min, max) {
  if (is.finite(min) && is.finite(max)) {
    sprintf(" between %s and %s", figure(min), figure(max))
  } else if (is.finite(min)) {
    sprintf(" >= %s", figure(min))
  } else if (is.finite(max)) {
    sprintf(" <= %s", figure(max))
  } else {
    ""
  }
}

check_count <- function(x, min = 1, max = Inf, null_ok = FALSE, name = rlang::caller_arg(x)) {
  if (is.null(x) && null_ok) {
    return(NULL)
  }
  upper <- base::min(max, .Machine$integer.max)
  if (!is.object(x) && checkmate::test_int(x, lower = min, upper = upper)) {
    return(as.integer(round(x)))
  }
  what <- paste0("a whole number", describe_range(min, max), if (null_ok) " or NULL")
  abort("{.arg {name}} must be {what}, not {describe_value(x)}.")
}

check_number <- function(x, min = -Inf, max = Inf, null_ok = FALSE, name = rlang::caller_arg(x)) {
  if (is.null(x) && null_ok) {
    return(NULL)
  }
  if (!is.object(x) && checkmate::test_number(x, lower = min, upper = max, finite = TRUE)) {
    return(as.double(x))
  }
  what <- paste0("a finite number", describe_range(min, max), if (null_ok) " or NULL")
  abort("{.arg {name}} must be {what}, not {describe_value(x)}.")
}

check_positive <- function(x, null_ok = FALSE, name = rlang::caller_arg(x)) {
  if (is.null(x) && null_ok) {
    return(NULL)
  }
  if (!is.object(x) && checkmate::test_number(x, finite = TRUE) && x > 0) {
    return(as.double(x))
  }
  or_null <- if (null_ok) " or NULL"
  abort("{.arg {name}} must be a finite number > 0{or_null}, not {describe_value(x)}.")
}

check_fraction <- function(x, open_left = TRUE, open_right = FALSE, name = rlang::caller_arg(x)) {
  ok <- !is.object(x) && checkmate::test_number(x, lower = 0, upper = 1, finite = TRUE) &&
    !(open_left && x == 0) && !(open_right && x == 1)
  if (ok) {
    return(as.double(x))
  }
  range <- paste0(if (open_left) "(" else "[", "0, 1", if (open_right) ")" else "]")
  abort("{.arg {name}} must be a number in {range}, not {describe_value(x)}.")
}

check_flag <- function(x, name = rlang::caller_arg(x)) {
  refuse(!checkmate::test_flag(x), "{.arg {name}} must be TRUE or FALSE, not {describe_value(x)}.")
  as.logical(x)
}

# A vector of length > 1 that equals `choices` is the untouched default and means the first of them,
# as in match.arg(); partial matches are refused because they break when a choice is added.
check_choice <- function(x, choices, name = rlang::caller_arg(x)) {
  if (identical(x, choices)) {
    return(choices[1])
  }
  if (!checkmate::test_choice(x, choices)) {
    one_of <- if (length(choices) > 1L) "one of " else "" # nolint: object_usage_linter.
    abort("{.arg {name}} must be {one_of}{.or {.val {choices}}}, not {describe_value(x)}.")
  }
  x
}

# The first line of every export with required arguments: they must be given. None is evaluated,
# except by refuse_two_parts().
# @param except (character) arguments that may be missing all the same.
check_given <- function(except = character()) {
  frame <- rlang::caller_env()
  arguments <- formals(rlang::caller_fn())
  needed <- vapply(arguments, function(one) is.symbol(one) && one == "", NA)
  about_result <- any(c("object", "selection") %in% names(arguments))
  for (name in setdiff(names(arguments)[needed], c("...", except))) {
    if (eval(call("missing", as.name(name)), frame)) {
      abort_absent(name, if (about_result && name == "x") {
        no_data_in_result
      } else {
        advice_for_taken(name, names(arguments), frame)
      })
    }
  }
  if ("data" %in% names(arguments) && !eval(quote(missing(data)), frame)) take_data(frame)
  refuse_two_parts(arguments, sys.call(-1L), frame)
}

# survfit() and others take times and events as two arguments. Here they are one outcome, and the
# events would become the third argument of the verb.
# @param arguments (formals of the verb) written (its call) frame (its frame).
refuse_two_parts <- function(arguments, written, frame) {
  names <- names(arguments)
  labels <- names(written)[-1]
  unnamed <- if (is.null(labels)) length(written) - 1L else sum(labels == "")
  by_position <- unnamed >= 3L && identical(names[1:2], c("x", "y")) && !any(names[1:3] %in% labels)
  if (!by_position || names[3] %in% c("covariates", "cohorts", "...")) {
    return(invisible())
  }
  # A verb passes on an argument that was missing in its own call.
  if (eval(quote(missing(y)), frame) || eval(call("missing", as.name(names[3])), frame)) {
    return(invisible())
  }
  time <- frame$y
  event <- frame[[names[3]]]
  pair <- is.numeric(time) && is.null(dim(time)) && length(time) > 1L && is.atomic(event) &&
    length(event) == length(time) && (is.logical(event) || all(event %in% 0:2))
  refuse(pair, c("{.arg {names[3]}} must be one value, not {length(event)}.",
    i = "For survival times give one response: {.code survival::Surv(time, status)} as
      {.arg y}."
  ))
}

# The data of a formula are in `y`, the second argument, or in `data`.
# @param frame (environment) of a verb with x, y and data.
take_data <- function(frame) {
  if (is.null(frame$data)) {
    return(invisible())
  }
  refuse(eval(quote(missing(x)), frame) || !inherits(frame$x, "formula"),
    c("{.arg data} goes with a formula {.arg x}, such as {.code status ~ .}.",
      i = "Without one, features go in {.arg x} and the response in {.arg y}."
    )
  )
  refuse(!eval(quote(missing(y)), frame),
    "The data of a formula must be given once: by {.arg data}, with {.arg y} left out."
  )
  assign("y", frame$data, frame)
}

# For an argument that only some calls need.
check_one_given <- function(x, name) if (rlang::is_missing(x)) abort_absent(name)

# For calls that give a result where the data are also needed.
# Prepared data hold the outcome, and what comes second by position is taken for it. Nothing is run
# to know it: only a variable is looked at.
advice_for_taken <- function(name, arguments, frame) {
  if (!all(c("x", "y") %in% arguments) || eval(quote(missing(x) || missing(y)), frame)) {
    return(NULL)
  }
  given <- eval(quote(substitute(x)), frame)
  if (is.symbol(given) && inherits(frame$x, "stabilect_data")) {
    paste0("The second argument is {.arg y}, which {.arg x} has: give {.code ", name, " =}.")
  }
}

no_data_in_result <- "A result does not keep the data: give those that it was made with."

abort_absent <- function(name, advice = NULL) {
  abort(c("{.arg {name}} is absent but must be supplied.", i = advice))
}

# Methods accept what their generic passes on, but never ignore an unknown argument.
refuse_dots <- function(...) {
  if (...length() > 0L) refuse_unknown(list(...), names(formals(sys.function(-1L))))
}

# Names of one thing that differ between verbs: runs, pairs and splits; sizes of lists.
like_names <- list(
  c("n_runs", "n_pairs", "n_repeats", "n_simulations", "n_splits"), c("n_features", "q")
)

# What the user wanted is part of another argument of the verb.
# @param given (list) the contents of `...`. @param name (string) of one of them.
# @return (string, cli), or NULL.
part_of_another <- function(given, name, known) {
  size <- if (checkmate::test_count(given[[name]], positive = TRUE)) given[[name]] else 50
  if ("resampling" %in% known && name %in% like_names[[1]]) {
    sprintf("The plan has the number of runs: {.code resampling = resample_bootstrap(%d)}.", size)
  } else if ("resampling" %in% known && name == "fraction") {
    "The plan has it: {.code resampling = resample_subsample(50, fraction = 1 / 2)}."
  } else if ("search" %in% known && name %in% like_names[[2]]) {
    "{.arg search} says which sizes are tried: {.code search = search_sizes(c(5, 10, 20))}."
  }
}

# @param given (list) the contents of `...`.
# @param known (character) names that the function takes.
refuse_unknown <- function(given, known) {
  names <- rlang::names2(given)
  unknown <- setdiff(names, known)
  if (length(unknown) == 0L && !"" %in% names) {
    return(invisible())
  }
  if ("" %in% names) unknown <- c(setdiff(unknown, ""), "")
  what <- ifelse(unknown == "", "without a name", paste0("`", unknown, "`"))
  near <- nearest_name(unknown[1], setdiff(known, "..."))
  abort(c("{cli::qty(length(what))}Argument{?s} {what} {?does/do} not apply here.",
    i = if (!is.null(near)) {
      "Did you mean {.arg {near}}?"
    } else if ("x" %in% known && unknown[1] %in% names(taken_elsewhere)) {
      taken_elsewhere[[unknown[1]]]
    } else {
      part_of_another(given, unknown[1], known)
    }
  ))
}

# Arguments that only prepare_study() or a single path have.
to_prepare <- "Give it to {.fn prepare_study}, and the result to this function."
taken_elsewhere <- list(
  assay = to_prepare, blocks = to_prepare, factors = to_prepare,
  weights = "{.fn lasso_path} takes it. Here a sample of weight 2 is two rows, in one of the
    {.arg blocks} of {.fn prepare_study}.",
  offset = "{.fn lasso_path} takes it. Here it can be one of the {.arg covariates}.",
  seed = "Nothing is drawn at random here.",
  n_threads = "It takes too little time for several threads."
)

# The name that the user probably meant, or NULL.
nearest_name <- function(name, known) {
  same <- unlist(Filter(function(words) name %in% words, like_names))
  if (any(same %in% known)) {
    return(intersect(same, known)[1])
  }
  away <- drop(utils::adist(name, known))
  # A single letter is like every other.
  if (nzchar(name) && min(away, Inf) <= min(2L, nchar(name) - 1L)) known[which.min(away)]
}

check_seed <- function(seed) {
  if (is.null(seed)) {
    return(sample.int(.Machine$integer.max, 1L))
  }
  check_count(seed, min = 0, max = .Machine$integer.max)
}

# The default of every verb is an option.
check_threads <- function(n_threads) {
  option <- getOption("stabilect.n_threads")
  if (is.null(option) || !identical(n_threads, option)) {
    return(check_count(n_threads, min = 1))
  }
  refuse(is.object(option) || !checkmate::test_int(option, lower = 1),
    c("The option {.code stabilect.n_threads} must be a whole number >= 1, not
        {describe_value(option)}.",
      i = "Type {.code options(stabilect.n_threads = 2)}."
    )
  )
  as.integer(option)
}

# The share of features eliminated after a fit; 0 for one feature at a time, -1 for NULL (no
# elimination).
check_step <- function(x, null_ok = FALSE, name = rlang::caller_arg(x)) {
  if (is.null(x) && null_ok) {
    return(-1)
  }
  if (identical(x, "one")) {
    return(0)
  }
  if (!checkmate::test_number(x, lower = 0, upper = 1) || x <= 0 || x >= 1) {
    or_null <- if (null_ok) " or NULL"
    abort("{.arg {name}} must be {.val one} or a number in (0, 1){or_null}, not
      {describe_value(x)}.")
  }
  as.double(x)
}

# @param what (string) what needs the package: "selector", "learner", "matrix".
check_package <- function(package, what) {
  refuse(!requireNamespace(package, quietly = TRUE),
    c("This {what} needs the package {.pkg {package}}, which is not installed.",
      i = "{.code install.packages(\"{package}\")}"),
    class = "package"
  )
}
