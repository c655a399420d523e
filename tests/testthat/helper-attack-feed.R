# What the attack of helper-attack.R adds to a call: arguments by the exports, other data in the
# place of the plain ones, and verbs that take the result.

# Arguments of an export and of all its methods of ours. A word that the table lacks, such as one of
# the FeaLect names, can only be damaged; `...` stands for an argument that nobody knows.
attack_arguments <- function(name) {
  own <- getNamespaceInfo("stabilect", "S3methods")
  methods <- own[sub("^.*::", "", own[, 1]) == name, 3]
  functions <- c(
    if (name %in% getNamespaceExports("stabilect")) list(getExportedValue("stabilect", name)),
    lapply(methods, get0, envir = asNamespace("stabilect"))
  )
  all <- do.call(c, lapply(functions, formals))
  # Settings that come by name.
  if ("control" %in% names(all)) all <- c(all, formals(run_control))
  if ("paths" %in% names(all)) all <- c(all, formals(path_control))
  own <- list(
    fealect = fealect_settings, stability_selection = stability_settings,
    estimate_stability = list(corrected = FALSE)
  )
  all <- c(all, own[[name]])
  all <- all[!duplicated(names(all))]
  names(all)[names(all) == "..."] <- "unheard_of"
  all
}

# A call with one argument broken, or left out.
attack_damage <- function(call, word) {
  value <- attack_broken(word)
  # A symbol is given as a value, not looked up.
  call[word$word] <- list(if (is.symbol(value)) call("quote", value) else value)
  if (stats::runif(1) < 0.1) call[[word$word]] <- NULL
  call
}

# Other data for the words of `attack_calls()`, by the word whose place they take.
attack_others <- function(m) {
  times <- withr::with_seed(6, survival::Surv(stats::rexp(20), rep(c(1, 1, 0, 1), 5)))
  counts <- withr::with_seed(7, stats::rpois(20, 2))
  mixed <- sweep(m$x, 2, 10^c(-310, 307, 0, -160, 160, 0, 3), "*")
  custom <- selector_custom(function(x, y) colMeans(x))
  list(
    x = list(
      tiny = m$x * 1e-310, huge = m$x * 1e307, mixed = mixed, unnamed = unname(m$x),
      sparse = Matrix::Matrix(m$x, sparse = TRUE), one = m$x[, 1, drop = FALSE],
      constant = 0 * m$x + 1, twins = m$x[, c(1, 1, 2, 2, 3, 3, 4)], frame = as.data.frame(m$x)
    ),
    y = list(
      survival = times, counts = counts, numbers = as.numeric(m$x[, 3] + 1:20 / 9),
      tiny_y = as.numeric(m$x[, 3]) * 1e-310, huge_y = as.numeric(m$x[, 3]) * 1e307,
      three = factor(rep(1:3, length.out = 20)), rare = factor(rep(c("a", "b"), c(18, 2))),
      flat = rep(2, 20), words = as.character(m$y)
    ),
    plan = list(
      loo = resample_loo(blocks = rep(1:10, each = 2)), once = resample_bootstrap(1),
      bootstrap = resample_bootstrap(4), folds = resample_folds(3), pairs = resample_pairs(3)
    ),
    filter = list(
      own = custom, relief = selector_relief(3), lasso = selector_lasso_path(),
      linear = selector_learner(), cox = selector_filter("cox")
    ),
    runs = list(
      nothing = as_selection(matrix(0, 5, 6)), everything = as_selection(matrix(1, 5, 6)),
      alone = as_selection(list(1:2), n_total = 5)
    )
  )
}

# The words of a call, some of them in the place of others: m$x becomes m$huge.
attack_replace <- function(call, others, share = 0.3) {
  chosen <- lapply(others, function(some) {
    if (stats::runif(1) < share) call("$", quote(m), as.name(sample(names(some), 1L)))
  })
  replace_in <- function(part) {
    if (is.call(part) && identical(part[[1]], quote(`$`)) && identical(part[[2]], quote(m))) {
      other <- chosen[[as.character(part[[3]])]]
      return(if (is.null(other)) part else other)
    }
    if (is.call(part)) {
      for (i in seq_along(part)) {
        if (is.call(part[[i]])) part[[i]] <- replace_in(part[[i]])
      }
    }
    part
  }
  replace_in(call)
}

# Verbs that take a result `r`. The generics of other packages are called where we have a method.
attack_feeds <- function() {
  rlang::exprs(
    print(r), print(summary(r)), plot(r), plot(r, ylim = c(0, 0.5)), plot(r, main = "a"),
    format(r), as.data.frame(r), coef(r), predict(r), predict(r, m$x), predict(r, unname(m$x)),
    predict(r, m$x[1, , drop = FALSE]), predict(r, as.data.frame(m$x)), predict(r, m$x[, 1:2]),
    ggplot2::autoplot(r), generics::glance(r), generics::tidy(r), generics::augment(r, m$x),
    r[1:2], r[0], c(r, r), stability(r), stability(r, "all"), selected(r),
    write_report(r, "report.html"), write_report(r, "report.md"), write_report(list(r), "r.html"),
    write_report(r, "report.html", x = m$x, y = m$y), write_tables(r, "tables", Again = r),
    write_tables(r, "tables", x = m$x, y = m$y), plot_values(r, m$x, m$y),
    evaluate_replication(r, m$x, m$y, n_pairs = 2), estimate_sample_size(r, m$x, m$y, n_pairs = 5),
    validate_model(r, m$x + 1e-9, m$y), validate_model(r, m$x[1:6, ] + 1, m$y[1:6]),
    fit_model(m$x, m$y, r), substitutes(r, m$x, "g1"), merge_runs(r, r),
    as_selection(r), aggregate(r), fdp_bound(r), stability_selection(r), bolasso(r),
    stability_selection(r, pfer = 1), stability_convergence(r), test_stability(r, null_value = 0),
    explain_stability(r, similarity = rep(1:3, 3)), test_stability(list(a = r, b = r)),
    group_features(r, rep(letters[1:3], 3)), as_selection(r, importance = r),
    estimate_stability(r, n_simulations = 5, n_boot = 20), anova(r, n_simulations = 5),
    pareto_front(r), three_segment(r),
    feature_importance(r, m$x, method = "flip"),
    measure_predictions(m$y, r), fealect(r, m$y), fealect(m$x, r), find_signals(r),
    select_ensemble(m$x, m$y, r, m$plan, n_features = 2), fealect(m$x, m$y, resampling = r),
    estimate_error_rates(r, m$x, m$y, n_true = 2, n_simulations = 2), prepare_study(r)
  )
}

# The name of the verb, without its package.
attack_verb_of_feed <- function(feed) {
  if (identical(feed[[1]], quote(print)) && is.call(feed[[2]])) feed <- feed[[2]]
  as.character(if (is.call(feed[[1]])) feed[[1]][[3]] else feed[[1]])
}

# What a verb can be given besides the result, which is its first argument or has no name of ours.
attack_arguments_of_feed <- function(feed) {
  verb <- attack_verb_of_feed(feed)
  if (verb %in% c("[", "c", "print", "summary", "format")) list() else attack_arguments(verb)[-1]
}

# A verb of ours with its arguments by name.
attack_named <- function(feed) {
  fun <- get0(attack_verb_of_feed(feed), envir = asNamespace("stabilect"), inherits = FALSE)
  if (is.null(fun)) feed else match.call(fun, feed, envir = list2env(list(r = NULL, m = NULL)))
}

# Whether a verb is ours, or a generic that has a method of ours for the class of the result.
attack_feeds_on <- function(feed, result) {
  verb <- attack_verb_of_feed(feed)
  own <- getNamespaceInfo("stabilect", "S3methods")
  verb %in% getNamespaceExports("stabilect") ||
    any(sub("^.*::", "", own[, 1]) == verb & own[, 2] %in% class(result))
}

attack_is_ours <- function(result) any(grepl("^stabilect_", class(result)))
