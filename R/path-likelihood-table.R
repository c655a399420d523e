# The table of a likelihood path.

#' Coefficients and points of a likelihood path as a data frame
#'
#' @inheritParams arguments
#' @param x,object (`stabilect_lasso_path`) result of [lasso_path()].
#' @param ... Not used.
#' @return `as.data.frame()`: data frame with a row for each non-zero coefficient at each point:
#'   `point` (from 1), `lambda`, `size` (number of features), `feature` (name), `index` (column of
#'   `x`), `coefficient` (scale of `x`). `"multinomial"` has a row for each class, with the column
#'   `class` after `index`. `summary()`: data frame with a row for each point: `point`, `lambda`,
#'   `size`, `explained` (share of the deviance), `kkt` (see [lasso_path()]).
#' @family lasso paths
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' path <- lasso_path(x, mcl_sll$MCL, family = "binomial", max_features = 3)
#' head(as.data.frame(path))
#' summary(path)
#' @export
as.data.frame.stabilect_lasso_path <- function(x, row.names = NULL, # nolint: object_name_linter.
                                               optional = FALSE, ...) {
  rows <- lapply(path_parts(x), function(part) {
    b <- part$coefficients
    point <- rep(seq_along(x$lambda), diff(b@p))
    data.frame(
      point = point, lambda = x$lambda[point], size = x$size[point],
      feature = rownames(b)[b@i + 1L], index = b@i + 1L, coefficient = b@x
    )
  })
  if (!family_record(x$asked$family)$by_class) {
    return(rows[[1]])
  }
  all <- do.call(rbind, Map(function(part, class) {
    cbind(part[1:5], class = rep(class, nrow(part)), part["coefficient"])
  }, rows, names(rows)))
  sort_rows(all, all$point, all$index)
}

#' @rdname as.data.frame.stabilect_lasso_path
#' @export
summary.stabilect_lasso_path <- function(object, ...) { # nolint: object_name_linter.
  refuse_dots(...)
  points <- unclass(object)[c("lambda", "size", "explained", "kkt")]
  data.frame(point = seq_along(points$lambda), points)
}
