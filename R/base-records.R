# Records of one kind, by name. Each file registers its own; all are made at the first request,
# because R reads files in the order of their names.

# @return list(add function(name, make): `make` NULL takes the record out; all function(): records
#   by name, in the order of `place`, if they have one).
new_registry <- function() {
  makers <- list()
  known <- NULL
  list(
    add = function(name, make) {
      makers[[name]] <<- make
      known <<- NULL
    },
    all = function() {
      if (is.null(known)) {
        made <- lapply(makers, function(make) make())
        known <<- made[order(vapply(made, place_of, 0))]
      }
      known
    }
  )
}

place_of <- function(record) c(if (is.list(record)) record$place, Inf)[1]
