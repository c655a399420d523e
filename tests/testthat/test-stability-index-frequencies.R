# Indices of sets: against CRAN stabm, enumeration of all choices of sets, and closed forms.

case_values <- function(case, names, ...) {
  vapply(names, function(name) {
    penalty <- if (name == "davis_penalty_1") 1 else 0
    estimate_of(sub("_penalty_1$", "", name), case$sets, case$p, penalty = penalty, ...)
  }, 0)
}

stabm_names <- c(
  "jaccard", "dice", "ochiai", "hamming", "davis", "davis_penalty_1", "novovicova", "lustgarten",
  "wald", "kappa", "phi", "unadjusted", "nogueira", "cw_rel"
)

stabm_cases <- function() readRDS(test_path("fixtures", "stabm.rds"))$cases

test_that("these sets are read as a selection is", {
  sets <- list(c(1L, 4L), integer(), 2:4)
  selected <- Matrix::sparseMatrix(
    i = unlist(sets), p = c(0L, 2L, 2L, 5L), dims = c(5, 3),
    dimnames = list(paste0("f", 1:5), NULL)
  )
  runs <- new_selection(
    score = selected + 0, selected = selected, status = rep("ok", 3), method = "test"
  )
  expected <- index_runs(runs)
  expect_equal(sets_data(sets, 5), expected[names(sets_data(sets, 5))])
})

test_that("indices are those of stabm, also with imputed values and corrected", {
  for (case in stabm_cases()) {
    expect_equal(case_values(case, stabm_names), case$values[stabm_names], tolerance = 1e-10)
    if (!is.null(case$imputed)) {
      expect_equal(
        case_values(case, stabm_names, impute_na = 0), case$imputed[stabm_names],
        tolerance = 1e-10
      )
    }
    if (!is.null(case$corrected)) {
      given <- intersect(names(case$corrected), stabm_names)
      expect_equal(
        case_values(case, given, corrected = TRUE), case$corrected[given],
        tolerance = 1e-10
      )
    }
  }
})

test_that("indices are those of the installed stabm on larger sets", {
  skip_if_not_installed("stabm")
  sets <- withr::with_seed(5, random_sets(300, c(40, 80, 60, 60, 100)))
  expect_equal(estimate_of("jaccard", sets, 300), stabm::stabilityJaccard(sets, 300))
  expect_equal(estimate_of("phi", sets, 300), stabm::stabilityPhi(sets, 300))
  expect_equal(estimate_of("wald", sets, 300), stabm::stabilityWald(sets, 300))
  expect_equal(estimate_of("nogueira", sets, 300), stabm::stabilityNogueira(sets, 300))
  expect_equal(estimate_of("cw_rel", sets, 300), stabm::stabilitySomol(sets, 300))
})

test_that("Nogueira's published examples come out, and the variance has the plus sign", {
  z_sets <- function(rows) lapply(strsplit(rows, ""), function(row) which(row == "1"))
  z3 <- c(
    "1111000000", "0001011100", "0100011100", "1100101000", "0110110000", "0111001000",
    "1001000011", "0001011100", "0011110000", "0000100111"
  )
  expect_equal(estimate_of("nogueira", z_sets(rep("110", 3)), 3), 1)
  expect_equal(estimate_of("nogueira", z_sets(c("110", "011", "101")), 3), -0.5)
  expect_equal(estimate_of("nogueira", z_sets(z3), 10), -0.037037037037, tolerance = 1e-11)
  variance <- nogueira_variance(sets_data(z_sets(z3), 10))
  expect_equal(variance$variance, 0.00516666666667, tolerance = 1e-11)
  varying <- sets_data(z_sets(c("11000", "11100", "10000", "11010")), 5)
  expect_equal(
    index_values(varying, "nogueira")[[1]]$estimate, 0.393939393939,
    tolerance = 1e-11
  )
  variance <- nogueira_variance(varying)
  expect_equal(variance$variance, 0.00744615834913, tolerance = 1e-11)
  expect_equal(sum(variance$influence), 0)
  same <- nogueira_variance(sets_data(z_sets(rep("110", 3)), 3))
  expect_identical(same$variance, 0)
  expect_identical(nogueira_variance(sets_data(list(1:2, 1:2), 2))$variance, NA_real_)
})

test_that("over all choices of sets the corrected mean is zero", {
  for (sizes in list(c(2, 2, 2), c(1, 2, 3), c(1, 3))) {
    choices <- all_choices(4, sizes)
    unequal <- length(unique(sizes)) > 1
    for (name in setdiff(set_names(), if (unequal) "kuncheva")) {
      values <- vapply(choices, function(sets) estimate_of(name, sets, 4, corrected = TRUE), 0)
      expect_lt(abs(mean(values)), 1e-12, label = paste("mean of", name))
      expect_gt(stats::sd(values), 0.01)
    }
  }
})

test_that("given the sizes, the mean of Nogueira's index is the documented one", {
  sizes <- c(1, 2, 3)
  values <- vapply(all_choices(4, sizes), function(sets) estimate_of("nogueira", sets, 4), 0)
  expected <- -sum((sizes - 2)^2) / (2 * 3 * 2 * (4 - 2))
  expect_equal(mean(values), expected)
})

test_that("the table calls an index corrected when any sizes give random runs the mean zero", {
  table <- list_available("indices")
  choices <- all_choices(4, c(1, 2, 3))
  for (name in setdiff(set_names(), "kuncheva")) {
    values <- vapply(choices, function(sets) estimate_of(name, sets, 4), 0)
    row <- table[table$index == name, ]
    expect_identical(row$corrected, abs(mean(values)) < 1e-12, info = name)
    expect_true(row$corrected || row$correctable, info = name)
  }
  # For equal sizes, correcting Nogueira's index changes nothing.
  equal <- list(1:3, 2:4, c(1, 5, 6))
  expect_equal(
    estimate_of("nogueira", equal, 12, corrected = TRUE), estimate_of("nogueira", equal, 12)
  )
  expect_error(
    stability(as_selection(list(1:2, 2, 3), n_total = 9), interval = "analytic", corrected = TRUE),
    "without the\\s+correction", class = "stabilect_error"
  )
})

test_that("random runs have mean zero for any number of runs", {
  withr::local_seed(11)
  names <- c("jaccard", "davis", "novovicova", "cw_rel_sizes")
  for (m in c(2, 5, 10, 20)) {
    values <- replicate(60, {
      sets <- random_sets(20, rep_len(c(5, 2, 8), m))
      vapply(names, function(name) estimate_of(name, sets, 20, corrected = TRUE), 0)
    })
    se <- apply(values, 1L, stats::sd) / sqrt(ncol(values))
    expect_lt(max(abs(rowMeans(values)) / se), 3.5)
  }
})

test_that("a bootstrap replicate of random runs has mean zero too", {
  # Each multiplicity belongs to one random set, which is not compared with itself.
  w <- cbind(c(2, 1, 0), c(1, 2, 3))
  for (name in c("jaccard", "kappa", "cw", "novovicova", "davis")) {
    values <- vapply(all_choices(4, c(1, 2, 3)), function(sets) {
      index_of(name, sets, 4, corrected = TRUE)$replicate(w)
    }, c(0, 0))
    expect_lt(max(abs(rowMeans(values))), 1e-12, label = name)
  }
})

test_that("indices coincide where they should", {
  withr::local_seed(3)
  for (i in 1:10) {
    p <- sample(8:40, 1)
    equal <- random_sets(p, rep(sample(p - 1, 1), 5))
    same <- c("nogueira", "kappa", "phi", "wald", "unadjusted", "kuncheva", "npog")
    values <- vapply(same, estimate_of, 0, equal, p)
    expect_equal(unname(values), rep(values[[1]], length(values)))
    unequal <- random_sets(p, sample(p - 1, 6, replace = TRUE))
    expect_identical(
      estimate_of("dice", unequal, p, corrected = TRUE), estimate_of("kappa", unequal, p)
    )
    expect_equal(
      estimate_of("cw", unequal, p, corrected = TRUE),
      estimate_of("cw_rel", unequal, p, corrected = TRUE)
    )
    two <- unequal[1:2]
    expect_equal(
      estimate_of("npog", two, p) > 0, estimate_of("phi", two, p) > 0
    )
  }
})

test_that("bounds are attained and not exceeded; the maximum means what the table says", {
  p <- 4
  choices <- unlist(lapply(1:3, function(a) {
    unlist(lapply(seq_len(a), function(b) all_choices(p, c(a, b))), recursive = FALSE)
  }), recursive = FALSE)
  identical_sets <- vapply(choices, function(s) setequal(s[[1]], s[[2]]), NA)
  for (entry in index_records()[set_names()]) {
    values <- vapply(choices, function(sets) estimate_of(entry$name, sets, p), 0)
    lower <- eval(str2lang(entry$bounds[1]), list(p = p, m = 2))
    expect_gte(min(values, na.rm = TRUE), lower - 1e-12)
    expect_lte(max(values, na.rm = TRUE), 1 + 1e-12)
    # Davis's index is at least 1 / m without a penalty; sets of four features leave room below the
    # lowest Lustgarten and Hamming.
    if (!entry$name %in% c("lustgarten", "hamming", "davis")) {
      expect_equal(min(values, na.rm = TRUE), lower, label = paste("lowest", entry$name))
    }
    highest <- !is.na(values) & values > 1 - 1e-12
    expect_identical(
      all(highest[!is.na(values)] == identical_sets[!is.na(values)]), unname(entry$properties[4]),
      label = entry$name
    )
  }
})

test_that("CW is bounded by what these sizes allow, and the bound is attained", {
  sizes <- c(1, 3, 4)
  choices <- all_choices(5, sizes)
  cw <- vapply(choices, function(sets) estimate_of("cw", sets, 5), 0)
  rel <- vapply(choices, function(sets) estimate_of("cw_rel_sizes", sets, 5), 0)
  expect_equal(max(cw), 0.625)
  expect_equal(rel, (cw - min(cw)) / (max(cw) - min(cw)))
  plain <- vapply(choices, function(sets) estimate_of("cw_rel", sets, 5), 0)
  expect_equal(plain, (cw - min(cw)) / (0.875 - min(cw)))
})

test_that("with few runs the mean of CW_rel is too high by what the help says", {
  p <- 5
  k <- 2
  sets <- utils::combn(p, k)
  weight <- c(5, 1, 1, 2, 1, 3, 1, 1, 2, 1)
  weight <- weight / sum(weight)
  inside <- apply(sets, 2, function(set) seq_len(p) %in% set) + 0
  cw <- sum((inside %*% weight)^2) / k
  many <- (cw - k / p) / (1 - k / p)
  mean_of <- function(m, corrected) {
    ways <- as.matrix(expand.grid(rep(list(seq_len(ncol(sets))), m)))
    value <- apply(ways, 1, function(way) {
      estimate_of("cw_rel", lapply(way, function(set) sets[, set]), p, corrected = corrected)
    })
    sum(value * apply(ways, 1, function(way) prod(weight[way])))
  }
  for (m in 2:3) {
    q <- m * k
    d <- q %% p
    lowest <- (q^2 - p * (q - d) - d^2) / (p * q * (m - 1))
    above <- (1 - cw) * (k / p - lowest) / ((1 - lowest) * (1 - k / p))
    expect_equal(mean_of(m, FALSE), many + above)
    expect_lte(above, (1 - cw) / ((m - 1) * (1 - k / p)))
    expect_equal(mean_of(m, TRUE), many)
  }
})
