// Compiles the file STABILECT_BODY once per vector width; see simd.h. No include guard on purpose:
// every body includes it once.

#define STABILECT_TARGET
#define STABILECT_TARGET_FLOAT
namespace stabilect {
namespace kernels_16 {
#include STABILECT_BODY
} // namespace kernels_16
} // namespace stabilect
#undef STABILECT_TARGET
#undef STABILECT_TARGET_FLOAT

#ifdef STABILECT_HAS_AVX2
#define STABILECT_TARGET STABILECT_TARGET_32
#define STABILECT_TARGET_FLOAT STABILECT_TARGET_FLOAT_32
namespace stabilect {
namespace kernels_32 {
#include STABILECT_BODY
} // namespace kernels_32
} // namespace stabilect
#undef STABILECT_TARGET
#undef STABILECT_TARGET_FLOAT
#endif

#undef STABILECT_BODY
