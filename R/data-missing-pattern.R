#' Where values are missing, as data
#'
#' Whether a value is there can say more than the value: proteins below the limit of detection,
#' genes that are not expressed. This gives the pattern as features of its own, for any verb, to be
#' asked beside the values and not among them.
#'
#' A pattern that goes with the outcome may be a batch: samples that were measured worse miss more
#' values of every feature.
#'
#' @param x (numeric matrix or data frame, n x p) samples in rows, or a container or views, as
#'   [prepare_study()] takes them; or its result with `na = "median"` or `"impute"`, which knows
#'   where values were missing, also of features that it left out.
#' @param min_samples (whole number >= 1) features are kept that are missing in at least so many
#'   samples, and there in at least so many.
#' @return (double matrix, n x number of such features) 1 where a value is missing, 0 where it is
#'   there, with the names of the samples, and `missing:` before those of the features.
#' @section Errors:
#' Class `stabilect_error_input` if `x` is no table, or no feature is kept.
#' @concept presence
#' @concept detection
#' @concept proteomics
#' @family data forms
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(40 * 30), 40, dimnames = list(NULL, paste0("p", 1:30)))
#' y <- rep(c("a", "b"), 20)
#' x[sample(length(x), 200)] <- NA
#' x[y == "a" & runif(40) < 0.8, "p1"] <- NA
#' # Is a protein missing in one class?
#' find_signals(missing_pattern(x), y, seed = 1)
#' # Do the values tell the classes apart?
#' data <- prepare_study(x, y, na = "median")
#' find_signals(data, seed = 1)
#' @export
missing_pattern <- function(x, min_samples = 3) {
  check_given()
  min_samples <- check_count(min_samples)
  if (inherits(x, "stabilect_data")) {
    pattern <- pattern_of_data(x)
  } else {
    pattern <- pattern_of_table(gather_input(x, NULL, NULL, NULL, NULL)$x)
  }
  n <- colSums(pattern)
  kept <- n >= min_samples & n <= nrow(pattern) - min_samples
  refuse(!any(kept), c(
    "No feature of {.arg x} is missing in {min_samples} samples or more and there in as many.",
    i = if (sum(n) == 0) "No value is missing."
  ))
  pattern[, kept, drop = FALSE]
}

pattern_of_data <- function(data) {
  missing <- data$missing
  refuse(is.null(missing), c(
    "{.arg x} is prepared data that know of no missing values.",
    i = "Give the data themselves, or prepare them with {.code na = \"impute\"} or
      {.code \"median\"}."
  ))
  pattern <- matrix(0, missing$n, length(missing$names))
  dimnames(pattern) <- list(sample_names(data$x), paste0("missing:", missing$names))
  pattern[cbind(missing$row, missing$column)] <- 1
  pattern
}

pattern_of_table <- function(x) {
  refuse(!is.matrix(x) && !is.data.frame(x), c(
    "{.arg x} must be a matrix or data frame, not {describe_value(x)}.",
    i = "Read it with {.fn as.matrix} first."
  ))
  pattern <- is.na(x) + 0
  if (!is.null(colnames(pattern))) colnames(pattern) <- paste0("missing:", colnames(pattern))
  pattern
}
