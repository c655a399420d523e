# Adds rows to experiments/attack/results when STORE=yes is set, each with the commit that was
# attacked. Sourced by the scripts of the attacks.
store_attack <- function(name, rows) {
  if (!identical(Sys.getenv("STORE"), "yes")) {
    return(invisible())
  }
  commit <- system2("git", c("rev-parse", "--short", "HEAD"), stdout = TRUE)
  place <- file.path("experiments/attack/results", paste0(name, ".csv"))
  dir.create(dirname(place), recursive = TRUE, showWarnings = FALSE)
  before <- if (file.exists(place)) utils::read.csv(place, colClasses = c(commit = "character"))
  utils::write.csv(rbind(before, cbind(commit = commit, rows)), place, row.names = FALSE)
}
