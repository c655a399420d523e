# What is not given executes no code, and what is given none of what is not.

d <- withr::with_seed(3, {
  x <- matrix(rnorm(48 * 20), 48, 20, dimnames = list(NULL, paste0("g", 1:20)))
  age <- rnorm(48)
  list(x = x, age = age, y = x[, 1] + x[, 2] + age + rnorm(48))
})
classes <- factor(ifelse(d$y > stats::median(d$y), "b", "a"))
skip_if_not_installed("survival")
times <- survival::Surv(exp(-d$y / 2), rep(c(1, 1, 0, 1), 12))
pairs <- rep(1:24, each = 2)

# Functions of each axis, as patterns of their names. What searches for copies always runs.
axes <- c(
  covariates = "covariate|^leaning_|^describe_held$",
  within = "^(check|compare|groups|centre|strata|family|covariates|response)_within|_even_",
  blocks = "^(check|set|with|describe|plan_with)_blocks$|^draw_units$|^is_copied$",
  strata = "^check_strata$",
  weights = "^check_weights$|^weights_inside$",
  offset = "offset",
  penalty = "^(ask|check|describe)_penalty$|^penalty_|^weights_of_views$",
  jitter = "^check_jitter$",
  clusters = "cluster",
  views = "^(read|join|describe|describe_by|sizes_of|table_of|bound)_views?$|^is_view_",
  copies = "^(know|name|describe|some)_copies|^copies_of$|^label_section|^with_(labels|copies)$",
  twins = "_twins$|^copied_blocks$|^rows_agree$|^count_other_"
)

# Values of roles have functions in their records.
pattern_of <- function(axis) sprintf("%s|^role:%s[$]", axes[[axis]], axis)

# Calls with their prints.
long <- function(..., x = d$x, y = d$y, verb = stability_selection) {
  capture.output(print(verb(x, y, ..., seed = 1, n_threads = 1)))
}

short <- function(...) long(..., q = 3, cutoff = 0.7, n_pairs = 6)

expect_none <- function(axis, seen, given = "nothing") {
  own <- grep(pattern_of(axis), seen, value = TRUE)
  about <- sprintf("of %s beside %s, %s", axis, given, toString(own))
  expect_identical(own, character(), label = about)
}

test_that("a plain call executes no function of any axis", {
  executed <- local_counter()
  calls <- list(
    executed(long(verb = fealect, y = classes)), executed(long(verb = fealect, n_runs = 20)),
    executed(long(q = 5)), executed(long(q = 5, y = times))
  )
  for (seen in calls) {
    expect_true(all(c("open_study", "run_job", "facts_of", "path_job$bind") %in% seen))
    for (axis in names(axes)) expect_none(axis, seen)
  }
})

test_that("an axis executes no function of another one", {
  executed <- local_counter()
  copied <- d$x
  copied[, 20] <- -2 * copied[, 19]
  twice <- d$x
  twice[2, ] <- twice[1, ]
  alone <- list(
    covariates = executed(short(covariates = data.frame(age = d$age))),
    within = executed(short(within = pairs)),
    strata = executed(short(strata = pairs %% 2, y = times)),
    weights = executed(short(weights = rep(1:3, 16))),
    offset = executed(short(offset = d$age)),
    penalty = executed(short(penalty = rep(c(1, 2, Inf, 0.5), 5))),
    jitter = executed(short(jitter = 0.3)),
    clusters = executed(short(clusters = rep(paste0("c", 1:10), 2))),
    views = executed(short(x = list(one = d$x[, 1:10], two = d$x[, 11:20]))),
    copies = executed(short(x = copied)),
    twins = executed(short(x = twice))
  )
  # Groups of `within` and rows that agree are drawn as blocks.
  uses <- list(within = "blocks", twins = "blocks")
  for (axis in names(alone)) {
    seen <- alone[[axis]]
    expect_true(any(grepl(pattern_of(axis), seen)), label = axis)
    for (other in setdiff(names(axes), c(axis, uses[[axis]]))) expect_none(other, seen, axis)
  }
})
