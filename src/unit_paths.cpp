// Sources that share the engine of paths and linear models are compiled as one: most of the time
// of the compiler goes to the templates that they have in common. See Makevars.
#include "cpp_compat_fealect.cpp"
#include "cpp_fealect.cpp"
#include "cpp_lars.cpp"
#include "cpp_likelihood.cpp"
#include "cpp_resample.cpp"
#include "cpp_ridge_least_squares.cpp"
#include "cpp_ridge_logistic.cpp"
#include "cpp_split.cpp"
#include "cpp_three_segment.cpp"
