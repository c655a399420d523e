# What is needed to make the report again: the calls of all its results, and what these used.

section_rerun <- function(script) {
  section(
    "To make this report again",
    html_tag("p", "The same data, seed and version give the same result, bit for bit."),
    html_tag("pre", escape_html(paste(script, collapse = "\n")))
  )
}

# @param others (named list) further results. @param call (call) of a verb as the user wrote it.
# @param env (environment) where.
# @return (character) lines of R.
script_of <- function(fit, others, call, env) {
  named <- name_results(fit, others, call)
  plan <- list(made = list(), own = character(), packages = character())
  for (name in names(named$results)) plan <- plan_result(plan, name, named$results, env)
  plan <- plan_used(plan, named$call, named$results, env)
  c(
    sprintf("# %s, stabilect %s", R.version.string, utils::packageVersion("stabilect")),
    sprintf("# Data: %s", describe_study(fit$study)),
    if (!is.null(fit$study$hash)) sprintf("# Fingerprint of x and y: %s", fit$study$hash),
    if (!is.null(fit$study$prepared)) paste("# Prepared data:", prepared_line(fit)),
    if (length(plan$own) > 0L) {
      c("# Yours, which no result keeps:", sprintf("#   %s: %s", names(plan$own), plan$own))
    },
    sprintf("library(%s)", c("stabilect", plan$packages)),
    unlist(Map(lines_of_call, plan$made, names(plan$made)), use.names = FALSE),
    lines_of(named$call)
  )
}

# The call that prepares the data, under the name that the call of the result has for them.
prepared_line <- function(fit) {
  call <- call_of_result(fit)
  given <- if (is.null(call$x) && length(call) > 1L) call[[2L]] else call$x
  made <- next_study(fit)
  if (is_plain_name(given)) sub("^study", given, made) else made
}

# Every result has the name of the call of the report, or a new one where it was made inside.
# @return list(results (named list, the subject first), call (with these names)).
name_results <- function(fit, others, call) {
  given <- as.list(call)[-1L]
  taken <- unlist(lapply(Filter(is.language, given), all.names), use.names = FALSE)
  results <- list()
  for (argument in c("fit", names(others))) {
    name <- if (is_plain_name(given[[argument]])) {
      as.character(given[[argument]])
    } else {
      new_name(argument, c(taken, names(results)))
    }
    results[[name]] <- if (argument == "fit") fit else others[[argument]]
    call[[argument]] <- as.name(name)
  }
  for (argument in intersect(c("x", "y"), names(given))) {
    # A value in the call itself, as do.call() writes it, or what a function passed on.
    short <- short_argument(given[[argument]])
    if (is.symbol(short) && !is_plain_name(short)) call[[argument]] <- as.name(argument)
  }
  # As one would write it.
  names(call)[names(call) %in% c("fit", "file")] <- ""
  list(results = results, call = call)
}

is_plain_name <- function(x) is.symbol(x) && grepl("^[[:alpha:]][[:alnum:]._]*$", as.character(x))

new_name <- function(wanted, taken) {
  name <- gsub("^[^a-z]+|_$", "", gsub("[^a-z0-9]+", "_", tolower(wanted)))
  if (!nzchar(name)) name <- "result"
  utils::tail(make.unique(c(taken, name), sep = "_"), 1L)
}

# The plan with a result that can be made, after those that its call uses.
# @param plan list(made (named list of results, in an order that works), own (named character:
#   objects of the user, and what they are), packages (character)).
# @param results (named list) of the report. @param open (character) those whose calls are read.
plan_result <- function(plan, name, results, env, open = character()) {
  if (name %in% c(names(plan$made), names(plan$own))) {
    return(plan)
  }
  result <- results[[name]]
  if (is.null(result)) result <- get0(name, env)
  call <- if (!name %in% open) call_of_result(result)
  if (is.null(call)) {
    plan$own[[name]] <- describe_own_object(result, earlier = name %in% open)
    return(plan)
  }
  plan <- plan_used(plan, call, results, env, c(open, name))
  plan$made[[name]] <- result
  plan
}

# The plan with what a call uses. Names in a formula may be columns of its data.
plan_used <- function(plan, call, results, env, open = character()) {
  used <- codetools::findGlobals(as.function(list(call), envir = baseenv()), merge = FALSE)
  for (name in used$functions) {
    place <- home_of_name(name, env, "function")
    if (identical(place, "")) plan$own[[name]] <- "a function"
    plan$packages <- union(plan$packages, setdiff(place, ""))
  }
  for (name in used$variables) {
    place <- if (name %in% names(results)) "" else home_of_name(name, env, "any")
    if (!is.null(place) && place == "") plan <- plan_result(plan, name, results, env, open)
    plan$packages <- union(plan$packages, setdiff(place, ""))
  }
  plan
}

# @return (string) the package that has it; "" for the user's own; NULL if R or this package has it,
#   and for functions that are not there.
home_of_name <- function(name, env, mode) {
  while (!identical(env, emptyenv())) {
    if (exists(name, env, mode = mode, inherits = FALSE)) {
      own <- environmentName(env)
      package <- if (isNamespace(env)) getNamespaceName(env)[[1]] else sub("^package:", "", own)
      if (!isNamespace(env) && !grepl("^(package|imports):|^base$", own)) {
        return("")
      }
      return(if (!package %in% always_there && !startsWith(own, "imports:")) package)
    }
    env <- parent.env(env)
  }
  if (mode == "any") ""
}

always_there <- c(
  "base", "datasets", "graphics", "grDevices", "methods", "stabilect", "stats", "utils"
)

# @return (call) that made a result, or NULL where it is not known whole.
call_of_result <- function(result) {
  if (!inherits(result, "stabilect") || !is.null(result$made$merged) || is.null(result$made$call)) {
    return(NULL)
  }
  call <- tryCatch(str2lang(result$made$call), error = function(e) NULL)
  if (is.call(call) && !any(startsWith(all.names(call), "<"))) call
}

describe_own_object <- function(object, earlier = FALSE) {
  if (earlier) {
    "an object that had this name before"
  } else if (is.null(object)) {
    "not there when the report was written"
  } else if (inherits(object, "stabilect") && !is.null(object$made$merged)) {
    describe_seed(object$made)
  } else if (inherits(object, "stabilect") && !is.null(object$made$call)) {
    describe_origin(object)
  } else if (length(dim(object)) == 2L) {
    size <- vapply(dim(object), figure, "", big.mark = ",")
    sprintf("%s, %s", class(object)[1], paste(size, collapse = " x "))
  } else if (is.atomic(object)) {
    sprintf("%s, %s", class(object)[1], count_of(n_labels(object), "value"))
  } else {
    sprintf("<%s>", class(object)[1])
  }
}

# The call that made a result, with its seed even if that was drawn.
lines_of_call <- function(result, name) {
  call <- call_of_result(result)
  verb <- get0(deparse(call[[1]])[1], topenv(), mode = "function")
  seed <- result$made$seed
  known <- is.numeric(call$seed)
  if (!known && length(seed) == 1L && "seed" %in% names(formals(verb))) {
    call$seed <- as.numeric(seed)
  }
  lines_of(call("<-", as.name(name), call))
}

# A call over several lines that R reads, with numbers as in all sessions.
lines_of <- function(call) {
  old <- options(scipen = 0L, OutDec = ".", digits = 7L)
  on.exit(options(old))
  trimws(deparse(call, width.cutoff = 76L), "right")
}
