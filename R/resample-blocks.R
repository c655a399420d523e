# Blocks: dependent samples that are drawn together (samples of one patient, litters, batches).
# Plans draw blocks in place of samples. All code that predicts a sample or splits the rows of a run
# must keep the plan's blocks whole.

# @return factor of length n, or NULL without blocks. Levels are in the order of the samples: blocks
#   of one sample each are drawn as samples are.
check_blocks <- function(blocks, n = NULL) {
  if (is.null(blocks)) {
    return(NULL)
  }
  refuse(!is.atomic(blocks) || !is.null(dim(blocks)),
    "{.arg blocks} must be a vector with one label per sample, not
      {describe_value(blocks)}."
  )
  refuse(!is.null(n) && length(blocks) != n,
    "{.arg blocks} has {length(blocks)} label{?s}, but there are {n} samples."
  )
  refuse_blank(blocks, "{.arg blocks}")
  refuse_at(is.na(blocks),
    c("{.arg blocks} must be complete; entry {at} is {blocks[at]}.",
      i = "A sample that belongs to no other is a block of its own: give it a label of its own."
    )
  )
  labels <- as.character(blocks)
  known <- unique(labels)
  refuse(length(known) < 2L,
    "{.arg blocks} must hold at least two blocks; all {length(labels)} sample{?s} {?is/are}
      in {cli::qty(length(known))}block{?s} {.val {known}}."
  )
  # Blocks of copies stay such.
  structure(factor(labels, known), class = if (is_copied(blocks)) class(blocks) else "factor")
}

# The names that blocks and counts of a plan were given with.
check_plan_samples <- function(resampling, samples) {
  named <- if (inherits(resampling, "stabilect_resamples")) {
    resampling$plan$named
  } else if (inherits(resampling, "stabilect_resampling")) {
    resampling$named
  }
  for (argument in names(named)) check_samples(named[[argument]], samples, argument)
}

# A class of one sample, or of one block, is either in a run or left out of it. Runs without it fail
# or cannot judge it, and all that they say of the class is about this sample.
check_class_sizes <- function(response) {
  if (is.null(response$codes)) {
    return(invisible())
  }
  blocks <- response$blocks
  units <- if (is.null(blocks)) response$codes else response$codes[!duplicated(data.frame(
    response$codes, as.integer(blocks)
  ))]
  single <- response$levels[tabulate(units, length(response$levels)) < 2L]
  if (length(single) == 0L) {
    return(invisible())
  }
  what <- if (is.null(blocks)) "sample" else "block of samples"
  abort(c("{length(single)} class{?es} ha{?s/ve} one {what} each, too few to be resampled:
      {.val {single}}.",
    i = if (is.null(blocks)) {
      "Leave {cli::qty(single)}{?it/them} out: {.code keep <- y %in% names(which(table(y) > 1))},
        then {.code x[keep, ]} and {.code y[keep]}."
    } else {
      "Leave {cli::qty(single)}{?it/them} out, or join classes."
    },
    if (length(response$levels) > 2L && all(reads_as_number(response$levels))) {
      c(i = "If these are numbers, give {.code as.numeric(y)}.")
    }
  ))
}

# Do two plans, or a plan and labels, define the same blocks? Names do not matter.
same_blocks <- function(a, b) {
  if (is.null(a) || is.null(b)) {
    return(is.null(a) && is.null(b))
  }
  identical(as.integer(a), as.integer(b))
}

# The plan, or drawn resamples, with these blocks; an error if it has others. Other objects are
# returned unchanged, for the checks of the verb.
plan_with_blocks <- function(plan, blocks) {
  drawn <- inherits(plan, "stabilect_resamples")
  if (is.null(blocks) || !drawn && !inherits(plan, "stabilect_resampling")) {
    return(plan)
  }
  blocks <- check_blocks(blocks, plan$n)
  known <- if (drawn) plan$plan$blocks else plan$blocks
  if (is_copied(blocks) && (!is.null(known) || is_split(plan, blocks))) {
    return(plan)
  }
  if (!is.null(known)) {
    refuse(!same_blocks(known, blocks),
      "The resamples have other blocks ({nlevels(known)}) than the data or the other plan
        ({nlevels(blocks)})."
    )
    return(plan)
  }
  if (drawn) {
    check_whole_blocks(plan$counts, blocks)
    plan$plan <- set_blocks(plan$plan, blocks)
    return(plan)
  }
  if (!is.null(plan$counts)) check_whole_blocks(plan$counts, blocks)
  set_blocks(plan, blocks)
}

set_blocks <- function(plan, blocks) {
  plan["blocks"] <- list(blocks)
  plan$n <- length(blocks)
  plan
}

# The plan for some of its samples, for example the training rows of an outer run. Copies of a row
# stay in its block. Plans without blocks do not depend on the samples.
plan_for_rows <- function(plan, rows) {
  if (is.null(plan$blocks)) {
    return(plan)
  }
  refuse(plan$scheme == "custom",
    "Custom runs cannot be drawn again from a part of the samples; give another plan."
  )
  plan$named <- NULL
  set_blocks(plan, check_blocks(plan$blocks[rows]))
}

split_blocks <- function(counts, blocks) {
  inside <- rowsum((counts > 0L) + 0L, as.integer(blocks))
  which(inside > 0L & inside < tabulate(blocks), arr.ind = TRUE)
}

# Do given runs split copies? Then they stay, and prints say so.
is_split <- function(plan, blocks) {
  given <- inherits(plan, "stabilect_resamples") || plan$scheme == "custom"
  counts <- if (inherits(plan, "stabilect_resamples")) {
    plan$counts
  } else if (given) {
    custom_counts(plan, length(blocks))
  }
  given && nrow(counts) == length(blocks) && nrow(split_blocks(counts, blocks)) > 0L
}

# Runs that were drawn without these blocks must not split any.
check_whole_blocks <- function(counts, blocks) {
  split <- split_blocks(counts, blocks)
  if (nrow(split) > 0L) {
    block <- levels(blocks)[split[1, 1]]
    abort(
      c("Run {split[1, 2]} splits block {.val {block}}: some of its samples are in the bag, others
          are not.",
        i = "Draw by blocks, such as {.code resample_bootstrap(blocks = )}."
      )
    )
  }
}

# The number of each sample's block, or of the sample.
units_of <- function(response, blocks = response$blocks) {
  if (is.null(blocks)) seq_along(response$y) else as.integer(blocks)
}

# The drawn units: samples, or blocks with the label of their samples (-1 for several labels).
# @param response (list) of drawn_response().
draw_units <- function(plan, response) {
  codes <- as.integer(plan$blocks)
  labels <- response$labels
  if (length(labels) > 0L) {
    of_block <- labels[match(seq_len(nlevels(plan$blocks)), codes)]
    several <- unique(codes[labels != of_block[codes]])
    # A sample whose copies have several classes counts to the first of them.
    if (is_copied(plan$blocks) && (plan$stratify || plan$balance)) several <- integer()
    refuse(length(several) > 0L && (plan$stratify || plan$balance),
      c("A stratified or balanced plan needs blocks of one class each, but block
          {.val {levels(plan$blocks)[several[1]]}} has several.",
        i = "Draw without {.arg stratify} and {.arg balance}: {length(several)} of
          {nlevels(plan$blocks)} blocks {?has/have} several classes."
      )
    )
    of_block[several] <- -1L
    labels <- of_block
  }
  cell <- response$cell[match(seq_len(nlevels(plan$blocks)), codes)]
  list(n = nlevels(plan$blocks), labels = labels, cell = cell, min_size = 1L)
}

# The smallest number of samples, with repeats, that a run can have.
smallest_bag_of_blocks <- function(plan) {
  sizes <- sort(tabulate(plan$blocks))
  k <- length(sizes)
  drawn <- floor(plan$fraction * k + 1e-9)
  switch(plan$scheme,
    pairs = sum(utils::head(sizes, k %/% 2L)),
    loo = sum(utils::head(sizes, -1L)),
    folds = sum(utils::head(sizes, -ceiling(k / plan$n_folds))),
    bootstrap = drawn * sizes[1],
    custom = 2L,
    sum(utils::head(sizes, drawn))
  )
}

# Does every block have only one class (or value)?
blocks_are_pure <- function(y, blocks) {
  values <- match(y, unique(y))
  all(values == values[match(blocks, blocks)])
}
