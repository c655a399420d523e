// Linear models: the room linear of the core.
#include "cpp_hybrid.cpp"
#include "cpp_left_out_lists.cpp"
#include "cpp_linear_selectors.cpp"
#include "cpp_rfe.cpp"
#include "cpp_ridge_cox.cpp"
#include "cpp_ridge_least_squares.cpp"
#include "cpp_ridge_logistic.cpp"
#include "cpp_ridge_multinomial.cpp"
