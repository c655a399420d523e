# More features than one slab holds, with ties, a constant feature and statistics without spread in
# different slabs; three quarters of the values are zero.
columns_data <- function(p = 9001) {
  withr::with_seed(11, {
    n <- 16
    x <- matrix(stats::rbinom(n * 9001, 6, 0.05) + 0, n, 9001)
    x[, 1:3000] <- x[, 1:3000] * stats::rnorm(n * 3000)
    y <- factor(rep(c("a", "b"), length.out = n))
    x[, 5] <- 0
    x[, c(17, 4096, 4097, 9001)] <- as.integer(y)
    x[, 4098:4103] <- x[, 4098:4103] + 0.8 * as.integer(y)
    # Fewer features: the last ones of the first slab and what follows.
    if (p < 9001) x <- x[, 4090 + seq_len(p) - max(0, p - 4000)]
    colnames(x) <- paste0("V", seq_len(p))
    list(x = x, y = y)
  })
}

file_fbm <- function(x, env = parent.frame(), ...) {
  file <- withr::local_tempfile(.local_envir = env)
  fbm <- bigstatsr::FBM(nrow(x), ncol(x), backingfile = file, ...)
  withr::defer(unlink(paste0(file, ".bk")), envir = env)
  fbm[] <- x
  fbm
}

file_hdf5 <- function(x, env = parent.frame()) {
  file <- withr::local_tempfile(fileext = ".h5", .local_envir = env)
  HDF5Array::writeHDF5Array(x, file, "x", chunkdim = c(nrow(x), 500L), with.dimnames = TRUE)
}

column_selectors <- function() {
  list(
    selector_filter("t"), selector_filter("welch"), selector_filter("anova"),
    selector_filter("wilcoxon"),
    selector_filter("pearson"), selector_filter("spearman"), selector_filter("variance"),
    selector_filter("mutual_information", discretise = "equal_frequency")
  )
}

# What a selection and its ranking say, without the functions inside.
plain_ensemble <- function(fit) {
  list(fit$selection, fit$ranking$table, fit$features, fit$runs, fit$oob$predictions)
}
