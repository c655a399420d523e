#ifndef STABILECT_SIMILARITY_PAIRS_H
#define STABILECT_SIMILARITY_PAIRS_H

#include <limits>

#include "stabilect/stability/similarity.h"

namespace stabilect {

// Sets of features as one list: set i is feature[start[i]] .. feature[start[i + 1] - 1], ascending.
// References only: the vectors must outlive it.
struct FeatureSets {
  Index n_sets = 0;
  const int *start = nullptr;
  const int *feature = nullptr;

  const int *begin(Index i) const { return feature + start[i]; }
  const int *end(Index i) const { return feature + start[i + 1]; }
  int size(Index i) const { return start[i + 1] - start[i]; }
};

namespace similarity_pairs_detail {

inline double sum_similarity(const Similarity &similarity, const Array<int> &a, const Array<int> &b,
                             SetComparison &sets) {
  similarity.similar_pairs(a, b, sets.place, sets.pairs);
  double sum = 0.0;
  for (const SimilarPair &pair : sets.pairs)
    sum += pair.similarity;
  return sum;
}

} // namespace similarity_pairs_detail

// Zucknick, Richardson and Stronach (2008): (r + C_ij + C_ji) / |union| with C_ij = sum of the
// similarities of V_i with V_j \ V_i over |V_j|. NaN when both sets are empty.
inline double zucknick_score(const Similarity &similarity, const FeatureSets &runs, Index i,
                             Index j, SetComparison &sets) {
  sets.split(runs.begin(i), runs.end(i), runs.begin(j), runs.end(j));
  const double only_i = sets.only_a.size();
  const double only_j = sets.only_b.size();
  if (sets.overlap + only_i + only_j == 0.0)
    return std::numeric_limits<double>::quiet_NaN();
  double score = sets.overlap;
  const Array<int> all_i(runs.begin(i), runs.end(i)), all_j(runs.begin(j), runs.end(j));
  if (!sets.only_b.empty())
    score += similarity_pairs_detail::sum_similarity(similarity, all_i, sets.only_b, sets) /
             runs.size(j);
  if (!sets.only_a.empty())
    score += similarity_pairs_detail::sum_similarity(similarity, all_j, sets.only_a, sets) /
             runs.size(i);
  return score / (sets.overlap + only_i + only_j);
}

// For each pair of sets the size of their adjusted intersection (Zucknick: the score itself), into
// the symmetric n x n matrix `score`; its diagonal is zero.
inline void compare_sets(const Similarity &similarity, const FeatureSets &runs,
                         SimilarityIndex index, double *score, const Runtime &runtime = Runtime()) {
  const Index n = runs.n_sets;
  run_tasks(n, runtime, [&](Index i) {
    SetComparison sets(similarity);
    score[i * n + i] = 0.0;
    for (Index j = i + 1; j < n; ++j) {
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
