# Checkpoints under attack: processes killed at random moments, whose work is then resumed, and
# files with flipped bits or a missing end.
# Rscript tools/attack-checkpoint.R [kills] [damages] [seed]
# A resumed call must give the bits of one that was left alone; a damaged file must be refused by
# class, or give these bits, too.

source("tools/attack-store.R")
given <- as.integer(commandArgs(trailingOnly = TRUE))
n_kills <- if (length(given) > 0L) given[1] else 20L
n_damages <- if (length(given) > 1L) given[2] else 200L
seed <- if (length(given) > 2L) given[3] else as.integer(Sys.time()) %% 100000L
suppressPackageStartupMessages(library(stabilect))
set.seed(seed)
cat(sprintf("%d kills, %d damages, seed %d\n", n_kills, n_damages, seed))

x <- log2(colon_genes$x)[, 1:500]
y <- colon_genes$y
# Long enough that a kill finds them at work: a second or two.
verbs <- list(
  fealect = function(file, n = 3000) {
    fealect(x, y, n_runs = n, n_boot = 0, oob = FALSE, seed = 1, checkpoint = file)
  },
  stability_selection = function(file, n = 3000) {
    stability_selection(x, y, q = 5, cutoff = 0.8, n_pairs = n, seed = 1, checkpoint = file)
  },
  select_ensemble = function(file, n = 150) {
    slow <- selector_custom(function(x, y) {
      Sys.sleep(0.01)
      colMeans(x)
    })
    select_ensemble(x, y, list(selector_filter("t"), slow), resample_bootstrap(n),
      n_features = 5, seed = 1, checkpoint = file
    )
  },
  evaluate_selectors = function(file, n = 60) {
    evaluate_selectors(x, y, list(selector_filter("t")), n_features = 3, n_repeats = n, seed = 1,
      checkpoint = file
    )
  }
)
# What depends on runs, without closures and times.
answer <- function(fit) list(fit$table, fit$selection$score, fit$selection$status)

kill_and_resume <- function(name, whole) {
  file <- tempfile(fileext = ".ckp")
  child <- callr::r_bg(function(verb, file, x, y) {
    library(stabilect)
    environment(verb) <- list2env(list(x = x, y = y), parent = globalenv())
    cat("start\n")
    verb(file)
  }, list(verbs[[name]], file, x, y), stdout = "|")
  child$poll_io(60000)
  Sys.sleep(stats::runif(1, 0, 2.5))
  was_alive <- child$is_alive()
  tools::pskill(child$get_pid(), 9L)
  child$wait(5000)
  n_bytes <- if (file.exists(file)) file.size(file) else 0
  same <- identical(answer(verbs[[name]](file)), whole)
  litter <- length(list.files(dirname(file), sub("[.]ckp$", "", basename(file)))) - 1L
  cat(sprintf("%-20s alive %-5s %9.0f bytes, resumed the same: %s\n", name, was_alive, n_bytes,
    same))
  unlink(file)
  data.frame(what = "kill", verb = name, in_work = was_alive && n_bytes > 0, good = same, litter)
}

damage <- function(bytes) {
  if (stats::runif(1) < 0.15) {
    return(bytes[seq_len(sample.int(length(bytes) - 1L, 1L))])
  }
  k <- sample.int(length(bytes), 1L)
  replace(bytes, k, xor(bytes[k], as.raw(2^sample(0:7, 1L))))
}

try_damaged <- function(name, bytes, whole, n) {
  file <- tempfile(fileext = ".ckp")
  writeBin(damage(bytes), file)
  how <- tryCatch(
    if (identical(answer(verbs[[name]](file, n)), whole)) "same" else "OTHER NUMBERS",
    stabilect_error = function(e) "refused", error = function(e) paste("OTHER ERROR", e)
  )
  unlink(file)
  how
}

whole <- lapply(verbs, function(verb) answer(verb(NULL)))
kills <- lapply(rep_len(names(verbs), n_kills), function(name) {
  kill_and_resume(name, whole[[name]])
})
kills <- do.call(rbind, kills)
sizes <- c(fealect = 25, stability_selection = 10, select_ensemble = 12, evaluate_selectors = 5)
ends <- unlist(lapply(names(verbs), function(name) {
  file <- tempfile(fileext = ".ckp")
  small <- answer(verbs[[name]](file, sizes[[name]]))
  bytes <- readBin(file, "raw", file.size(file))
  vapply(seq_len(ceiling(n_damages / length(verbs))), function(k) {
    try_damaged(name, bytes, small, sizes[[name]])
  }, "")
}))
cat(sprintf(
  "%d of %d resumed with the same bits (%d of them killed with a checkpoint written)\n",
  sum(kills$good), nrow(kills), sum(kills$in_work)
))
print(table(damaged = ends))
store_attack("checkpoints", data.frame(
  seed, kills = nrow(kills), in_work = sum(kills$in_work), same_bits = sum(kills$good),
  litter = sum(kills$litter > 0), damages = length(ends), refused = sum(ends == "refused"),
  same = sum(ends == "same"), other = sum(!ends %in% c("same", "refused"))
))
if (!all(kills$good) || !all(ends %in% c("same", "refused"))) quit(status = 1L)
