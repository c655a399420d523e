# What to do with a result, by its class: prints end with it.
next_steps <- c(
  stabilect_fealect = "plot(); stability_selection() for a short list with few false features;
    evaluate_replication() for how much of it would come again; write_report().",
  stabilect_stability_selection = "plot(); calibrate_selection() for what such lists get right on
    data like these; fit_model() on selected(); write_report().",
  stabilect_bolasso = "plot(); stability_selection() for a list with an error rate; fit_model() on
    selected().",
  stabilect_ensemble = "plot(); stability() and explain_stability() of its runs;
    evaluate_replication(); write_report().",
  stabilect_split_test = "plot(); fit_model() on selected(); write_report().",
  stabilect_signals = "plot(); summary() for neighbours and intervals; write_report().",
  stabilect_elimination = "plot(); evaluate_elimination() for the value of the whole search;
    predict().",
  stabilect_elimination_evaluation = "eliminate_features() on all samples for the list itself.",
  stabilect_hybrid_rfe = "tune_tradeoff() to choose its settings; evaluate_replication();
    predict().",
  stabilect_tradeoff = "plot(); pareto_front() and choose_tradeoff() for one setting.",
  stabilect_pareto = "plot(); choose_tradeoff() for one point.",
  stabilect_evaluation = "plot(); summary() for paired differences; compare_methods() over data
    sets.",
  stabilect_comparison = "plot(); summary() for all pairs.",
  stabilect_estimate = "plot(); plan_ensemble() for the number of members that a stability needs.",
  stabilect_diagnosis = "plot(); more runs, where they are few.",
  stabilect_plan = "select_ensemble() with so many runs.",
  stabilect_simulation = "plot(); plan_ensemble() for the size that a stability needs.",
  stabilect_calibration = "plot(); the same verb with a cutoff that keeps to the target.",
  stabilect_replication = "plot(); plan_samples() for how many samples a better agreement needs.",
  stabilect_stability = "plot(); explain_stability() for the features and runs that lower it;
    compare_stability() with another selection.",
  stabilect_explanation = "plot(); cluster_features(), and stability_selection(clusters = ), where
    similar features take turns.",
  stabilect_selection = "stability(), explain_stability() and plot(type = \"map\").",
  stabilect_ranking = "plot(); stability() of the runs.",
  stabilect_model = "predict(); validate_model() on new samples."
)

# Without any feature nothing is left to fit.
next_without_features <- c(
  stabilect_fealect = "find_signals() for whether there is a signal at all; more samples.",
  stabilect_stability_selection = "find_signals() for whether there is a signal at all;
    fealect(permute = ) for a ranking; plan_samples() for how many samples a list needs.",
  stabilect_bolasso = "a cutoff below 1; find_signals() for whether there is a signal at all.",
  stabilect_ensemble = "find_signals() for whether there is a signal at all; plan_samples() for how
    many samples a list needs.",
  stabilect_split_test = "find_signals() for whether there is a signal at all; plan_samples().",
  stabilect_signals = "plan_samples() for how many samples a list needs; write_report()."
)

print_next <- function(x) {
  steps <- if (identical(x$features, character())) next_without_features else NULL
  known <- intersect(class(x), names(c(steps, next_steps)))[1]
  cat("\n")
  print_text(paste("Next:", c(steps, next_steps)[[known]]))
  invisible(x)
}
