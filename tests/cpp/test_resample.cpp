#include "catch.h"

#include <stabilect/base/resample.h>

#include <numeric>
#include <stdexcept>

using stabilect::allocate;
using stabilect::Array;
using stabilect::draw_resamples;
using stabilect::Index;
using stabilect::ResampleOptions;
using stabilect::Resampler;
using stabilect::ResampleResult;
using stabilect::ResampleScheme;

namespace {

struct Drawn {
  Eigen::MatrixXi counts;
  ResampleResult result;
};

Drawn draw(int n, const Array<int> &labels, const ResampleOptions &options) {
  const Resampler resampler(n, labels, options);
  Drawn drawn;
  drawn.counts.setConstant(n, resampler.n_runs(), -1);
  drawn.result = draw_resamples(resampler, drawn.counts);
  return drawn;
}

ResampleOptions make_options(ResampleScheme scheme, int n_units, double fraction = 0.75) {
  ResampleOptions options;
  options.scheme = scheme;
  options.n_units = n_units;
  options.fraction = fraction;
  options.seed = 42;
  return options;
}

Array<int> make_labels(const Array<int> &sizes) {
  Array<int> labels;
  for (Index c = 0; c < sizes.size(); ++c) {
    labels.insert(labels.end(), sizes[c], static_cast<int>(c));
  }
  return labels;
}

int class_total(const Eigen::VectorXi &counts, const Array<int> &labels, int label) {
  int total = 0;
  for (Index i = 0; i < labels.size(); ++i) {
    if (labels[i] == label)
      total += counts[i];
  }
  return total;
}

} // namespace

TEST_CASE("allocate() follows the largest remainders", "[resample]") {
  REQUIRE(allocate(46, {40, 22}) == (Array<int>{30, 16}));  // 29.68, 16.32
  REQUIRE(allocate(3, {2, 2}) == (Array<int>{2, 1}));       // tie to the earlier class
  REQUIRE(allocate(5, {3, 3, 4}) == (Array<int>{2, 1, 2})); // 1.5, 1.5, 2
  REQUIRE(allocate(0, {3, 0}) == (Array<int>{0, 0}));
  REQUIRE_THROWS_AS(allocate(4, {1, 2}), std::invalid_argument);
}

TEST_CASE("allocate() is exact, within one of the quota and within the sizes", "[resample]") {
  for (int a = 0; a <= 9; ++a) {
    for (int b = 0; b <= 9; ++b) {
      for (int c = 1; c <= 9; ++c) {
        const Array<int> sizes{a, b, c};
        for (int total = 0; total <= a + b + c; ++total) {
          const Array<int> parts = allocate(total, sizes);
          REQUIRE(std::accumulate(parts.begin(), parts.end(), 0) == total);
          for (Index s = 0; s < 3; ++s) {
            REQUIRE(parts[s] <= sizes[s]);
            REQUIRE(std::abs(parts[s] * (a + b + c) - total * sizes[s]) < a + b + c);
          }
        }
      }
    }
  }
}

TEST_CASE("a run does not depend on how many runs are drawn", "[resample]") {
  const Array<int> labels = make_labels({5, 8});
  for (auto scheme : {ResampleScheme::subsample, ResampleScheme::bootstrap, ResampleScheme::pairs,
                      ResampleScheme::folds}) {
    ResampleOptions options = make_options(scheme, 3);
    options.n_folds = 4;
    options.balance = true;
    const Drawn few = draw(13, labels, options);
    options.n_units = 300;
    const Drawn many = draw(13, labels, options);
    REQUIRE(many.counts.leftCols(few.counts.cols()) == few.counts);
    options.seed = 43;
    REQUIRE(draw(13, labels, options).counts != many.counts);
  }
}

TEST_CASE("subsamples and bootstraps have their exact size", "[resample]") {
  const Drawn subsamples = draw(100, {}, make_options(ResampleScheme::subsample, 50, 0.29));
  REQUIRE(subsamples.counts.maxCoeff() == 1);
  REQUIRE((subsamples.counts.colwise().sum().array() == 29).all());
  const Drawn bootstraps = draw(20, {}, make_options(ResampleScheme::bootstrap, 50, 1.0));
  REQUIRE(bootstraps.counts.maxCoeff() > 1);
  REQUIRE((bootstraps.counts.colwise().sum().array() == 20).all());
}

TEST_CASE("pairs are disjoint halves, stratified or not, for every shape up to 9", "[resample]") {
  for (int a = 2; a <= 9; ++a) {
    for (int b = 2; b <= 9; ++b) {
      ResampleOptions options = make_options(ResampleScheme::pairs, 4);
      for (bool stratify : {false, true}) {
        options.stratify = stratify;
        const Array<int> labels = make_labels({a, b});
        const Drawn drawn = draw(a + b, labels, options);
        REQUIRE(drawn.counts.cols() == 8);
        REQUIRE((drawn.counts.colwise().sum().array() == (a + b) / 2).all());
        for (int pair = 0; pair < 4; ++pair) {
          const Eigen::VectorXi first = drawn.counts.col(2 * pair);
          const Eigen::VectorXi second = drawn.counts.col(2 * pair + 1);
          REQUIRE((first + second).maxCoeff() == 1);
          if (!stratify)
            continue;
          for (int label = 0; label < 2; ++label) {
            const int difference =
                class_total(first, labels, label) - class_total(second, labels, label);
            REQUIRE(std::abs(difference) <= 1);
          }
        }
      }
    }
  }
}

TEST_CASE("the folds of a repeat partition the samples evenly", "[resample]") {
  ResampleOptions options = make_options(ResampleScheme::folds, 3);
  options.n_folds = 5;
  const Array<int> labels = make_labels({9, 13, 1});
  for (bool stratify : {false, true}) {
    options.stratify = stratify;
    const Drawn drawn = draw(23, labels, options);
    const Eigen::MatrixXi held_out = 1 - drawn.counts.array();
    for (int repeat = 0; repeat < 3; ++repeat) {
      const Eigen::MatrixXi block = held_out.middleCols(5 * repeat, 5);
      REQUIRE((block.rowwise().sum().array() == 1).all());
      REQUIRE(block.colwise().sum().maxCoeff() == 5);
      REQUIRE(block.colwise().sum().minCoeff() == 4);
      if (!stratify)
        continue;
      for (int fold = 0; fold < 5; ++fold) {
        const int first = class_total(block.col(fold), labels, 0);
        const int second = class_total(block.col(fold), labels, 1);
        REQUIRE((first == 1 || first == 2));
        REQUIRE((second == 2 || second == 3));
      }
    }
    REQUIRE(held_out.leftCols(5) != held_out.rightCols(5));
  }
}

TEST_CASE("leave-one-out leaves out each sample once", "[resample]") {
  const Drawn drawn = draw(6, {}, make_options(ResampleScheme::loo, 1));
  REQUIRE(drawn.counts == Eigen::MatrixXi::Ones(6, 6) - Eigen::MatrixXi::Identity(6, 6));
}

TEST_CASE("balancing equalises the classes with drawn rows only", "[resample]") {
  const Array<int> labels = make_labels({4, 15, 9});
  for (auto scheme : {ResampleScheme::subsample, ResampleScheme::bootstrap, ResampleScheme::pairs,
                      ResampleScheme::folds, ResampleScheme::loo}) {
    ResampleOptions options = make_options(scheme, 20);
    options.stratify = true;
    const Drawn plain = draw(28, labels, options);
    options.balance = true;
    const Drawn balanced = draw(28, labels, options);
    for (Index run = 0; run < plain.counts.cols(); ++run) {
      const Eigen::VectorXi before = plain.counts.col(run);
      const Eigen::VectorXi after = balanced.counts.col(run);
      REQUIRE(((before.array() > 0) == (after.array() > 0)).all());
      REQUIRE(((after - before).array() >= 0).all());
      for (int label = 0; label < 3; ++label) {
        REQUIRE(class_total(after, labels, label) == class_total(before, labels, 1));
      }
    }
  }
}

TEST_CASE("degenerate draws are redrawn, within the bound, and flagged", "[resample]") {
  const Array<int> labels = make_labels({1, 29});
  const Drawn drawn = draw(30, labels, make_options(ResampleScheme::subsample, 200, 0.2));
  int redrawn = 0;
  for (int run = 0; run < 200; ++run) {
    REQUIRE(drawn.counts(0, run) == 1);
    REQUIRE_FALSE(drawn.result.degenerate[run]);
    redrawn += drawn.result.redraws[run];
  }
  REQUIRE(redrawn > 600);  // geometric with success probability 1/5: mean 4 per run, 800 in all,
  REQUIRE(redrawn < 1000); // standard deviation 63

  ResampleOptions bounded = make_options(ResampleScheme::subsample, 200, 0.2);
  bounded.max_redraws = 2;
  const Drawn flagged = draw(30, labels, bounded);
  int degenerate = 0;
  for (Index run = 0; run < 200; ++run) {
    REQUIRE(flagged.result.redraws[run] <= 2);
    const bool without = flagged.counts(0, run) == 0;
    REQUIRE(flagged.result.degenerate[run] == without);
    degenerate += without;
  }
  REQUIRE(degenerate > 70); // expected 200 * 0.8^3 = 102, standard deviation 7
  REQUIRE(degenerate < 135);
}

TEST_CASE("where no redraw can help none is made", "[resample]") {
  const Array<int> labels = make_labels({1, 29});
  for (auto scheme : {ResampleScheme::pairs, ResampleScheme::folds, ResampleScheme::loo}) {
    const Drawn drawn = draw(30, labels, make_options(scheme, 10));
    int degenerate = 0;
    for (Index run = 0; run < drawn.result.redraws.size(); ++run) {
      REQUIRE(drawn.result.redraws[run] == 0);
      REQUIRE(drawn.result.degenerate[run] == (drawn.counts(0, static_cast<int>(run)) == 0));
      degenerate += drawn.result.degenerate[run];
    }
    if (scheme == ResampleScheme::loo)
      REQUIRE(degenerate == 1);
    if (scheme == ResampleScheme::folds)
      REQUIRE(degenerate == 10);
    if (scheme == ResampleScheme::pairs)
      REQUIRE(degenerate >= 10);
  }
  ResampleOptions constant = make_options(ResampleScheme::bootstrap, 5, 1.0);
  for (bool flag : draw(4, {0, 0, 0, 0}, constant).result.degenerate)
    REQUIRE(flag);
}

TEST_CASE("both halves of a pair are redrawn together", "[resample]") {
  const Array<int> labels = make_labels({2, 18});
  const Drawn drawn = draw(20, labels, make_options(ResampleScheme::pairs, 100));
  for (Index run = 0; run < 200; run += 2) {
    REQUIRE(drawn.result.redraws[run] == drawn.result.redraws[run + 1]);
    REQUIRE_FALSE(drawn.result.degenerate[run]);
    REQUIRE_FALSE(drawn.result.degenerate[run + 1]);
  }
}

TEST_CASE("blocks with several labels are never degenerate, and may be alone", "[resample]") {
  ResampleOptions options = make_options(ResampleScheme::subsample, 200, 0.34);
  options.min_size = 1;
  const Drawn alone = draw(3, {0, 0, stabilect::several_labels}, options);
  for (Index run = 0; run < 200; ++run) {
    REQUIRE(alone.counts.col(run).sum() == 1);
    REQUIRE(alone.counts(2, run) == 1);
    REQUIRE_FALSE(alone.result.degenerate[run]);
  }
  const int several = stabilect::several_labels;
  const Drawn all = draw(4, {several, several, several, several}, options);
  REQUIRE(std::accumulate(all.result.redraws.begin(), all.result.redraws.end(), 0) == 0);
}

TEST_CASE("impossible requests are refused", "[resample]") {
  const ResampleOptions plain = make_options(ResampleScheme::subsample, 3);
  ResampleOptions options = plain;
  options.fraction = 0.1;
  REQUIRE_THROWS_AS(Resampler(10, {}, options), std::invalid_argument);
  options.fraction = 1.0;
  options.min_size = 1;
  REQUIRE_THROWS_AS(Resampler(1, {}, options), std::invalid_argument);
  options = plain;
  options.stratify = true;
  REQUIRE_THROWS_AS(Resampler(10, {}, options), std::invalid_argument);
  options = plain;
  options.scheme = ResampleScheme::folds;
  options.n_folds = 11;
  REQUIRE_THROWS_AS(Resampler(10, {}, options), std::invalid_argument);
  REQUIRE_THROWS_AS(Resampler(10, {0, 1}, plain), std::invalid_argument);
  REQUIRE_THROWS_AS(Resampler(4, {0, 1, 1, -2}, plain), std::invalid_argument);
  options = plain;
  options.balance = true;
  REQUIRE_THROWS_AS(Resampler(4, {0, 1, 1, -1}, options), std::invalid_argument);
  options = plain;
  options.n_units = 0;
  REQUIRE_THROWS_AS(Resampler(10, {}, options), std::invalid_argument);
  Eigen::MatrixXi narrow(10, 2);
  REQUIRE_THROWS_AS(draw_resamples(Resampler(10, {}, plain), narrow), std::invalid_argument);
}

TEST_CASE("drawing ends where it is asked to") {
  const Resampler resampler(10, {}, make_options(ResampleScheme::bootstrap, 5));
  Eigen::MatrixXi counts = Eigen::MatrixXi::Constant(10, 5, -1);
  int polls = 0;
  stabilect::Runtime runtime;
  runtime.stop_requested = [&] { return ++polls > 3; };
  REQUIRE_THROWS_AS(draw_resamples(resampler, counts, runtime), stabilect::Interrupted);
  REQUIRE(counts.leftCols(3).minCoeff() == 0);
  REQUIRE(counts.rightCols(2).maxCoeff() == -1);
}
