# What is judged. Each function of (x, y, seed, clusters) returns named lists of `sets` (names of
# features, as a list; of clusters and credible sets: their features) and `claim`, the rate that is
# stated. Lists of one function share a run.

quiet <- function(verb, x, y, ..., seed) verb(x, y, ..., seed = seed, progress = FALSE)
single <- function(names, claim) list(sets = as.list(names), claim = claim)
numbers_of <- function(y) if (is.factor(y)) as.numeric(y) - 1 else y
family_of <- function(y) if (is.factor(y)) "binomial" else "gaussian"
members_of <- function(clusters, names) {
  lapply(names, function(name) names(clusters$membership)[clusters$membership == name])
}

# Kept, since these take longer than the lists: the r-concave bound of q features, and the
# covariances of the features of the last response.
kept <- new.env()
r_concave <- function(p, q) {
  key <- paste(p, q)
  if (is.null(kept[[key]])) {
    kept[[key]] <- error_bound(p, q = q, pfer = 1, assumption = "r_concave")
  }
  kept[[key]]
}
second_order <- function(x) {
  if (!identical(x, kept$x)) {
    kept$x <- x
    kept$covariance <- matrix(as.numeric(corpcor::cov.shrink(x, verbose = FALSE)), ncol(x))
    kept$diagonal <- knockoff::create.solve_equi(kept$covariance)
  }
  knockoff::create.gaussian(x, colMeans(x), kept$covariance, diag_s = kept$diagonal)
}

own <- list(
  signals = function(x, y, seed, clusters) {
    fit <- quiet(find_signals, x, y, seed = seed)
    wrong <- sum(1 - fit$table$probability[match(fit$features, fit$table$feature)])
    list(
      find_signals = single(fit$features, wrong / max(1, length(fit$features))),
      marginal = single(fit$marginal$feature[fit$marginal$p <= 0.05], 0.05)
    )
  },
  pfer = function(x, y, seed, clusters) {
    fit <- quiet(stability_selection, x, y, pfer = 1, cutoff = 0.75, seed = seed)
    bound <- r_concave(ncol(x), fit$bound$q)
    high <- fit$table$frequency >= bound$cutoff - 1e-9
    list(
      pfer = single(fit$features, fit$bound$pfer),
      pfer_r_concave = single(fit$table$feature[high], bound$pfer)
    )
  },
  efp = function(x, y, seed, clusters) {
    list(efp = single(quiet(stability_selection, x, y, pfer = 1, seed = seed)$features, 1))
  },
  fdr = function(x, y, seed, clusters) {
    list(fdr = single(quiet(stability_selection, x, y, fdr = 0.1, seed = seed)$features, 0.1))
  },
  clusters = function(x, y, seed, clusters) {
    fit <- quiet(
      stability_selection, x, y, pfer = 1, cutoff = 0.75, clusters = clusters, permute = 0,
      seed = seed
    )
    list(clusters = list(sets = members_of(clusters, fit$features), claim = fit$bound$pfer))
  },
  permute = function(x, y, seed, clusters) {
    table <- quiet(
      stability_selection, x, y, pfer = 1, cutoff = 0.75, permute = 19, seed = seed
    )$table
    list(
      permute_p = single(table$feature[table$p_fwer <= 0.05], 0.05),
      permute_q = single(table$feature[table$q_fdr <= 0.2], 0.2)
    )
  },
  split = function(x, y, seed, clusters) {
    fit <- quiet(split_test, x, y, groups = clusters, seed = seed)
    groups <- fit$groups$group[fit$groups$selected]
    list(
      split = single(fit$features, 0.05),
      split_groups = list(sets = members_of(clusters, groups), claim = 0.05)
    )
  },
  trex = function(x, y, seed, clusters) {
    fit <- quiet(
      select_ensemble, x, y, selector_trex(), resample_custom(list(seq_len(nrow(x)))),
      aggregate_by("frequency", cutoff = 1), n_features = "own", seed = seed
    )
    list(trex = single(fit$features, 0.2))
  },
  bolasso = function(x, y, seed, clusters) {
    list(bolasso = single(quiet(bolasso, x, y, seed = seed)$features, NA))
  },
  fealect = function(x, y, seed, clusters) {
    list(fealect = single(quiet(fealect, x, y, seed = seed)$features, NA))
  }
)

peers <- list(
  # Sets of coverage 0.95 and purity 0.5, the defaults; classes as 0 and 1.
  susie = function(x, y, seed, clusters) {
    fit <- susieR::susie(x, numbers_of(y), L = 10)
    sets <- fit$sets$cs
    lead <- vapply(sets, function(set) set[which.max(fit$pip[set])], 0L)
    list(
      susie = single(colnames(x)[lead], 0.05),
      susie_sets = list(sets = lapply(sets, function(set) colnames(x)[set]), claim = 0.05)
    )
  },
  # Gaussian copies with the first two moments, shrunken, and equal correlations, as those of
  # create.second_order(method = "equi"); knockoff+ at 0.2.
  knockoffs = function(x, y, seed, clusters) {
    statistic <- if (is.factor(y)) {
      knockoff::stat.lasso_coefdiff_bin
    } else {
      knockoff::stat.glmnet_coefdiff
    }
    fit <- knockoff::knockoff.filter(
      x, if (is.factor(y)) y else numbers_of(y), fdr = 0.2, statistic = statistic,
      knockoffs = second_order
    )
    list(knockoffs = single(colnames(x)[fit$selected], 0.2))
  },
  limma = function(x, y, seed, clusters) {
    fit <- limma::eBayes(limma::lmFit(t(x), stats::model.matrix(~y)))
    list(limma = single(colnames(x)[stats::p.adjust(fit$p.value[, 2], "BH") <= 0.05], 0.05))
  },
  glmnet = function(x, y, seed, clusters) {
    fit <- glmnet::cv.glmnet(x, y, family = family_of(y))
    at <- function(penalty) {
      beta <- as.matrix(stats::coef(fit, s = penalty))[-1, 1]
      single(names(beta)[beta != 0], NA)
    }
    list(glmnet_1se = at("lambda.1se"), glmnet_min = at("lambda.min"))
  },
  # Not in child processes, whose time would not count.
  stabs = function(x, y, seed, clusters) {
    fit <- stabs::stabsel(
      x, y, fitfun = stabs::glmnet.lasso, args.fitfun = list(family = family_of(y)),
      cutoff = 0.75, PFER = 1, papply = lapply
    )
    list(stabs = single(names(fit$selected), 1))
  }
)

methods <- c(own, peers)
