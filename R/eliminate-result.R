# The result of eliminate_features().

# @param found of run_search().
new_elimination <- function(tree, found) {
  asked <- tree$asked
  sizes <- size_table(tree$nodes, found)
  if (anyNA(sizes$score)) abort_no_score(sizes, asked$metric)
  # Scores of the final runs: the search may have looked at runs that failed later.
  allowed <- allowed_sizes(sizes, asked)
  best <- best_size(allowed$size, metric_sign(asked$metric) * allowed$score, asked$tie)
  one_se <- smallest_within_se(allowed, best, metric_sign(asked$metric))
  n_features <- if (asked$size_rule == "best") best else one_se
  rankings <- run_rankings(tree, n_features)
  selection <- elimination_selection(tree, rankings, n_features)
  final <- if (asked$refit) refit_elimination(tree, sizes$size, n_features)
  made <- run_account(selection, tree$resamples)
  made$seed <- tree$seed
  new_result(
    "stabilect_elimination",
    table = elimination_table(final$ranking, n_features, selection, rankings),
    features = final$features, n_features = as.integer(n_features), best = as.integer(best),
    one_se = as.integer(one_se), ranking = final$ranking, model = final$model, sizes = sizes,
    scores = do.call(rbind, lapply(sizes$size, function(size) {
      data.frame(size = size, run = tree$runs, score = node_of(tree$nodes, size)$scores)
    })),
    rankings = rankings, selection = selection,
    interval = promising_sizes(sizes$size, best, tree$study$p, asked$max_features),
    complete = found$complete,
    n_fits = tree$n_fits, without_features = score_alone(tree), resamples = tree$resamples,
    asked = c(asked, list(covariates = tree$study$response$covariates)),
    study = know_means(
      study_record(tree$study, tree$hash), tree$study$x[, final$features, drop = FALSE]
    ), made = made
  )
}

elimination_table <- function(ranking, n_features, selection, rankings) {
  rank <- if (is.null(ranking)) rep(NA_integer_, nrow(rankings)) else unname(ranking)
  table <- data.frame(
    feature = selection$feature_names, rank = rank, selected = rank <= n_features,
    frequency = mean_selected(selection), mean_rank = unname(rowMeans(rankings, na.rm = TRUE))
  )
  sort_rows(table, table$rank, table$mean_rank)
}

size_table <- function(nodes, found) {
  scores <- lapply(found$sizes, function(size) node_of(nodes, size)$scores)
  data.frame(
    size = found$sizes, pass = found$pass,
    score = vapply(scores, mean, 0, na.rm = TRUE), se = vapply(scores, standard_error, 0)
  )
}

# The sizes that may be chosen: a search that stops early may have seen none.
allowed_sizes <- function(sizes, asked) {
  if (is.null(asked$max_features)) {
    return(sizes)
  }
  allowed <- sizes[sizes$size <= asked$max_features, ]
  refuse(nrow(allowed) == 0L, c(
    "The search stopped before it evaluated at most {asked$max_features} feature{?s}.",
    i = "Use a larger {.arg max_steps}, or {.code search = NULL}."
  ))
  allowed
}

abort_no_score <- function(sizes, metric) {
  bad <- sizes$size[is.na(sizes$score)][1]
  abort(
    c("No run has a {in_words(metric)} for {bad} feature{?s}, so that sizes cannot be compared.",
      i = "More runs, or resamples that leave samples out, give one."
    ),
    class = "runs"
  )
}

smallest_within_se <- function(sizes, best, sign) {
  at <- sizes[sizes$size == best, ]
  slack <- if (is.na(at$se)) 0 else at$se
  within <- !vapply(sizes$score, function(one) is_better(sign * at$score - slack, sign * one), NA)
  min(sizes$size[within])
}

# (integer matrix, p x runs) the rank of each feature in each run.
run_rankings <- function(tree, n_features) {
  p <- tree$study$p
  rankings <- matrix(
    NA_integer_, p, tree$resamples$n_runs, dimnames = list(tree$study$feature_names, NULL)
  )
  for (k in seq_along(tree$runs)) {
    rankings[elimination_order(tree$nodes, n_features, k), tree$runs[k]] <- seq_len(p)
  }
  rankings
}

elimination_selection <- function(tree, rankings, n_features) {
  selected <- rankings <= n_features
  selected[is.na(selected)] <- FALSE
  score <- nrow(rankings) + 1 - rankings
  score[is.na(score)] <- 0
  new_selection(
    score, methods::as(general_sparse(selected), "nMatrix"), tree$resamples$status,
    paste("RFE by", tree$asked$learner$label), tree$resamples, tree$seed,
    importance = general_sparse(run_importance(tree, rankings, n_features)), data_hash = tree$hash
  )
}

# Importance of the features in the models at the chosen size. Models whose importance the core did
# not keep are fitted again.
run_importance <- function(tree, rankings, n_features) {
  steps <- node_of(tree$nodes, n_features)[c("features", "importance")]
  lost <- which(lengths(steps$features) == 0L)
  if (length(lost) > 0L) {
    sets <- lapply(tree$runs[lost], function(run) which(rankings[, run] <= n_features))
    again <- fit_beside(
      tree, tree$draws$counts[, lost, drop = FALSE], sets, n_features, tree$seeds[lost],
      "Elimination"
    )
    steps$features[lost] <- lapply(again, function(run) run[[1]]$features)
    steps$importance[lost] <- lapply(again, function(run) run[[1]]$importance)
  }
  importance <- matrix(0, nrow(rankings), ncol(rankings), dimnames = dimnames(rankings))
  for (k in seq_along(tree$runs)) {
    importance[steps$features[[k]], tree$runs[k]] <- pmax(steps$importance[[k]], 0)
  }
  importance
}

# One path over all sizes down to the chosen one, on all samples.
refit_elimination <- function(tree, sizes, n_features) {
  study <- tree$study
  seed <- child_seeds(tree$seed, 1L)
  steps <- fit_beside(
    tree, matrix(1L, study$n, 1L), list(seq_len(study$p)), sizes[sizes >= n_features], seed,
    "Final elimination"
  )[[1]]
  refuse(is.character(steps), "The fit to all samples failed: {steps}.", class = "runs")
  kept <- steps[[length(steps)]]$features
  dropped <- lapply(rev(steps), `[[`, "dropped")
  ranking <- integer(study$p)
  ranking[c(kept, unlist(dropped))] <- seq_len(study$p)
  # Features in the order of x, as along the path: the model is the same.
  part <- beside(study$response$covariates, study$x[, sort(kept), drop = FALSE])
  list(
    features = study$feature_names[kept], ranking = stats::setNames(ranking, study$feature_names),
    model = with_seed(seed, tree$asked$learner$fit(part, response_labels(study$response)))
  )
}

#' @rdname eliminate_features
#' @param object (object of class `stabilect_elimination`) result of `eliminate_features()`.
#' @param newdata (numeric matrix or data frame) new samples; columns are found by name.
#' @param type (string, or `NULL`) `"class"` (the default) or, for learners that have them,
#'   `"probability"`; for numbers `"response"`, for survival times `"risk"`.
#' @param ... Not used.
#' @export
predict.stabilect_elimination <- function(object, newdata, type = NULL, covariates = NULL, ...) {
  refuse_dots(...)
  refuse(is.null(object$model), c("There is no final model to predict with.",
    i = "Use {.code eliminate_features(refit = TRUE)}."
  ))
  learner <- object$asked$learner
  type <- check_predict_type(
    type, object$study$type, if (!is.null(learner$probability)) "probability"
  )
  in_order <- names(object$ranking)[object$ranking <= object$n_features]
  columns <- read_newdata(newdata, object$study, in_order)
  held <- object$asked$covariates
  z <- covariates_of_new(covariates, newdata, colnames(held), attr(held, "levels"))
  newdata <- beside(z, columns)
  levels <- object$study$levels
  known <- which(rowSums(is.na(newdata)) == 0)
  seen <- newdata[known, , drop = FALSE]
  whole <- function(values) {
    stats::setNames(values[match(seq_len(nrow(newdata)), known)], rownames(newdata))
  }
  if (is.null(levels)) {
    return(whole(unname(learner$predict(object$model, seen))))
  }
  if (type == "probability") {
    odds <- columns_of_classes(learner$probability(object$model, seen), levels, 0)
    out <- matrix(
      NA_real_, nrow(newdata), length(levels), dimnames = list(rownames(newdata), levels)
    )
    out[known, ] <- odds
    return(out)
  }
  whole(factor(as.character(learner$predict(object$model, seen)), levels))
}

#' @exportS3Method
facts_of.stabilect_elimination <- function(x, n = 10L) {
  shown <- with_copies(utils::head(x$features, 8L), x$study)
  more <- length(x$features) - length(shown)
  result_facts(
    x, describe_elimination(x$asked), format(x$resamples$plan),
    list(
      List = c(
        sprintf(
          "%d of %s%s%s", x$n_features, count_of(x$study$p, "feature"), say_largest(x$asked),
          describe_rule_of_size(x)
        ),
        if (length(shown) > 0L) toString(c(shown, if (more > 0L) sprintf("%d more", more))),
        # Around the best size.
        if (x$asked$size_rule == "best" && x$interval[[1]] < x$interval[[2]]) {
          sprintf("promising sizes: %d to %d", x$interval[[1]], x$interval[[2]])
        }
      ),
      Error = describe_size(x),
      Caution = if (nrow(x$sizes) > 1L) {
        sprintf(
          "this %s also chose the size, and is therefore optimistic: %s",
          if (x$asked$metric == "accuracy") "error" else in_words(x$asked$metric),
          "evaluate_elimination() gives an honest one"
        )
      }
    ),
    design = sprintf(
      "%s from %d to %d, %d fits%s", count_of(nrow(x$sizes), "size"), max(x$sizes$size),
      min(x$sizes$size), x$n_fits, if (x$complete) "" else ", stopped early"
    )
  )
}

say_largest <- function(asked) {
  if (!is.null(asked$max_features)) sprintf(", at most %d", asked$max_features) else ""
}

# The rule that chose the size, and the size by the other rule.
describe_rule_of_size <- function(x) {
  if (nrow(x$sizes) < 2L) {
    return("")
  }
  chosen <- x$asked$size_rule
  if (is.na(x$sizes$se[x$sizes$size == x$best])) {
    return(if (chosen == "best") ": the best score" else ": the fewest with the best score (no SE)")
  }
  if (x$one_se == x$best) {
    return(": the best score, and no fewer within one SE of it")
  }
  sprintf(
    switch(chosen,
      one_se = ": the fewest evaluated within one SE of the best score (%d features)",
      best = ": the best score; %d are within one SE of it"
    ),
    if (chosen == "one_se") x$best else x$one_se
  )
}

# The score of the chosen size, and its reference.
describe_size <- function(x) {
  at <- x$sizes[x$sizes$size == x$n_features, ]
  metric <- x$asked$metric
  paste(c(
    say_mean_metric(metric, at$score, at$se, say_predicted(format(x$resamples$plan))),
    say_reference(metric, x$study, x$without_features$score)
  ), collapse = "; ")
}

describe_elimination <- function(asked) {
  sprintf("Recursive feature elimination by %s (%s)", asked$learner$label, asked$search$label)
}

#' @rdname eliminate_features
#' @export
summary.stabilect_elimination <- function(object, ...) {
  refuse_dots(...)
  runs <- object$selection
  stable <- if (length(ok_runs(runs)) > 1L) stability(runs)$table
  sizes <- object$sizes
  # The sizes next to the chosen one.
  near <- order(abs(match(object$n_features, sizes$size) - seq_len(nrow(sizes))))
  new_summary(object, sizes = sizes, stability = stable, sections = list(
    new_section(
      sizes[sort(utils::head(near, 15L)), ], Inf,
      above = sprintf(
        "best mean %s at %d features; within one standard error from %d", object$asked$metric,
        object$best, object$one_se
      ), rest = max(0L, length(near) - 15L)
    ),
    if (!is.null(stable)) stability_section(stable, "Stability of the runs' features")
  ))
}

# Of the runs, for summaries.
stability_section <- function(table, above) {
  new_section(table[c("index", "estimate", "lower", "upper")], Inf, above)
}
