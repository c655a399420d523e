# The sections of a report.

section_summary <- function(fit, others = list()) {
  caution <- plain_words(facts_of(fit)$verdict$Caution)
  c(
    html_tag("p", html_text(paste(story_of(fit, others), collapse = " ")), "lead"),
    if (length(caution) > 0L) {
      html_tag("p", paste(
        html_tag("strong", "Caution:"), html_text(paste0(join_lines(caution), "."))
      ), "caution")
    }
  )
}

section_features <- function(fit, n, study = NULL) {
  if (!"feature" %in% names(fit$table)) {
    return(section("Result", facts_html(facts_of(fit, n))))
  }
  some <- any(fit$table$feature %in% fit$features)
  shown <- report_table(fit, study, n)
  rest <- length(fit$features) - n
  section(
    if (some) "Features" else "No feature is selected; first in line",
    searchable_table(shown, sum(fit$table$feature %in% fit$features)),
    if (some && rest > 0L) html_tag("p", sprintf("... and %d more.", rest), "note unlisted"),
    html_terms(shown$meanings),
    if (length(shown$same) > 0L) {
      html_tag(
        "p", html_text(paste0("The same in all rows: ", toString(shown$same), ".")), "note"
      )
    },
    # Tests on splits have no q.
    if ("q_fdr" %in% names(fit$table)) {
      html_tag("p", html_text(explain_evidence(fit$null, names(shown$table))), "note")
    },
    if (!is.null(study)) {
      html_tag("p", paste(
        "Effects come from the samples that chose the features. New samples will show smaller ones."
      ), "note")
    }
  )
}

# Pictures, each with the sentence that says how to read it.
section_pictures <- function(fit, study = NULL) {
  shown <- Filter(Negate(is.null), c(
    list(picture_of_values(fit, study)), list(html_picture(fit)),
    list(if (!is.null(fit$null$maxima) && inherits(fit$null, "stabilect_null")) {
      html_picture(fit$null)
    }),
    list(picture_of_stability(fit))
  ))
  if (length(shown) > 0L) section("Pictures", unlist(shown))
}

picture_of_values <- function(fit, study) {
  features <- utils::head(intersect(fit$features, study$feature_names), 6L)
  if (length(features) > 0L) html_picture(study, function(x) values_picture(x, features))
}

# Of the runs, with the index that measures it.
picture_of_stability <- function(fit) {
  selection <- runs_of_report(fit)
  if (is.null(selection)) {
    return(NULL)
  }
  by_frequency <- rule_of(fit$asked)$by_frequency
  c(
    html_picture(selection, function(x) {
      if (by_frequency) map_picture(x) else frequency_bars(x, max_features = 20)
    }),
    html_tag("p", paste(c(
      if (ranks_in_runs(fit)) {
        sprintf("Of each run its %s count here.", count_of(n_best(fit), "best feature"))
      },
      sprintf("%s.", agreement_of_runs(fit)), "Runs share samples: new data agree less."
    ), collapse = " "), "note")
  )
}

# @return (string) without a full stop, or NULL.
agreement_of_runs <- function(fit) {
  selection <- runs_of_report(fit)
  if (is.null(selection)) {
    return(NULL)
  }
  found <- tryCatch(stability(selection)$table, stabilect_error = function(e) NULL)
  if (isTRUE(is.finite(found$estimate[1]))) {
    sprintf(
      "Agreement of the %s: %s by Nogueira's index (1: identical, 0: by chance)",
      if (ranks_in_runs(fit)) {
        sprintf("best %s of each run", count_of(n_best(fit), "feature"))
      } else {
        "runs"
      },
      figure(found$estimate[1], digits = 2)
    )
  }
}

# Enough runs that select something, or NULL.
runs_of_report <- function(fit) {
  selection <- tryCatch(selection_of_report(fit), stabilect_error = function(e) NULL)
  if (!is.null(selection) && any(selection$selected) && length(ok_runs(selection)) > 2L) selection
}

# FeaLect's runs have no sets: the best of each, as many as are listed, at most 20.
selection_of_report <- function(fit) {
  if (ranks_in_runs(fit)) as_selection(fit, n_features = n_best(fit)) else fit$selection
}

ranks_in_runs <- function(fit) inherits(fit, "stabilect_fealect")
n_best <- function(fit) max(1L, min(20L, length(fit$features)))

section_further <- function(name, x) {
  section(name, facts_html(facts_of(x)), html_picture(x))
}

# The facts of a result as text and tables.
facts_html <- function(facts) {
  lines <- function(text) html_tag("p", html_text(text), "note")
  c(
    html_tag("p", html_text(join_lines(c(facts$title, facts$design))), "note"),
    html_terms(vapply(facts$verdict, join_lines, "")),
    unlist(lapply(facts$sections, function(part) {
      c(
        if (length(part$above) > 0L) lines(part$above), table_of_part(part),
        if (length(part$below) > 0L) lines(part$below)
      )
    }))
  )
}

# With the digits of prints.
table_of_part <- function(part) {
  table <- part$table
  if (is.numeric(table)) table <- data.frame(as.list(table), check.names = FALSE)
  if (NROW(table) == 0L) {
    return(NULL)
  }
  rest <- part$rest + max(0, nrow(table) - part$n)
  c(
    html_table(utils::head(table, part$n), digits = part$digits),
    if (rest > 0) {
      html_tag("p", html_text(sprintf(
        "... %s more; `write_tables()` writes all", figure(rest, big.mark = ",")
      )), "note")
    }
  )
}

section_details <- function(fit) {
  facts <- facts_of(fit)
  # The paragraph has these.
  facts$verdict$Caution <- NULL
  if (is.null(fit$null)) facts$verdict$Signal <- NULL
  section(
    "How it was done", html_tag("p", html_text(join_lines(
      c(facts$title, facts$data, facts$design)
    )), "note"),
    html_terms(vapply(facts$verdict, join_lines, ""))
  )
}

section_undone <- function(fit, others, study) {
  items <- left_undone(fit, others, study)
  section("What was not done", html_tag("ul", paste(
    html_tag("li", html_text(items)), collapse = "\n"
  )))
}

section_methods <- function(fit, others, study) {
  text <- methods_of(fit, study, others)
  section(
    "Methods, to paste into a paper", html_tag("p", escape_html(text$paragraph)),
    html_tag("ol", paste(html_tag("li", escape_html(text$references)), collapse = "\n"))
  )
}
