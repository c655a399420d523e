# Lists that name what they find: names on shuffled and on imitated outcomes. Read by run.R.

quiet <- function(verb, x, y, ..., seed) verb(x, y, ..., seed = seed, progress = FALSE)
below <- function(x, p) colnames(x)[which(p <= 0.05)]

# P values of the score of each feature, of one feature at a time.
p_of_tests <- function(x, y) {
  score <- score_features(x, y, univariate(y), seed = 1)$score
  n <- nrow(x)
  k <- nlevels(y)
  switch(outcome_of_set(y),
    `two classes` = 2 * stats::pt(-score, n - 2),
    `several classes` = stats::pf(score, k - 1, n - k, lower.tail = FALSE),
    survival = 2 * stats::pnorm(-score)
  )
}

# Each function of (x, y, seed) returns lists that share its run.
namers <- list(
  t = function(x, y, seed) list(t = below(x, stats::p.adjust(p_of_tests(x, y), "BH"))),
  limma = function(x, y, seed) {
    if (!is.factor(y)) {
      return(list())
    }
    fit <- limma::lmFit(t(x), stats::model.matrix(~y))
    fit <- limma::eBayes(fit[, -1L])
    list(limma = below(x, stats::p.adjust(fit$F.p.value, "BH")))
  },
  glmnet = function(x, y, seed) {
    family <- switch(outcome_of_set(y),
      `two classes` = "binomial", `several classes` = "multinomial", survival = "cox"
    )
    fit <- glmnet::cv.glmnet(x, y, family = family)
    at <- function(penalty) {
      beta <- stats::coef(fit, s = penalty)
      beta <- if (is.list(beta)) beta else list(beta)
      named <- unlist(lapply(beta, function(b) rownames(b)[as.matrix(b)[, 1L] != 0]))
      intersect(colnames(x), named)
    }
    list(lasso_min = at("lambda.min"), lasso_1se = at("lambda.1se"))
  },
  stability = function(x, y, seed) {
    list(stability = quiet(stability_selection, x, y, seed = seed)$features)
  },
  fealect = function(x, y, seed) {
    table <- quiet(
      fealect, x, y, n_runs = 30, max_features = 20, oob = FALSE, permute = 19, seed = seed
    )$table
    list(fealect = table$feature[which(table$p_fwer <= 0.05)])
  },
  signals = function(x, y, seed) {
    fit <- quiet(find_signals, x, y, seed = seed)
    marks <- fit$marginal
    list(signals = fit$features, marks = marks$feature[which(marks$p <= 0.05)])
  }
)

# Five true features and a part to which all features contribute a little explain three quarters of
# the imitated outcome, half each: the fourth strength of estimate_error_rates().
draw_outcome <- function(set, kind, seed) {
  space <- asNamespace("stabilect")
  if (kind == "shuffled") {
    rows <- withr::with_seed(seed, sample(nrow(set$x)))
    return(list(y = set$y[rows], truth = character()))
  }
  study <- space$open_study(
    set$x, set$y, space$takes_of("estimate_error_rates"), "the experiment"
  )
  z <- space$standardise_varying(study$x)
  like <- space$read_diffuse(study$response, z)
  drawn <- space$simulate_response(study, z, 5L, 0.75, seed, 0.5, like)
  list(y = drawn$y, truth = study$feature_names[drawn$truth])
}

# Near: an absolute correlation above 0.7. A true feature is found if it or a near one is named.
count_names <- function(names, truth, r) {
  near <- r[names, , drop = FALSE] > 0.7
  data.frame(
    named = length(names), true = sum(names %in% truth), unrelated = sum(rowSums(near) == 0),
    found = sum(colSums(near) > 0)
  )
}

one_outcome <- function(set, kind, seed) {
  drawn <- draw_outcome(set, kind, seed)
  r <- abs(stats::cor(set$x, set$x[, drawn$truth, drop = FALSE]))
  rows <- lapply(names(namers), function(name) {
    lists <- NULL
    seconds <- processor_seconds(lists <- tryCatch(
      withr::with_seed(seed, suppressWarnings(suppressMessages(
        namers[[name]](set$x, drawn$y, seed)
      ))),
      error = function(e) {
        message(name, ", seed ", seed, ": ", conditionMessage(e))
        list()
      }
    ))
    do.call(rbind, Map(function(names, list) {
      data.frame(list = list, count_names(names, drawn$truth, r), seconds = seconds)
    }, lists, names(lists)))
  })
  cbind(kind = kind, do.call(rbind, rows), row.names = NULL)
}
