#ifndef STABILECT_SCREEN_H
#define STABILECT_SCREEN_H

// Products of all columns in float, and what follows from them for a residual.

#include "stabilect/base/kernels.h"

#define STABILECT_BODY "stabilect/path/screen_body.h"
#include "stabilect/base/simd_widths.h"

#endif
