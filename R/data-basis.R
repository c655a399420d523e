# Covariates to adjust for, as orthogonal columns: one basis for models, filters and signals.

# Columns of length sqrt(n) that span the intercept, which comes first, and the columns of z. A
# column that adds nothing to those before it (a level without samples) gets the coefficient 0.
# @param z (double matrix, n x k; k >= 0).
# @return list(columns, on_z: function that turns coefficients of the columns after the first (a
#   column for each link) into coefficients of z).
held_basis <- function(z) {
  centred <- z - rep(colMeans(z), each = nrow(z))
  size <- sqrt(colMeans(centred^2))
  size[size <= 1e-13 * apply(abs(z), 2L, max, 0)] <- Inf
  # qr() moves dependent columns, and constant ones, to the end.
  found <- qr(centred / rep(size, each = nrow(z)), tol = 1e-9)
  used <- seq_len(found$rank)
  root <- sqrt(nrow(z))
  list(
    columns = cbind(rep(1, nrow(z)), qr.Q(found)[, used, drop = FALSE] * root),
    on_z = function(beta) {
      out <- matrix(0, ncol(z), ncol(beta))
      if (length(used) > 0L) {
        out[found$pivot[used], ] <- root * backsolve(qr.R(found)[used, used, drop = FALSE], beta)
      }
      out / size
    }
  )
}

# The same with length 1.
orthonormal_basis <- function(z) held_basis(z)$columns / sqrt(nrow(z))
