# The laws of forms and units: the same data said in another way (helper-laws-pairs.R has the
# others).

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
    tibble = laws_form(tibble::as_tibble, tolerance = 0, drop = c("sample", "samples")),
    "whole numbers" = laws_form(function(x) `storage.mode<-`(x, "integer"), whole, tolerance = 0),
    sparse = laws_form(function(x) Matrix::Matrix(x, sparse = TRUE), function(one) {
      whole(one) && !laws_has(one, "within")
    }),
    prepared = laws_form(prepare_study, function(one) !laws_has(one, "blocks"), tolerance = 0),
    SummarizedExperiment = laws_form(function(x) {
      SummarizedExperiment::SummarizedExperiment(list(values = t(x)))
    }, alone, tolerance = 0),
    ExpressionSet = laws_form(function(x) Biobase::ExpressionSet(t(x)), alone, tolerance = 0),
    phyloseq = laws_form(function(x) {
      if (is.null(rownames(x))) rownames(x) <- paste0("s", seq_len(nrow(x)))
      table <- phyloseq::otu_table(x, taxa_are_rows = FALSE)
      about <- data.frame(n = x[, 1], row.names = rownames(x))
      phyloseq::phyloseq(table, phyloseq::sample_data(about))
    }, function(one) alone(one) && is_installed("phyloseq"), tolerance = 0,
    drop = c("sample", "samples")),
    formula = laws_law(
      function(one) {
        one$data$frame <- data.frame(outcome = I(one$data$y), one$data$x)
        if (one$kind != "survival") one$data$frame$outcome <- one$data$y
        one$call <- laws_formula(one$call)
        one
      },
      when = function(one) {
        verb <- get(as.character(one$call[[1]]), asNamespace("stabilect"))
        "data" %in% names(formals(verb)) && !laws_has(one, "views", "blocks") &&
          !laws_uses(one, "feature_effects") && !laws_uses(one, "nrow") &&
          !laws_uses(one, "function")
      }, tolerance = 0
    ),
    "new samples as a data frame" = laws_law(
      function(one) laws_set(one, new = as.data.frame(one$data$new)),
      when = function(one) one$name == "predict_model", tolerance = 0
    ),
    "covariates as numbers" = laws_law(
      function(one) {
        z <- one$data$z
        laws_set(one, z = cbind(age = z$age, "sex: m" = z$sex == "m"))
      },
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
    "values of samples by the name of a column" = laws_law(
      function(one) {
        given <- laws_sample_arguments(one)
        values <- lapply(given, function(name) one$data[[as.character(one$call[[name]])]])
        names(values) <- sprintf("my %s", given)
        one$data$frame_of <- function(x) data.frame(x, values, check.names = FALSE)
        one$call <- laws_replace(one$call, quote(x), quote(frame_of(x)))
        for (name in given) one$call[[name]] <- sprintf("my %s", name)
        one
      },
      when = function(one) {
        length(laws_sample_arguments(one)) > 0L && !laws_has(one, "views", "blocks") &&
          !laws_uses(one, "[") && !laws_uses(one, "function") && !laws_uses(one, "nrow") &&
          !laws_uses(one, "feature_effects") && one$name %in% c(path_verbs, "find_signals")
      }, tolerance = 0, drop = "covariate_columns"
    ),
    "blocks in the plan" = laws_law(
      function(one) {
        one$call <- laws_without_blocks(one$call)
        one$call$resampling$blocks <- quote(b)
        one
      },
      when = function(one) {
        laws_has(one, "blocks") && !laws_has(one, "views") && !is.null(one$verb$plan)
      }, tolerance = 0
    ),
    "covariates as columns" = laws_law(
      function(one) {
        one$data$z$sex <- as.character(one$data$z$sex)
        one
      },
      when = function(one) laws_has(one, "covariates"), tolerance = 0
    )
  )
}

# Arguments with a vector of one value a sample, as a symbol.
laws_sample_arguments <- function(one) {
  given <- intersect(c("within", "weights", "strata", "offset"), names(one$call))
  Filter(function(name) {
    is.symbol(one$call[[name]]) && is.null(dim(one$data[[as.character(one$call[[name]])]]))
  }, given)
}

# A call of prepared data as one of x and y.
laws_without_blocks <- function(call) {
  own <- as.list(laws_replace(call, quote(prepare_study(x, y, blocks = b)), quote(x)))
  as.call(c(own[1:2], quote(y), own[-(1:2)]))
}

laws_of_y <- function() {
  list(
    "classes as flags" = laws_law(
      function(one) laws_set(one, y = one$data$y == "well"),
      when = function(one) one$kind == "binary", tolerance = 0,
      drop = laws_of_levels
    ),
    "classes as 0 and 1" = laws_law(
      function(one) {
        laws_set(one, y = stats::setNames((one$data$y == "well") + 0, names(one$data$y)))
      },
      # Paths of numbers take them as they are, and classes as -1 and 1.
      when = function(one) {
        one$kind == "binary" && one$name != "lars_path" &&
          (one$name != "lasso_path" || !is.null(one$call$family))
      }, tolerance = 0,
      drop = laws_of_levels
    ),
    "classes as text" = laws_law(
      function(one) laws_set(one, y = stats::setNames(as.character(one$data$y), names(one$data$y))),
      when = function(one) one$kind %in% c("binary", "multiclass"), tolerance = 0
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
  "coefficients", "coefficient", "means", "mean", "sd", "center", "scale", "intercept",
  "intercepts",
  "offset"
)
laws_y_units <- c(
  laws_x_units, "lambda", "rss", "sigma2", "deviance", "null_deviance", "error", "oob",
  "without_features", "standardised", "covariates", "importance", "spread", "effect",
  "scores", "sizes", "rmse", "mse", "error_curve", "error_se", "error_fitted", "error_lower",
  "error_upper",
  "baseline", "mae", "lower", "upper",
  "null", "records", "cohorts", "difference", "limit"
)
laws_sign_units <- c(
  laws_x_units, "standardised", "covariates", "predictions", "weight", "link", "direction", "model",
  "partial_r", "lower", "upper", "correlation", "effect", "in_sample", "left_out", "same_sign",
  "without_features"
)

laws_of_units <- function() {
  # A moderated t shrinks the variance of a feature to the others', in their units.
  # Rotations are drawn in coordinates that the columns give.
  scaled <- function(one) {
    one$verb$scale && !laws_scores_by(one, "moderated_t") && !identical(one$call$null, "rotation")
  }
  list(
    "features in units of powers of two" = laws_law(
      function(one) {
        by <- 2^sample(-8:8, ncol(one$data$x), TRUE)
        laws_set(one,
          x = sweep(one$data$x, 2, by, "*"), new = sweep(one$data$new, 2, by, "*"),
          j = by * one$data$j
        )
      },
      when = scaled, drop = laws_x_units
    ),
    "features in other units" = laws_law(
      function(one) {
        # Scores of discrete features are equal but for rounding now and then.
        discrete <- one$data$form %in% c("counts", "codes", "rare")
        by <- sample(if (discrete) c(0.25, 8, 16) else c(0.3, 7, 11), ncol(one$data$x), TRUE)
        shift <- if (discrete) 0 else sample(-3:3, ncol(one$data$x), TRUE)
        change <- function(x) sweep(sweep(x, 2, by, "*"), 2, by * shift, "+")
        laws_set(one, x = change(one$data$x), new = change(one$data$new), j = by * one$data$j)
      },
      when = scaled, drop = laws_x_units
    ),
    "features negated" = laws_law(
      function(one) laws_set(one, x = -one$data$x, new = -one$data$new),
      # Bins of discrete values are closed on one side; noise is not negated.
      when = function(one) {
        scaled(one) && !laws_has(one, "jitter") && !one$verb$simulates &&
          !laws_uses(one, "selector_mrmr") && !laws_scores_by(one, "mutual_information")
      }, drop = laws_sign_units
    ),
    "features in another order-preserving scale" = laws_law(
      function(one) {
        change <- function(x) sign(x) * abs(x)^3 + x
        laws_set(one, x = change(one$data$x))
      },
      when = function(one) {
        grepl("^score|ensemble", one$name) && !laws_has(one, "covariates") &&
          laws_scores_by(one, "wilcoxon", "spearman")
      },
      # The model of a learner has the features as they are.
      drop = function(one) c("direction", if (!is.null(one$call$learner)) "oob")
    )
  )
}

# Is one of these words among the strings of the call?
laws_scores_by <- function(one, ...) {
  strings <- function(part) {
    if (is.call(part)) unlist(lapply(as.list(part), strings)) else if (is.character(part)) part
  }
  any(c(...) %in% strings(one$call))
}

laws_of_units_of_y <- function() {
  list(
    "numbers in other units" = laws_law(
      function(one) laws_set(one, y = 4 * one$data$y - 3, o = 4 * one$data$o),
      when = function(one) {
        one$kind == "numeric" && !one$name %in% c("bolasso", "predict_model", "validate_model")
      },
      drop = laws_y_units
    ),
    "numbers negated" = laws_law(
      function(one) laws_set(one, y = -one$data$y, o = -one$data$o),
      when = function(one) {
        one$kind == "numeric" && one$name != "predict_model" && !one$verb$simulates
      },
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
        other <- factor(as.character(y), rev(levels(y)), ordered = is.ordered(y))
        laws_set(one, y = stats::setNames(other, names(y)))
      },
      when = function(one) {
        # Stratified halves are drawn class by class; mutual information of discrete features is
        # equal but for the order of a sum now and then.
        one$kind %in% c("binary", "multiclass", "ordered") && one$name != "predict_model" &&
          !one$verb$loop && !(one$name == "split_test" && one$kind != "binary") &&
          !laws_scores_by(one, "mutual_information") && laws_equal_enter_alike(one) &&
          # Of classes that are equally likely the first is predicted.
          !(one$data$form == "rare" && laws_uses(one, "learner_lda"))
      },
      drop = function(one) {
        c(laws_sign_units, "levels", "covariates", "thresholds", laws_of_companions(one),
          if (one$name == "validate_model") "estimate",
          # A model without features of two equal classes predicts one of them.
          if (one$name == "compare_cohorts") c("error", "lower", "upper"))
      }, given = TRUE
    )
  )
}

laws_relabel <- function(one, change) {
  levels(one$data$y) <- change(levels(one$data$y))
  one
}
