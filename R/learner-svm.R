# The linear support vector machine as a classifier.

#' @rdname learner_lda
#' @export
learner_svm <- function(cost = 1, loss = c("l2", "l1"), standardise = TRUE) {
  cost <- check_positive(cost, "cost")
  loss <- check_choice(loss, "loss", c("l2", "l1"))
  standardise <- check_flag(standardise, "standardise")
  new_learner(
    "svm", "linear SVM", list(cost = cost, loss = loss, standardise = standardise),
    function(x, y) fit_svm(x, y, cost, loss, standardise), predict_linear
  )
}

# Decision values newx %*% weights + constants, one column per class. Two classes share a machine:
# the first one's value is 0.
fit_svm <- function(x, y, cost, loss, standardise) {
  y <- droplevels(y)
  if (nlevels(y) < 2L) {
    return(list(weights = matrix(0, ncol(x), 1L), constants = 0, levels = levels(y)))
  }
  n <- nrow(x)
  centre <- numeric(ncol(x))
  scale <- rep(1, ncol(x))
  if (standardise) {
    centre <- colMeans(x)
    scale <- sqrt(colMeans((x - rep(centre, each = n))^2))
    # A constant feature must not become rounding errors blown up.
    scale[!(scale > 1e-12 * apply(abs(x), 2L, max))] <- Inf
  }
  z <- (x - rep(centre, each = n)) / rep(scale, each = n)
  machines <- if (nlevels(y) == 2L) 2L else seq_len(nlevels(y))
  targets <- 2 * outer(as.integer(y), machines, `==`) - 1
  fit <- cpp_fit_svm(tcrossprod(z) + 1, targets, cost, loss)
  # Newton's method, for squared hinge loss, ends at the limit of rounding.
  if (loss == "l1" && !fit$converged) {
    cli::cli_warn(
      c("The support vector machine stopped before it had converged; its predictions are rough.",
        i = "Use {.code loss = \"l2\"}, or a smaller {.arg cost} (now {cost})."
      ),
      class = "stabilect_warning_convergence"
    )
  }
  weights <- crossprod(z, fit$beta) / scale
  constants <- colSums(fit$beta) - drop(centre %*% weights)
  if (length(machines) == 1L) {
    weights <- cbind(0, weights)
    constants <- c(0, constants)
  }
  list(weights = weights, constants = constants, levels = levels(y))
}
