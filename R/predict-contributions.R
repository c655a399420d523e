# What each feature adds to the prediction of a sample: exact, since final models are linear.

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
