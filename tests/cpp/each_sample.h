#ifndef STABILECT_TEST_EACH_SAMPLE_H
#define STABILECT_TEST_EACH_SAMPLE_H

#include <stabilect/base/types.h>

// Model i predicts sample i.
inline stabilect::Array<stabilect::Array<int>>
each_sample(const stabilect::Array<stabilect::Array<int>> &sets) {
  stabilect::Array<stabilect::Array<int>> out;
  for (int i = 0; i < int(sets.size()); ++i)
    out.push_back({i});
  return out;
}

#endif
