# The picture in README.md: values of the six best colon genes, from the call that README shows. Run
# in the package's root folder, with stabilect and ggplot2 installed.
library(stabilect)

x <- log2(colon_genes$x)
y <- colon_genes$y
fit <- fealect(x, y, permute = 39, seed = 1)

path <- file.path("man", "figures", "README-values.png")
dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
grDevices::png(path, width = 1050, height = 700, res = 150)
print(plot_values(fit, x, y))
grDevices::dev.off()
