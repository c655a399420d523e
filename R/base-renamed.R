# Names of versions before 0.2, each with what to write now. They stay for at least one version.

# The indices of stability were one function each.
renamed_indices <- c(
  "canberra", "cw", "cw_rel", "cw_rel_sizes", "davis", "dice", "hamming", "intersection_count",
  "intersection_greedy", "intersection_mbm", "intersection_mean", "jaccard", "kappa", "kendall",
  "kuncheva", "lustgarten", "nogueira", "novovicova", "npog", "ochiai", "phi", "phi_iw",
  "phi_pears", "pog", "sechidis", "spearman", "unadjusted", "wald", "weighted_overlap", "yu",
  "zucknick"
)

renamed_functions <- c(
  aggregate_best_rank = "aggregate_rank(\"best\")",
  aggregate_borda = "aggregate_rank(\"borda\")",
  aggregate_exponential = "aggregate_rank(\"exponential\")",
  aggregate_mean_rank = "aggregate_rank(\"mean\")",
  aggregate_mean_score = "aggregate_score()",
  aggregate_median_rank = "aggregate_rank(\"median\")",
  aggregate_rank_product = "aggregate_rank(\"product\")",
  aggregate_robust_rank = "aggregate_rank(\"robust\")",
  aggregate_stability_selection = "aggregate_frequency(\"best\")",
  compare_evaluated = "summary(evaluation)$comparison",
  estimate_n_useful = "estimate_stability()",
  estimate_p = "estimate_stability()",
  evaluate_generated = "evaluate_selectors(generate_classes())",
  evaluate_rfe = "evaluate_elimination()",
  generate_more = "evaluate_selectors(generate_classes())",
  list_aggregations = "the page ?aggregation",
  list_experiment_data = "experiment_data()",
  pareto_knee = "the column knee of pareto_front()",
  pfer_bound = "error_bound(n_total, q, cutoff)",
  plot_frequency = "plot(selection, type = \"frequency\")",
  plot_run_similarity = "plot(selection, type = \"similarity\")",
  plot_stability_map = "plot(selection, type = \"map\")",
  reaggregate = "aggregate_runs(ensemble, aggregation)",
  rethreshold = "stability_selection(result, cutoff = )",
  rfe_functions = "caret_functions()",
  search_steps = "search_sizes(step = )",
  search_uniform = "search_sizes(n_sizes = )",
  selector_anova = "selector_filter(\"anova\")",
  selector_correlation = "selector_filter(\"pearson\")",
  selector_logistic_rfe = "selector_linear(learner_logistic(), step = 0.2)",
  selector_ridge_logistic = "selector_linear(learner_logistic())",
  selector_svm = "selector_linear(learner_svm())",
  selector_svm_rfe = "selector_linear(learner_svm(), step = 0.2)",
  selector_t = "selector_filter(\"t\")",
  selector_variance = "selector_filter(\"variance\")",
  selector_welch = "selector_filter(\"welch\")",
  selector_wilcoxon = "selector_filter(\"wilcoxon\")",
  sets_of_size = "active_sets(path, size = )",
  solve_error_bound = "error_bound()",
  uniform_threshold = "diagnose_estimate()",
  verify_n_useful = "diagnose_estimate()",
  stats::setNames(
    sprintf("stability_value(selection, \"%s\")", renamed_indices),
    paste0("stability_", renamed_indices)
  )
)

# An old name as a function that says the new one.
say_new_name <- function(old, new) {
  force(old)
  force(new)
  function(...) {
    abort(
      c("{.fn {old}} is gone.", i = "Use {.code {new}} instead."), class = "renamed", call = NULL
    )
  }
}

#' Functions that have another name now
#'
#' Names of earlier versions. Each fails with an error of class `stabilect_error_renamed` that says
#' what to write instead; they will go in the next version. Names that other packages have, too, are
#' gone at once: `rfe()` is [eliminate_features()] now, `prepare_data()` is [prepare_study()],
#' `hypervolume()` is [pareto_volume()], and the data set `colon` is [colon_genes].
#' @param ... Not used.
#' @return None: an error.
#' @name stabilect-renamed
#' @aliases aggregate_best_rank aggregate_borda aggregate_exponential aggregate_mean_rank
#'   aggregate_mean_score aggregate_median_rank aggregate_rank_product aggregate_robust_rank
#'   aggregate_stability_selection compare_evaluated estimate_n_useful estimate_p
#'   evaluate_generated evaluate_rfe generate_more list_aggregations list_experiment_data
#'   pareto_knee pfer_bound plot_frequency plot_run_similarity plot_stability_map
#'   reaggregate rethreshold rfe_functions search_steps search_uniform selector_anova
#'   selector_correlation selector_logistic_rfe selector_ridge_logistic selector_svm
#'   selector_svm_rfe selector_t selector_variance selector_welch selector_wilcoxon
#'   sets_of_size solve_error_bound stability_canberra stability_cw stability_cw_rel
#'   stability_cw_rel_sizes stability_davis stability_dice stability_hamming
#'   stability_intersection_count stability_intersection_greedy stability_intersection_mbm
#'   stability_intersection_mean stability_jaccard stability_kappa stability_kendall
#'   stability_kuncheva stability_lustgarten stability_nogueira stability_novovicova
#'   stability_npog stability_ochiai stability_phi stability_phi_iw stability_phi_pears
#'   stability_pog stability_sechidis stability_spearman stability_unadjusted stability_wald
#'   stability_weighted_overlap stability_yu stability_zucknick uniform_threshold
#'   verify_n_useful
#' @keywords internal
#' @rawNamespace export(aggregate_best_rank, aggregate_borda, aggregate_exponential,
#'   aggregate_mean_rank, aggregate_mean_score, aggregate_median_rank, aggregate_rank_product,
#'   aggregate_robust_rank, aggregate_stability_selection, compare_evaluated,
#'   estimate_n_useful, estimate_p, evaluate_generated, evaluate_rfe, generate_more,
#'   list_aggregations, list_experiment_data, pareto_knee, pfer_bound, plot_frequency,
#'   plot_run_similarity, plot_stability_map, reaggregate, rethreshold, rfe_functions,
#'   search_steps, search_uniform, selector_anova, selector_correlation,
#'   selector_logistic_rfe, selector_ridge_logistic, selector_svm, selector_svm_rfe,
#'   selector_t, selector_variance, selector_welch, selector_wilcoxon, sets_of_size,
#'   solve_error_bound, stability_canberra, stability_cw, stability_cw_rel,
#'   stability_cw_rel_sizes, stability_davis, stability_dice, stability_hamming,
#'   stability_intersection_count, stability_intersection_greedy,
#'   stability_intersection_mbm, stability_intersection_mean, stability_jaccard,
#'   stability_kappa, stability_kendall, stability_kuncheva, stability_lustgarten,
#'   stability_nogueira, stability_novovicova, stability_npog, stability_ochiai,
#'   stability_phi, stability_phi_iw, stability_phi_pears, stability_pog,
#'   stability_sechidis, stability_spearman, stability_unadjusted, stability_wald,
#'   stability_weighted_overlap, stability_yu, stability_zucknick, uniform_threshold,
#'   verify_n_useful)
NULL

for (old in names(renamed_functions)) assign(old, say_new_name(old, renamed_functions[[old]]))
rm(old)
