# Which functions of the package a call executes: those of the namespace, and named closures, which
# are the work of records and jobs, as "maker$field".

# Until the frame of the caller ends, functions of the package note that they were called.
# @return function(code): (character) the functions that this code executes.
local_counter <- function(frame = parent.frame()) {
  seen <- new.env()
  namespace <- asNamespace("stabilect")
  places <- list(namespace, namespace$.__S3MethodsTable__., as.environment("package:stabilect"))
  names <- Filter(function(name) {
    one <- get(name, namespace)
    is.function(one) && identical(environment(one), namespace)
  }, ls(namespace, all.names = TRUE))
  usual <- mget(names, namespace)
  registries <- mget(ls(namespace, pattern = "_registry$"), namespace)
  registries <- Filter(is.list, registries)
  makers <- lapply(registries, function(registry) environment(registry$all))
  records <- lapply(makers, function(own) mget(c("makers", "known"), own))
  put <- function(functions) {
    for (place in places) {
      for (name in intersect(names(functions), ls(place, all.names = TRUE))) {
        replace_value(name, functions[[name]], place)
      }
    }
  }
  withr::defer(
    {
      put(usual)
      for (name in names(makers)) list2env(records[[name]], makers[[name]])
    },
    frame
  )
  put(Map(function(one, name) counting(one, name, seen), usual, names))
  # Records are made once: those that were made before would not be seen.
  for (name in names(makers)) {
    own <- makers[[name]]
    own$makers <- Map(function(make, of) {
      counting(make, paste0(sub("_registry", "", name), ":", of), seen)
    }, own$makers, names(own$makers))
    own$known <- NULL
    registries[[name]]$all()
  }
  function(code) {
    rm(list = ls(seen, all.names = TRUE), envir = seen)
    force(code)
    sort(ls(seen, all.names = TRUE))
  }
}

# A value of the package is another one until the frame `env` ends.
local_value <- function(name, value, env = parent.frame()) {
  ns <- asNamespace("stabilect")
  own <- get(name, ns)
  withr::defer(replace_value(name, own, ns), env)
  replace_value(name, value, ns)
}

replace_value <- function(name, value, place) {
  if (bindingIsLocked(name, place)) {
    unlockBinding(name, place)
    on.exit(lockBinding(name, place))
  }
  assign(name, value, place)
}

# The function, which notes its name when it is called.
counting <- function(one, name, seen) {
  body(one) <- noting(with_closures(body(one), name, seen), name, seen)
  one
}

noting <- function(body, name, seen) {
  bquote({
    assign(.(name), TRUE, .(seen))
    .(body)
  })
}

# The code with its named closures noting their names, "maker$field".
with_closures <- function(code, maker, seen, field = "") {
  if (is.call(code) && identical(code[[1]], quote(`function`))) {
    name <- if (nzchar(field)) paste0(maker, "$", field) else maker
    inner <- with_closures(code[[3]], name, seen)
    code[3] <- list(if (nzchar(field)) noting(inner, name, seen) else inner)
    return(code)
  }
  if (!is.call(code)) {
    return(code)
  }
  fields <- if (is.null(names(code))) character(length(code)) else names(code)
  if (as.character(code[[1]])[1] %in% c("<-", "<<-") && is.symbol(code[[2]])) {
    fields[3] <- as.character(code[[2]])
  }
  for (k in seq_along(code)) {
    if (is.call(code[[k]])) code[[k]] <- with_closures(code[[k]], maker, seen, fields[k])
  }
  code
}
