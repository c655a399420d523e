# More sets for real.R, which had no part in the choice of the intervals: it was made before.
# Rscript experiments/honest-error/real-unseen.R [draws a cell, 100]; adds rows to results/real.csv.

home <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
lines <- readLines(file.path(home, "real.R"))
at <- grep("^(cells <- list|for \\(n in|folder <- )", lines)
eval(parse(text = lines[seq_len(at[2] - 1L)]))
sources <- list(
  classes = list(
    wdbc = list("wdbc"), ionosphere = list("ionosphere"), heart = list("heartEW"),
    madelon = list("skf_madelon"), `Isolet 2:5` = list("skf_Isolet", c("2", "5")),
    `COIL 3:6` = list("skf_COIL20", c("3", "6"))
  ),
  numbers = list(wdbc = "wdbc", ligands = "pdb_ligands_sample", ionosphere = "ionosphere")
)
for (n in c(40, 20, 80)) {
  for (kind in names(sources)) {
    for (name in names(sources[[kind]])) add(kind, name, n, "fealect", paths)
  }
}
eval(parse(text = lines[at[3]:length(lines)]))
