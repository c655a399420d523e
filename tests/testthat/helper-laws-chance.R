# Laws of chance, with fixed seeds: on noise, lists of independent data agree by chance alone, p is
# uniform, concordance and AUC 1/2, and names are within their claim, whatever is known of samples
# and features besides; a feature with a strong signal is found first. A cell is a verb, an outcome
# and an axis.

laws_chance_verbs <- function() {
  kinds <- laws_kinds
  paths <- c(laws_path_axes, "clusters")
  list(
    fealect = laws_verb(function(kind) {
      laws_family(quote(
        fealect(x, y, n_runs = 10, n_boot = 0, permute = permute, seed = seed)
      ), kind)
    }, kinds, setdiff(paths, c("views", "strata"))),
    stability_selection = laws_verb(function(kind) {
      laws_family(quote(stability_selection(
        x, y, q = 4, pfer = 1, n_pairs = 10, permute = permute, seed = seed
      )), kind)
    }, kinds, c(setdiff(paths, "views"), "offset")),
    bolasso = laws_verb(function(kind) {
      laws_family(quote(
        bolasso(x, y, cutoff = 0.5, lambda = 0.2, n_runs = 8, permute = permute, seed = seed)
      ), kind)
    }, kinds, c("covariates", "blocks", "penalty")),
    select_ensemble = laws_verb(function(kind) {
      filter <- switch(kind,
        binary = "t", multiclass = "anova", ordered = "spearman", numeric = "pearson", "cox"
      )
      bquote(select_ensemble(
        x, y, selector = selector_filter(.(filter)), resampling = resample_bootstrap(8),
        n_features = 4, permute = permute, seed = seed
      ))
    }, setdiff(kinds, "count"), c("covariates", "blocks")),
    find_signals = laws_verb(function(kind) {
      laws_family(quote(find_signals(x, y, permute = max(19, 2 * permute + 1), seed = seed)), kind)
    }, kinds, c("covariates", "blocks", "within", "clusters")),
    split_test = laws_verb(function(kind) {
      laws_family(quote(split_test(x, y, fwer = 0.1, n_runs = 6, seed = seed)), kind)
    }, kinds)
  )
}

laws_chance_cells <- function() {
  verbs <- laws_chance_verbs()
  cells <- lapply(names(verbs), function(verb) {
    cells <- expand.grid(
      verb = verb, outcome = verbs[[verb]]$outcomes, axis = c("none", verbs[[verb]]$axes),
      stringsAsFactors = FALSE
    )
    # Runs of a few samples that a covariate separates fail.
    classes <- cells$outcome %in% c("binary", "multiclass", "ordered")
    apart <- verb == "bolasso" & cells$axis == "covariates" & classes |
      # A family of classes within groups needs one sample of the second class in each.
      verb != "find_signals" & cells$axis == "within" & classes
    cells[mapply(laws_suits, cells$axis, cells$outcome) & !apart, ]
  })
  do.call(rbind, cells)
}

# Data of one cell. The covariate explains the outcome; with `signal` feature g17 does as well.
laws_chance_data <- function(kind, signal, n = 48L, p = 40L) {
  data <- laws_data(kind, n, p, "normal")
  strong <- matrix(stats::rnorm(2 * n), n)
  by_age <- stats::rnorm(n)
  axis <- if (signal) strong[, 1] else by_age
  link <- cbind(if (signal) 6 * axis + by_age else axis, strong[, 2])
  y <- laws_outcome(link, kind, weights = c(if (signal) 3 else 1, 0))
  names(y) <- if (kind != "survival") rownames(data$x)
  data$y <- y
  data$z$age <- by_age
  if (signal) data$x[, "g17"] <- strong[, 1]
  data$v <- rep(c(0.8, 1.2), p / 2)
  data$cl <- paste0("c", rep(seq_len(p / 2), each = 2L))
  data$b <- laws_blocks(y, kind)
  data$g <- laws_groups(y, kind)
  data$seed <- sample.int(1e4, 1L)
  data
}

laws_chance_call <- function(cell) {
  verb <- laws_chance_verbs()[[cell$verb]]
  laws_with_axes(verb$call(cell$outcome), setdiff(cell$axis, "none"))
}

laws_chance_fit <- function(cell, number, signal, permute) {
  withr::local_seed(1000L * number + 7L * nchar(paste(cell, collapse = "")))
  data <- c(laws_chance_data(cell$outcome, signal), permute = permute)
  envir <- list2env(data, parent = asNamespace("stabilect"))
  suppressMessages(suppressWarnings(eval(laws_chance_call(cell), envir)))
}

# The best features of a result that some run selected, at most five.
laws_best <- function(fit) {
  # Of find_signals(): features by their own correlation.
  table <- if (inherits(fit, "stabilect_signals")) {
    fit$marginal[order(-abs(fit$marginal$correlation)), ]
  } else {
    fit$table
  }
  if (!is.null(table$frequency)) table <- table[table$frequency > 0, ]
  if (!is.null(table$representative)) table$feature <- table$representative
  utils::head(table$feature, 5L)
}

# The concordance or AUC that is printed; NA where there is none, or where covariates explain it.
laws_rank <- function(fit, cell) {
  oob <- fit$oob
  if (!cell$axis %in% c("none", "blocks", "penalty", "views", "clusters")) return(NA_real_)
  if (identical(oob$measure, "discordance")) 1 - oob$error else oob$auc %||% NA_real_
}

# @return (data frame) stability (of the lists of independent data) and its standard error, mean p,
#   share of p <= 0.1, features named, what is claimed of them; found (share of signals that come
#   first); ranks (mean concordance or AUC) and its standard error.
laws_chance_cell <- function(cell, n_sets = 20L, permute = 9L) {
  fits <- lapply(seq_len(n_sets), function(i) laws_chance_fit(cell, i, FALSE, permute))
  lists <- lapply(fits, function(fit) match(laws_best(fit), sprintf("g%02d", 1:40)))
  lists <- lists[lengths(lists) > 0L]
  agreement <- if (length(lists) > 2L) laws_agreement(lists, 40L) else c(0, 1)
  p <- vapply(fits, function(fit) fit$p_value %||% fit$null$p %||% NA_real_, 0)
  ranks <- vapply(fits, laws_rank, 0, cell = cell)
  found <- vapply(1:2, function(i) {
    laws_best(laws_chance_fit(cell, 100L + i, TRUE, 0L))[1] %in% "g17"
  }, NA)
  claim <- switch(cell$verb,
    stability_selection = mean(vapply(fits, function(fit) fit$bound$pfer, 0)), find_signals = 0.3,
    split_test = 0.1, Inf
  )
  data.frame(
    cell, stability = agreement[1], se = agreement[2], p = mean(p), low = mean(p <= 0.1),
    named = mean(vapply(fits, function(fit) length(fit$features), 1)), claim = claim,
    found = mean(found), ranks = mean(ranks), ranks_se = stats::sd(ranks) / sqrt(n_sets)
  )
}

# Mean overlap of pairs of lists of independent data beyond chance, and its standard error.
laws_agreement <- function(lists, p) {
  n <- length(lists)
  sets <- vapply(lists, function(at) tabulate(at, p), integer(p))
  overlap <- crossprod(sets)
  size <- colSums(sets)
  beyond <- overlap - outer(size, size) / p
  value <- mean(beyond[upper.tri(beyond)])
  # Under independence the pairs are uncorrelated: hypergeometric variance.
  variance <- outer(size, size, function(a, b) a * b * (p - a) * (p - b) / (p^2 * (p - 1)))
  c(value, sqrt(mean(variance[upper.tri(variance)]) / (n * (n - 1) / 2)))
}

# What a table of cells breaks, in words.
laws_chance_broken <- function(table, n_sets) {
  say <- function(broken, what) {
    if (any(broken)) paste(what, do.call(paste, table[broken, c("verb", "outcome", "axis")]))
  }
  # Beyond 3.5 standard errors.
  off <- function(variance) 3.5 * sqrt(variance / n_sets)
  c(
    say(table$stability > 3.5 * table$se, "lists of independent noise agree:"),
    say(!is.na(table$p) & table$p < 0.5 - off(0.09), "p of noise is small:"),
    say(!is.na(table$low) & table$low > 0.1 + off(0.09), "p of noise is often small:"),
    say(table$named > table$claim + off(pmax(table$claim, 0.1)), "more names than claimed:"),
    say(!is.na(table$ranks) & abs(table$ranks - 0.5) > 3.5 * pmax(table$ranks_se, 0.01),
      "noise is ranked:"),
    say(table$found < 1, "a strong signal is not first:")
  )
}
