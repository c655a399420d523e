#ifndef STABILECT_NULL_DRAWS_H
#define STABILECT_NULL_DRAWS_H

// Responses without any signal. Draw r uses only the random numbers of the stream (seed, r).

#include <cstdint>
#include <numeric>
#include <utility>

#include "stabilect/base/rng.h"
#include "stabilect/signal/signal_data.h"

namespace stabilect {

enum class NullKind { rotation, permutation };

class NullDraws {
public:
  // Rotation (Langsrud 2005): the residuals of normal noise point anywhere with equal probability.
  // Noise of the n samples, since the coordinates of equal data differ by rounding.
  static NullDraws rotations(Index n, int n_draws, std::uint64_t seed) {
    NullDraws draws(NullKind::rotation, n_draws);
    draws.normal_.resize(n, n_draws);
    for (int r = 0; r < n_draws; ++r) {
      Rng rng(seed, r, domain_tag("signal rotation"));
      for (Index i = 0; i < n; ++i)
        draws.normal_(i, r) = rng.normal();
    }
    return draws;
  }

  // `blocks`: samples are exchanged only within the same number.
  static NullDraws permutations(const Array<int> &blocks, int n_draws, std::uint64_t seed) {
    const Index n = blocks.size();
    Array<Array<int>> members;
    for (Index i = 0; i < n; ++i) {
      const Index block = blocks[i];
      if (block >= members.size())
        members.resize(block + 1);
      members[block].push_back(static_cast<int>(i));
    }
    Array<int> places(n * n_draws);
    for (int r = 0; r < n_draws; ++r) {
      Rng rng(seed, r, domain_tag("signal permutation"));
      for (const auto &rows : members) {
        Array<int> shuffled(rows);
        rng.shuffle(shuffled.begin(), shuffled.end());
        for (Index i = 0; i < rows.size(); ++i)
          places[n * r + rows[i]] = shuffled[i];
      }
    }
    return of_places(places, n);
  }

  // Sample i of draw r takes the value of sample places[r * n + i].
  static NullDraws of_places(const Array<int> &places, Index n) {
    NullDraws draws(NullKind::permutation, static_cast<int>(places.size() / n));
    draws.places_ = places;
    return draws;
  }

  NullKind kind() const { return kind_; }
  int size() const { return n_draws_; }
  // n numbers, of permutations only: see of_places().
  const int *places(int draw) const { return places_.data() + draw * places_.size() / n_draws_; }

  // The draws in the coordinates of the data, m x R, or m x k R for k columns of scores.
  // Permutations exchange the rows of `residual` (m x k), the scores adjusted for the covariates
  // (Freedman and Lane 1983); rotations, of one column, need none.
  Eigen::MatrixXd responses(const SignalData &data, const Eigen::MatrixXd &residual,
                            const Runtime &runtime = Runtime()) const {
    if (kind_ == NullKind::rotation)
      return data.coordinates_of(normal_, runtime);
    const Index n = places_.size() / n_draws_, k = residual.cols();
    Eigen::MatrixXd permuted(n, k * n_draws_);
    for (Index c = 0; c < k; ++c) {
      const Eigen::VectorXd values = data.samples_of(residual.col(c));
      for (Index r = 0; r < n_draws_; ++r)
        for (Index i = 0; i < n; ++i)
          permuted(i, r * k + c) = values[places_[r * n + i]];
    }
    return data.coordinates_of(std::move(permuted), runtime);
  }

private:
  NullDraws(NullKind kind, int n_draws) : kind_(kind), n_draws_(n_draws) {}

  NullKind kind_;
  int n_draws_;
  Eigen::MatrixXd normal_;
  Array<int> places_;
};

} // namespace stabilect

#endif
