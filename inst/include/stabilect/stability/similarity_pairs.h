#ifndef STABILECT_SIMILARITY_PAIRS_H
#define STABILECT_SIMILARITY_PAIRS_H

#include <limits>

#include "stabilect/stability/similarity.h"

namespace stabilect {

// Sets of features as one list: those of set i are feature[start[i]] .. feature[start[i + 1] - 1],
// ascending. Only looked at: the vectors must outlive it.
struct FeatureSets {
  std::size_t n_sets = 0;
  const int *start = nullptr;
  const int *feature = nullptr;

  const int *begin(std::size_t i) const { return feature + start[i]; }
  const int *end(std::size_t i) const { return feature + start[i + 1]; }
  int size(std::size_t i) const { return start[i + 1] - start[i]; }
};

namespace detail {

inline double sum_similarity(const Similarity &similarity, const std::vector<int> &a,
                             const std::vector<int> &b, SetComparison &sets) {
  similarity.similar_pairs(a, b, sets.place, sets.pairs);
  double sum = 0.0;
  for (const SimilarPair &pair : sets.pairs)
    sum += pair.similarity;
  return sum;
}

} // namespace detail

// Zucknick, Richardson and Stronach (2008): (r + C_ij + C_ji) / |union| with C_ij = sum of the
// similarities of V_i with V_j \ V_i over |V_j|. NaN when both sets are empty.
inline double zucknick_score(const Similarity &similarity, const FeatureSets &runs, std::size_t i,
                             std::size_t j, SetComparison &sets) {
  sets.split(runs.begin(i), runs.end(i), runs.begin(j), runs.end(j));
  const auto only_i = static_cast<double>(sets.only_a.size());
  const auto only_j = static_cast<double>(sets.only_b.size());
  if (sets.overlap + only_i + only_j == 0.0)
    return std::numeric_limits<double>::quiet_NaN();
  double score = sets.overlap;
  const std::vector<int> all_i(runs.begin(i), runs.end(i)), all_j(runs.begin(j), runs.end(j));
  if (!sets.only_b.empty())
    score += detail::sum_similarity(similarity, all_i, sets.only_b, sets) / runs.size(j);
  if (!sets.only_a.empty())
    score += detail::sum_similarity(similarity, all_j, sets.only_a, sets) / runs.size(i);
  return score / (sets.overlap + only_i + only_j);
}

// For each pair of sets the size of their adjusted intersection (Zucknick: the score itself), into
// the symmetric n x n matrix `score`; its diagonal is zero.
inline void compare_sets(const Similarity &similarity, const FeatureSets &runs,
                         SimilarityIndex index, double *score, const Runtime &runtime = Runtime()) {
  const std::size_t n = runs.n_sets;
  run_tasks(n, runtime, [&](std::size_t i) {
    SetComparison sets(similarity);
    score[i * n + i] = 0.0;
    for (std::size_t j = i + 1; j < n; ++j) {
      double value;
      if (index == SimilarityIndex::zucknick) {
        value = zucknick_score(similarity, runs, i, j, sets);
      } else {
        sets.split(runs.begin(i), runs.end(i), runs.begin(j), runs.end(j));
        value = sets.overlap + similar_overlap(similarity, index, sets);
      }
      score[i * n + j] = score[j * n + i] = value;
    }
  });
}

} // namespace stabilect

#endif
