# A list rule is a record: how runs become a list, in one file each (list-*.R). Results keep the
# name of their rule, `asked$rule`, and all code asks its record. Records are looked up, never
# stored: a stored function would keep the code of its version.

# Fields that a rule leaves out do not apply to it.
# @param name (string) as in `asked$rule`; place (number): rules are tried in this order.
# @param wanted function(given): do q, cutoff, pfer, fdr, bound and assumption ask for it? cutoff
#   (string, or NULL): the word that does, instead of a number.
# @param ask function(asked, given): these settings, checked. @param fits function(asked, unit):
#   stops if they do not suit the units. @param size function(asked, study, unit, draws, longest):
#   with the default of q. @param usual function(given, asked): those with their usual values.
# @param again function(given, x, same): the arguments, completed from the result x; `same`: made by
#   this rule. @param bound (string): the `bound` of stability_selection() that its lists have.
# @param plan function(asked, unit, draws): list(q, cutoff, bound) as far as known before the runs;
#   limit function(q, unit, n): the end of paths of n samples; until function(asked, plan): stops if
#   no rule can end the runs.
# @param read function(record, runs, asked, plan, unit), or the arguments of its verb: the result,
#   or its content. @param left_out function(score, counts, asked, n_threads): the lists from the
#   runs that did not draw each sample.
# @param held function(x): the largest q of the stored paths. @param shorter function(asked, q):
#   settings for paths up to q.
# @param claim function(x): list(n_total, q, cutoff, n_pairs, assumption, pfer), the error promised
#   by frequencies of at least the cutoff; NULL without a promise.
# @param title, verdict, nothing, robust, caution function(x): lines of prints, `nothing` if no
#   feature is selected, `robust` how the list depends on its settings; details function(x): list
#   of lines and tables of summaries, about how the list was made. Its pictures and the sentences of
#   a report register in their rooms (show-rules.R, report-rules.R).
# @param measures function(table): columns of prints. @param scored function(table): rows to show if
#   nothing is selected.
# @param by_frequency (flag) is the list a cut of frequencies? @param permute (integer): default
#   number of permutations.
new_list_rule <- function(name, place = Inf, cutoff = NULL,
                          wanted = function(given) {
                            !is.null(cutoff) && identical(given$cutoff, cutoff)
                          },
                          ask = function(asked, given) asked, fits = nothing_of,
                          size = function(asked, ...) asked, usual = nothing_of,
                          again = function(given, x, same) given, bound = "cutoff",
                          plan = nothing_of,
                          limit = function(q, unit, n) q, until = nothing_of, read = nothing_of,
                          left_out = nothing_of,
                          held = function(x) x$bound$q, shorter = shorter_paths,
                          claim = nothing_of, title = nothing_of, details = nothing_of,
                          verdict = nothing_of, nothing = nothing_of, robust = nothing_of,
                          caution = nothing_of,
                          measures = function(table) "frequency",
                          scored = function(table) seq_len(nrow(table)), by_frequency = FALSE,
                          permute = 0L) {
  as.list(environment())
}

nothing_of <- function(...) NULL

# The third of q, cutoff and pfer follows from another q.
shorter_paths <- function(asked, q) {
  asked$q <- q
  asked["pfer"] <- list(NULL)
  asked
}

rule_registry <- new_registry()
# The files of rules call this.
register_rule <- rule_registry$add
list_rules <- rule_registry$all

# The rule that arguments ask for.
rule_wanted <- function(given) Find(function(rule) rule$wanted(given), list_rules())

no_rule <- new_list_rule("")

# @param asked (list) of a result; results without a rule have no record.
rule_of <- function(asked) {
  rule <- if (is.character(asked$rule)) list_rules()[[asked$rule]]
  if (is.null(rule)) no_rule else rule
}
