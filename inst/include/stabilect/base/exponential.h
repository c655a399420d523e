#ifndef STABILECT_EXPONENTIAL_H
#define STABILECT_EXPONENTIAL_H

// Exponentials of many numbers at once, with the same bits on every processor.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "stabilect/base/array.h"
#include "stabilect/base/simd.h"

#define STABILECT_BODY "stabilect/base/exponential_body.h"
#include "stabilect/base/simd_widths.h"

#endif
