# What two checklists for authors ask for, answered from the results. Item numbers are those of
# TRIPOD+AI (Collins et al. 2024) and of REMARK (McShane et al. 2005).

# @param known function(fit, others, study): (character) what the results say, or NULL.
# @param left (string, or function of the same) what the authors must say, or NULL.
new_item <- function(topic, tripod, remark, left = NULL, known = function(...) NULL) {
  list(topic = topic, tripod = tripod, remark = remark, left = left, known = known)
}

# A prediction study of other kinds of data has further items.
checklist_items <- function() {
  list(
    new_item("Title, abstract, background", "1, 2, 3a-3c", NA, "all of it"),
    new_item("Aim", "4", "1", "hypotheses stated before the analysis", known_aim),
    new_item(
      "Participants", "5a, 5b, 6a-6c", "2, 3, 6",
      "source of data, dates, setting, eligibility and treatments"
    ),
    new_item(
      "Specimens and measurement", "9b, 9c", "4, 5", "material, storage, assay and its blinding"
    ),
    new_item(
      "Data preparation", "7", NA, "normalisation and quality control before the analysis",
      known_preparation
    ),
    new_item(
      "Outcome", "8a-8c", "7", "definition, time and blinding of its assessment",
      function(fit, ...) describe_outcome(outcome_of(fit$study), fit$study)
    ),
    new_item(
      "Candidate features", "9a", "8", "features left out before the analysis", known_candidates
    ),
    new_item("Sample size", "10", "9", "the reason for this number", known_size),
    new_item("Missing data", "11", "10", "samples left out before the analysis", known_missing),
    new_item("Use of the data", "12a", NA, NULL, known_use),
    new_item(
      "Handling of features", "12b", "11", "transformations before the analysis",
      function(...) "used as numbers, without cut points"
    ),
    new_item("Selection and model", "12c", "10", "the reason for the method", known_method),
    new_item("Centres, batches, pairs", "12d, 23b", NA, left_groups, known_groups),
    new_item("Measures of performance", "12e", "10", "clinical utility", known_measures),
    new_item("Class imbalance", "13", NA, NULL, known_balance),
    new_item("Fairness", "14", NA, "what was done about it"),
    new_item("Output of the model", "15", NA, left_model, known_output),
    new_item("New data", "16, 20c", NA, left_new, known_new),
    new_item("Ethics and consent", "17", NA, "committee and consent"),
    new_item(
      "Funding, interests, protocol, registration, public involvement", "18a-18d, 19", NA,
      "all of it"
    ),
    new_item("Data sharing", "18e", NA, "where the data are", known_data),
    new_item("Code sharing", "18f", NA, "code that prepared the data", known_code),
    new_item("Numbers analysed", "20a, 21", "12", "flow of the participants", known_numbers),
    new_item(
      "Characteristics of participants", "20b", "13", "table of age, sex, stage and the like",
      function(fit, ...) known_covariates(fit, "adjusted for here:")
    ),
    new_item("Full model", "12g, 22", "16", left_model, known_model),
    new_item("Effect of each feature", NA, "15", left_effects, known_effects),
    new_item(
      "Relation to known variables", NA, "14, 17", left_adjusted,
      function(fit, ...) known_covariates(fit, "lists, errors and effects are adjusted for")
    ),
    new_item("Performance", "23a", "18", left_performance, known_performance),
    new_item("Further analyses", NA, "18", NULL, known_further),
    new_item(
      "Limitations", "26", "19", "a discussion of them",
      function(...) "the cautions, and the section \"What was not done\" of the report"
    ),
    new_item("Interpretation and use", "25, 27a-27c", "19, 20", "all of it")
  )
}

# @return (data frame) item, tripod, remark, answer (what the results say), left (to the authors);
#   NULL for results without a list of features.
checklist_of <- function(fit, others, study) {
  if (!"feature" %in% names(fit$table)) {
    return(NULL)
  }
  items <- checklist_items()
  say <- function(what) {
    text <- if (is.function(what)) what(fit, others, study) else what
    gsub("[ \t\n]+", " ", paste(plain_words(text), collapse = "; "))
  }
  table <- data.frame(
    item = vapply(items, `[[`, "", "topic"),
    tripod = vapply(items, function(one) as.character(one$tripod), ""),
    remark = vapply(items, function(one) as.character(one$remark), ""),
    answer = vapply(items, function(one) say(one$known), ""),
    left = vapply(items, function(one) say(one$left), "")
  )
  table[nzchar(table$answer) | nzchar(table$left), ]
}

section_checklist <- function(fit, others, study) {
  table <- checklist_of(fit, others, study)
  if (is.null(table)) {
    return(NULL)
  }
  number <- function(list, at) ifelse(is.na(at), NA, paste(list, at))
  numbers <- cbind(number("TRIPOD+AI", table$tripod), number("REMARK", table$remark))
  numbers <- apply(numbers, 1L, function(one) paste(one[!is.na(one)], collapse = "; "))
  left <- ifelse(nzchar(table$left), html_tag("em", paste(
    "left to the authors:", html_text(table$left)
  )), "")
  answer <- html_text(table$answer)
  glue <- ifelse(nzchar(answer) & nzchar(left), "; ", "")
  terms <- paste0(
    html_tag("dt", paste0(escape_html(table$item), html_tag("small", escape_html(numbers)))),
    html_tag("dd", paste0(answer, glue, left))
  )
  answered <- sum(nzchar(table$answer))
  section(
    "Checklist for the paper",
    html_tag("p", paste(
      "Items of TRIPOD+AI, for models that predict, and of REMARK, for prognostic markers, as far",
      "as a selection of features has to do with them."
    ), "note"),
    "<details class=\"checklist\" open>",
    html_tag("summary", sprintf(
      "%d of %d items have an answer from the results", answered, nrow(table)
    )),
    html_tag("dl", paste(terms, collapse = "\n")), "</details>",
    html_tag("ol", paste(html_tag("li", escape_html(unname(cited_checklists))), collapse = "\n"))
  )
}

cited_checklists <- c(
  tripod = paste(
    "Collins GS, Moons KGM, Dhiman P, et al. (2024). TRIPOD+AI statement: updated guidance for",
    "reporting clinical prediction models that use regression or machine learning methods. BMJ",
    "385:e078378. doi:10.1136/bmj-2023-078378."
  ),
  remark = paste(
    "McShane LM, Altman DG, Sauerbrei W, Taube SE, Gion M, Clark GM (2005). REporting",
    "recommendations for tumour MARKer prognostic studies (REMARK). British Journal of Cancer",
    "93:387-391. doi:10.1038/sj.bjc.6602678."
  ),
  explained = paste(
    "Altman DG, McShane LM, Sauerbrei W, Taube SE (2012). Reporting recommendations for tumor",
    "marker prognostic studies (REMARK): explanation and elaboration. PLoS Medicine 9:e1001216.",
    "doi:10.1371/journal.pmed.1001216."
  )
)
