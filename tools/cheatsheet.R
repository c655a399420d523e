# The cheat sheet, inst/cheatsheet/stabilect.pdf: one page of verbs, labels, and what comes next.
# Drawn with grid and the fonts that every reader of PDF has. test-all-face.R runs its calls, and
# compares the title of the stored file with the words here: after a change run
# make cheatsheet.

# Parts of a panel: rows of a question and its call, of a word and its meaning, and sentences.
ask <- function(...) list(kind = "ask", rows = list(...))
term <- function(...) list(kind = "term", rows = list(...))
say <- function(...) list(kind = "say", rows = list(...))
panel <- function(column, title, ...) list(column = column, title = title, parts = list(...))
code <- function(...) paste(c(...), collapse = "\n")

panel_data <- panel(
  1, "I have x and y",
  say("x: a row per sample, a column per feature. Raw intensities or counts: logarithms first."),
  ask(
    c(
      "a matrix and an outcome: classes or numbers",
      "fit <- fealect(x, y, permute = 39, seed = 1)"
    ),
    c("a table with a column for the outcome", "fealect(patients, \"status\")"),
    c("age, sex, batch: what do features add?", "fealect(x, y, covariates = clinical)"),
    c("several samples of a patient", "fealect(prepare_study(x, y, blocks = patient))"),
    c("pairs: tumour and normal of a patient", "fealect(prepare_study(x, y, within = pair))"),
    c("an outcome of counts, or times to an event", code(
      "fealect(x, counts, family = \"poisson\")", "fealect(x, survival::Surv(time, event))"
    )),
    c("missing data: where, and can it be filled in?", code(
      "missing_pattern(gaps)", "fealect(prepare_study(gaps, y, na = \"impute\"))"
    )),
    c("more than 1,000 samples", "fealect(x, y, max_features = 30, n_threads = 4)")
  ),
  say("SummarizedExperiment, sparse matrices, formulas, several omics layers: ?prepare_study")
)

panel_questions <- panel(
  2, "Which verb answers which question?",
  ask(
    c("Is there any signal? Who carries it?", "found <- find_signals(x, y, seed = 1)"),
    c("Which features mark the outcome?", "subset(found$marginal, p <= 0.05)"),
    c("Which add to the others, ranked, with an honest error?",
      "fit <- fealect(x, y, permute = 39, seed = 1)"
    ),
    c("A short list with few false positives?",
      "short <- stability_selection(x, y, pfer = 1, seed = 1)"
    ),
    c("Which add for certain, with p-values?", "split_test(x, y, seed = 1)"),
    c("How few features predict as well?", "few <- eliminate_features(x, y, seed = 1)"),
    c("Is my own way of choosing stable?", code(
      "runs <- select_ensemble(x, y, selector_filter(\"t\"),",
      "                        n_features = 10, seed = 1)", "stability(runs)"
    )),
    c("Would a new study find it again?", "again <- evaluate_replication(fit, x, y)"),
    c("Is the list better than random ones?", "test_signature(x, y, fit)"),
    c("What could be measured instead?", "substitutes(runs, x)"),
    c("How large are the effects, without luck?", "feature_effects(fit, x, y)"),
    c("How many would be false on my data?", "estimate_error_rates(short, x, y)"),
    c("How many samples do I need?", "estimate_sample_size(fit, x, y)"),
    c("Which selector is best?", code(
      "ways <- list(t = selector_filter(\"t\"),", "             lasso = selector_lasso_path())",
      "evaluate_selectors(x, y, ways, n_features = 10)"
    )),
    c("Is it found in several cohorts?", "compare_cohorts(x, y, cohorts = site)")
  )
)

panel_marks <- panel(
  2, "Marks or adds?",
  say(
    paste(
      "A feature marks the outcome if it differs between the groups by itself: of a hundred",
      "correlated genes each one does."
    ),
    paste(
      "A feature adds if it tells what the others do not: of a hundred correlated genes one is",
      "enough, and which one may be open."
    ),
    "Lists of hundreds and lists of two genes are both right."
  )
)

panel_next <- panel(
  1, "What next",
  ask(
    c("see it", code("plot(fit)", "plot_values(fit, x, y)")),
    c("take it along", code("selected(short)", "as.data.frame(fit)")),
    c("predict new samples, and judge that", code(
      "predict(fit, new_x)", "validate_model(fit, new_x, new_y)"
    )),
    c("send it", "write_report(fit, \"genes.html\", x = x, y = y)")
  )
)

panel_labels <- panel(
  3, "What the print says",
  term(
    c("Signal", paste(
      "Does the outcome depend on the features at all? p compares with permuted outcomes. Not",
      "tested without permute; undecided with too few."
    )),
    c("Error", paste(
      "How models of the list err on samples that they have not seen. Compare with \"when always",
      "predicting\" or \"by chance\"."
    )),
    c("List", "How many features, by which rule, and what this rule promises."),
    c("Stability", "How much the runs agree: 1 the same list, 0 chance. New data agree less."),
    c("Best", "What a comparison favours."),
    c("Caution", "What you would otherwise get wrong. Read it first."),
    c("Next", "Calls that go on from here.")
  )
)

panel_columns <- panel(
  3, "What the columns say",
  term(
    c("score", "an order of the features, without a unit"),
    c("frequency", "share of the runs with the feature"),
    c("higher in", "the class in which it is higher"),
    c("p_fwer", "how often noise has any score as high"),
    c("q_fdr", "share of false ones down to here, estimated"),
    c("expected_by_chance", "features with such a score in permuted outcomes"),
    c("pfer, fdr", "false positives expected down to here: number, share"),
    c("probability", "that it, or a neighbour (|r| > 0.7), carries signal"),
    c("partial_r", "correlation with the outcome beside the other names")
  )
)

panel_know <- panel(
  3, "Good to know",
  say(
    "The same seed gives the same figures, on any number of threads.",
    paste(
      "Features that are chosen and judged on the same samples look too good: read Error, which is",
      "out of bag, or keep samples aside."
    ),
    paste(
      "?stabilect has all verbs, vignette(\"five-minutes\") an example, vignette(\"error-rates\")",
      "what each promise delivered."
    )
  )
)

cheat_panels <- function() {
  list(
    panel_data, panel_questions, panel_marks, panel_next, panel_labels, panel_columns, panel_know
  )
}

# All lines of code of the sheet, in reading order.
cheat_calls <- function() {
  rows <- lapply(cheat_panels(), function(one) {
    asked <- Filter(function(part) part$kind == "ask", one$parts)
    unlist(lapply(asked, function(part) vapply(part$rows, `[`, "", 2L)))
  })
  unlist(rows)
}

# What the title of the file says of the words in it.
cheat_key <- function() {
  file <- tempfile()
  on.exit(unlink(file))
  writeBin(charToRaw(enc2utf8(paste(unlist(cheat_panels()), collapse = "\n"))), file)
  paste("stabilect cheat sheet", unname(tools::md5sum(file)))
}

# Drawing. Lengths are points from the upper left corner; a page is 842 x 595.
colours <- list(
  ink = "#1b1f24", soft = "#57606a", bar = "#0b3c5d", code = "#0b3c5d", paper = "#eef3f7"
)
columns <- list(c(24, 252), c(292, 280), c(588, 230))
sizes <- list(text = 7.9, line = 9.8, code = 7.3, code_line = 9.5)

put_text <- function(text, x, y, size, ..., family = "sans", face = "plain", colour = colours$ink) {
  grid::grid.text(
    text, grid::unit(x, "points"), grid::unit(595 - y, "points"), just = c("left", "top"),
    gp = grid::gpar(fontsize = size, fontfamily = family, fontface = face, col = colour)
  )
}

text_width <- function(text, size, face = "plain") {
  grob <- grid::textGrob(text, gp = grid::gpar(fontsize = size, fontface = face))
  grid::convertWidth(grid::grobWidth(grob), "points", valueOnly = TRUE)
}

# Lines of at most `width` points.
wrapped <- function(text, width, size) {
  lines <- character()
  for (word in strsplit(text, " ")[[1]]) {
    longer <- if (length(lines) > 0L) paste(lines[length(lines)], word)
    if (is.null(longer) || text_width(longer, size) > width) {
      lines <- c(lines, word)
    } else {
      lines[length(lines)] <- longer
    }
  }
  lines
}

# Each draws one row at y, and returns the y below it.
put_ask <- function(row, x, width, y) {
  put_text(row[1], x, y, sizes$text, colour = colours$soft)
  y <- y + 10
  lines <- strsplit(row[2], "\n")[[1]]
  grid::grid.rect(
    grid::unit(x, "points"), grid::unit(595 - y + 0.5, "points"), grid::unit(width, "points"),
    grid::unit(sizes$code_line * length(lines) + 2.5, "points"), just = c("left", "top"),
    gp = grid::gpar(fill = colours$paper, col = NA)
  )
  for (line in lines) {
    put_text(line, x + 3, y + 1.9, sizes$code, family = "mono", colour = colours$code)
    y <- y + sizes$code_line
  }
  y + 5
}

put_term <- function(row, x, width, y) {
  indent <- max(52, text_width(row[1], sizes$text, "bold") + 6)
  put_text(row[1], x, y, sizes$text, face = "bold")
  for (line in wrapped(row[2], width - indent, sizes$text)) {
    put_text(line, x + indent, y, sizes$text)
    y <- y + sizes$line
  }
  y + 2.2
}

put_say <- function(row, x, width, y) {
  for (line in wrapped(row, width, sizes$text)) {
    put_text(line, x, y, sizes$text)
    y <- y + sizes$line
  }
  y + 3
}

put_panel <- function(one, y) {
  x <- columns[[one$column]][1]
  width <- columns[[one$column]][2]
  put_text(one$title, x, y, 10.5, face = "bold", colour = colours$bar)
  grid::grid.lines(
    grid::unit(c(x, x + width), "points"), grid::unit(rep(595 - y - 13, 2), "points"),
    gp = grid::gpar(col = colours$bar, lwd = 0.8)
  )
  y <- y + 18
  for (part in one$parts) {
    put_row <- switch(part$kind, ask = put_ask, term = put_term, say = put_say)
    for (row in part$rows) y <- put_row(row, x, width, y)
  }
  y + 7
}

put_head <- function() {
  grid::grid.rect(
    grid::unit(0, "points"), grid::unit(595, "points"), grid::unit(842, "points"),
    grid::unit(40, "points"), just = c("left", "top"),
    gp = grid::gpar(fill = colours$bar, col = NA)
  )
  put_text("stabilect on one page", 24, 12, 16, face = "bold", colour = "white")
  put_text(
    "Lists of features that can be defended, from few samples and many features", 208, 16.5, 9.5,
    colour = "white"
  )
}

# Draws the sheet; stops when a column is longer than the page.
draw_cheatsheet <- function(file) {
  grDevices::pdf(file, width = 842 / 72, height = 595 / 72, title = cheat_key())
  on.exit(grDevices::dev.off())
  grid::grid.newpage()
  put_head()
  y <- c(52, 52, 52)
  for (one in cheat_panels()) y[one$column] <- put_panel(one, y[one$column])
  if (any(y > 595)) stop("columns end at ", paste(round(y), collapse = ", "), " of 595 points")
  invisible(y)
}

if (sys.nframe() == 0L) {
  target <- file.path("inst", "cheatsheet", "stabilect.pdf")
  dir.create(dirname(target), showWarnings = FALSE)
  cat("columns end at", round(draw_cheatsheet(target)), "of 595 points:", target, "\n")
}
