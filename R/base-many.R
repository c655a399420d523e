# Beyond this number of samples verbs take ways whose time grows in proportion to it, and judge or
# compare some samples instead of all; results of fewer samples keep their bits. As in the core.
many_samples <- 1000L

# Features at which paths end that were asked for no end, NULL for none. Whole paths of many samples
# would follow every feature; a step by likelihood takes many of one by least squares.
# @param squares (flag) by least squares?
longest_path <- function(n, squares) if (n > many_samples) if (squares) 250L else 100L
