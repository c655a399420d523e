# Beyond this number of samples verbs take ways whose time grows in proportion to it, and judge or
# compare some samples instead of all; results of fewer samples keep their bits. As in the core.
many_samples <- 1000L
