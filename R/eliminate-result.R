# What eliminate_features() returns.

new_rfe <- function(runner, tree, found, search, resamples, settings, refit) {
  nodes <- tree$nodes()
  sizes <- size_table(nodes, found)
  best <- best_size(sizes$size, found$scores, settings$tie)
  one_se <- smallest_within_se(sizes, best, metric_sign(settings$metric))
  chosen <- if (settings$rule == "best") best else one_se
  p <- ncol(runner$x)
  rankings <- matrix(NA_integer_, p, resamples$n_runs, dimnames = list(colnames(runner$x), NULL))
  for (k in seq_along(tree$runs)) {
    rankings[elimination_order(nodes, chosen, k), tree$runs[k]] <- seq_len(p)
  }
  selection <- rfe_selection(runner, tree, rankings, chosen, resamples, settings$seed)
  final <- if (refit) refit_rfe(runner, sizes$size, chosen)
  structure(
    list(
      features = final$features, n_features = as.integer(chosen), best = as.integer(best),
      one_se = as.integer(one_se), ranking = final$ranking, model = final$model, sizes = sizes,
      scores = do.call(rbind, lapply(sizes$size, function(size) {
        data.frame(size = size, run = tree$runs, score = node_of(nodes, size)$scores)
      })),
      rankings = rankings, selection = selection,
      interval = promising_sizes(sizes$size, best, p), complete = found$complete,
      n_fits = runner$n_fits(), resamples = resamples, learner = runner$learner, search = search,
      settings = settings
    ),
    class = "stabilect_elimination"
  )
}

size_table <- function(nodes, found) {
  scores <- lapply(found$sizes, function(size) node_of(nodes, size)$scores)
  data.frame(
    size = found$sizes, pass = found$pass,
    score = vapply(scores, mean, 0, na.rm = TRUE), se = vapply(scores, standard_error, 0)
  )
}

smallest_within_se <- function(sizes, best, sign) {
  at <- sizes[sizes$size == best, ]
  slack <- if (is.na(at$se)) 0 else at$se
  within <- !vapply(sizes$score, function(one) is_better(sign * at$score - slack, sign * one), NA)
  min(sizes$size[within])
}

rfe_selection <- function(runner, tree, rankings, size, resamples, seed) {
  node <- node_of(tree$nodes(), size)
  importance <- matrix(0, nrow(rankings), ncol(rankings), dimnames = dimnames(rankings))
  for (k in seq_along(tree$runs)) {
    run <- tree$runs[k]
    set <- node$features[[k]]
    value <- node$importance[[k]]
    if (length(set) == 0L) {
      step <- runner$run(
        tree$counts[, k, drop = FALSE], list(which(rankings[, run] <= size)), size, tree$seeds[k]
      )[[1]][[1]]
      set <- step$features
      value <- step$importance
    }
    importance[set, run] <- pmax(value, 0)
  }
  selected <- rankings <= size
  selected[is.na(selected)] <- FALSE
  score <- nrow(rankings) + 1 - rankings
  score[is.na(score)] <- 0
  new_selection(
    score, methods::as(general_sparse(selected), "nMatrix"), resamples$status,
    paste("RFE by", runner$learner$label), resamples, seed, importance = general_sparse(importance),
    data_hash = runner$data_hash
  )
}

# One path over all sizes down to the chosen one, on all samples.
refit_rfe <- function(runner, sizes, chosen) {
  x <- runner$x
  sizes <- sizes[sizes >= chosen]
  seed <- child_seeds(runner$seed, 1L)
  steps <- runner$run(
    matrix(1L, nrow(x), 1L), list(seq_len(ncol(x))), sizes, seed, "Final elimination"
  )[[1]]
  kept <- steps[[length(steps)]]$features
  dropped <- lapply(rev(steps), `[[`, "dropped")
  ranking <- integer(ncol(x))
  ranking[c(kept, unlist(dropped))] <- seq_len(ncol(x))
  # In the order of x, as along the path: the same model.
  part <- x[, sort(kept), drop = FALSE]
  list(
    features = colnames(x)[kept], ranking = stats::setNames(ranking, colnames(x)),
    model = with_seed(seed, runner$learner$fit(part, runner$y))
  )
}

#' @rdname eliminate_features
#' @param object (object of class `stabilect_elimination`)
#' @param newdata (numeric matrix or data frame) new samples; columns are found by name.
#' @param type (string) `"class"`, or `"probability"`, for learners that have them.
#' @param ... Not used.
#' @export
predict.stabilect_elimination <- function(object, newdata, type = c("class", "probability"), ...) {
  type <- check_choice(type, "type", c("class", "probability"))
  if (is.null(object$model)) {
    abort(c(
      "There is no final model to predict with.",
      i = "Use {.code eliminate_features(refit = TRUE)}."
    ))
  }
  if (type == "probability" && is.null(object$learner$probability)) {
    abort("The learner {.val {object$learner$name}} has no probabilities.")
  }
  in_order <- names(object$ranking)[object$ranking <= object$n_features]
  newdata <- code_newdata(newdata, object$settings$input_coding, in_order)
  newx <- check_newdata(newdata, in_order)
  if (type == "probability") {
    odds <- object$learner$probability(object$model, newx)
    full <- columns_of_classes(odds, object$settings$levels, 0)
    return(matrix(full, nrow(newx), dimnames = list(rownames(newx), object$settings$levels)))
  }
  predicted <- as.character(object$learner$predict(object$model, newx))
  stats::setNames(factor(predicted, object$settings$levels), rownames(newx))
}

#' @rdname eliminate_features
#' @export
print.stabilect_elimination <- function(x, ...) {
  settings <- x$settings
  at <- x$sizes[x$sizes$size == x$n_features, ]
  cat(sprintf(
    "<stabilect_elimination> %d of %d features, by %s (%s)\n", x$n_features, settings$p,
    x$learner$label,
    x$search$label
  ))
  print_input_notes(x)
  cat(sprintf(
    "%s %s (se %s) over %d runs; %d sizes, %d fits%s\n", settings$metric,
    format(at$score, digits = 3), format(at$se, digits = 2), length(ok_runs(x$selection)),
    nrow(x$sizes), x$n_fits, if (x$complete) "" else ", stopped early"
  ))
  if (x$interval[[1]] < x$interval[[2]]) {
    cat(sprintf("promising sizes: %d to %d\n", x$interval[[1]], x$interval[[2]]))
  }
  shown <- utils::head(x$features, 8L)
  if (length(shown) > 0L) {
    more <- length(x$features) - length(shown)
    cat(
      paste(shown, collapse = ", "), if (more > 0L) sprintf(", and %d more", more), "\n", sep = ""
    )
  }
  invisible(x)
}

#' @rdname eliminate_features
#' @export
summary.stabilect_elimination <- function(object, ...) {
  judged <- length(ok_runs(object$selection)) > 1L
  structure(
    list(rfe = object, stability = if (judged) stability(object$selection)$table),
    class = "summary_stabilect_elimination"
  )
}

#' @export
print.summary_stabilect_elimination <- function(x, ...) {
  print(x$rfe)
  cat(sprintf(
    "best mean %s at %d features; within one standard error from %d\n\n", x$rfe$settings$metric,
    x$rfe$best, x$rfe$one_se
  ))
  if (!is.null(x$stability)) {
    cat("stability of the runs' features\n")
    print(x$stability[c("index", "estimate", "lower", "upper")], row.names = FALSE, digits = 3)
    cat("\n")
  }
  # The sizes next to the chosen one.
  sizes <- x$rfe$sizes
  near <- order(abs(match(x$rfe$n_features, sizes$size) - seq_len(nrow(sizes))))
  print(sizes[sort(utils::head(near, 15L)), ], row.names = FALSE, digits = 3)
  if (length(near) > 15L) cat(sprintf("... and %d more sizes\n", length(near) - 15L))
  invisible(x)
}

#' @rdname eliminate_features
#' @param row.names,optional Not used.
#' @export
as.data.frame.stabilect_elimination <- function(x, row.names = NULL, # nolint: object_name_linter.
                                        optional = FALSE, ...) {
  rank <- if (is.null(x$ranking)) rep(NA_integer_, x$settings$p) else unname(x$ranking)
  data.frame(
    feature = x$selection$feature_names, rank = rank, selected = rank <= x$n_features,
    frequency = mean_selected(x$selection),
    mean_rank = unname(rowMeans(x$rankings, na.rm = TRUE))
  )
}
