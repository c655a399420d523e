#ifndef STABILECT_LINKAGE_H
#define STABILECT_LINKAGE_H

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "stabilect/stability/similarity_correlation.h"

namespace stabilect {

// The distance of two clusters: of all their pairs the mean, the largest or the smallest one.
enum class Linkage { average, complete, single };

// Two clusters that become one, each named by its first column.
struct Joint {
  int a;
  int b;
  double height;
};

// A tree of clusters in the form of R's hclust: row k joins two columns (negative, from 1) or
// earlier rows (positive, from 1) at height[k], which never falls.
struct ClusterTree {
  Array<int> left;
  Array<int> right;
  Array<double> height;
};

namespace linkage_detail {

// The distances of all pairs of p things, each stored once.
template <typename Real> class Distances {
public:
  explicit Distances(Index p) : start_(p), values_(p * (p - 1) / 2) {
    for (Index i = 0; i < p; ++i)
      start_[i] = i * (i - 1) / 2;
  }
  Real &operator()(Index i, Index j) { return values_[i > j ? start_[i] + j : start_[j] + i]; }

private:
  Array<Index> start_;
  Array<Real> values_;
};

// 1 - r of unit columns, or 1 - |r|. Each task writes the rows of one block.
template <typename Real>
Distances<Real> column_distances(const UnitColumns &x, bool is_signed, const Runtime &runtime) {
  const Index p = x.cols(), block = 256;
  Distances<Real> distances(p);
  run_tasks((p + block - 1) / block, runtime, [&](Index t) {
    const Index from = t * block, width = std::min(block, p - from);
    Eigen::MatrixXd product;
    for (Index left = 0; left <= from && !runtime.stop_requested(); left += block) {
      product.noalias() =
          x.middleCols(left, std::min(block, p - left)).transpose() * x.middleCols(from, width);
      for (Index l = 0; l < width; ++l)
        for (Index k = 0; k < product.rows() && left + k < from + l; ++k) {
          const double r = is_signed ? product(k, l) : std::fabs(product(k, l));
          distances(from + l, left + k) = static_cast<Real>(std::max(0.0, 1.0 - r));
        }
    }
  });
  return distances;
}

// Joins clusters along chains of nearest neighbours (Benzecri 1982, Murtagh 1983): where two are
// each other's nearest, no other cluster can come between them, for any of the three linkages. The
// joints are those of the algorithm that always joins the closest pair, in another order, in p^2
// steps instead of p^3.
template <typename Real> class NeighbourChain {
public:
  NeighbourChain(Distances<Real> distances, Index p, Linkage linkage)
      : distances_(std::move(distances)), linkage_(linkage), open_(p), size_(p, 1),
        height_(p, 0.0) {
    std::iota(open_.begin(), open_.end(), 0);
  }

  Array<Joint> join_all(const Runtime &runtime) {
    const Index n_joints = size_.size() - 1;
    while (joints_.size() < n_joints) {
      if (runtime.stop_requested())
        throw Interrupted();
      if (chain_.empty())
        chain_.push_back(open_[0]);
      const int last = chain_.back();
      const int before = chain_.size() > 1 ? chain_[chain_.size() - 2] : -1;
      const int next = nearest(last, before);
      if (next != before) {
        chain_.push_back(next);
        continue;
      }
      chain_.resize(chain_.size() - 2);
      join(std::min(before, last), std::max(before, last));
      runtime.report(joints_.size(), n_joints);
    }
    return joints_;
  }

private:
  // The one before on the chain if none is closer, or the chain would never end.
  int nearest(int own, int before) {
    int best = before;
    Real least = before >= 0 ? distances_(own, before) : std::numeric_limits<Real>::infinity();
    for (const int other : open_) {
      if (other == own)
        continue;
      const Real distance = distances_(own, other);
      if (distance < least) {
        least = distance;
        best = other;
      }
    }
    return best;
  }

  void join(int kept, int gone) {
    // Rounding can put a joint below those that it is made of.
    const double height =
        std::max({static_cast<double>(distances_(kept, gone)), height_[kept], height_[gone]});
    joints_.push_back({kept, gone, height});
    height_[kept] = height;
    open_.erase(std::lower_bound(open_.begin(), open_.end(), gone));
    for (const int other : open_)
      if (other != kept)
        distances_(kept, other) = joined(kept, gone, other);
    size_[kept] += size_[gone];
  }

  // Lance and Williams (1967).
  Real joined(int kept, int gone, int other) {
    const Real a = distances_(kept, other), b = distances_(gone, other);
    if (linkage_ == Linkage::complete)
      return std::max(a, b);
    if (linkage_ == Linkage::single)
      return std::min(a, b);
    const double n_kept = size_[kept], n_gone = size_[gone];
    return static_cast<Real>((n_kept * a + n_gone * b) / (n_kept + n_gone));
  }

  Distances<Real> distances_;
  Linkage linkage_;
  Array<int> open_; // first columns of the clusters that are left, in order
  Array<int> size_;
  Array<double> height_;
  Array<int> chain_;
  Array<Joint> joints_;
};

// Joints in the order of their heights. One never comes before those that it is made of: these
// were found earlier and are not higher.
inline ClusterTree order_joints(Array<Joint> joints) {
  std::stable_sort(joints.begin(), joints.end(),
                   [](const Joint &a, const Joint &b) { return a.height < b.height; });
  ClusterTree tree;
  DisjointSets sets(joints.size() + 1);
  Array<int> label(joints.size() + 1);
  for (Index j = 0; j < label.size(); ++j)
    label[j] = -static_cast<int>(j) - 1;
  for (Index k = 0; k < joints.size(); ++k) {
    const int a = sets.first_of(joints[k].a), b = sets.first_of(joints[k].b);
    tree.left.push_back(label[a]);
    tree.right.push_back(label[b]);
    tree.height.push_back(joints[k].height);
    sets.merge(a, b);
    label[std::min(a, b)] = static_cast<int>(k) + 1;
  }
  return tree;
}

template <typename Real>
ClusterTree tree_in(const UnitColumns &x, Linkage linkage, bool is_signed, const Runtime &runtime) {
  NeighbourChain<Real> chain(column_distances<Real>(x, is_signed, runtime), x.cols(), linkage);
  return order_joints(chain.join_all(runtime));
}

} // namespace linkage_detail

// The tree of at least two columns of mean zero and length one, by their correlations. Above
// `n_double` columns distances are floats, which take 2 p^2 bytes and round the seventh digit.
inline ClusterTree cluster_tree(const UnitColumns &x, Linkage linkage, bool is_signed,
                                const Runtime &runtime = Runtime(), Index n_double = 12000) {
  return x.cols() <= n_double ? linkage_detail::tree_in<double>(x, linkage, is_signed, runtime)
                              : linkage_detail::tree_in<float>(x, linkage, is_signed, runtime);
}

} // namespace stabilect

#endif
