# What is known of samples and features (axes) x fits x questions: every cell is a pair of calls
# that say the same in two ways. Here data and axes; helper-matrix-questions.R has the rest.

matrix_n <- 48L
matrix_data <- withr::with_seed(11, {
  n <- matrix_n
  samples <- paste0("s", seq_len(n))
  x <- matrix(stats::rnorm(n * 12), n, dimnames = list(samples, paste0("g", 1:12)))
  age <- stats::rnorm(n)
  sex <- rep(c("f", "m", "m", "f", "f", "m"), n / 6)
  site <- rep(c("a", "b", "c"), n / 3)[order(stats::rnorm(n))]
  link <- 2 * x[, 1] + 1.5 * x[, 2] + age + (sex == "m") + stats::rnorm(n)
  # Neighbours are pairs: of one class for blocks, of two for `within`.
  rank_of <- rank(rowsum(link, rep(seq_len(n / 2), each = 2))[, 1])
  pure <- ifelse(rep(rank_of > n / 4, each = 2), "ill", "well")
  mixed <- c(rbind(ifelse(link[c(TRUE, FALSE)] > link[c(FALSE, TRUE)], "ill", "well"), ""))
  mixed[c(FALSE, TRUE)] <- ifelse(mixed[c(TRUE, FALSE)] == "ill", "well", "ill")
  list(
    x = x, age = age, sex = sex, site = site, pair = rep(seq_len(n / 2), each = 2),
    pure = stats::setNames(factor(pure), samples), mixed = stats::setNames(factor(mixed), samples),
    classes = stats::setNames(factor(ifelse(link > stats::median(link), "ill", "well")), samples),
    numbers = stats::setNames(link, samples),
    times = if (is_installed("survival")) survival::Surv(exp(-link / 2), rep(c(1, 1, 0, 1), n / 4))
  )
})

# New samples of the same kind.
matrix_new <- withr::with_seed(12, {
  n <- 20L
  x <- matrix(stats::rnorm(n * 12), n, dimnames = list(paste0("t", 1:n), paste0("g", 1:12)))
  age <- stats::rnorm(n)
  sex <- rep(c("f", "m"), n / 2)
  link <- 2 * x[, 1] + 1.5 * x[, 2] + age + (sex == "m") + stats::rnorm(n)
  list(
    x = x, age = age, sex = sex, site = rep_len(c("a", "b", "c"), n), pair = rep(1:10, each = 2),
    classes = stats::setNames(factor(ifelse(link > 0, "ill", "well")), rownames(x)),
    numbers = stats::setNames(link, rownames(x)),
    times = if (is_installed("survival")) survival::Surv(exp(-link / 2), rep(c(1, 1, 0, 1), n / 4))
  )
})

# With further features, so that there are enough to impute from; and with missing values.
matrix_wide <- function(x) {
  withr::with_seed(13, cbind(x, matrix(
    stats::rnorm(nrow(x) * 48), nrow(x), dimnames = list(NULL, paste0("h", 1:48))
  )))
}
matrix_gaps <- function(x) {
  withr::with_seed(14, replace(x, sample.int(length(x), length(x) %/% 12L), NA))
}

# One way to say it.
# @param x,y,... the call of the verb. @param new_x,new_y,new_z of new samples.
matrix_way <- function(x, y, ..., new_x = matrix_new$x, new_y = NULL, new_z = NULL) {
  list(
    data = if (missing(y)) list(x) else list(x, y), given = list(...), new_x = new_x, new_y = new_y,
    new_z = new_z
  )
}

# @param says (string, or NULL) what prints and methods sections of adjusting verbs contain.
# @param not (character) questions whose answers differ on purpose.
# @param common (flag) are only the columns compared that both answers have?
# @param verbs (character) fits that it is for.
matrix_pair <- function(one, other, says = NULL, not = character(), common = FALSE,
                        verbs = names(matrix_fits)) {
  list(ways = list(one, other), says = says, not = not, common = common, verbs = verbs)
}

# Two ways to say the same, by axis; the second is plain where that is possible.
matrix_axes <- function() {
  d <- matrix_data
  new <- matrix_new
  age <- d$age
  sex <- d$sex
  site <- d$site
  of_age <- data.frame(age)
  of_several <- data.frame(age = d$age, sex = factor(d$sex), site = d$site)
  coded <- cbind(
    age = d$age, "sex: m" = d$sex == "m", "site: b" = d$site == "b", "site: c" = d$site == "c"
  )
  new_several <- data.frame(age = new$age, sex = factor(new$sex), site = new$site)
  new_coded <- cbind(
    age = new$age, "sex: m" = new$sex == "m", "site: b" = new$site == "b",
    "site: c" = new$site == "c"
  )
  new_age <- data.frame(age = new$age)
  table <- data.frame(cls = d$classes, d$x, of_several)
  new_table <- data.frame(cls = new$classes, new$x, new_several)
  about <- data.frame(cls = d$classes, of_several, pair = d$pair, row.names = rownames(d$x))
  new_about <- data.frame(
    cls = new$classes, new_several, pair = new$pair, row.names = rownames(new$x)
  )
  summarized <- function(x, about) {
    about <- S4Vectors::DataFrame(about)
    SummarizedExperiment::SummarizedExperiment(list(values = t(x)), colData = about)
  }
  expression <- function(x, about) {
    Biobase::ExpressionSet(t(x), Biobase::AnnotatedDataFrame(about))
  }
  several <- function(x, about) {
    MultiAssayExperiment::MultiAssayExperiment(
      list(one = t(x[, 1:5]), two = t(x[, 6:12])), colData = S4Vectors::DataFrame(about)
    )
  }
  twice <- rep(seq_len(matrix_n), rep(1:2, matrix_n / 2))
  plain <- matrix_way(d$x, d$classes, new_y = new$classes)
  adjusted <- function(z, new_z) {
    matrix_way(d$x, d$classes, covariates = z, new_y = new$classes, new_z = new_z)
  }
  list(
    "covariate, a number" = matrix_pair(
      adjusted(of_age, new_age),
      matrix_way(
        prepare_study(d$x, d$classes, covariates = of_age), new_y = new$classes, new_z = new_age
      ),
      says = "adjusted for age"
    ),
    "covariate, a factor" = matrix_pair(
      adjusted(data.frame(sex = factor(d$sex)), data.frame(sex = factor(new$sex))),
      adjusted(cbind("sex: m" = d$sex == "m") + 0, cbind("sex: m" = new$sex == "m") + 0),
      says = "adjusted for sex: m"
    ),
    "covariates, several" = matrix_pair(
      adjusted(of_several, new_several), adjusted(coded + 0, new_coded + 0),
      says = "adjusted for age"
    ),
    "covariates, formula" = matrix_pair(
      adjusted(~ age + sex + site, new_several), adjusted(of_several, new_several),
      says = "adjusted for age"
    ),
    "covariates, columns of x" = matrix_pair(
      matrix_way(table[-1], d$classes, covariates = c("age", "sex", "site"), new_x = new_table,
        new_y = new$classes),
      adjusted(of_several, new_several),
      says = "adjusted for age"
    ),
    "covariates, formula and data" = matrix_pair(
      matrix_way(cls ~ ., table, covariates = ~ age + sex + site, new_x = new_table,
        new_y = new$classes),
      adjusted(of_several, new_several),
      says = "adjusted for age"
    ),
    "covariates of a SummarizedExperiment" = matrix_pair(
      matrix_way(summarized(d$x, about), "cls", covariates = c("age", "sex", "site"),
        new_x = summarized(new$x, new_about), new_y = "cls"),
      adjusted(of_several, new_several),
      says = "adjusted for age"
    ),
    "covariates of an ExpressionSet" = matrix_pair(
      matrix_way(expression(d$x, about), "cls", covariates = ~ age + sex + site,
        new_x = expression(new$x, new_about), new_y = "cls"),
      adjusted(of_several, new_several),
      says = "adjusted for age"
    ),
    "covariates of a MultiAssayExperiment" = matrix_pair(
      matrix_way(several(d$x, about), "cls", covariates = c("age", "sex", "site"),
        new_x = several(new$x, new_about), new_y = "cls"),
      matrix_way(list(one = d$x[, 1:5], two = d$x[, 6:12]), d$classes, covariates = of_several,
        new_x = list(one = new$x[, 1:5], two = new$x[, 6:12]), new_y = new$classes,
        new_z = new_several),
      says = "adjusted for age"
    ),
    "missing values, medians" = matrix_pair(
      matrix_way(
        prepare_study(matrix_gaps(d$x), d$classes, na = "median"), new_y = new$classes
      ),
      matrix_way(prepare_study(matrix_gaps(d$x), na = "median")$x, d$classes, new_y = new$classes),
      not = c("print", "summary", "report", "methods"), common = TRUE
    ),
    "missing values, imputed" = matrix_pair(
      matrix_way(
        prepare_study(matrix_gaps(matrix_wide(d$x)), d$classes, na = "impute", seed = 1),
        new_x = matrix_wide(new$x), new_y = new$classes
      ),
      matrix_way(
        prepare_study(cls ~ ., data.frame(cls = d$classes, matrix_gaps(matrix_wide(d$x))),
          na = "impute", seed = 1),
        new_x = matrix_wide(new$x), new_y = new$classes
      ),
      says = "missing values", not = "signature"
    ),
    "blocks" = matrix_pair(
      matrix_way(d$x, d$pure, blocks = d$pair, new_y = new$classes),
      matrix_way(prepare_study(d$x, d$pure, blocks = d$pair), new_y = new$classes),
      says = "24 blocks"
    ),
    "blocks of several classes" = matrix_pair(
      matrix_way(d$x, d$mixed, blocks = d$pair, new_y = new$classes),
      matrix_way(prepare_study(d$x, d$mixed, blocks = d$pair), new_y = new$classes),
      says = "24 blocks"
    ),
    "blocks and covariates" = matrix_pair(
      matrix_way(
        d$x, d$pure, blocks = d$pair, covariates = of_age, new_y = new$classes, new_z = new_age
      ),
      matrix_way(prepare_study(d$x, d$pure, blocks = d$pair, covariates = of_age),
        new_y = new$classes, new_z = new_age),
      says = "adjusted for age"
    ),
    "within" = matrix_pair(
      matrix_way(d$x, d$mixed, within = d$pair,
        new_x = prepare_study(new$x, within = new$pair), new_y = new$classes),
      matrix_way(prepare_study(d$x, d$mixed, within = d$pair),
        new_x = prepare_study(new$x, within = new$pair), new_y = new$classes),
      says = "within 24 groups"
    ),
    "within, with a likelihood" = matrix_pair(
      matrix_way(d$x, d$mixed, within = d$pair, family = "binomial",
        new_x = prepare_study(new$x, within = new$pair), new_y = new$classes),
      matrix_way(prepare_study(d$x, d$mixed, within = d$pair), family = "binomial",
        new_x = prepare_study(new$x, within = new$pair), new_y = new$classes),
      says = "within 24 groups"
    ),
    "within, a column of x" = matrix_pair(
      matrix_way(data.frame(d$x, pair = d$pair), d$mixed, within = "pair",
        new_x = prepare_study(new$x, within = new$pair), new_y = new$classes),
      matrix_way(d$x, d$mixed, within = d$pair,
        new_x = prepare_study(new$x, within = new$pair), new_y = new$classes),
      says = "within 24 groups"
    ),
    "within, a column of a SummarizedExperiment" = matrix_pair(
      matrix_way(summarized(d$x, data.frame(cls = d$mixed, pair = d$pair)), "cls", within = "pair",
        new_x = prepare_study(new$x, within = new$pair), new_y = new$classes),
      matrix_way(d$x, d$mixed, within = d$pair,
        new_x = prepare_study(new$x, within = new$pair), new_y = new$classes),
      says = "within 24 groups"
    ),
    "blocks, a column of x" = matrix_pair(
      matrix_way(data.frame(d$x, pair = d$pair), d$pure, blocks = "pair", new_y = new$classes),
      matrix_way(d$x, d$pure, blocks = d$pair, new_y = new$classes),
      says = "24 blocks", verbs = "find_signals"
    ),
    "strata, a column of x" = matrix_pair(
      matrix_way(data.frame(d$x, site = d$site), d$times, strata = "site", new_y = new$times),
      matrix_way(d$x, d$times, strata = d$site, new_y = new$times),
      says = "3 strata"
    ),
    "weights, a column of x" = matrix_pair(
      matrix_way(data.frame(d$x, copies = rep(1:2, matrix_n / 2)), d$numbers, weights = "copies",
        new_y = new$numbers),
      matrix_way(d$x, d$numbers, weights = rep(1:2, matrix_n / 2), new_y = new$numbers)
    ),
    "offset, a column of x" = matrix_pair(
      matrix_way(data.frame(d$x, age = d$age), d$numbers, offset = "age", new_y = new$numbers),
      matrix_way(d$x, d$numbers, offset = d$age, new_y = new$numbers)
    ),
    "blocks of one sample" = matrix_pair(
      matrix_way(prepare_study(d$x, d$classes, blocks = seq_len(matrix_n)), new_y = new$classes),
      plain,
      # The print says that there are blocks; simulated outcomes have none.
      not = c("print", "summary", "report", "methods", "simulated_samples", "error_rates")
    ),
    "strata, one" = matrix_pair(
      matrix_way(d$x, d$times, strata = rep(1, matrix_n), new_y = new$times),
      matrix_way(d$x, d$times, new_y = new$times)
    ),
    "strata, names" = matrix_pair(
      matrix_way(d$x, d$times, strata = d$site, new_y = new$times),
      matrix_way(d$x, d$times, strata = match(d$site, c("a", "b", "c")), new_y = new$times),
      says = "3 strata"
    ),
    "weights, all 1" = matrix_pair(
      matrix_way(d$x, d$numbers, weights = rep(1, matrix_n), new_y = new$numbers),
      matrix_way(d$x, d$numbers, new_y = new$numbers)
    ),
    "weights 2, as two rows of a block" = matrix_pair(
      matrix_way(d$x, d$numbers, weights = rep(1:2, matrix_n / 2)),
      matrix_way(prepare_study(
        matrix(d$x[twice, ], length(twice), dimnames = list(NULL, colnames(d$x))),
        unname(d$numbers[twice]), blocks = twice
      )),
      # Paths of all sizes end elsewhere; other questions are about other samples.
      not = setdiff(names(matrix_questions), "table"), verbs = c("stability_selection", "bolasso")
    ),
    "offset of numbers" = matrix_pair(
      matrix_way(d$x, d$numbers, offset = d$age, new_y = new$numbers),
      matrix_way(d$x, d$numbers - d$age, new_y = new$numbers),
      # The print says that there is one; other lists of simulated outcomes have none.
      not = c("print", "summary", "report", "methods", "error_rates")
    ),
    "offset 0" = matrix_pair(
      matrix_way(d$x, d$numbers, offset = numeric(matrix_n), new_y = new$numbers),
      matrix_way(d$x, d$numbers, new_y = new$numbers)
    ),
    "penalty, all 1" = matrix_pair(
      matrix_way(d$x, d$classes, penalty = rep(1, 12), new_y = new$classes), plain
    ),
    "penalty by name" = matrix_pair(
      matrix_way(d$x, d$classes, penalty = c(g3 = 0.5, g5 = 2), new_y = new$classes),
      matrix_way(d$x, d$classes, penalty = c(1, 1, 0.5, 1, 2, rep(1, 7)), new_y = new$classes),
      says = "penalty weights from 0.5 to 2"
    ),
    "jitter 0" = matrix_pair(
      matrix_way(d$x, d$classes, jitter = 0, new_y = new$classes), plain
    ),
    "jitter by name" = matrix_pair(
      matrix_way(d$x, d$classes, jitter = c(g5 = 0.5, g3 = 0.5), new_y = new$classes),
      matrix_way(d$x, d$classes, jitter = c(0, 0, 0.5, 0, 0.5, rep(0, 7)), new_y = new$classes),
      says = "measurement noise in every run, for 2 features"
    ),
    "clusters of one" = matrix_pair(
      matrix_way(d$x, d$classes, clusters = colnames(d$x), new_y = new$classes), plain,
      # Clusters have further columns, models and questions.
      not = c(
        "print", "summary", "report", "methods", "predict", "validate", "replicate", "samples",
        "simulated_samples", "alternatives", "signature"
      ),
      common = TRUE
    ),
    "clusters" = matrix_pair(
      matrix_way(d$x, d$classes, clusters = rep(c("a", "b", "c", "d"), 3), new_y = new$classes),
      matrix_way(d$x, d$classes, new_y = new$classes, clusters = stats::setNames(
        lapply(1:4, function(k) colnames(d$x)[seq(k, 12, 4)]), c("a", "b", "c", "d")
      ))
    ),
    "views" = matrix_pair(
      matrix_way(several(d$x, about), "cls", new_x = several(new$x, new_about), new_y = "cls"),
      matrix_way(list(one = d$x[, 1:5], two = d$x[, 6:12]), d$classes,
        new_x = list(one = new$x[, 1:5], two = new$x[, 6:12]), new_y = new$classes)
    ),
    "views, adaptive penalty" = matrix_pair(
      matrix_way(list(one = d$x[, 1:5], two = d$x[, 6:12]), d$classes, penalty = "views",
        new_x = list(one = new$x[, 1:5], two = new$x[, 6:12]), new_y = new$classes),
      matrix_way(several(d$x, about), "cls", penalty = "views", new_x = several(new$x, new_about),
        new_y = "cls")
    ),
    "SummarizedExperiment" = matrix_pair(
      matrix_way(
        summarized(d$x, about), "cls", new_x = summarized(new$x, new_about), new_y = "cls"
      ),
      plain
    ),
    "ExpressionSet" = matrix_pair(
      matrix_way(
        expression(d$x, about), "cls", new_x = expression(new$x, new_about), new_y = "cls"
      ),
      plain
    ),
    "formula and data" = matrix_pair(
      matrix_way(cls ~ . - age - sex - site, table, new_x = new_table, new_y = new$classes), plain
    ),
    "outcome, a column of x" = matrix_pair(
      matrix_way(table[1:13], "cls", new_x = new_table, new_y = "cls"), plain
    ),
    "data frame" = matrix_pair(
      matrix_way(as.data.frame(d$x), d$classes, new_x = as.data.frame(new$x), new_y = new$classes),
      plain
    ),
    "sparse" = matrix_pair(
      matrix_way(Matrix::Matrix(d$x, sparse = TRUE), d$classes,
        new_x = Matrix::Matrix(new$x, sparse = TRUE), new_y = new$classes),
      plain
    )
  )
}
