#ifndef STABILECT_SIMILARITY_H
#define STABILECT_SIMILARITY_H

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "stabilect/base/runtime.h"

namespace stabilect {

// Two features, one of each list, that are similar; as positions in the lists.
struct SimilarPair {
  int a;
  int b;
  double similarity;
};

// The similarities of two lists of features. Both lists are ascending and have no common feature:
// the similarity of a feature with itself is never needed.
class Similarity {
public:
  virtual ~Similarity() = default;

  // Length of `place`, which similar_pairs() takes filled with -1 and leaves so.
  virtual Index place_size() const = 0;

  virtual void similar_pairs(const Array<int> &a, const Array<int> &b, Array<int> &place,
                             Array<SimilarPair> &pairs) const = 0;
};

// Neighbours listed for each feature (compressed, symmetric, no feature its own neighbour).
class GraphSimilarity : public Similarity {
public:
  GraphSimilarity(Index n_total, const int *start, const int *neighbour, const double *value)
      : n_total_(n_total), start_(start), neighbour_(neighbour), value_(value) {}

  Index place_size() const override { return n_total_; }

  void similar_pairs(const Array<int> &a, const Array<int> &b, Array<int> &place,
                     Array<SimilarPair> &pairs) const override {
    pairs.clear();
    for (Index k = 0; k < b.size(); ++k)
      place[b[k]] = static_cast<int>(k);
    for (Index k = 0; k < a.size(); ++k) {
      for (int e = start_[a[k]]; e < start_[a[k] + 1]; ++e) {
        const int at = place[neighbour_[e]];
        if (at >= 0)
          pairs.push_back({static_cast<int>(k), at, value_[e]});
      }
    }
    for (int feature : b)
      place[feature] = -1;
  }

private:
  Index n_total_;
  const int *start_;
  const int *neighbour_;
  const double *value_;
};

// Features of one group have similarity 1, all others 0: nothing is stored per pair, and large
// groups cost no memory.
class GroupSimilarity : public Similarity {
public:
  GroupSimilarity(const int *group, Index n_groups) : group_(group), n_groups_(n_groups) {}

  Index place_size() const override { return n_groups_; }

  void similar_pairs(const Array<int> &a, const Array<int> &b, Array<int> &place,
                     Array<SimilarPair> &pairs) const override {
    pairs.clear();
    Array<int> next(b.size());
    for (Index k = b.size(); k-- > 0;) {
      int &head = place[group_[b[k]]];
      next[k] = head;
      head = static_cast<int>(k);
    }
    for (Index k = 0; k < a.size(); ++k)
      for (int at = place[group_[a[k]]]; at >= 0; at = next[at])
        pairs.push_back({static_cast<int>(k), at, 1.0});
    for (int feature : b)
      place[group_[feature]] = -1;
  }

private:
  const int *group_;
  Index n_groups_;
};

// Size of a largest matching of the bipartite graph, each vertex used once: Hopcroft and Karp
// (1973), "An n^5/2 algorithm for maximum matchings in bipartite graphs".
class BipartiteMatching {
public:
  BipartiteMatching(Index n_a, Index n_b, const Array<SimilarPair> &pairs)
      : start_(n_a + 1, 0), end_(pairs.size()), partner_a_(n_a, -1), partner_b_(n_b, -1) {
    for (const SimilarPair &pair : pairs)
      ++start_[pair.a + 1];
    for (Index a = 0; a < n_a; ++a)
      start_[a + 1] += start_[a];
    Array<Index> at(start_.begin(), start_.end() - 1);
    for (const SimilarPair &pair : pairs)
      end_[at[pair.a]++] = pair.b;
  }

  int size() {
    int matched = 0;
    while (layer()) {
      next_.assign(start_.begin(), start_.end() - 1);
      for (Index a = 0; a < partner_a_.size(); ++a)
        if (partner_a_[a] < 0 && augment(a))
          ++matched;
    }
    return matched;
  }

private:
  // Distances from the free vertices along alternating paths; false when none ends free.
  bool layer() {
    distance_.assign(partner_a_.size(), -1);
    Array<Index> queue;
    for (Index a = 0; a < partner_a_.size(); ++a) {
      if (partner_a_[a] < 0) {
        distance_[a] = 0;
        queue.push_back(a);
      }
    }
    bool found = false;
    for (Index head = 0; head < queue.size(); ++head) {
      const Index a = queue[head];
      for (Index e = start_[a]; e < start_[a + 1]; ++e) {
        const int other = partner_b_[end_[e]];
        if (other < 0) {
          found = true;
        } else if (distance_[other] < 0) {
          distance_[other] = distance_[a] + 1;
          queue.push_back(other);
        }
      }
    }
    return found;
  }

  // Depth first without recursion: paths can be as long as the sets are large.
  bool augment(Index root) {
    Array<Index> path(1, root);
    while (!path.empty()) {
      const Index a = path.back();
      if (next_[a] == start_[a + 1]) {
        distance_[a] = -1;
        path.pop_back();
        continue;
      }
      const Index b = end_[next_[a]++];
      const int other = partner_b_[b];
      if (other < 0) {
        for (Index v : path) {
          partner_a_[v] = static_cast<int>(end_[next_[v] - 1]);
          partner_b_[end_[next_[v] - 1]] = static_cast<int>(v);
        }
        return true;
      }
      if (distance_[other] == distance_[a] + 1)
        path.push_back(other);
    }
    return false;
  }

  Array<Index> start_, end_, next_;
  Array<int> partner_a_, partner_b_, distance_;
};

enum class SimilarityIndex { count, mean, greedy, mbm, yu, zucknick };

// Two sets split into common and other features, with memory for comparing them; one per thread.
struct SetComparison {
  explicit SetComparison(const Similarity &similarity) : place(similarity.place_size(), -1) {}

  Array<int> only_a, only_b;
  int overlap = 0;
  Array<int> place;
  Array<SimilarPair> pairs;

  // Both ascending.
  void split(const int *a, const int *a_end, const int *b, const int *b_end) {
    only_a.clear();
    only_b.clear();
    overlap = 0;
    while (a != a_end && b != b_end) {
      if (*a < *b) {
        only_a.push_back(*a++);
      } else if (*b < *a) {
        only_b.push_back(*b++);
      } else {
        ++overlap, ++a, ++b;
      }
    }
    only_a.insert(only_a.end(), a, a_end);
    only_b.insert(only_b.end(), b, b_end);
  }
};

namespace similarity_detail {

// For each set: the number of its features with a similar one in the other set, and the sum of
// their mean similarities to these.
struct SideCounts {
  double number = 0.0;
  double mean = 0.0;
};

template <class Side>
SideCounts count_side(Index n, const Array<SimilarPair> &pairs, const Side &side) {
  Array<double> sum(n, 0.0);
  Array<int> times(n, 0);
  for (const SimilarPair &pair : pairs) {
    sum[side(pair)] += pair.similarity;
    ++times[side(pair)];
  }
  SideCounts counts;
  for (Index k = 0; k < n; ++k) {
    if (times[k] == 0)
      continue;
    counts.number += 1.0;
    counts.mean += sum[k] / times[k];
  }
  return counts;
}

// Pairs in decreasing similarity, each feature once. Ties go by the smaller and then the larger
// feature: the order of the sets does not matter.
inline double greedy_matching(SetComparison &sets) {
  const auto ends = [&](const SimilarPair &pair) {
    return std::minmax(sets.only_a[pair.a], sets.only_b[pair.b]);
  };
  std::sort(sets.pairs.begin(), sets.pairs.end(), [&](const SimilarPair &v, const SimilarPair &w) {
    return v.similarity != w.similarity ? v.similarity > w.similarity : ends(v) < ends(w);
  });
  Array<char> used_a(sets.only_a.size(), 0), used_b(sets.only_b.size(), 0);
  double size = 0.0;
  for (const SimilarPair &pair : sets.pairs) {
    char &a = used_a[pair.a];
    char &b = used_b[pair.b];
    if (a || b)
      continue;
    a = b = 1;
    size += 1.0;
  }
  return size;
}

} // namespace similarity_detail

// The amount that similar features add to the overlap of the sets that were split (Bommert 2020,
// section 4.2; Yu et al. 2012).
inline double similar_overlap(const Similarity &similarity, SimilarityIndex index,
                              SetComparison &sets) {
  if (sets.only_a.empty() || sets.only_b.empty())
    return 0.0;
  similarity.similar_pairs(sets.only_a, sets.only_b, sets.place, sets.pairs);
  if (sets.pairs.empty())
    return 0.0;
  const Index n_a = sets.only_a.size(), n_b = sets.only_b.size();
  if (index == SimilarityIndex::mbm)
    return BipartiteMatching(n_a, n_b, sets.pairs).size();
  if (index == SimilarityIndex::greedy)
    return similarity_detail::greedy_matching(sets);
  const auto a =
      similarity_detail::count_side(n_a, sets.pairs, [](const SimilarPair &v) { return v.a; });
  const auto b =
      similarity_detail::count_side(n_b, sets.pairs, [](const SimilarPair &v) { return v.b; });
  if (index == SimilarityIndex::mean)
    return std::min(a.mean, b.mean);
  if (index == SimilarityIndex::yu)
    return (a.number + b.number) / 2.0;
  return std::min(a.number, b.number);
}

} // namespace stabilect

#endif
