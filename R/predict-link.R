# The link of samples by a final model, and what each feature adds to it: exact, since final models
# are linear.

# The linear predictor of new samples; of several classes a matrix with a column for each, of
# ordered ones for each but the lowest.
# @param x (double matrix) the features of the model, in its order; z: its covariates, or NULL.
# @param with_features (flag) FALSE for the predictor of the covariates alone.
link_of_model <- function(model, x, z = NULL, with_features = TRUE) {
  columns <- if (with_features) beside(z, x) else z
  weights <- as.matrix(if (with_features) model$coefficients else model$without_features)
  level <- seq_len(nrow(weights)) <= nrow(weights) - ncol(columns)
  constant <- if (any(level)) weights[level, ] else if (with_features) -model$offset else 0
  link <- at_levels(columns %*% weights[!level, , drop = FALSE], constant)
  if (ncol(link) > 1L) {
    return(with_classes(link, utils::tail(model$study$levels, ncol(link))))
  }
  stats::setNames(link[, 1L], rownames(columns))
}

# A column for each class, where there are columns.
with_classes <- function(odds, levels) {
  if (is.matrix(odds)) colnames(odds) <- levels
  odds
}

# The link of a sample is its mean over the fit plus these.
# @param model (stabilect_model); x (double matrix) its features; z (matrix, or NULL) covariates.
# @return (matrix, samples x covariates and features; array with a third dimension if each class has
#   coefficients) with the attribute `constant`, the mean link.
contributions_of <- function(model, x, z) {
  columns <- beside(z, x)
  weights <- as.matrix(model$coefficients)
  own <- nrow(weights) - ncol(columns) + seq_len(ncol(columns))
  centred <- columns - rep(model$means, each = nrow(columns))
  each <- lapply(seq_len(ncol(weights)), function(g) {
    centred * rep(weights[own, g], each = nrow(columns))
  })
  middle <- matrix(model$means, 1L, dimnames = list(NULL, names(model$means)))
  own_z <- seq_along(model$covariates)
  constant <- link_of_model(
    model, middle[, setdiff(seq_along(model$means), own_z), drop = FALSE],
    middle[, own_z, drop = FALSE]
  )
  values <- each[[1]]
  if (final_model_record(model)$by_class) {
    names <- list(rownames(columns), colnames(columns), colnames(weights))
    values <- array(unlist(each), c(dim(columns), length(each)), names)
  }
  structure(values, constant = drop(constant))
}
