# The laws: from a first call, with its data, a second one that must have the same value.

# @param change function(one): the second call. @param when function(one): does the law apply?
# @param given (flag) are the resamples given? @param drop (character) fields that may differ.
# @param turn function(value, two): the second value as the first.
# @param tolerance (number) 0: to the last bit. @param refused (flag) may the second be refused?
laws_law <- function(change, when = function(one) TRUE, given = FALSE, drop = character(),
                     turn = NULL, tolerance = NULL, refused = FALSE) {
  list(
    change = change, when = when, given = given, drop = drop, turn = turn, tolerance = tolerance,
    refused = refused
  )
}

laws_set <- function(this, ...) {
  values <- list(...)
  this$data[names(values)] <- values
  this
}

# Rows or columns of everything that belongs to them.
laws_take_columns <- function(one, at) {
  d <- one$data
  laws_set(one,
    x = d$x[, at], new = d$new[, at], v = d$v[at], cl = d$cl[at], first = d$first[at]
  )
}

laws_take_rows <- function(one, at) {
  d <- one$data
  laws_set(one,
    x = d$x[at, ], y = d$y[at], z = d$z[at, , drop = FALSE], w = d$w[at], o = d$o[at], s = d$s[at],
    b = d$b[at], g = d$g[at], counts = d$counts[at, , drop = FALSE]
  )
}

laws_has <- function(one, ...) any(c(...) %in% one$axes)
laws_uses <- function(one, name) name %in% all.names(one$call)

# Values by sample, of a verb whose samples were permuted, in the first order.
laws_by_sample <- function(value, two) {
  at <- match(paste0("s", seq_along(two$data$w)), rownames(two$data$x))
  n <- length(at)
  for (name in grep("predictions|\\blink\\b|left_out", names(value), value = TRUE)) {
    v <- value[[name]]
    if (length(v) > 0L && length(v) %% n == 0L) value[[name]] <- as.vector(matrix(v, n)[at, ])
  }
  value
}

# Laws that few calls can have: 400 pairs may lack them.
laws_rare <- c(
  "new samples, columns in another order", "offset taken from numbers", "penalty times a number",
  "one stratum", "offset and a number", "offset of 0", "strata of other names",
  "weights times a number", "features in another order-preserving scale"
)

# Laws that do not hold yet.
laws_not_yet <- c("a copy of a feature", "a copy of a sample")

laws_pairs <- function() {
  all <- c(
    laws_of_order(), laws_of_axes(), laws_of_forms(), laws_of_units(), laws_of_work(), laws_of_copies()
  )
  all[setdiff(names(all), laws_not_yet)]
}

# With a sample of a class one of every other class is left out, which is drawn.
laws_of_companions <- function(one) {
  if (laws_uses(one, "select_ensemble") && !is.null(one$call$learner)) "oob"
}

# What find_signals() draws column by column; its p-values do not.
laws_drawn <- c(
  "table", "features", "probability", "mc_error", "candidates", "neighbours", "sets", "background", "unnamed",
  "expected_wrong", "inclusion", "set_size", "n_neighbours", "dependence"
)

laws_of_order <- function() {
  list(
    columns = laws_law(
      function(one) laws_take_columns(one, sample(ncol(one$data$x))),
      when = function(one) !one$random && !one$verb$loop,
      drop = function(one) if (one$name == "eliminate_features") "model"
    ),
    rows = laws_law(
      function(one) laws_take_rows(one, sample(nrow(one$data$x))), given = TRUE,
      when = function(one) one$verb$rows && (is.null(one$verb$plan) || !is.null(one$data$counts)),
      turn = laws_by_sample, drop = laws_of_companions
    ),
    "names of features" = laws_law(
      function(one) {
        names <- sub("g", "f", colnames(one$data$x))
        one$data$x <- `colnames<-`(one$data$x, names)
        one$data$new <- `colnames<-`(one$data$new, names)
        one$call <- laws_rename(one$call)
        one
      },
      tolerance = 0,
      turn = function(value, two) {
        names(value) <- gsub("\\bf([0-9])", "g\\1", names(value))
        lapply(value, function(v) if (is.character(v)) gsub("\\bf([0-9])", "g\\1", v) else v)
      }
    ),
    "names of samples" = laws_law(
      function(one) {
        rownames(one$data$x) <- NULL
        rownames(one$data$z) <- NULL
        names(one$data$y) <- NULL
        one
      },
      drop = c("sample", "samples"), tolerance = 0
    ),
    "outcome in another order" = laws_law(
      function(one) {
        names(one$data$y) <- rev(names(one$data$y))
        one
      },
      when = function(one) one$kind != "survival", refused = TRUE
    ),
    "new samples, columns in another order" = laws_law(
      function(one) laws_set(one, new = one$data$new[, rev(colnames(one$data$new))]),
      when = function(one) one$name == "predict_model", tolerance = 0
    )
  )
}

laws_rename <- function(call) {
  if (is.character(call)) return(sub("^g([0-9])", "f\\1", call))
  if (is.call(call) && !identical(call[[1]], quote(`function`))) {
    for (i in seq_along(call)) {
      if (!identical(call[[i]], quote(expr = ))) call[[i]] <- laws_rename(call[[i]])
    }
  }
  call
}

# An axis at the value that says nothing.
laws_neutral <- function(axis, value, tolerance = NULL, symbol = laws_axes[[axis]], ...) {
  laws_law(
    function(one) {
      one <- laws_set(one, neutral = value(one))
      one$call[[axis]] <- quote(neutral)
      one
    },
    when = function(one) axis %in% one$verb$axes && !laws_has(one, axis, laws_apart[[axis]]) &&
      laws_suits(axis, one$kind), tolerance = tolerance, ...
  )
}

laws_apart <- list(
  weights = "within", offset = "within", strata = "within", penalty = c("clusters"),
  clusters = c("penalty", "views", "within")
)

laws_suits <- function(axis, kind) {
  switch(axis,
    strata = kind == "survival", offset = kind %in% c("numeric", "count", "survival"), TRUE
  )
}

laws_of_axes <- function() {
  list(
    "weights of 1" = laws_neutral("weights", function(one) rep(1, nrow(one$data$x))),
    "offset of 0" = laws_neutral("offset", function(one) rep(0, nrow(one$data$x))),
    "penalty of 1" = laws_neutral("penalty", function(one) rep(1, ncol(one$data$x))),
    "one stratum" = laws_neutral("strata", function(one) rep("a", nrow(one$data$x))),
    "clusters of one feature" = laws_neutral("clusters",
      function(one) colnames(one$data$x), drop = c("members", "member_selection", "size", "representative", "model", "oob", "unit")
    ),
    "blocks of one sample" = laws_law(
      function(one) {
        one$data$b <- seq_len(nrow(one$data$x))
        one$call <- laws_add_blocks(one$call)
        one
      },
      when = function(one) "blocks" %in% one$verb$axes && !laws_has(one, "blocks", "within"),
      drop = "n_blocks"
    ),
    "weights times a number" = laws_law(
      function(one) laws_set(one, w = one$data$w * 4),
      when = function(one) {
        laws_has(one, "weights") && one$name != "lars_path" && !laws_uses(one, "bolasso")
      },
      drop = c("deviance", "null_deviance")
    ),
    "penalty times a number" = laws_law(
      function(one) laws_set(one, v = one$data$v * 4),
      when = function(one) {
        laws_has(one, "penalty") && one$name %in% c("fealect", "stability_selection") &&
          !laws_uses(one, "efp")
      },
      drop = "bound"
    ),
    "offset and a number" = laws_law(
      function(one) laws_set(one, o = one$data$o + 2), when = function(one) laws_has(one, "offset"),
      drop = c("intercept", "intercepts")
    ),
    "offset taken from numbers" = laws_law(
      function(one) {
        one <- laws_set(one, y = one$data$y - one$data$o)
        one$call$offset <- NULL
        one
      },
      when = function(one) laws_has(one, "offset") && one$kind == "numeric"
    ),
    "covariates in other units" = laws_law(
      function(one) {
        one$data$z$age <- 3 * one$data$z$age - 7
        one$data$z$sex <- factor(one$data$z$sex, c("m", "f"))
        one
      },
      when = function(one) laws_has(one, "covariates"), tolerance = 1e-6,
      drop = c(
        "covariates", "intercept", "intercepts", "coefficients", "means", "standardised",
        "without_features", "offset"
      )
    ),
    "strata of other names" = laws_law(
      function(one) laws_set(one, s = c("u", "t")[one$data$s]),
      when = function(one) laws_has(one, "strata"), tolerance = 0
    ),
    "groups of other names" = laws_law(
      function(one) laws_set(one, g = paste0("k", max(one$data$g) - one$data$g)),
      when = function(one) laws_has(one, "within") && one$name != "find_signals"
    ),
    "blocks of other names" = laws_law(
      function(one) laws_set(one, b = paste0("k", max(one$data$b) - one$data$b)),
      when = function(one) laws_has(one, "blocks"), tolerance = 0
    ),
    "clusters of other names" = laws_law(
      function(one) laws_set(one, cl = split(colnames(one$data$x), one$data$cl)),
      when = function(one) laws_has(one, "clusters"), tolerance = 0
    )
  )
}

# The data of a call as prepared data with blocks.
laws_add_blocks <- function(call) {
  own <- as.list(call)
  at <- which(vapply(own, identical, NA, quote(y)))[1]
  prepared <- as.call(list(quote(prepare_study), own[[at - 1L]], quote(y), blocks = quote(b)))
  own[[at - 1L]] <- prepared
  as.call(own[-at])
}

# x in another form.
laws_form <- function(form, when = function(one) TRUE, ...) {
  laws_law(
    function(one) {
      one$data$frame_of <- form
      one$call <- laws_replace(one$call, quote(x), quote(frame_of(x)))
      one
    },
    when = function(one) {
      !laws_has(one, "views") && !laws_uses(one, "[") && !laws_uses(one, "function") &&
        !laws_uses(one, "nrow") && !laws_uses(one, "feature_effects") && when(one)
    }, ...
  )
}

laws_replace <- function(call, from, to) {
  own <- as.list(call)
  for (i in seq_along(own)[-1]) {
    if (identical(own[[i]], from)) {
      own[[i]] <- to
    } else if (is.call(own[[i]])) {
      own[[i]] <- laws_replace(own[[i]], from, to)
    }
  }
  as.call(own)
}

laws_of_forms <- function() {
  whole <- function(one) one$data$form %in% c("counts", "codes")
  alone <- function(one) !laws_has(one, "blocks") && one$kind != "survival"
  list(
    "data frame" = laws_form(function(x) as.data.frame(x), tolerance = 0),
    tibble = laws_form(function(x) tibble::as_tibble(x), tolerance = 0, drop = c("sample", "samples")),
    "whole numbers" = laws_form(function(x) `storage.mode<-`(x, "integer"), whole, tolerance = 0),
    sparse = laws_form(function(x) Matrix::Matrix(x, sparse = TRUE), function(one) {
      whole(one) && !laws_has(one, "within")
    }),
    prepared = laws_form(function(x) prepare_study(x), function(one) !laws_has(one, "blocks"), tolerance = 0),
    SummarizedExperiment = laws_form(function(x) {
      SummarizedExperiment::SummarizedExperiment(list(values = t(x)))
    }, alone, tolerance = 0),
    ExpressionSet = laws_form(function(x) Biobase::ExpressionSet(t(x)), alone, tolerance = 0),
    formula = laws_law(
      function(one) {
        one$data$frame <- data.frame(outcome = I(one$data$y), one$data$x)
        if (one$kind != "survival") one$data$frame$outcome <- one$data$y
        one$call <- laws_formula(one$call)
        one
      },
      when = function(one) {
        has <- c("data") %in% names(formals(get(as.character(one$call[[1]]), asNamespace("stabilect"))))
        has && !laws_has(one, "views", "blocks") && !laws_uses(one, "feature_effects") &&
          !laws_uses(one, "nrow")
      }, tolerance = 0
    ),
    "new samples as a data frame" = laws_law(
      function(one) laws_set(one, new = as.data.frame(one$data$new)),
      when = function(one) one$name == "predict_model", tolerance = 0
    ),
    "covariates as numbers" = laws_law(
      function(one) laws_set(one, z = cbind(age = one$data$z$age, "sex: m" = one$data$z$sex == "m")),
      when = function(one) laws_has(one, "covariates"), tolerance = 0
    ),
    "covariates by a formula" = laws_law(
      function(one) {
        one$data$age <- one$data$z$age
        one$data$sex <- one$data$z$sex
        one$call$covariates <- quote(~ age + sex)
        one
      },
      when = function(one) laws_has(one, "covariates"), tolerance = 0
    ),
    "classes as flags" = laws_law(
      function(one) laws_set(one, y = one$data$y == "well"),
      when = function(one) one$kind == "binary", tolerance = 0,
      drop = laws_of_levels
    ),
    "classes as 0 and 1" = laws_law(
      function(one) laws_set(one, y = stats::setNames((one$data$y == "well") + 0, names(one$data$y))),
      when = function(one) one$kind == "binary" && one$name != "lars_path", tolerance = 0,
      drop = laws_of_levels
    ),
    "blocks in the plan" = laws_law(
      function(one) {
        one$call <- laws_replace(one$call, quote(prepare_study(x, y, blocks = b)), quote(x))
        own <- as.list(one$call)
        one$call <- as.call(c(own[1:2], quote(y), own[-(1:2)]))
        one$call$resampling$blocks <- quote(b)
        one
      },
      when = function(one) {
        laws_has(one, "blocks") && !laws_has(one, "views") && !is.null(one$verb$plan)
      }, tolerance = 0
    ),
    "classes as text" = laws_law(
      function(one) laws_set(one, y = stats::setNames(as.character(one$data$y), names(one$data$y))),
      when = function(one) one$kind %in% c("binary", "multiclass"), tolerance = 0
    ),
    "covariates as columns" = laws_law(
      function(one) laws_set(one, z = data.frame(
        age = one$data$z$age, sex = as.character(one$data$z$sex), row.names = rownames(one$data$z)
      )),
      when = function(one) laws_has(one, "covariates"), tolerance = 0
    )
  )
}

# Where levels are said.
laws_of_levels <- c("direction", "observed", "predicted", "predictions", "levels", "log_odds_of")

laws_formula <- function(call) {
  call <- laws_replace(call, quote(x), quote(outcome ~ .))
  own <- as.list(call)
  at <- which(vapply(own, identical, NA, quote(y)))[1]
  own[[at]] <- NULL
  as.call(c(own, data = quote(frame)))
}

# Fields in the units of x, and of y.
laws_x_units <- c(
  "coefficients", "coefficient", "means", "mean", "sd", "center", "scale", "intercept", "intercepts",
  "offset"
)
laws_y_units <- c(
  laws_x_units, "lambda", "rss", "sigma2", "deviance", "null_deviance", "error", "oob", "without_features",
  "standardised", "covariates", "importance", "spread", "effect", "scores", "sizes",
  "rmse", "mse", "mae", "lower", "upper", "null", "records", "studies", "difference", "limit"
)
laws_sign_units <- c(
  laws_x_units, "standardised", "covariates", "predictions", "weight", "link", "direction", "model",
  "partial_r", "lower", "upper", "correlation", "effect", "in_sample", "left_out", "same_sign", "without_features"
)

laws_of_units <- function() {
  # Variances of features, and of all of them, are in their units.
  scaled <- function(one) one$verb$scale && !"moderated_t" %in% unlist(lapply(as.list(one$call), as.list))
  list(
    "features in units of powers of two" = laws_law(
      function(one) {
        by <- 2^sample(-8:8, ncol(one$data$x), TRUE)
        laws_set(one, x = sweep(one$data$x, 2, by, "*"), new = sweep(one$data$new, 2, by, "*"))
      },
      when = scaled, drop = laws_x_units
    ),
    "features in other units" = laws_law(
      function(one) {
        by <- sample(c(0.3, 7, 11), ncol(one$data$x), TRUE)
        shift <- sample(-3:3, ncol(one$data$x), TRUE)
        change <- function(x) sweep(sweep(x, 2, by, "*"), 2, by * shift, "+")
        laws_set(one, x = change(one$data$x), new = change(one$data$new))
      },
      when = scaled, drop = laws_x_units
    ),
    "features negated" = laws_law(
      function(one) laws_set(one, x = -one$data$x, new = -one$data$new),
      when = function(one) scaled(one) && !one$verb$simulates, drop = laws_sign_units
    ),
    "features in another order-preserving scale" = laws_law(
      function(one) {
        change <- function(x) sign(x) * abs(x)^3 + x
        laws_set(one, x = change(one$data$x))
      },
      when = function(one) {
        grepl("^score|ensemble", one$name) && !laws_has(one, "covariates") &&
          any(c("wilcoxon", "spearman") %in% unlist(lapply(as.list(one$call), as.list)))
      },
      drop = "direction"
    ),
    "numbers in other units" = laws_law(
      function(one) laws_set(one, y = 4 * one$data$y - 3, o = 4 * one$data$o),
      when = function(one) {
        one$kind == "numeric" && !one$name %in% c("bolasso", "predict_model", "validate_model")
      },
      drop = laws_y_units
    ),
    "numbers negated" = laws_law(
      function(one) laws_set(one, y = -one$data$y, o = -one$data$o),
      when = function(one) one$kind == "numeric" && one$name != "predict_model" && !one$verb$simulates,
      drop = c(laws_sign_units, "observed")
    ),
    "times in other units" = laws_law(
      function(one) {
        laws_set(one, y = survival::Surv(8 * one$data$y[, 1], one$data$y[, 2]))
      },
      when = function(one) one$kind == "survival", drop = c("observed", "model", "tau", "time")
    ),
    "classes of other names" = laws_law(
      function(one) laws_relabel(one, function(levels) paste0("kk", levels)),
      when = function(one) one$kind %in% c("binary", "multiclass", "ordered"), tolerance = 0,
      turn = function(value, two) {
        names(value) <- gsub("kk", "", names(value))
        lapply(value, function(v) if (is.character(v)) gsub("kk", "", v) else v)
      }
    ),
    "classes in another order" = laws_law(
      function(one) {
        y <- one$data$y
        levels <- rev(levels(y))
        laws_set(one, y = stats::setNames(factor(as.character(y), levels, ordered = is.ordered(y)), names(y)))
      },
      when = function(one) one$kind %in% c("binary", "multiclass", "ordered") && one$name != "predict_model" &&
          !one$verb$loop,
      drop = function(one) {
        c(laws_sign_units, "levels", "covariates", "thresholds", laws_of_companions(one))
      }, given = TRUE
    )
  )
}

laws_relabel <- function(one, change) {
  levels(one$data$y) <- change(levels(one$data$y))
  one
}

# The same work in other pieces: to the last bit.
laws_of_work <- function() {
  takes <- function(word) {
    function(one) {
      fun <- get(as.character(one$call[[1]]), asNamespace("stabilect"))
      own <- names(formals(fun))
      word %in% own || "control" %in% own && word %in% c("n_threads", "checkpoint")
    }
  }
  list(
    "two threads" = laws_law(
      function(one) {
        one$call$n_threads <- 2
        one
      },
      when = takes("n_threads"), tolerance = 0
    ),
    checkpoint = laws_law(
      function(one) {
        one$call$checkpoint <- tempfile()
        one
      },
      when = takes("checkpoint"), tolerance = 0
    ),
    "merged parts" = laws_law(
      function(one) {
        one$data$draws <- NULL
        one$call <- bquote({
          draws <- draw_resamples(.(one$call$resampling), y, seed = seed)
          half <- seq_len(2 * (draws$n_runs %/% 4))
          run <- function(draws) .({
            part <- one$call
            part$resampling <- quote(draws)
            part
          })
          merge_runs(run(draws[half]), run(draws[-half]))
        })
        one
      },
      when = function(one) {
        one$name %in% c("fealect", "stability_selection", "bolasso", "select_ensemble", "hybrid_rfe",
          "stability_clusters", "stability_selector") && !laws_has(one, "blocks", "within") &&
          !laws_uses(one, "oob")
      },
      drop = c("oob", "convergence", "coefficients", "model"), tolerance = 1e-12
    )
  )
}

# A copy is no new feature, and no new sample.
laws_of_copies <- function() {
  alone <- function(one) length(one$axes) == 0L && !one$verb$loop && !laws_uses(one, "counts")
  list(
    "a copy of a feature" = laws_law(
      function(one) {
        x <- one$data$x
        at <- sample(colnames(x), 1L)
        laws_set(one,
          x = cbind(x, `colnames<-`(x[, at, drop = FALSE] * sample(c(1, -1), 1L), "zz")),
          new = cbind(one$data$new, zz = one$data$new[, at])
        )
      },
      when = alone,
      turn = function(value, two) {
        lapply(value, function(v) if (is.character(v)) sub(" [(][+]1[)]$", "", v) else v)
      }
    ),
    "a copy of a sample" = laws_law(
      function(one) {
        n <- nrow(one$data$x)
        one$call <- laws_replace(one$call, quote(prepare_study(x, y, blocks = b)), quote(x))
        own <- as.list(one$call)
        one$call <- as.call(c(own[1:2], quote(y), own[-(1:2)]))
        one
      },
      when = function(one) laws_has(one, "blocks") && length(one$axes) == 1L
    )
  )
}
