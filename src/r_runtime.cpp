#include "r_runtime.h"

#ifndef _WIN32
#include <unistd.h>
#endif

namespace stabilect {
namespace r {

#ifdef _WIN32
bool is_forked() { return false; }
#else
namespace {
const pid_t loaded_by = getpid();
}

bool is_forked() { return getpid() != loaded_by; }
#endif

} // namespace r
} // namespace stabilect
