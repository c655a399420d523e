// Lasso paths: the rooms path and likelihood of the core. The files of a unit share the templates
// that take most of the compiler's time, so they are compiled as one. See Makevars.
#include "cpp_compat_fealect.cpp"
#include "cpp_fealect.cpp"
#include "cpp_lars.cpp"
#include "cpp_likelihood.cpp"
#include "cpp_resample.cpp"
#include "cpp_split.cpp"
