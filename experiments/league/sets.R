# The sets: what is cut, what belongs together. Read by run.R and summarise.R.

# Versions of the same samples, which count as one study.
studies <- c(
  skf_ALLAML = "golub", skf_leukemia = "golub", skf_colon = "alon", skf_Prostate_GE = "singh",
  singh6033_sda = "singh", lymphoma3_spls = "skf_lymphoma", nki500_survivALL = "nki70",
  surv_nki70 = "nki70", gastro_NBI = "gastro_WL"
)
study_of <- function(set) unname(ifelse(set %in% names(studies), studies[set], set))

# All others measure the expression of genes.
not_genes <- c(
  "skf_arcene", "skf_BASEHOCK", "skf_COIL20", "skf_Isolet", "skf_madelon", "skf_ORL", "skf_PCMAC",
  "skf_pixraw10P", "skf_warpAR10P", "skf_Yale", "mcl_sll", "usps", "sonar", "gastro_WL",
  "gastro_NBI", "lsvt", "skf_orlraws10P", "skf_warpPIE10P", "pdb_ligands_sample"
)
# A choice of 10 of 13, 30 or 34 features is none.
too_few <- c("heartEW", "wdbc", "ionosphere")
survival_sets <- c("surv_nki70", "surv_sorlie")
raw_intensities <- c("golub", "alon", "singh", "borovecki")

most <- c(samples = 120L, features = 5000L, classes = 5L)

all_sets <- function() setdiff(c(stabilect::experiment_data()$name, survival_sets), too_few)

# @return list(x, y, n, p, classes (of the whole set)).
read_set <- function(name) {
  set <- readRDS(file.path(Sys.getenv("STABILECT_DATA"), paste0(name, ".rds")))
  x <- unname(as.matrix(set$x)) + 0
  y <- if (is.null(set$time)) droplevels(factor(set$y)) else survival::Surv(set$time, set$event)
  whole <- list(n = nrow(x), p = ncol(x), classes = if (is.factor(y)) nlevels(y) else NA)
  if (name %in% raw_intensities) x <- log2(pmax(x, 10))
  rows <- withr::with_seed(1, rows_of(y))
  x <- x[rows, ]
  y <- if (is.factor(y)) factor(as.character(y[rows])) else y[rows]
  x <- x[, apply(x, 2L, stats::var) > 0]
  dimnames(x) <- list(paste0("s", seq_len(nrow(x))), paste0("f", seq_len(ncol(x))))
  # Columns that repeat others up to scale are not names of their own here. The variance knows no
  # outcome; all methods lack the same features.
  scores <- score_features(x, y, selector_filter("variance"), seed = 1)
  x <- x[, scores$feature[sort(utils::head(order(-scores$score), most[["features"]]))]]
  c(list(x = x, y = y), whole)
}

# The largest classes, and of too many samples some of each class in proportion.
rows_of <- function(y) {
  if (!is.factor(y)) {
    return(sort(sample(nrow(y), min(nrow(y), most[["samples"]]))))
  }
  kept <- names(utils::head(sort(-table(y)), most[["classes"]]))
  by_class <- split(seq_along(y), factor(y, kept))
  share <- min(1, most[["samples"]] / sum(lengths(by_class)))
  sort(unlist(lapply(by_class, function(rows) {
    rows[sample.int(length(rows), round(share * length(rows)))]
  }), use.names = FALSE))
}

outcome_of_set <- function(y) {
  if (!is.factor(y)) "survival" else if (nlevels(y) == 2L) "two classes" else "several classes"
}
