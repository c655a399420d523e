// Standard normal numbers for tests.

#ifndef STABILECT_TESTS_NORMALS_H
#define STABILECT_TESTS_NORMALS_H

#include <stabilect/base/rng.h>
#include <stabilect/base/types.h>

inline Eigen::MatrixXd normals(stabilect::Index rows, stabilect::Index columns,
                               stabilect::Rng rng) {
  Eigen::MatrixXd out(rows, columns);
  for (stabilect::Index k = 0; k < out.size(); ++k)
    out.data()[k] = rng.normal();
  return out;
}

inline Eigen::MatrixXd normals(stabilect::Index rows, stabilect::Index columns,
                               std::uint64_t seed) {
  return normals(rows, columns, stabilect::Rng(seed, 0));
}

#endif
