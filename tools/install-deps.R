# Installs the R packages and system tools that a purpose needs and that are missing, and nothing
# else. Rscript tools/install-deps.R demo|check|peers
#
# Debian's built packages are used where they exist (Debian or a relative, as root, with an R that
# reads Debian's library); everything else comes from the user's configured R repository, into the
# first library that can be written to. It asks no questions and says what it does.
#
# peers: packages that come from the R repository only and bring newer versions of others that the
# system has. They go to a library of their own, .build/peers, which only `make peers` reads.

# Packages that DESCRIPTION names in `fields`, without those of base R; values are the lowest
# versions that it asks for.
declared_packages <- function(fields) {
  description <- read.dcf("DESCRIPTION", fields = fields)
  entries <- trimws(unlist(strsplit(description[!is.na(description)], ",")))
  name <- sub("[ \n(].*$", "", entries)
  asked <- grepl(">=", entries, fixed = TRUE)
  version <- ifelse(asked, gsub("^.*>=|[) ]", "", entries), "0")
  base <- c("R", rownames(utils::installed.packages(.Library, priority = "base")))
  needed <- !duplicated(name) & !name %in% base
  stats::setNames(version[needed], name[needed])
}

peers <- c(
  "bigstatsr", "future.mirai", "mlr3", "mlr3filters", "mlr3fselect", "mlr3pipelines", "paradox",
  "sharp"
)

# hard: the purpose fails without them; soft: some of it is skipped without them.
wanted_packages <- function(purpose) {
  hard <- declared_packages(c("Imports", "LinkingTo"))
  suggested <- declared_packages("Suggests")
  if (purpose == "demo") {
    return(list(hard = hard, soft = suggested["ggplot2"]))
  }
  if (purpose == "peers") {
    return(list(hard = hard[0], soft = suggested[peers]))
  }
  # plsgenomics serves one test that compares `colon` with its source; it brings many packages.
  soft <- suggested[!names(suggested) %in% c("testthat", "withr", "plsgenomics", peers)]
  # What experiments and tools/data-folder.R use beside.
  soft <- c(soft, declared_packages("Config/Needs/experiments"))
  list(hard = c(hard, suggested[c("testthat", "withr")], lintr = "3.0.0"), soft = soft)
}

# System tools; values say what happens without them.
wanted_tools <- function(purpose) {
  tools <- c(
    pandoc = "vignettes and README are not checked",
    chromium = "the report is not tried in a browser",
    pngquant = "the pages are larger than CRAN takes",
    qpdf = "the size of PDF files is not checked",
    tidy = "the HTML of the help pages is not checked",
    "clang-format" = "the layout of the C++ sources is not checked",
    gfortran = "R packages with Fortran code (lars, glmnet) cannot be built from source"
  )
  if (purpose == "check") tools else tools[0]
}

missing_packages <- function(wanted) {
  is_there <- vapply(names(wanted), function(package) {
    found <- suppressWarnings(utils::packageDescription(package, fields = "Version"))
    !is.na(found) && utils::compareVersion(found, wanted[[package]]) >= 0
  }, logical(1))
  names(wanted)[!is_there]
}

missing_tools <- function(wanted) names(wanted)[!nzchar(Sys.which(names(wanted)))]

can_use_apt <- function() {
  is_root <- identical(unname(Sys.info()["effective_user"]), "root")
  file.exists("/etc/debian_version") && is_root && nzchar(Sys.which("apt-get"))
}

# Errors are shown, the account of every package is not.
apt <- function(...) {
  system2("apt-get", c("-qq", "-o", "Dpkg::Use-Pty=0", ...),
    stdout = FALSE, env = "DEBIAN_FRONTEND=noninteractive"
  )
}

# Both names that a package may have; the one that does not exist is dropped later.
debian_name <- function(package) {
  as.vector(outer(c("r-cran-", "r-bioc-"), tolower(package), paste0))
}

# Debian's packages are built for Debian's R and go to a library that another R does not read.
install_by_apt <- function(packages, tools) {
  message("Debian: reading the package lists (apt-get update)")
  if (apt("update") != 0L) {
    message("Debian: the lists could not be read; trying with what is there")
  }
  if (!"/usr/lib/R/site-library" %in% normalizePath(.libPaths())) {
    packages <- character()
  }
  # What building R packages takes beside the compiler comes with r-base-dev.
  tools[tools == "gfortran"] <- "r-base-dev"
  candidates <- c(debian_name(packages), tools)
  exists <- vapply(candidates, function(name) {
    length(suppressWarnings(
      system2("apt-cache", c("--quiet=0", "show", name), stdout = TRUE, stderr = FALSE)
    )) > 0L
  }, logical(1))
  chosen <- candidates[exists]
  if (length(chosen) == 0L) {
    return(invisible())
  }
  message("Debian: installing ", paste(chosen, collapse = ", "))
  if (apt("install", "-y", "--no-install-recommends", chosen) != 0L) {
    message("Debian: not all of these could be installed")
  }
}

# The first library that can be written to; the user's own is made when there is none.
writable_library <- function() {
  writable <- .libPaths()[file.access(.libPaths(), 2L) == 0L]
  if (length(writable) > 0L) {
    return(writable[1])
  }
  own <- strsplit(Sys.getenv("R_LIBS_USER"), .Platform$path.sep, fixed = TRUE)[[1]][1]
  message("R: making the library ", own)
  dir.create(own, recursive = TRUE)
  .libPaths(c(own, .libPaths()))
  own
}

install_by_r <- function(packages) {
  repository <- getOption("repos")["CRAN"]
  if (is.na(repository) || repository %in% c("@CRAN@", "")) {
    utils::chooseCRANmirror(ind = 1, local.only = TRUE)
  }
  library <- writable_library()
  message("R: installing ", paste(packages, collapse = ", "), " into ", library)
  # Compilers run in parallel; flags of a make that started this script must not reach them.
  Sys.setenv(MAKEFLAGS = paste0("-j", Sys.getenv("JOBS", "2")))
  tryCatch(
    utils::install.packages(packages, library, quiet = TRUE),
    error = function(e) message("R: ", conditionMessage(e))
  )
}

report <- function(packages, soft, tools, why) {
  for (tool in tools) {
    message("Without ", tool, ": ", why[[tool]], ". Install it with the system's package manager.")
  }
  for (package in intersect(packages, soft)) {
    message("Without the R package ", package, ": what needs it is skipped.")
  }
  lacking <- setdiff(packages, soft)
  if (length(lacking) > 0L) {
    message("These R packages are needed and could not be installed: ", toString(lacking))
    quit(status = 1)
  }
}

main <- function(purpose) {
  wanted <- wanted_packages(purpose)
  all <- c(wanted$hard, wanted$soft)
  why <- wanted_tools(purpose)
  packages <- missing_packages(all)
  tools <- missing_tools(why)
  if (length(c(packages, tools)) == 0L) {
    message("Everything that '", purpose, "' needs is there: nothing to install.")
    return(invisible())
  }
  message("Missing: ", toString(c(packages, tools)))
  if (can_use_apt() && purpose != "peers") {
    install_by_apt(packages, tools)
    packages <- missing_packages(all)
  }
  if (length(packages) > 0L) {
    install_by_r(packages)
  }
  report(missing_packages(all), names(wanted$soft), missing_tools(why), why)
}

purpose <- commandArgs(trailingOnly = TRUE)
if (length(purpose) != 1L || !purpose %in% c("demo", "check", "peers")) {
  stop("Say what for: Rscript tools/install-deps.R demo|check|peers", call. = FALSE)
}
if (purpose == "peers") {
  dir.create(file.path(".build", "peers"), recursive = TRUE, showWarnings = FALSE)
  .libPaths(c(normalizePath(file.path(".build", "peers")), .libPaths()))
  # mlr3measures needs a newer checkmate than it says.
  if (!dir.exists(file.path(".build", "peers", "checkmate"))) install_by_r("checkmate")
}
main(purpose)
