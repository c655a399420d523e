# Laws: pairs of calls that must agree. `laws_pair(seed, k)` draws a verb, an outcome, axes (what is
# known of samples and features besides), data and a law, and makes a second call from the first;
# helper-laws-pairs.R has the laws, helper-laws-verbs.R the verbs. tools/laws.R makes thousands of
# pairs, test-all-laws.R some hundred. Nothing here runs unless it is called.

# Data -------------------------------------------------------------------------------------------

laws_kinds_of_x <- c("normal", "heavy", "units", "shifted", "counts", "codes", "rare")

laws_features <- function(n, p, kind) {
  draw <- function(fun) matrix(fun(n * p), n)
  x <- switch(kind,
    normal = draw(stats::rnorm),
    heavy = draw(function(k) stats::rt(k, 2)),
    units = sweep(draw(stats::rnorm), 2, 10^stats::runif(p, -4, 4), "*"),
    shifted = sweep(draw(stats::rnorm), 2, 10^stats::runif(p, 0, 4), "+"),
    counts = draw(function(k) stats::rpois(k, 3)),
    codes = draw(function(k) sample(0:2, k, TRUE)),
    # Pairs of 0/1 columns that differ in one sample, and are equal in runs without it.
    rare = laws_rare_features(n, p)
  )
  dimnames(x) <- list(paste0("s", seq_len(n)), sprintf("g%02d", seq_len(p)))
  x
}

laws_rare_features <- function(n, p) {
  x <- matrix(stats::rbinom(n * p, 1, 0.2), n)
  for (j in seq_len(p %/% 2L) * 2L) {
    i <- sample(n, 1L)
    x[, j] <- replace(x[, j - 1L], i, 1 - x[i, j - 1L])
  }
  x
}

# An outcome that the first two features explain in part. Classes have at least six samples.
laws_outcome <- function(x, kind, weights = c(1.2, -0.8)) {
  n <- nrow(x)
  link <- drop(scale(x[, 1:2]) %*% weights)
  link[!is.finite(link)] <- 0
  link <- link + stats::rnorm(n)
  place <- rank(link, ties.method = "first")
  cut_at <- function(k) cut(place, k, labels = FALSE)
  y <- switch(kind,
    binary = factor(c("ill", "well")[1 + (place > stats::runif(1, 0.4, 0.6) * n)]),
    multiclass = factor(c("a", "b", "c")[cut_at(3)]),
    ordered = factor(cut_at(3), labels = c("low", "mid", "high"), ordered = TRUE),
    numeric = round(link, 6), count = as.numeric(stats::rpois(n, exp(link / 2))),
    survival = survival::Surv(round(exp(-link), 4) + 1e-3, sample(c(1, 1, 1, 0), n, TRUE))
  )
  if (kind != "survival") names(y) <- rownames(x)
  y
}

# Samples of one block are of one class; samples of a group of `within` are of both.
laws_blocks <- function(y, kind) {
  n <- NROW(y)
  if (kind %in% c("numeric", "count", "survival")) {
    return(rep(seq_len(ceiling(n / 2)), each = 2L)[seq_len(n)])
  }
  block <- integer(n)
  for (class in unique(as.character(y))) {
    at <- which(y == class)
    block[at] <- max(block) + rep(seq_along(at), each = 2L)[seq_along(at)]
  }
  block
}

laws_groups <- function(y, kind) {
  n <- NROW(y)
  at <- seq_len(n)
  if (kind == "binary") at <- stats::ave(at, y, FUN = seq_along)
  group <- (at + 1L) %/% 2L
  # Nobody is alone.
  few <- tabulate(group) < 2L
  group[group %in% which(few)] <- which(!few)[1]
  match(group, unique(group))
}

laws_data <- function(kind, n = sample(seq(26L, 60L, 2L), 1L),
                      p = sample(setdiff(5:80, n), 1L, prob = 1 / setdiff(5:80, n)),
                      form = sample(laws_kinds_of_x, 1L)) {
  x <- laws_features(n, p, form)
  y <- laws_outcome(x, kind)
  age <- stats::rnorm(n)
  list(
    kind = kind, form = form, x = x, y = y,
    z = data.frame(age = age, sex = factor(sample(c("f", "m"), n, TRUE)), row.names = rownames(x)),
    w = sample(c(0.5, 1, 2, 3), n, TRUE), o = round(stats::rnorm(n) / 4, 3),
    s = sample(rep(1:2, length.out = n)), v = sample(c(0.5, 1, 2), p, TRUE),
    cl = paste0("c", sort(sample(rep(seq_len(max(3L, p %/% 2L)), length.out = p)))),
    first = seq_len(p) <= p / 2, j = 0.3 * (seq_len(p) %% 2L),
    b = laws_blocks(y, kind), g = laws_groups(y, kind),
    new = laws_features(9L, p, form), seed = sample.int(1e4, 1L)
  )
}

# Calls ------------------------------------------------------------------------------------------

# What an axis adds to a call; blocks and views change how x is given.
laws_axes <- list(
  covariates = quote(z), weights = quote(w), offset = quote(o), strata = quote(s),
  penalty = quote(v), jitter = quote(j), clusters = quote(cl), within = quote(g),
  groups = quote(cl), covariate = quote(z["age"])
)

laws_with_axes <- function(call, axes) {
  if (length(axes) == 0L) return(call)
  x <- if ("views" %in% axes) quote(list(A = x[, first], B = x[, !first])) else quote(x)
  data <- if ("blocks" %in% axes) list(call("prepare_study", x, quote(y), blocks = quote(b)))
  given <- if (is.null(data)) list(x, quote(y)) else data
  own <- as.list(call)
  at <- which(vapply(own, identical, NA, quote(x)))[1]
  own <- c(own[seq_len(at - 1L)], given, own[-seq_len(at + 1L)])
  for (axis in intersect(axes, names(laws_axes))) {
    own[[sub("covariate$", "covariates", axis)]] <- laws_axes[[axis]]
  }
  as.call(own)
}

# Axes that go together and suit the outcome.
laws_draw_axes <- function(verb, kind) {
  axes <- Filter(function(axis) laws_suits(axis, kind), verb$axes)
  chosen <- axes[stats::runif(length(axes)) < 0.35]
  apart <- list(c("within", "blocks"), c("within", "weights"), c("within", "offset"),
    c("clusters", "views"), c("penalty", "clusters"), c("within", "strata"), c("groups", "views"))
  for (pair in apart) if (all(pair %in% chosen)) chosen <- setdiff(chosen, sample(pair, 1L))
  chosen
}

laws_suits <- function(axis, kind) {
  switch(axis,
    strata = kind == "survival", offset = kind %in% c("numeric", "count", "survival"),
    within = kind %in% c("binary", "numeric"), TRUE
  )
}

# The resamples of a call, as counts of samples that can be permuted with them.
laws_counts <- function(verb, data, axes) {
  blocks <- if ("blocks" %in% axes) data$b else if ("within" %in% axes) data$g
  plan <- switch(verb$plan,
    subsample = resample_subsample(6, 0.75, blocks = blocks),
    pairs = resample_pairs(4, blocks = blocks),
    bootstrap = resample_bootstrap(5, blocks = blocks), folds = resample_folds(3, blocks = blocks)
  )
  as.matrix(draw_resamples(plan, data$y, seed = data$seed))
}

# A first call with its data.
laws_call <- function(name = NULL, kind = NULL) {
  verbs <- laws_verbs()
  if (is.null(name)) {
    share <- vapply(verbs, function(verb) verb$share, 1)
    name <- sample(names(verbs), 1L, prob = share)
  }
  verb <- verbs[[name]]
  if (is.null(kind)) kind <- sample(verb$outcomes, 1L)
  data <- laws_data(kind)
  axes <- laws_draw_axes(verb, kind)
  call <- verb$call(kind)
  call <- laws_with_axes(call, axes)
  data$counts <- if (!is.null(verb$plan)) try_refused(laws_counts(verb, data, axes))
  list(name = name, verb = verb, kind = kind, axes = axes, call = call, data = data)
}

try_refused <- function(expr) tryCatch(expr, stabilect_error = function(e) NULL)

`%||%` <- function(a, b) if (is.null(a)) b else a

# Values -----------------------------------------------------------------------------------------

# What is no value: how it was made, what was asked, keys, and numbers of columns.
laws_left <- c(
  "asked", "study", "made", "paths", "resamples", "procedure", "rows", "run_hash", "fingerprint",
  "data_hash", "hash", "seed", "run_id", "method", "aggregation", "learner", "actions", "excluded",
  "constant", "ranking", "rankings", "call", "rank", "key", "kkt", "list", "notes", "records"
)

# A result as named vectors: features in the order of their names, samples as they are.
laws_values <- function(x, features, drop = character()) {
  flat <- list()
  add <- function(name, value) flat[[name]] <<- value
  visit <- function(x, name) {
    if (is.function(x) || is.environment(x) || is.language(x) || is.null(x)) return()
    if (methods::is(x, "Matrix")) x <- as.matrix(x) + 0
    if (is.matrix(x)) return(add(name, laws_sorted(x, features)))
    if (is.data.frame(x)) x <- laws_table(x, features)
    if (is.list(x)) {
      inner <- names(x) %||% as.character(seq_along(x))
      kept <- which(!inner %in% c(laws_left, drop))
      return(for (i in kept) visit(x[[i]], paste0(name, "$", inner[i])))
    }
    if (any(names(x) %in% features)) x <- x[order(names(x))]
    if (is.character(x) && all(x %in% features)) x <- sort(x)
    add(name, if (is.numeric(x)) unclass(unname(x)) + 0 else unname(x))
  }
  visit(if (is.data.frame(x) || methods::is(x, "Matrix")) x else unclass(x), "")
  flat
}

laws_sorted <- function(x, features) {
  for (side in 1:2) {
    names <- dimnames(x)[[side]]
    if (any(names %in% features)) {
      x <- if (side == 1L) x[order(names), , drop = FALSE] else x[, order(names), drop = FALSE]
    }
  }
  as.vector(x)
}

laws_table <- function(x, features) {
  names_features <- function(v) is.character(v) && length(v) > 0L && all(v %in% features)
  by <- names(x)[vapply(x, names_features, NA)]
  if (length(by) > 0L && nrow(x) > 1L) {
    numbers <- Filter(is.numeric, x)
    x <- x[do.call(order, unname(c(as.list(x[by]), lapply(numbers, round, 6)))), , drop = FALSE]
  }
  lapply(as.list(x), function(v) if (is.factor(v)) as.character(v) else v)
}

# The value of a call, or the class of its refusal; other errors are found as such.
laws_value <- function(call, data, drop = character()) {
  envir <- list2env(data, parent = asNamespace("stabilect"))
  failed <- function(class) {
    function(e) structure(cli::ansi_strip(conditionMessage(e)), class = class)
  }
  result <- tryCatch(
    suppressMessages(suppressWarnings(withr::with_seed(1, eval(call, envir)))),
    stabilect_error = failed("laws_refused"), error = failed("laws_error")
  )
  if (inherits(result, c("laws_refused", "laws_error"))) return(result)
  laws_values(result, c(colnames(data$x), "zz", paste0("c", 1:80)), drop)
}

# What differs between two values; "" if nothing does. @param tolerance (number) of the largest
#   number of a field; 0: to the last bit.
laws_differ <- function(a, b, tolerance = 1e-8) {
  for (side in list(a, b)) if (inherits(side, "laws_error")) return(paste("error:", side))
  refused <- c(inherits(a, "laws_refused"), inherits(b, "laws_refused"))
  if (all(refused)) return("")
  if (any(refused)) return(paste("one is refused:", sub("\n.*", "", if (refused[1]) a else b)))
  other <- utils::head(c(setdiff(names(a), names(b)), setdiff(names(b), names(a))), 3L)
  if (length(other) > 0L) return(paste("only one has", paste(other, collapse = ", ")))
  for (name in names(a)) {
    found <- laws_differ_in(a[[name]], b[[name]], tolerance)
    if (nzchar(found)) return(paste0(name, ": ", found))
  }
  ""
}

laws_differ_in <- function(a, b, tolerance) {
  if (length(a) != length(b)) return(sprintf("length %d and %d", length(a), length(b)))
  same <- if (is.numeric(a) && is.numeric(b)) laws_close(a, b, tolerance) else a == b
  same <- (is.na(a) & is.na(b)) | (!is.na(same) & same)
  at <- which(!same)[1]
  if (is.na(at)) "" else paste(laws_shown(a[at]), "and", laws_shown(b[at]))
}

laws_close <- function(a, b, tolerance) {
  if (tolerance == 0) return(a == b)
  finite <- abs(c(a, b)[is.finite(c(a, b))])
  scale <- max(finite, 1e-300)
  a == b | abs(a - b) <= pmax(tolerance * scale, 1e-13)
}

laws_shown <- function(x) if (is.numeric(x)) format(x, digits = 10) else as.character(x)

# Pairs ------------------------------------------------------------------------------------------

# @return (list) first, second (calls with data), law, tolerance, drop.
laws_pair <- function(seed, k, name = NULL, kind = NULL, law = NULL) {
  withr::local_seed(seed + 7919 * k)
  one <- laws_call(name, kind)
  laws <- laws_pairs()
  if (is.null(law)) {
    suits <- vapply(laws, function(law) isTRUE(law$when(one)), NA)
    law <- sample(names(laws)[suits], 1L)
  }
  rule <- laws[[law]]
  one <- laws_given(one, rule$given || stats::runif(1) < 0.3)
  two <- rule$change(one)
  drop <- if (is.function(rule$drop)) rule$drop(one) else rule$drop
  list(
    law = law, name = one$name, kind = one$kind, axes = one$axes, form = one$data$form,
    first = one, second = two, tolerance = rule$tolerance %||% laws_tolerance(one),
    drop = c(drop, laws_near(one, rule)),
    turn = rule$turn %||% function(value, two) value, refused = rule$refused(one)
  )
}

# What is drawn by columns, and counts of permuted scores that are as large but for the end of a
# search.
laws_near <- function(one, rule) {
  c(if (is.null(rule$tolerance) && laws_uses(one, "find_signals")) laws_drawn,
    if (is.null(rule$tolerance) && isTRUE(one$call$permute > 0) && laws_tolerance(one) > 1e-4) {
      c("p_fwer", "q_fdr", "p", "p_value", "expected_by_chance")
    })
}

# Least squares and formulas in one step; likelihoods end where they are good enough.
laws_exact <- function(one) {
  exact <- one$kind %in% c("binary", "numeric", "ordered") && !laws_uses(one, "learner_logistic") &&
    is.null(one$call$family) && length(setdiff(one$axes, c("blocks", "views", "clusters"))) == 0L
  # Paths of ordered classes are those of several.
  follows <- one$name %in% c("split_test", "stability_clusters", path_verbs)
  exact && !(one$kind == "ordered" && follows && is.null(one$call$selector))
}

# Where models end when they are good enough, rare values that are equal need not be.
laws_equal_enter_alike <- function(one) one$data$form != "rare" || laws_exact(one)

laws_tolerance <- function(one) {
  exact <- laws_exact(one)
  permuted <- isTRUE(one$call$permute > 0)
  # The best of permuted outcomes are where a path is searched most coarsely; a rate integrates over
  # penalties of entry, which are foreseen to 0.1 %.
  if (!exact) {
    return(if (permuted || laws_integrated(one)) 1e-3 else 2e-5)
  }
  if (permuted) 2e-5 else if (one$data$form == "shifted") 1e-6 else 1e-8
}

# Resamples that are given, or a plan that is drawn from the seed.
laws_given <- function(one, given) {
  if (is.null(one$verb$plan) || "counts" %in% all.names(one$call)) return(one)
  given <- given && !is.null(one$data$counts)
  plan <- switch(one$verb$plan,
    subsample = quote(resample_subsample(6, 0.75)), pairs = quote(resample_pairs(4)),
    bootstrap = quote(resample_bootstrap(5)), folds = quote(resample_folds(3))
  )
  one$call$resampling <- if (given) quote(resample_custom(counts = counts)) else plan
  one
}

laws_one <- function(pair) {
  a <- laws_value(pair$first$call, pair$first$data, pair$drop)
  b <- laws_value(pair$second$call, pair$second$data, pair$drop)
  state <- if (inherits(a, "laws_refused")) "refused" else "compared"
  found <- if (isTRUE(pair$refused)) {
    if (inherits(b, "laws_refused") || state == "refused") "" else laws_differ(a, b)
  } else {
    laws_differ(a, if (is.list(b)) pair$turn(b, pair$second) else b, pair$tolerance)
  }
  list(found = found, state = state, why = if (state == "refused") unclass(a) else "")
}

# @return (data frame) a row for each pair: k, law, verb, outcome, axes, state ("compared",
#   "refused": both calls are), found ("" or what differs), calls (as text).
laws <- function(seed, n, first = 1L, ...) {
  withr::local_dir(withr::local_tempdir())
  rows <- lapply(first - 1L + seq_len(n), function(k) {
    pair <- laws_pair(seed, k, ...)
    start <- proc.time()[[1]]
    one <- laws_one(pair)
    text <- function(side) paste(trimws(deparse(side$call, 500L)), collapse = " ")
    data.frame(
      k = k, law = pair$law, verb = pair$name, outcome = pair$kind, form = pair$form,
      axes = paste(pair$axes, collapse = "+"), state = one$state, found = one$found,
      why = sub("\n.*", "", one$why), seconds = proc.time()[[1]] - start,
      calls = paste(text(pair$first), " | ", text(pair$second))
    )
  })
  do.call(rbind, rows)
}
