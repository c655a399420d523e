# The user gives one or two of q, cutoff and pfer. The usual value of the second, and what prints
# say about their origin.

# The middle of the range that Meinshausen and Buehlmann advise (0.6 to 0.9), and the default of
# stabs.
usual_cutoff <- 0.75
usual_pfer <- 1

# @param asked (list) q, cutoff and pfer, some of them NULL, not all.
fill_bound <- function(asked) {
  given <- vapply(asked[c("q", "cutoff", "pfer")], Negate(is.null), NA)
  if (is_calibrated(asked)) {
    return(asked)
  }
  refuse(all(given),
    c("Give one or two of {.arg q}, {.arg cutoff} and {.arg pfer}, not all three: the third
       follows.",
      i = "Or ask for one number only: {.arg efp} false features, or a share {.arg fdr} of them."
    )
  )
  if (sum(given) == 1L) {
    if (given[["cutoff"]]) asked$pfer <- usual_pfer else asked$cutoff <- usual_cutoff
  }
  asked
}

# @param q,cutoff,pfer as the user gave them.
# @return (character) names of those with their usual value; NULL if none.
usual_bound <- function(q, cutoff, pfer, asked) {
  if (is_integrated(asked) || is_calibrated(asked)) {
    return(NULL)
  }
  usual <- c(
    if (is.null(cutoff) && !is.null(asked$cutoff)) "cutoff",
    if (is.null(pfer) && !is.null(asked$pfer)) "pfer"
  )
  if (length(usual) > 0L) usual
}

# Which of the three was given and which follows; how an integrated list depends on q.
describe_asked_bound <- function(x) {
  asked <- x$asked
  if (is_calibrated(asked)) {
    return(NULL)
  }
  if (is_integrated(asked)) {
    return(describe_sensitivity(x$bound))
  }
  known <- Filter(Negate(is.null), asked[c("q", "cutoff", "pfer")])
  follows <- setdiff(c("q", "cutoff", "pfer"), names(known))
  usual <- x$made$usual
  given <- setdiff(names(known), usual)
  sprintf(
    "given: %s; %s%s follows", paste(given, collapse = " and "),
    if (length(usual) > 0L) sprintf("%s = %s by default; ", usual, figure(known[[usual]])) else "",
    follows
  )
}
