# The laws: from a first call, with its data, a second one that must have the same value.

# @param change function(one): the second call. @param when function(one): does the law apply?
# @param given (flag) are the resamples given? @param drop (character) fields that may differ.
# @param turn function(value, two): the second value as the first.
# @param tolerance (number) 0: to the last bit. @param refused function(one): may the second be
#   refused?
laws_law <- function(change, when = function(one) TRUE, given = FALSE, drop = character(),
                     turn = NULL, tolerance = NULL, refused = function(one) FALSE) {
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
  # Views keep their places: penalties belong to the columns of all views in turn.
  if (laws_has(one, "views")) at <- c(at[d$first[at]], at[!d$first[at]])
  laws_set(one,
    x = d$x[, at], new = d$new[, at], v = d$v[at], j = d$j[at], cl = d$cl[at],
    first = d$first[at]
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

# Is its bound that of whole paths?
laws_integrated <- function(one) !is.null(one$call$pfer) && is.null(one$call$q)
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
  "covariates by a formula", "clusters of other names",
  "weights times a number", "features in another order-preserving scale",
  "new samples as a data frame", "a copy of a feature"
)

# Laws that do not hold yet.
laws_not_yet <- character()

laws_pairs <- function() {
  all <- c(
    laws_of_order(), laws_of_axes(), laws_of_forms(), laws_of_y(), laws_of_units(),
    laws_of_units_of_y(), laws_of_work(), laws_of_copies()
  )
  all[setdiff(names(all), laws_not_yet)]
}

laws_without_ties <- c(
  "fealect", "stability_selection", "stability_clusters", "bolasso", "score_features",
  "score_adjusted", "find_signals", "fit_model", "fit_all", "predict_model", "lars_path",
  "lasso_path", "feature_effects", "validate_model", "compare_cohorts"
)

# With a sample of a class one of every other class is left out, and risks are compared in groups of
# samples: both are drawn by the places of samples.
laws_of_companions <- function(one) {
  learns <- one$name == "fealect" || laws_uses(one, "select_ensemble") && !is.null(one$call$learner)
  if (learns && one$kind %in% c("binary", "multiclass", "ordered", "survival")) "oob"
}

# What find_signals() draws column by column; its p-values do not.
laws_drawn <- c(
  "table", "features", "probability", "mc_error", "candidates", "neighbours", "sets",
  "background", "unnamed", "expected_wrong", "inclusion", "set_size", "n_neighbours", "dependence"
)

laws_of_order <- function() {
  list(
    columns = laws_law(
      function(one) laws_take_columns(one, sample(ncol(one$data$x))),
      # Rotations are drawn in coordinates that the columns give, and true features of simulations
      # by their places. Learners weigh columns that are equal in a run equally but for rounding.
      when = function(one) {
        !one$verb$simulates && !identical(one$call$null, "rotation") &&
          !(one$data$form == "rare" && grepl("^eliminate|^hybrid", one$name))
      },
      drop = function(one) {
        if (one$name == "eliminate_features") "model"
      }
    ),
    rows = laws_law(
      function(one) laws_take_rows(one, sample(nrow(one$data$x))), given = TRUE,
      # Permutations and noise are drawn by the places of samples, and so is the lot of columns that
      # are equal in a run: rare values are, correlations of ranks, and information in bins.
      when = function(one) {
        one$verb$rows && !laws_has(one, "jitter") &&
          (is.null(one$verb$plan) || !is.null(one$data$counts)) &&
          !isTRUE(one$call$permute > 0) && one$data$form != "rare" &&
          !laws_scores_by(one, "spearman", "wilcoxon", "mutual_information") &&
          !laws_uses(one, "selector_mrmr")
      },
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
      # Equal scores are ordered by names, which decides about lists of a given size and about last
      # bits of models.
      when = function(one) one$name %in% laws_without_ties && one$data$form != "rare",
      # Lists of half of the runs, of a given size.
      drop = "overlap",
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
      when = function(one) one$kind != "survival", refused = function(one) TRUE
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
      if (!rlang::is_missing(call[[i]])) call[[i]] <- laws_rename(call[[i]])
    }
  }
  call
}

# An axis at the value that says nothing.
laws_neutral <- function(axis, value, ...) {
  laws_law(
    function(one) {
      one <- laws_set(one, neutral = value(one))
      one$call[[axis]] <- quote(neutral)
      one
    },
    when = function(one) {
      axis %in% one$verb$axes && !laws_has(one, axis, laws_apart[[axis]]) &&
        laws_suits(axis, one$kind)
    }, ...
  )
}

laws_apart <- list(
  weights = "within", offset = "within", strata = "within", penalty = c("clusters"),
  clusters = c("penalty", "views", "within")
)

laws_of_axes <- function() {
  list(
    "weights of 1" = laws_neutral("weights", function(one) rep(1, nrow(one$data$x))),
    "offset of 0" = laws_neutral("offset", function(one) rep(0, nrow(one$data$x))),
    "penalty of 1" = laws_neutral("penalty", function(one) rep(1, ncol(one$data$x))),
    "jitter of 0" = laws_neutral("jitter", function(one) 0),
    "one stratum" = laws_neutral("strata", function(one) rep("a", nrow(one$data$x))),
    "clusters of one feature" = laws_neutral("clusters",
      function(one) colnames(one$data$x),
      drop = c("members", "member_selection", "size", "representative", "model", "oob", "unit")
    ),
    "blocks of one sample" = laws_law(
      function(one) {
        one$data$b <- seq_len(nrow(one$data$x))
        one$call <- laws_add_blocks(one$call)
        one
      },
      when = function(one) "blocks" %in% one$verb$axes && !laws_has(one, "blocks", "within"),
      drop = c("n_blocks", "scheme")
    ),
    "weights times a number" = laws_law(
      function(one) laws_set(one, w = one$data$w * 4),
      when = function(one) {
        laws_has(one, "weights") && one$name != "lars_path" && !laws_uses(one, "bolasso") &&
          laws_equal_enter_alike(one)
      },
      drop = c("deviance", "null_deviance")
    ),
    "penalty times a number" = laws_law(
      function(one) laws_set(one, v = one$data$v * 4),
      # Paths of likelihoods foresee events, whose order then depends on where models are stated.
      when = function(one) {
        laws_has(one, "penalty") && one$name %in% c("fealect", "stability_selection") &&
          !laws_integrated(one) && is.null(one$call$family) &&
          one$kind %in% c("binary", "ordered", "numeric")
      },
      drop = c("bound", "null")
    ),
    "offset and a number" = laws_law(
      function(one) laws_set(one, o = one$data$o + 2),
      when = function(one) laws_has(one, "offset") && one$data$form != "rare",
      drop = function(one) {
        # That of bolasso() has the intercept in front.
        c("intercept", "intercepts", if (one$name == "bolasso") "coefficients")
      }
    ),
    "offset taken from numbers" = laws_law(
      function(one) {
        one <- laws_set(one, y = one$data$y - one$data$o)
        one$call$offset <- NULL
        one
      },
      # With an offset the penalties where features enter are foreseen to some percent.
      when = function(one) {
        laws_has(one, "offset") && one$kind == "numeric" && !laws_integrated(one)
      }
    ),
    "covariates in other units" = laws_law(
      function(one) {
        one$data$z$age <- 3 * one$data$z$age - 7
        one$data$z$sex <- factor(one$data$z$sex, c("m", "f"))
        one
      },
      # On likelihood paths rounding may decide which of two equal columns is met first.
      when = function(one) laws_has(one, "covariates") && one$data$form != "rare",
      tolerance = 1e-6,
      drop = function(one) {
        # The hazard without features is that of covariates of 0.
        c(
          "covariates", "intercept", "intercepts", "coefficients", "means", "standardised",
          "without_features", "offset", "hazard_alone",
          if (laws_uses(one, "find_signals")) laws_drawn
        )
      }
    ),
    "strata of other names" = laws_law(
      function(one) laws_set(one, s = c("u", "t")[one$data$s]),
      when = function(one) laws_has(one, "strata"), tolerance = 1e-12
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
      when = function(one) laws_has(one, "clusters")
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

laws_merged <- c(
  "fealect", "stability_selection", "bolasso", "select_ensemble",
  "stability_clusters", "stability_selector"
)

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
        part <- one$call
        part$resampling <- quote(draws)
        one$call <- bquote({
          draws <- draw_resamples(.(one$call$resampling), y, seed = seed)
          half <- seq_len(2 * (draws$n_runs %/% 4))
          run <- function(draws) {
            .(part)
          }
          merge_runs(run(draws[half]), run(draws[-half]))
        })
        one
      },
      when = function(one) {
        # The default of q goes by the number of runs, and permutations are left out.
        one$name %in% laws_merged && !laws_has(one, "blocks", "within") &&
          !laws_integrated(one) && !isTRUE(one$call$permute > 0)
      },
      drop = c("oob", "convergence", "coefficients", "model"), tolerance = 1e-12,
      # Half of the pairs may be too few for a bound.
      refused = function(one) laws_uses(one, "stability_selection")
    )
  )
}

# A copy is no new feature.
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
      # A path has a coefficient of every column.
      when = function(one) {
        alone(one) && !laws_uses(one, "lars_path") && !laws_uses(one, "lasso_path")
      },
      # There may be others.
      drop = "copies",
      turn = function(value, two) {
        value <- value[!grepl("(^|[$])copies$", names(value))]
        lapply(value, function(v) if (is.character(v)) sub(" [(][+]1[)]$", "", v) else v)
      }
    )
  )
}
