#ifndef STABILECT_ERROR_H
#define STABILECT_ERROR_H

#include <stdexcept>

namespace stabilect {

// Everything that the core throws is of this type: impossible input, a computation that did not
// converge, and (Interrupted, in runtime.h) the wish of the user to stop.
struct Error : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

} // namespace stabilect

#endif
