#include "catch.h"

#include <stabilect/signal/find_signals.h>

#include "normals.h"
#include "two_threads.h"

using namespace stabilect;

namespace {

// Three classes: feature 3 tells the second, feature 9 the third.
struct ThreeClasses {
  Eigen::MatrixXd x, z, scores;
  Array<int> codes;
};

ThreeClasses three_classes(Index n, Index p) {
  ThreeClasses out;
  out.x = normals(n, p, 1);
  out.z = Eigen::MatrixXd::Constant(n, 1, 1.0 / std::sqrt(1.0 * n));
  out.scores = Eigen::MatrixXd::Zero(n, 2);
  for (Index i = 0; i < n; ++i) {
    const int code = static_cast<int>(i % 3);
    out.codes.push_back(code + 1);
    if (code > 0)
      out.scores(i, code - 1) = 1.0;
    out.x(i, 3) += code == 1 ? 3.0 : 0.0;
    out.x(i, 9) -= code == 2 ? 3.0 : 0.0;
  }
  return out;
}

Signals find(const ThreeClasses &three, const Eigen::MatrixXd &y, const Array<int> &codes,
             const Runtime &runtime = Runtime()) {
  const Index n = three.x.rows();
  const SignalData data = signal_data(three.x, y.col(0), three.z);
  SignalOptions options;
  options.prior = SparsePrior::for_classes(n);
  options.length.burn = 100, options.length.keep = 200;
  options.naming.shown = 0.2;
  options.seed = 5;
  options.gate = 1.0;
  options.codes = codes;
  Passes passes(runtime);
  return find_signals(data, three.z, y, NullDraws::permutations(Array<int>(n, 0), 99, 7), options,
                      passes);
}

bool same(const NamedFeature &a, const NamedFeature &b) {
  return a.feature == b.feature && a.probability == b.probability && a.error == b.error;
}

} // namespace

TEST_CASE("names of classes are those with the largest probability of any class", "[signal]") {
  SignalData data;
  Index place = 0;
  data.x = normals(30, 6, 1);
  data.x.col(1) = data.x.col(0) + 0.3 * data.x.col(1); // neighbours
  data.x.col(4) = data.x.col(3) + 0.3 * data.x.col(4);
  data.x = data.x.colwise().normalized().eval();
  data.basis = Eigen::MatrixXd::Identity(30, 30);
  Array<int> codes(30, 1);
  codes[0] = codes[1] = 2;
  data.x.col(2).cwiseAbs().maxCoeff(&place);
  codes[place] = 3;                  // nearer to feature 2 than the many of class 1
  Array<NeighbourNames> by_class(3); // the second one is too small
  by_class[0].named = {{0, 0.85, 0.01, 0}, {2, 1.0, 0.0, 0}};
  by_class[0].shared = {{{0, 1}, {0.6, 0.4}}, {{2}, {1.0}}};
  by_class[0].shown = {{3, 0.6, 0.02, 0}};
  by_class[0].inclusion = {0.5, 0.4, 1.0, 0.3, 0.3, 0.0};
  by_class[0].background = {0, 0.2, 0.1, 0};
  by_class[2].named = {{2, 1.0, 0.0, 0}, {1, 0.95, 0.02, 0}};
  by_class[2].shared = {{{2, 5}, {0.9, 0.1}}, {{1}, {1.0}}};
  by_class[2].shown = {{5, 0.55, 0.0, 0}, {4, 0.7, 0.03, 0}};
  by_class[2].inclusion = {0.1, 0.9, 0.9, 0.0, 0.6, 0.5};
  by_class[2].background = {0, 0.4, 0.2, 0};
  const NeighbourNames names = join_classes(data, unit_columns(data), codes, by_class);
  REQUIRE(names.named.size() == 2); // 0 is a neighbour of 1
  REQUIRE(same(names.named[0], {2, 1.0, 0.0, 0}));
  REQUIRE(names.named[0].of_class == 3); // ties by correlation
  REQUIRE(same(names.named[1], {1, 0.95, 0.02, 0}));
  REQUIRE(names.named[1].of_class == 3);
  REQUIRE(names.shared.size() == 2);
  REQUIRE(names.shared[0].features == Array<int>({2, 5}));
  REQUIRE(names.shared[1].features == Array<int>({1}));
  REQUIRE(names.shown.size() == 2); // 3 is a neighbour of 4
  REQUIRE(same(names.shown[0], {4, 0.7, 0.03, 0}));
  REQUIRE(same(names.shown[1], {5, 0.55, 0.0, 0}));
  REQUIRE(names.inclusion == Array<double>({0.5, 0.9, 1.0, 0.3, 0.6, 0.5}));
  REQUIRE(names.background.probability == 0.4);
}

TEST_CASE("each of several classes has the names of this class against the rest", "[signal]") {
  const ThreeClasses three = three_classes(36, 20);
  const Signals one = find(three, three.scores, three.codes);
  REQUIRE(one.sampled);
  REQUIRE(one.names.named.size() >= 2);
  // The numbers of the chains go on from class to class.
  const SignalData data = signal_data(three.x, three.scores.col(0), three.z);
  SignalOptions options;
  options.length.burn = 100, options.length.keep = 200;
  options.naming.shown = 0.2;
  Array<NeighbourNames> by_class;
  for (int k = 1; k <= 3; ++k) {
    Eigen::VectorXd own(36);
    for (Index i = 0; i < 36; ++i)
      own[i] = three.codes[i] == k;
    const Runtime quiet_one;
    Passes passes(quiet_one);
    by_class.push_back(
        neighbour_names(unit_columns(data), data.p(),
                        sparse_posterior(data, three.z, own, SparsePrior::for_classes(36),
                                         options.length, 5, passes, 4 * (k - 1)),
                        options.naming));
    if (k == 1) {
      const Signals two = find(three, own, {});
      REQUIRE(two.names.inclusion == by_class[0].inclusion);
      REQUIRE(two.names.named.size() == by_class[0].named.size());
    }
  }
  const NeighbourNames joined =
      join_classes(data, unit_columns(data), three.codes, by_class, options.naming);
  REQUIRE(one.names.inclusion == joined.inclusion);
  REQUIRE(one.names.named.size() == joined.named.size());
  Array<int> class_of(20, 0);
  for (Index k = 0; k < joined.named.size(); ++k) {
    REQUIRE(same(one.names.named[k], joined.named[k]));
    class_of[joined.named[k].feature] = one.names.named[k].of_class;
  }
  REQUIRE(class_of[3] == 2);
  REQUIRE(class_of[9] == 3);
  // Other threads; a class without names of its own.
  const Signals threads = find(three, three.scores, three.codes, two_threads());
  REQUIRE(threads.names.inclusion == one.names.inclusion);
  Array<int> fewer = three.codes;
  for (int &code : fewer)
    code = code == 2 ? 0 : code;
  by_class[1] = NeighbourNames();
  REQUIRE(find(three, three.scores, fewer).names.inclusion ==
          join_classes(data, unit_columns(data), fewer, by_class, options.naming).inclusion);
  int asked = 0;
  Runtime runtime;
  runtime.stop_requested = [&] { return ++asked > 400; };
  REQUIRE_THROWS_AS(find(three, three.scores, three.codes, runtime), Interrupted);
}
