# The package's main job on its two data sets: which genes tell tumour from normal colon tissue, and
# which flow cytometry features tell two lymphomas apart. Called by `make demo`.
library(stabilect)

folder <- "demo"
dir.create(folder, showWarnings = FALSE)

save_picture <- function(fit, type, name) {
  path <- file.path(folder, paste0(name, ".png"))
  grDevices::png(path, width = 1400, height = 950, res = 150)
  plot(fit, type = type)
  grDevices::dev.off()
  message("picture: ", path)
}

lymphoma <- factor(mcl_sll$MCL, levels = c(0, 1), labels = c("SLL", "MCL"))
sets <- list(
  mcl_sll = list(x = as.matrix(mcl_sll[, -1]), y = lymphoma),
  colon = list(x = log2(colon_genes$x), y = colon_genes$y)
)

for (name in names(sets)) {
  cat("\n==== ", name, " ====\n", sep = "")
  time <- system.time(
    fit <- fealect(sets[[name]]$x, sets[[name]]$y, n_runs = 1000, seed = 1, n_threads = 2)
  )[["elapsed"]]
  print(fit)
  cat(sprintf("1000 subsamples in %.2f seconds\n", time))
  save_picture(fit, "scores", paste0(name, "-scores"))
  save_picture(fit, "frequency", paste0(name, "-frequency"))
}
