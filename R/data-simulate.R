#' Simulated data of two classes with known truth
#'
#' Data of two normally distributed classes. The Bayes error, the error of the best possible
#' classifier, is known exactly. The designs are those of Dernoncourt et al. (2014), and the design
#' with correlated groups of Hamer and Dupont (2021). [evaluate_selectors()] takes the result and
#' draws further samples of the same model.
#'
#' @inheritParams arguments
#' @param design (string) one of
#'   * `"NC100"`: independent features, 100 of them with the same difference between the classes,
#'     the others without a difference;
#'   * `"NC"`: independent features, all differences drawn as squares of triangular numbers (density
#'     2 - 2x on \[0, 1\]); few are large;
#'   * `"CB"`: as `"NC"`, with correlation 0.5 within blocks of ten features;
#'   * `"groups"`: groups of equally correlated features with one mean, the others independent with
#'     another mean.
#' @param n (whole number >= 4) number of samples, half of them (rounded up) in the first class.
#' @param ... settings of the design, by name. For `"NC100"`, `"NC"` and `"CB"`:
#'   * `n_total` (whole number >= 1; 1000): number of features, D in Dernoncourt et al. (2014); at
#'     least 100 for `"NC100"`;
#'   * `bayes_error` (number in (0, 0.5); 0.1): error of the best possible classifier.
#'
#'   For `"groups"`:
#'   * `group_size`, `n_groups`, `n_other` (whole numbers; 1, 5, 1000): number of features in each
#'     group, of groups, and of features outside of groups;
#'   * `mean_group`, `mean_other` (numbers; 0.5, 0.05): mean of the positive class in groups and
#'     outside; the negative class has the opposite;
#'   * `correlation` (number in \[0, 1); 0.8): correlation between two features of a group.
#'
#' @details
#' The classes are \eqn{N(\mu, \Sigma)} and \eqn{N(-\mu, \Sigma)} with equal prior probabilities.
#' The best classifier uses the sign of \eqn{\mu'\Sigma^{-1}x} and has the error
#' \eqn{\Phi(-\sqrt{\mu'\Sigma^{-1}\mu})}. In the designs of Dernoncourt et al., \eqn{\mu} is scaled
#' to give this error the value `bayes_error`.
#'
#' Section 3.2 of the paper prints the covariance I for the first class and \eqn{\Sigma} for the
#' second. They only differ for `"CB"`. There both classes have \eqn{\Sigma} here; otherwise the
#' error has no closed form. As in the paper, the same `seed` gives `"NC"` and `"CB"` the same means
#' before scaling. Data sets with the same design, seed and `n_total` have the same means for any
#' `n`.
#'
#' The defaults of `"groups"` are scenario 2 of Table 1 of Hamer and Dupont (2021): 5 groups, 1000
#' other features, 100 samples in each class. Scenario 1 has `mean_group = 0.35`, scenario 3
#' `correlation = 0.95`. The numbers come from R's default generators; the state of the user's
#' generator is restored.
#' @return An object of class `stabilect_simulated_data`, a list with
#' \describe{
#'   \item{x}{(numeric matrix, n x p) features `f1`, `f2`, ...}
#'   \item{y}{(factor, n) `"A"` (mean \eqn{\mu}) or `"B"` in turn; `"positive"` or `"negative"` for
#'     `"groups"`.}
#'   \item{truth}{(data frame, p rows) `feature`; `mean` (of the first class, \eqn{\mu}); `weight`
#'   (in the best classifier, \eqn{\Sigma^{-1}\mu}: samples with positive `x %*% weight` belong to
#'   the first class); `relevant` (flag, mean not 0); `group` (integer, number of the block or
#'   group; without correlation, each feature has its own).}
#'   \item{bayes_error}{(number) error of the best classifier.}
#'   \item{design, seed}{(string, integer) the arguments.}
#'   \item{correlation}{(number) within groups.}
#' }
#' @section Errors:
#' Class `stabilect_error_input` for arguments out of range.
#' @references Dernoncourt D, Hanczar B, Zucker J-D (2014). Stability of ensemble feature selection
#'   on high-dimension and low-sample size data. *ICPRAM 2014*, section 3.2.
#'
#'   Hamer V, Dupont P (2021). An importance weighted feature selection stability measure. *Journal
#'   of Machine Learning Research* 22(116), section 5.3.
#' @family data
#' @examples
#' data <- simulate_data("NC100", n = 50, n_total = 200, seed = 1)
#' data
#' mean((data$x %*% data$truth$weight > 0) != (data$y == "A"))
#' simulate_data("groups", group_size = 10, n_other = 50, seed = 1)
#' @export
simulate_data <- function(design = c("NC100", "NC", "CB", "groups"), n = 200, ..., seed = NULL) {
  design <- check_choice(design, c("NC100", "NC", "CB", "groups"))
  n <- check_count(n, min = 4)
  make <- if (design == "groups") groups_design else classes_design
  own <- list(...)
  refuse_unknown(own, names(formals(make)))
  own$design <- if (design != "groups") design
  model <- do.call(make, own)
  seed <- check_seed(seed)
  with_seed(seed, {
    model <- model()
    new_simulated_data(model$mean, model$group, model$correlation, n, design, model$levels, seed)
  })
}

# A function that draws the means where they are random, once R's generator has its seed.
classes_design <- function(design, n_total = 1000, bayes_error = 0.10) {
  n_total <- check_count(n_total, min = if (design == "NC100") 100 else 1)
  bayes_error <- check_fraction(bayes_error)
  refuse(bayes_error >= 0.5, "{.arg bayes_error} must be below 0.5, not {bayes_error}.")
  function() {
    # The triangular distribution through the inverse of 1 - (1 - x)^2, then the power of 2.
    mean <- if (design == "NC100") {
      rep(c(1, 0), c(100, n_total - 100))
    } else {
      (1 - sqrt(1 - stats::runif(n_total)))^2
    }
    group <- if (design == "CB") (seq_len(n_total) + 9L) %/% 10L else seq_len(n_total)
    correlation <- if (design == "CB") 0.5 else 0
    strength <- sqrt(sum(mean * solve_groups(mean, group, correlation)))
    mean <- mean * stats::qnorm(bayes_error, lower.tail = FALSE) / strength
    list(mean = mean, group = group, correlation = correlation, levels = c("A", "B"))
  }
}

groups_design <- function(group_size = 1, n_groups = 5, n_other = 1000, mean_group = 0.5,
                          mean_other = 0.05, correlation = 0.8) {
  group_size <- check_count(group_size)
  n_groups <- check_count(n_groups)
  n_other <- check_count(n_other, min = 0)
  mean_group <- check_number(mean_group)
  mean_other <- check_number(mean_other)
  correlation <- check_fraction(correlation, open_left = FALSE, open_right = TRUE)
  n_grouped <- n_groups * group_size
  function() {
    list(
      mean = rep(c(mean_group, mean_other), c(n_grouped, n_other)),
      group = c(rep(seq_len(n_groups), each = group_size), n_groups + seq_len(n_other)),
      correlation = correlation, levels = c("positive", "negative")
    )
  }
}

# Further samples from the model of the generated data.
simulate_again <- function(data, n, seed) {
  with_seed(seed, new_simulated_data(
    data$truth$mean, data$truth$group, data$correlation, n, data$design, levels(data$y), seed
  ))
}

# Draws the samples from R's generator in its current state.
new_simulated_data <- function(mean, group, correlation, n, design, levels, seed) {
  p <- length(mean)
  y <- factor(rep_len(levels, n), levels)
  x <- matrix(stats::rnorm(n * p), n, p)
  if (correlation > 0) {
    common <- matrix(stats::rnorm(n * max(group)), n)
    x <- sqrt(1 - correlation) * x + sqrt(correlation) * common[, group]
  }
  x <- x + outer(ifelse(y == levels[1], 1, -1), mean)
  colnames(x) <- paste0("f", seq_len(p))
  weight <- solve_groups(mean, group, correlation)
  of_class("stabilect_simulated_data",
    x = x, y = y,
    truth = data.frame(
      feature = colnames(x), mean = mean, weight = weight, relevant = mean != 0, group = group
    ),
    bayes_error = stats::pnorm(-sqrt(sum(mean * weight))), design = design,
    correlation = correlation, seed = seed
  )
}

# Solves Sigma w = mean for equal correlations r within groups of size c: the inverse of (1 - r) I +
# r J is (I - r / (1 + (c - 1) r) J) / (1 - r).
solve_groups <- function(mean, group, correlation) {
  size <- tabulate(group)
  total <- drop(rowsum(mean, group))
  share <- correlation / (1 + (size - 1) * correlation)
  (mean - (share * total)[group]) / (1 - correlation)
}

#' @rdname simulate_data
#' @param x (object of class `stabilect_simulated_data`)
#' @export
print.stabilect_simulated_data <- function(x, ...) {
  sizes <- table(x$y)
  cat(sprintf("<stabilect_simulated_data> %s\n", x$design))
  cat(sprintf(
    "%d samples (%s) x %d features, %d relevant\n", nrow(x$x),
    paste(names(sizes), sizes, sep = ": ", collapse = ", "), ncol(x$x), sum(x$truth$relevant)
  ))
  n_groups <- sum(tabulate(x$truth$group) > 1)
  if (x$correlation > 0 && n_groups > 0) {
    cat(sprintf("correlation %s within %d groups\n", figure(x$correlation), n_groups))
  }
  cat(sprintf("Bayes error %s; seed %d\n", figure(x$bayes_error, digits = 3), x$seed))
  invisible(x)
}
