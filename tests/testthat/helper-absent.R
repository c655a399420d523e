# Suggested packages may be absent. A test that uses one of them, or asks for what our help says
# needs one, is then skipped; where our own code uses one that is not there, the test fails.

is_installed <- function(package) requireNamespace(package, quietly = TRUE)

suggested_packages <- function() {
  field <- utils::packageDescription("stabilect")$Suggests
  gsub("\\s|\\(.*\\)", "", strsplit(field, ",")[[1]])
}

test_frame <- environment()
own_namespace <- asNamespace("stabilect")

# Is it a function of the package, not one of the tests, whose environments end there too?
is_ours <- function(fn) {
  env <- environment(fn)
  while (!is.null(env) && !identical(env, emptyenv()) && !identical(env, test_frame)) {
    if (identical(env, own_namespace)) {
      return(TRUE)
    }
    env <- parent.env(env)
  }
  FALSE
}

# To be called where a namespace could not be loaded: was it our code that asked?
asked_by_us <- function() {
  parents <- sys.parents()
  of_base <- function(k) identical(environment(sys.function(k)), .BaseNamespaceEnv)
  at <- max(which(vapply(seq_along(parents), function(k) {
    identical(sys.function(k), base::loadNamespace)
  }, NA)))
  # The parent of a frame of eval() can be that frame.
  while (at > 0L && of_base(at)) at <- min(parents[at], at - 1L)
  at > 0L && is_ours(sys.function(at))
}

if (!all(vapply(suggested_packages(), is_installed, NA))) {
  test_that <- function(desc, code) {
    skipping <- bquote(testthat::test_that(.(desc), {
      withCallingHandlers(
        .(substitute(code)),
        packageNotFoundError = function(e) {
          if (!asked_by_us()) testthat::skip(paste(e$package, "is not installed"))
        },
        stabilect_error_package = function(e) testthat::skip(conditionMessage(e))
      )
    }))
    eval(skipping, parent.frame())
  }
}
