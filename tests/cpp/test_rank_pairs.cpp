#include "catch.h"
#include "two_threads.h"

#include <stabilect/base/rng.h>
#include <stabilect/stability/rank_pairs.h>

using namespace stabilect;

namespace {

constexpr int kFeatures = 12;
constexpr Index kRuns = 9;

// Scores of 1 to 4, so that many are equal; 0 stands for none.
struct Scores {
  Array<Array<double>> of_run;
  Array<int> start{0}, feature;
  Array<double> value;

  Scores() {
    Rng rng(8, 0);
    for (Index i = 0; i < kRuns; ++i) {
      of_run.emplace_back(kFeatures, 0.0);
      for (int f = 0; f < kFeatures; ++f) {
        if (rng.uniform() < 0.5)
          continue;
        of_run[i][f] = 1.0 + static_cast<double>(rng.below(4));
        feature.push_back(f);
        value.push_back(of_run[i][f]);
      }
      start.push_back(static_cast<int>(feature.size()));
    }
  }
  Array<double> compare(const RankOptions &options) const {
    SparseRuns runs;
    runs.n_runs = kRuns;
    runs.n_total = kFeatures;
    runs.start = start.data();
    runs.feature = feature.data();
    runs.value = value.data();
    Array<double> score(kRuns * kRuns), again(score);
    const RankComparison comparison(runs, options);
    comparison.compare(score.data());
    comparison.compare(again.data(), two_threads());
    REQUIRE(score == again);
    return score;
  }
};

double above(const Array<double> &s, double value) {
  return static_cast<double>(
      std::count_if(s.begin(), s.end(), [&](double t) { return t > value; }));
}

double tied(const Array<double> &s, double value) {
  return static_cast<double>(std::count(s.begin(), s.end(), value));
}

double mid_rank(const Array<double> &s, double value) {
  return above(s, value) + 0.5 * (tied(s, value) + 1.0);
}

// Sums of products over all ordered pairs of features; tau-b and Spearman's rho are both a
// correlation of what `difference` returns.
template <class Difference>
double pair_correlation(const Array<double> &s, const Array<double> &t,
                        const Difference &difference) {
  double st = 0.0, ss = 0.0, tt = 0.0;
  for (Index f = 0; f < s.size(); ++f)
    for (Index g = 0; g < s.size(); ++g) {
      const double a = difference(s, s[f], s[g]), b = difference(t, t[f], t[g]);
      st += a * b, ss += a * a, tt += b * b;
    }
  return st / std::sqrt(ss * tt);
}

double spearman(const Array<double> &s, const Array<double> &t) {
  return pair_correlation(s, t, [](const Array<double> &of, double a, double b) {
    return mid_rank(of, a) - mid_rank(of, b);
  });
}

double kendall(const Array<double> &s, const Array<double> &t) {
  return pair_correlation(s, t, [](const Array<double> &, double a, double b) {
    return static_cast<double>((a > b) - (a < b));
  });
}

double canberra(const Array<double> &s, const Array<double> &t, double cut) {
  double sum = 0.0;
  for (Index f = 0; f < s.size(); ++f) {
    const double a = std::min(mid_rank(s, s[f]), cut), b = std::min(mid_rank(t, t[f]), cut);
    sum += std::fabs(a - b) / (a + b);
  }
  return sum;
}

double overlap(const Array<double> &s, const Array<double> &t, const Array<double> &weights) {
  double sum = 0.0;
  for (Index d = 0; d < weights.size(); ++d)
    for (Index f = 0; f < s.size(); ++f) {
      const auto share = [&](const Array<double> &of) {
        const double left = static_cast<double>(d + 1) - above(of, of[f]);
        return std::min(1.0, std::max(0.0, left / tied(of, of[f])));
      };
      sum += weights[d] * std::min(share(s), share(t));
    }
  return sum;
}

} // namespace

TEST_CASE("rankings of pairs of runs are compared as their definitions say", "[rank_pairs]") {
  const Scores scores;
  RankOptions options;
  options.location = 4;
  options.weights = {1.0, 0.5, 0.25};
  const auto known = [&](const Array<double> &s, const Array<double> &t) {
    switch (options.index) {
    case RankIndex::spearman:
      return spearman(s, t);
    case RankIndex::kendall:
      return kendall(s, t);
    case RankIndex::canberra:
      return canberra(s, t, options.location + 1.0);
    default:
      return overlap(s, t, options.weights);
    }
  };
  for (RankIndex index :
       {RankIndex::spearman, RankIndex::kendall, RankIndex::canberra, RankIndex::overlap}) {
    options.index = index;
    const Array<double> found = scores.compare(options);
    for (Index i = 0; i < kRuns; ++i)
      for (Index j = 0; j < kRuns; ++j)
        CHECK(found[i * kRuns + j] ==
              Approx(i == j ? 0.0 : known(scores.of_run[i], scores.of_run[j])).margin(1e-12));
  }
}
