# The picture in README.md: the score curve of the colon genes, and where the scores of permuted
# responses lie. Run in the package's root folder, with stabilect and ggplot2 installed.
library(stabilect)

fit <- fealect(log2(colon_genes$x), colon_genes$y, n_runs = 1000, permute = 39, seed = 1)

path <- file.path("man", "figures", "README-scores.png")
dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
grDevices::png(path, width = 1400, height = 800, res = 170)
plot(fit)
grDevices::dev.off()
