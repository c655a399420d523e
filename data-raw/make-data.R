# Makes data/colon_genes.rda and data/mcl_sll.rda from the CRAN packages that ship them. Run from
# the root of the package: Rscript data-raw/make-data.R [folder with the two source packages]
#
# The source packages are read without installing them, because only their data are wanted and
# FeaLect does not install without rms. A package that cannot be downloaded is taken from the
# library when it is installed there.

fetch_source <- function(package, folder) {
  pattern <- paste0("^", package, "_.*[.]tar[.]gz$")
  archive <- list.files(folder, pattern, full.names = TRUE)
  if (length(archive) == 0L) {
    if (identical(unname(getOption("repos")["CRAN"]), "@CRAN@")) {
      utils::chooseCRANmirror(ind = 1, local.only = TRUE)
    }
    # Mirrors warn of index files that they lack, also when the download works.
    got <- tryCatch(
      suppressWarnings(
        utils::download.packages(package, folder, type = "source", quiet = TRUE)
      ),
      error = function(e) NULL
    )
    archive <- if (length(got) > 0L) got[1, 2]
  }
  if (is.null(archive)) {
    return(NULL)
  }
  utils::untar(archive, exdir = folder, files = package)
  file.path(folder, package)
}

read_object <- function(package, object, folder) {
  env <- new.env()
  source_folder <- fetch_source(package, folder)
  if (is.null(source_folder)) {
    message("CRAN does not serve ", package, ": reading the installed package")
    utils::data(list = object, package = package, envir = env)
  } else {
    files <- list.files(file.path(source_folder, "data"), full.names = TRUE)
    file <- files[tolower(tools::file_path_sans_ext(basename(files))) == tolower(object)]
    load(file, envir = env)
  }
  get(object, envir = env)
}

make_colon <- function(source) {
  source_name <- trimws(source$gene.names)
  full_name <- sub("^(a|sa)[.]", "Hsa.", source_name)
  genes <- data.frame(id = make.unique(full_name, sep = "_"), source_name = source_name)
  x <- source$X
  dimnames(x) <- list(sprintf("S%02d", seq_len(nrow(x))), genes$id)
  list(x = x, y = factor(source$Y, levels = 1:2, labels = c("normal", "tumour")), genes = genes)
}

# Archives are copied, so that unpacking leaves the caller's folder as it was.
work <- tempfile("source-packages")
dir.create(work)
given <- commandArgs(trailingOnly = TRUE)
if (length(given) > 0L) {
  invisible(file.copy(list.files(given[1], "[.]tar[.]gz$", full.names = TRUE), work))
}

colon_genes <- make_colon(read_object("plsgenomics", "Colon", work))
mcl_sll <- read_object("FeaLect", "mcl_sll", work)
stopifnot(
  identical(dim(colon_genes$x), c(62L, 2000L)), !anyDuplicated(colnames(colon_genes$x)),
  identical(as.vector(table(colon_genes$y)), c(22L, 40L)),
  identical(dim(mcl_sll), c(22L, 237L)), sum(mcl_sll$MCL) == 7
)
dir.create("data", showWarnings = FALSE)
save(colon_genes, file = "data/colon_genes.rda", compress = "xz", version = 3)
save(mcl_sll, file = "data/mcl_sll.rda", compress = "xz", version = 3)
message("Written: data/colon_genes.rda, data/mcl_sll.rda")
