// Missing values, scores of features and signals: the rooms data, score and signal of the core.
#include "cpp_column_facts.cpp"
#include "cpp_filters.cpp"
#include "cpp_imputation.cpp"
#include "cpp_information.cpp"
#include "cpp_relief.cpp"
#include "cpp_signals.cpp"
#include "cpp_trex.cpp"
