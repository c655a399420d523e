# Lists of a changed verb again, on the outcomes that are stored: Rscript renew.R run [seconds of
# processor time] (run: a name of `methods`) adds to results/renewed.csv after every repetition and
# goes on from there; when all are made, they take the places of the old ones in results/lists.rds.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
root <- if (length(file) > 0L) dirname(file) else "."
arguments <- commandArgs(trailingOnly = TRUE)
seconds <- c(as.numeric(arguments[2]), Inf)[1 + is.na(arguments[2])]
source(file.path(root, "designs.R"))
source(file.path(root, "methods.R"))
# The definitions of run.R, without its run.
needed <- c("judge", "nothing", "one_method", "one_response")
for (line in as.list(parse(file.path(root, "run.R")))) {
  if (identical(line[[1]], quote(`<-`)) && deparse1(line[[2]]) %in% needed) eval(line)
}
stopifnot(arguments[1] %in% names(methods))
methods <- methods[arguments[1]]

packed <- file.path(root, "results", "lists.rds")
to <- file.path(root, "results", "renewed.csv")
lists <- readRDS(packed)
stored <- unique(lists[c("design", "seed", "repetition")])
stored$cell <- (stored$seed %/% 1000) %% 10
known <- if (file.exists(to)) utils::read.csv(to)$seed
left <- stored[!stored$seed %in% known, ]
for (rows in split(left, left$repetition)) {
  if (sum(proc.time()[c("user.self", "sys.self")]) > seconds) quit(status = 0)
  made <- Map(one_response, rows$design, rows$cell, rows$repetition)
  utils::write.table(
    do.call(rbind, made), to, append = file.exists(to), sep = ",", row.names = FALSE,
    col.names = !file.exists(to)
  )
}
renewed <- utils::read.csv(to)
stopifnot(setequal(renewed$seed, stored$seed))
whole <- rbind(lists[lists$run != names(methods), ], renewed[names(lists)])
whole <- whole[order(match(whole$seed, stored$seed), match(whole$run, unique(lists$run))), ]
rownames(whole) <- NULL
saveRDS(whole, packed, compress = "xz")
unlink(to)
