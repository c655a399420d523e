# Verbs say in their own files which outcomes they take; the names of outcomes are those of
# R/outcome-*.R.

verb_registry <- new_registry()
# The files of verbs call this, without names for every outcome.
# @param place (number) the order of tables. @param only (character, or NULL) outcomes that the verb
#   takes; without (character): all but these.
register_verb <- function(verb, place, only = NULL, without = NULL) {
  verb_registry$add(verb, function() {
    list(verb = verb, place = place, only = only, without = without)
  })
}

# Ordered as in the tables.
known_verbs <- function() names(verb_registry$all())
