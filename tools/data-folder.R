# Makes the folder of data sets that experiments and some tests read, from packages of CRAN and
# Bioconductor and from files of public repositories, whose addresses and checksums are in
# data-downloads.csv: Rscript tools/data-folder.R <folder> [offline], or make data (folder of
# STABILECT_DATA). Sets that are there are left alone. It says which packages would give more, what
# could not be fetched, and where the sets are that it cannot make. See ?experiment_data.

given <- commandArgs(trailingOnly = TRUE)
folder <- if (length(given) > 0L) given[1] else Sys.getenv("STABILECT_DATA")
offline <- "offline" %in% given[-1]
if (!nzchar(folder)) stop("Name the folder: Rscript tools/data-folder.R <folder>", call. = FALSE)
dir.create(folder, showWarnings = FALSE, recursive = TRUE)
known <- utils::read.csv(file.path("inst", "extdata", "datasets.csv"))
path_of <- function(name) file.path(folder, paste0(name, ".rds"))
downloads <- utils::read.csv(file.path("tools", "data-downloads.csv"), na.strings = "")
downloads$address <- with(
  downloads, paste("https://raw.githubusercontent.com", repository, commit, path, sep = "/")
)

# The file of a set in <folder>/downloaded, fetched if it is not there; nothing else has its
# checksum.
# @return its path, or NULL when it cannot be fetched.
fetched <- function(name) {
  row <- downloads[downloads$name == name, ]
  path <- file.path(folder, "downloaded", basename(row$path))
  if (!file.exists(path)) {
    dir.create(dirname(path), showWarnings = FALSE)
    failed <- offline || tryCatch(
      utils::download.file(row$address, path, mode = "wb", quiet = TRUE) != 0L,
      error = function(e) TRUE, warning = function(w) TRUE
    )
    if (failed) {
      unlink(path)
      return(NULL)
    }
  }
  if (!identical(unname(tools::md5sum(path)), row$md5)) {
    stop(path, " is not the file with the checksum of tools/data-downloads.csv", call. = FALSE)
  }
  path
}

# datamicroarray has R data, scikit-feature MATLAB's.
of_file <- function(name) {
  row <- downloads[downloads$name == name, ]
  is_matlab <- grepl("[.]mat$", row$path)
  make <- function() {
    path <- fetched(name)
    if (is.null(path)) {
      return(NULL)
    }
    if (is_matlab) {
      set <- R.matlab::readMat(path)
      x <- with_names(set$X)
      if (all(x == round(x))) storage.mode(x) <- "integer"
      labels <- strsplit(row$labels, "|", fixed = TRUE)[[1]]
      classes <- sort(unique(as.vector(set$Y)))
      return(list(x = x, y = factor(set$Y, classes, if (anyNA(labels)) classes else labels)))
    }
    place <- new.env()
    load(path, place)
    set <- place[[name]]
    x <- as.matrix(set$x)
    if (is.null(rownames(x))) rownames(x) <- paste0("s", seq_len(nrow(x)))
    list(x = x, y = factor(set$y))
  }
  list(needs = if (is_matlab) "R.matlab" else character(), make = make)
}

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

# The sets that others are made from come first.
recipes <- c(sapply(downloads$name, of_file, simplify = FALSE), recipes)

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

made <- there <- unfetched <- character()
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
  if (is.null(set)) {
    unfetched <- c(unfetched, name)
    next
  }
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
for (name in unfetched) {
  message(name, ", not fetched: ", downloads$address[downloads$name == name])
}
rest <- known[!known$name %in% names(recipes) & !file.exists(path_of(known$name)), ]
for (i in seq_len(nrow(rest))) {
  package <- rest$cran_package[i]
  message(
    rest$name[i], ", not made here: ", rest$source[i],
    if (!is.na(package) && nzchar(package)) paste0("; CRAN has ", package)
  )
}
