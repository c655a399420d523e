# Dependence of any kind, beside the linear association that the names of find_signals() rest on.

# @return list(p_value, features (character: family-wise p of at most 0.05, the most similar first),
#   table (p rows)), or NULL when only linear association is asked for.
find_dependence <- function(input, asked, names, seed, control, report) {
  if (asked$kind == "linear") {
    return(NULL)
  }
  found <- cpp_find_dependence(
    residual_on(input$x, input$basis), residual_on(input$y, input$basis)[, 1L],
    input$exchange, asked$permute, seed, control$n_threads, report
  )
  near <- order(-found$statistic, method = "radix")
  list(
    p_value = found$global_p, features = names[near[found$p[near] <= 0.05]],
    table = data.frame(feature = names, similarity = found$statistic, p = found$p)
  )
}

# Said beside the verdict on linear association.
describe_dependence <- function(dependence, permute) {
  if (is.null(dependence)) {
    return(NULL)
  }
  largest <- which.max(dependence$table$similarity)
  sprintf(
    "%s: p = %s (largest correlation of similarities %s: %s; %s)",
    if (dependence$p_value <= 0.05) "yes, of some kind" else "no evidence of any other kind",
    figure(dependence$p_value, digits = 2),
    figure(dependence$table$similarity[largest], digits = 2),
    dependence$table$feature[largest], count_of(permute, "permutation")
  )
}

# Dependent features that are not among the names.
describe_dependent <- function(dependence, named) {
  others <- setdiff(dependence$features, named)
  if (length(others) > 0L) {
    sprintf(
      "dependence of some kind (family-wise p <= 0.05): %s",
      shorten_list(toString(others), 60L)
    )
  }
}
