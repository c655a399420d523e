# The set indices for list_stability_indices(). Properties are those of Nogueira et al. (2018), in
# their order: defined for runs of different sizes; with sizes held, higher whenever overlaps are;
# bounds that do not depend on p or the sizes; highest value if and only if all runs select the
# same; corrected for chance as it stands. Tests enumerate small cases for the last three.

index_entries_sets <- function() c(pairwise_entries(), joint_entries())

# @param properties (string) five letters, T or F.
set_entry <- function(name, label, fun, lower, upper, corrected, correctable, needs, properties,
                      frequency, reference) {
  index_entry(
    name, label, "sets", fun, lower, upper, corrected, correctable, needs,
    strsplit(properties, "")[[1]] == "T", frequency, reference
  )
}

pair_entry <- function(name, label, lower, corrected, needs, properties, reference,
                       correctable = FALSE) {
  set_entry(
    name, label, pair_index(name), lower, "1", corrected, correctable, needs,
    properties, name != "jaccard", reference
  )
}

pairwise_entries <- function() {
  list(
    pair_entry("jaccard", "Jaccard", "0", FALSE, character(), "TTTTF",
      "Jaccard (1901); Kalousis et al. (2007)", correctable = TRUE),
    pair_entry("dice", "Dice", "0", FALSE, character(), "TTTTF", "Dice (1945)",
      correctable = TRUE),
    pair_entry("ochiai", "Ochiai", "0", FALSE, character(), "TTTTF",
      "Ochiai (1957); Zucknick et al. (2008)", correctable = TRUE),
    pair_entry("hamming", "Hamming", "0", FALSE, "p", "TTTTF", "Dunne et al. (2002)",
      correctable = TRUE),
    pair_entry("pog", "Percentage of overlap (POG)", "0", FALSE, character(), "TTTTF",
      "Shi et al. (2006)", correctable = TRUE),
    pair_entry("npog", "Normalised POG", "-((p - 1) + 1 / (p - 1)) / 2", TRUE, "p", "TTFTT",
      "Zhang et al. (2009)"),
    pair_entry("lustgarten", "Lustgarten", "-1", TRUE, "p", "TTTFT",
      "Lustgarten et al. (2009)"),
    pair_entry("wald", "Wald", "1 - p", TRUE, "p", "TTFFT", "Wald et al. (2013)"),
    pair_entry("kappa", "Cohen's kappa", "-1", TRUE, "p", "TTTTT", "Carletta (1996)"),
    pair_entry("phi", "Phi coefficient", "-1", TRUE, "p", "TTTTT", "Nogueira and Brown (2016)"),
    pair_entry("unadjusted", "Unadjusted", "-1", TRUE, "p", "TTTTT",
      "Bommert and Rahnenfuehrer (2020)"),
    pair_entry("kuncheva", "Kuncheva", "-1", TRUE, c("p", "equal sizes"), "FTTTT",
      "Kuncheva (2007)")
  )
}

joint_entry <- function(name, label, fun, lower, corrected, correctable, needs, properties,
                        reference) {
  set_entry(
    name, label, fun, lower, "1", corrected, correctable, needs, properties,
    TRUE, reference
  )
}

joint_entries <- function() {
  list(
    joint_entry("nogueira", "Nogueira", moment_index(nogueira_score), "-1 / (m - 1)", TRUE, FALSE,
      "p", "TTTTT", "Nogueira et al. (2018)"),
    joint_entry("cw", "Weighted consistency", moment_index(cw_score), "0", FALSE, TRUE,
      character(), "TTTTF", "Somol and Novovicova (2010)"),
    joint_entry("cw_rel", "Relative weighted consistency", moment_index(cw_rel_score), "0", FALSE,
      TRUE, "p", "TTTFF", "Somol and Novovicova (2010)"),
    joint_entry("cw_rel_sizes", "Relative weighted consistency given the sizes",
      moment_index(cw_rel_sizes_score), "0", FALSE, TRUE, "p", "TTTFF",
      "after Somol and Novovicova (2010)"),
    joint_entry("davis", "Davis", davis_index, "0", FALSE, TRUE, character(), "TFTTF",
      "Davis et al. (2006)"),
    joint_entry("novovicova", "Novovicova", novovicova_index, "0", FALSE, TRUE, character(),
      "TFTTF", "Novovicova et al. (2009)")
  )
}
