# Makes the folder of data sets that experiments and some tests read, from packages of CRAN and
# Bioconductor: Rscript tools/data-folder.R <folder>, or make data (folder of STABILECT_DATA).
# Files that are there are left alone. It says which packages would give more, and where the sets
# are that no package has. See ?experiment_data.

given <- commandArgs(trailingOnly = TRUE)
folder <- if (length(given) == 1L) given else Sys.getenv("STABILECT_DATA")
if (!nzchar(folder)) stop("Name the folder: Rscript tools/data-folder.R <folder>", call. = FALSE)
dir.create(folder, showWarnings = FALSE, recursive = TRUE)
known <- utils::read.csv(file.path("inst", "extdata", "datasets.csv"))
path_of <- function(name) file.path(folder, paste0(name, ".rds"))

# A data set of a package, by name.
of_package <- function(package, name) {
  place <- new.env()
  utils::data(list = name, package = package, envir = place)
  place[[name]]
}

with_names <- function(x) {
  dimnames(x) <- list(paste0("s", seq_len(nrow(x))), paste0("V", seq_len(ncol(x))))
  x
}

# Cut at half a standard deviation, as the sets of scikit-feature are.
cut_at_half <- function(x) {
  z <- scale(x)
  with_names(2L * (z > 0.5) - 2L * (z < -0.5))
}

# The order of the samples in scikit-feature's leukaemia sets.
golub_rows <- c(35:72, 1:34)

# `needs`: packages, or files of this folder; `make` returns x and y.
recipes <- list(
  mcl_sll = list(needs = character(), make = function() {
    set <- of_package("stabilect", "mcl_sll")
    list(x = as.matrix(set[, -1]), y = factor(ifelse(set$MCL == 1, "MCL", "SLL")))
  }),
  skf_colon = list(needs = character(), make = function() {
    set <- of_package("stabilect", "colon_genes")
    list(x = cut_at_half(set$x), y = set$y)
  }),
  skf_leukemia = list(needs = "golub.rds", make = function() {
    set <- readRDS(path_of("golub"))
    list(x = cut_at_half(set$x[golub_rows, 60:7129]), y = set$y[golub_rows])
  }),
  skf_ALLAML = list(needs = "golub.rds", make = function() {
    set <- readRDS(path_of("golub"))
    # Theirs has seven digits.
    list(x = with_names(signif(scale(set$x[golub_rows, ]), 7)), y = set$y[golub_rows])
  }),
  sonar = list(needs = "mlbench", make = function() {
    set <- of_package("mlbench", "Sonar")
    list(x = as.matrix(set[, -61]), y = set$Class)
  }),
  ionosphere = list(needs = "mlbench", make = function() {
    set <- of_package("mlbench", "Ionosphere")
    numbers <- vapply(set[, -35], function(v) as.numeric(as.character(v)), numeric(nrow(set)))
    list(x = with_names(numbers), y = set$Class)
  }),
  wdbc = list(needs = "mclust", make = function() {
    set <- of_package("mclust", "wdbc")
    x <- as.matrix(set[, -(1:2)])
    rownames(x) <- paste0("s", seq_len(nrow(x)))
    list(x = x, y = factor(set$Diagnosis))
  }),
  chiaretti = list(needs = c("ALL", "Biobase"), make = function() {
    set <- of_package("ALL", "ALL")
    type <- as.character(Biobase::pData(set)$mol.biol)
    kept <- type %in% c("NEG", "BCR/ABL")
    list(x = t(Biobase::exprs(set)[, kept]), y = factor(type[kept]))
  })
)

lacks <- function(needs) {
  is_file <- grepl("[.]rds$", needs)
  there <- ifelse(
    is_file, file.exists(file.path(folder, needs)),
    vapply(needs, requireNamespace, NA, quietly = TRUE)
  )
  needs[!there]
}

# Size and classes must be those of the list of sets.
check_set <- function(name, set) {
  row <- known[known$name == name, ]
  found <- c(dim(set$x), nlevels(droplevels(set$y)))
  if (!identical(as.integer(found), as.integer(unlist(row[c("n", "p", "classes")])))) {
    stop(name, " is ", toString(found), ", not what inst/extdata/datasets.csv says", call. = FALSE)
  }
}

made <- there <- character()
wanting <- list()
for (name in names(recipes)) {
  if (file.exists(path_of(name))) {
    there <- c(there, name)
    next
  }
  missing <- lacks(recipes[[name]]$needs)
  if (length(missing) > 0L) {
    wanting[[name]] <- missing
    next
  }
  set <- recipes[[name]]$make()
  check_set(name, set)
  row <- known[known$name == name, ]
  saveRDS(
    c(set, list(name = name, source = row$source, reference = NA_character_)), path_of(name),
    compress = "xz"
  )
  made <- c(made, name)
}

say <- function(title, names) if (length(names) > 0L) message(title, ": ", toString(names))
say("Made", made)
say("There already", there)
for (name in names(wanting)) message(name, " needs ", toString(wanting[[name]]))
rest <- known[!known$name %in% names(recipes) & !file.exists(path_of(known$name)), ]
for (i in seq_len(nrow(rest))) {
  package <- rest$cran_package[i]
  message(
    rest$name[i], ", not made here: ", rest$source[i],
    if (!is.na(package) && nzchar(package)) paste0("; CRAN has ", package)
  )
}
