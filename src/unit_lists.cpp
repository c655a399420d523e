// Lists of features: the rooms rank, stability and foresee of the core.
#include "cpp_aggregate.cpp"
#include "cpp_set_stability.cpp"
#include "cpp_similarity.cpp"
#include "cpp_simulate.cpp"
#include "cpp_three_segment.cpp"
#include "cpp_weight_stability.cpp"
