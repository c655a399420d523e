# Inside the room of tools/check-current.sh: installs what DESCRIPTION names and is missing, from
# Debian where it has the package, else from R's repository. What neither has is said.

description <- read.dcf("/check/DESCRIPTION", fields = c("Imports", "LinkingTo", "Suggests"))
named <- unique(sub("[ \n(].*$", "", trimws(unlist(strsplit(description, ",")))))
missing_of <- function(names) {
  names[!nzchar(vapply(names, function(p) system.file(package = p), ""))]
}

install_debian <- function(names) {
  known <- system("apt-cache pkgnames r-", intern = TRUE)
  built <- c(outer(c("r-cran-", "r-bioc-"), tolower(names), paste0))
  built <- built[built %in% known]
  # One that cannot be installed today must not keep the others away.
  install <- function(packages) {
    system2("apt-get", c("install", "-y", "-qq", "--no-install-recommends", packages))
  }
  if (length(built) > 0L && install(built) != 0L) for (one in built) install(one)
}

install_debian(missing_of(named))
rest <- missing_of(named)
if (length(rest) > 0L) {
  # What the others need is Debian's also where it can be: some of it compiles for an hour.
  available <- utils::available.packages()
  needed <- unlist(tools::package_dependencies(rest, available, recursive = TRUE))
  install_debian(missing_of(unique(needed)))
  utils::install.packages(rest)
}
lost <- missing_of(named)
if (length(lost) > 0L) message("Not installed: ", paste(lost, collapse = ", "))
