# Inside the room of tools/check-current.sh: installs what DESCRIPTION names and is missing, from
# Debian where it has the package, else from R's repository. What neither has is said.

description <- read.dcf("/root/DESCRIPTION", fields = c("Imports", "LinkingTo", "Suggests"))
named <- unique(sub("[ \n(].*$", "", trimws(unlist(strsplit(description, ",")))))
missing_of <- function(names) names[!nzchar(vapply(names, function(p) system.file(package = p), ""))]

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

wanted <- missing_of(named)
install_debian(wanted)
# glmnet decides stored answers, and Debian's may be older: `make check-current` tries CRAN's.
from_repository <- missing_of(named)
if (length(from_repository) > 0L) utils::install.packages(from_repository)
lost <- missing_of(named)
if (length(lost) > 0L) message("Not installed: ", paste(lost, collapse = ", "))
