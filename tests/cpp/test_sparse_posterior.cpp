#include "catch.h"

#include <stabilect/signal/find_signals.h>

#include "two_threads.h"

using namespace stabilect;

namespace {

Eigen::MatrixXd normals(Index rows, Index columns, std::uint64_t seed) {
  Rng rng(seed, 0);
  Eigen::MatrixXd out(rows, columns);
  for (Index k = 0; k < out.size(); ++k)
    out.data()[k] = rng.normal();
  return out;
}

// A small model whose density can be written down: features, covariates, background.
struct SmallModel {
  Eigen::MatrixXd x;
  SparseData data;
  SparsePrior prior;
};

SmallModel small_model(Index n, Index p, double precision, std::uint64_t seed) {
  SmallModel model;
  model.x = normals(n, p, seed);
  model.x.col(1) += model.x.col(0); // neighbours
  const Eigen::MatrixXd z = Eigen::MatrixXd::Constant(n, 1, 1.0 / std::sqrt(1.0 * n));
  model.x -= z * (z.transpose() * model.x);
  model.x = std::sqrt(n - 1.0) * model.x.colwise().normalized().eval();
  model.data.space.covariates = z;
  model.data.space.directions = model.x / std::sqrt(1.0 * p);
  model.data.space.precision = precision;
  model.data.panels.resize(n, p);
  for (Index j = 0; j < p; ++j)
    model.data.panels.set_column(j, model.x.col(j));
  const Eigen::MatrixXd x = model.x;
  model.data.column = [x](int j) -> Eigen::VectorXd { return x.col(j); };
  model.prior.slabs = {0.2, 1.0};
  model.prior.backgrounds = {0.0, 1.0};
  model.prior.background_weights = {0.7, 0.3};
  model.prior.freedoms = {kNormalErrors};
  model.prior.covariate_precision = precision;
  return model;
}

// Covariance of y over s2, with weights of the errors.
Eigen::MatrixXd covariance(const SmallModel &model, unsigned set, double slab, double tau,
                           const Eigen::VectorXd &lambda, double covariates) {
  const SampleSpace &space = model.data.space;
  Eigen::MatrixXd v = covariates * space.covariates * space.covariates.transpose() +
                      tau * space.directions * space.directions.transpose();
  v.diagonal() += lambda.cwiseInverse();
  for (Index j = 0; j < model.x.cols(); ++j)
    if (set >> j & 1u)
      v += slab * model.x.col(j) * model.x.col(j).transpose();
  return v;
}

// Density of y with the variance integrated out, up to a constant.
double log_density(const SmallModel &model, const Eigen::MatrixXd &v, const Eigen::VectorXd &y) {
  const Eigen::LLT<Eigen::MatrixXd> root(v);
  const double power = 0.5 * (y.size() + model.prior.prior_freedom);
  return -root.matrixLLT().diagonal().array().log().sum() -
         power * std::log(model.prior.prior_sum + y.dot(root.solve(y)));
}

double log_prior(const SmallModel &model, unsigned set) {
  const Index p = model.x.cols();
  double log_ways = 0.0;
  Index s = 0;
  for (; set != 0; set &= set - 1)
    ++s;
  for (Index k = 0; k < s; ++k)
    log_ways += model.prior.log_step(k, p);
  return log_ways;
}

// Means over a chain: inclusion of each feature, size, first slab, no background, first freedom.
Eigen::VectorXd summary(const SmallModel &model, const SparseState &state) {
  const Index p = model.x.cols();
  Eigen::VectorXd out = Eigen::VectorXd::Zero(p + 4);
  for (int j : state.features)
    out[j] = 1.0;
  out[p] = static_cast<double>(state.features.size());
  out[p + 1] = state.slab == 0;
  out[p + 2] = state.background == 0;
  out[p + 3] = state.freedom == 0;
  return out;
}

Eigen::VectorXd chain_means(const SmallModel &model, int steps, std::uint64_t seed) {
  SparseChain chain(model.data, model.prior, Rng(seed, 0), 2);
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(model.x.cols() + 4);
  chain.record();
  for (int i = 0; i < steps; ++i) {
    chain.step();
    sum += summary(model, chain.state());
  }
  return sum / steps;
}

// The exact means, given the density of y for a set, slab and background (by place).
template <typename Density>
Eigen::VectorXd exact_means(const SmallModel &model, const Density &density) {
  const Index p = model.x.cols();
  const SparsePrior &prior = model.prior;
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(p + 4);
  double total = 0.0;
  for (unsigned set = 0; set < (1u << p); ++set)
    for (int slab = 0; slab < int(prior.slabs.size()); ++slab)
      for (int background = 0; background < int(prior.backgrounds.size()); ++background)
        for (int freedom = 0; freedom < int(prior.freedoms.size()); ++freedom) {
          const double weight = std::exp(log_prior(model, set)) *
                                prior.background_weights[background] *
                                density(set, slab, background, freedom);
          SparseState state;
          for (int j = 0; j < int(p); ++j)
            if (set >> j & 1u)
              state.features.push_back(j);
          state.slab = slab, state.background = background, state.freedom = freedom;
          sum += weight * summary(model, state);
          total += weight;
        }
  return sum / total;
}

} // namespace

TEST_CASE("gains of features are those of double arithmetic, with the same bits at any width",
          "[signal]") {
  const Index n = 23, p = 75, s = 3;
  const Eigen::MatrixXd x = normals(n, p, 1), c = normals(p, s, 2);
  FeaturePanels panels(n, p);
  for (Index j = 0; j < p; ++j)
    panels.set_column(j, x.col(j));
  const Eigen::VectorXd v = normals(n, 1, 3).col(0), weight = normals(n, 1, 4).col(0).cwiseAbs();
  const Eigen::MatrixXd factor = 0.1 * normals(n, 3, 5);
  AlignedBuffer<float> products(panels.padded()), squares(panels.padded()), again(panels.padded());
  panels.products(v, products.data());
  panels.products(v, again.data(), 16);
  REQUIRE(std::equal(again.data(), again.data() + p, products.data()));
  panels.squares(weight, factor, squares.data());
  panels.squares(weight, factor, again.data(), 16);
  REQUIRE(std::equal(again.data(), again.data() + p, squares.data()));
  const Eigen::MatrixXd a = Eigen::MatrixXd(weight.asDiagonal()) - factor * factor.transpose();
  for (Index j = 0; j < p; ++j) {
    REQUIRE(products[j] == Approx(x.col(j).dot(v)).margin(1e-4));
    REQUIRE(squares[j] == Approx(x.col(j).dot(a * x.col(j))).margin(1e-4));
  }
  AlignedBuffer<float> columns(s * panels.padded());
  GainArgs args = {};
  args.squares = squares.data(), args.products = products.data(), args.n_columns = s;
  for (Index k = 0; k < s; ++k) {
    for (Index j = 0; j < p; ++j)
      columns[k * panels.padded() + j] = static_cast<float>(c(j, k));
    args.columns[k] = columns.data() + k * panels.padded();
    args.heights[k] = 0.5f * k;
    for (Index i = 0; i <= k; ++i)
      args.triangle[k * kMostColumns + i] = 0.3f + 0.1f * static_cast<float>(i - k);
  }
  args.inverse_slab = 9.0f, args.least = 5.0f;
  args.power = 11.5f, args.inverse_sum = 0.02f, args.least_left = 0.01f;
  for (bool classes : {false, true}) {
    args.normal = classes;
    EntryWeights entry(p), narrow(p);
    const double log_sum = entry.fill(args, {4, 70});
    REQUIRE(narrow.fill(args, {4, 70}, 16) == log_sum);
    double total = 0.0;
    Array<double> expected;
    for (Index j = 0; j < p; ++j) {
      double left = squares[j] + 9.0, w = products[j];
      for (Index k = 0; k < s; ++k) {
        double along = 0.0;
        for (Index i = 0; i <= k; ++i)
          along += (0.3 + 0.1 * static_cast<double>(i - k)) * c(j, i);
        left -= along * along;
        w -= along * 0.5 * static_cast<double>(k);
      }
      left = std::max(left, 5.0);
      const double share = w * w / left;
      const double gain =
          classes ? 0.5 * share : -11.5 * std::log(std::max(1.0 - 0.02 * share, 0.01));
      expected.push_back(j == 4 || j == 70 ? 0.0 : std::exp(gain) / std::sqrt(left));
      total += expected.back();
    }
    REQUIRE(log_sum == Approx(std::log(total)).epsilon(1e-5));
    double below = 0.0;
    for (Index j = 0; j < p; ++j) {
      REQUIRE(entry.weight(j) == Approx(expected[j] / total).epsilon(1e-3).margin(1e-7));
      if (expected[j] / total > 1e-4)
        REQUIRE(entry.at(below + 0.5 * entry.weight(j)) == j);
      below += entry.weight(j);
    }
  }
}

TEST_CASE("draws have the moments of their laws", "[signal]") {
  Rng rng(1, 0);
  for (double shape : {0.5, 3.0}) {
    double sum = 0.0, square = 0.0;
    const int n = 40000;
    for (int i = 0; i < n; ++i) {
      const double g = draw_gamma(rng, shape);
      sum += g, square += g * g;
    }
    REQUIRE(std::fabs(sum / n - shape) < 4.0 * std::sqrt(shape / n));
    REQUIRE(square / n - sum / n * (sum / n) == Approx(shape).epsilon(0.06));
  }
  // E(z | z > a) = phi(a) / (1 - Phi(a)).
  for (double least : {-1.0, 0.3, 2.5}) {
    double sum = 0.0, lowest = 1e9;
    const int n = 40000;
    for (int i = 0; i < n; ++i) {
      const double z = draw_normal_above(rng, least);
      sum += z, lowest = std::min(lowest, z);
    }
    const double tail = 0.5 * std::erfc(least / std::sqrt(2.0)),
                 mean = std::exp(-0.5 * least * least) / std::sqrt(2.0 * std::acos(-1.0)) / tail;
    REQUIRE(lowest > least);
    REQUIRE(std::fabs(sum / n - mean) < 0.02);
  }
}

TEST_CASE("the chain has the exact posterior of all sets of features", "[signal]") {
  const Index n = 14, p = 8;
  // A proper prior of the covariates, and a flat one: there, in the coordinates beside them.
  for (double precision : {0.1, 0.0}) {
    SmallModel model = small_model(n, p, precision, 3);
    Eigen::VectorXd y = 0.6 * model.x.col(1) - 0.5 * model.x.col(4) + normals(n, 1, 5).col(0);
    y.array() += 0.7;
    model.data.y = y;
    const Eigen::MatrixXd all =
        Eigen::HouseholderQR<Eigen::MatrixXd>(model.data.space.covariates).householderQ() *
        Eigen::MatrixXd::Identity(n, n);
    const Eigen::MatrixXd u = precision > 0.0 ? all : all.rightCols(n - 1);
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(n);
    const Eigen::VectorXd exact =
        exact_means(model, [&](unsigned set, int slab, int background, int) {
          const Eigen::MatrixXd v =
              covariance(model, set, model.prior.slabs[slab], model.prior.backgrounds[background],
                         ones, precision > 0.0 ? 1.0 / precision : 0.0);
          return std::exp(log_density(model, u.transpose() * v * u, u.transpose() * y));
        });
    const Eigen::VectorXd found = chain_means(model, 100000, 7);
    REQUIRE(exact.head(p).maxCoeff() > 0.7);
    REQUIRE(exact.head(p).minCoeff() < 0.3);
    // 400,000 steps with three seeds differ by at most 0.045 in the size, which mixes slowest.
    REQUIRE((found - exact).head(p).cwiseAbs().maxCoeff() < 0.03);
    REQUIRE(std::fabs(found[p] - exact[p]) < 0.15);
    REQUIRE((found - exact).tail(3).cwiseAbs().maxCoeff() < 0.03);
  }
}

TEST_CASE("with t errors the chain has the posterior that draws of their weights give",
          "[signal]") {
  const Index n = 7, p = 3;
  SmallModel model = small_model(n, p, 0.5, 3);
  model.prior.freedoms = {2.0, kNormalErrors};
  model.prior.slabs = {0.5};
  model.prior.backgrounds = {0.0};
  model.prior.background_weights = {1.0};
  Eigen::VectorXd y = 1.2 * model.x.col(2) + 0.3 * normals(n, 1, 5).col(0);
  y[3] += 4.0; // an outlier
  model.data.y = y;
  const int draws = 20000;
  Rng rng(9, 0);
  Eigen::MatrixXd lambda(n, draws);
  for (Index k = 0; k < lambda.size(); ++k)
    lambda.data()[k] = draw_gamma(rng, 1.0); // nu / 2, rate 1
  const Eigen::VectorXd exact = exact_means(model, [&](unsigned set, int, int, int freedom) {
    double sum = 0.0;
    const int used = freedom == 0 ? draws : 1;
    for (int d = 0; d < used; ++d) {
      const Eigen::VectorXd own =
          freedom == 0 ? Eigen::VectorXd(lambda.col(d)) : Eigen::VectorXd(Eigen::VectorXd::Ones(n));
      sum += std::exp(log_density(model, covariance(model, set, 0.5, 0.0, own, 2.0), y));
    }
    return sum / used;
  });
  const Eigen::VectorXd found = chain_means(model, 60000, 7);
  REQUIRE(exact[2] > 0.5);
  REQUIRE((found - exact).cwiseAbs().maxCoeff() < 0.04);
}

TEST_CASE("for two classes the chain has the posterior of orthant probabilities", "[signal]") {
  const Index n = 6, p = 3;
  SmallModel model = small_model(n, p, 0.5, 3);
  model.prior.classes = true;
  model.prior.slabs = {0.5};
  model.prior.backgrounds = {0.0, 1.0};
  model.data.y = model.x.col(2).array().sign();
  const int draws = 20000;
  const Eigen::MatrixXd z = normals(n, draws, 9);
  const Eigen::VectorXd exact = exact_means(model, [&](unsigned set, int, int background, int) {
    const Eigen::LLT<Eigen::MatrixXd> root(covariance(
        model, set, 0.5, model.prior.backgrounds[background], Eigen::VectorXd::Ones(n), 2.0));
    const Eigen::MatrixXd latent = root.matrixL() * z;
    int inside = 0;
    for (int d = 0; d < draws; ++d)
      inside += (latent.col(d).array() * model.data.y.array() > 0.0).all();
    return 1.0 * inside / draws;
  });
  const Eigen::VectorXd found = chain_means(model, 60000, 7);
  REQUIRE(exact[2] > 0.5);
  REQUIRE((found - exact).head(p + 3).cwiseAbs().maxCoeff() < 0.04);
}

// Geweke (2004), "Getting it right", JASA 99: if y is drawn anew after every step, the chain has
// the prior.
TEST_CASE("the chain has the prior if responses are drawn from the model", "[signal]") {
  const Index n = 6, p = 4;
  for (bool classes : {false, true}) {
    SmallModel model = small_model(n, p, 0.5, 3);
    model.prior.classes = classes;
    model.prior.prior_freedom = 6.0;
    model.prior.freedoms = {3.0, kNormalErrors};
    if (classes)
      model.prior.freedoms = {kNormalErrors};
    model.data.y = normals(n, 1, 5).col(0);
    SparseChain chain(model.data, model.prior, Rng(2, 0), 1);
    Rng rng(3, 0);
    const int batches = 40, size = 1000;
    Eigen::MatrixXd means = Eigen::MatrixXd::Zero(p + 4, batches);
    for (int b = 0; b < batches; ++b)
      for (int i = 0; i < size; ++i) {
        chain.step();
        means.col(b) += summary(model, chain.state()) / size;
        unsigned set = 0;
        for (int j : chain.state().features)
          set |= 1u << j;
        const double s2 =
            classes ? 1.0
                    : 0.5 * model.prior.prior_sum / draw_gamma(rng, model.prior.prior_freedom / 2);
        const Eigen::LLT<Eigen::MatrixXd> root(
            covariance(model, set, model.prior.slabs[chain.state().slab],
                       model.prior.backgrounds[chain.state().background], chain.lambda(), 2.0));
        const Eigen::VectorXd noise = std::sqrt(s2) * draw_normals(rng, n);
        const Eigen::VectorXd y = root.matrixL() * noise;
        model.data.y = y; // its signs are the classes
        chain.set_response(y);
      }
    const Eigen::VectorXd exact = exact_means(model, [](unsigned, int, int, int) { return 1.0; });
    const Eigen::VectorXd found = means.rowwise().mean();
    for (Index k = 0; k < p + 4; ++k) {
      const double spread = (means.row(k).array() - found[k]).square().sum();
      const double se = std::sqrt(spread / (batches * (batches - 1.0)));
      INFO(classes << " " << k << " " << found[k] << " " << exact[k] << " " << se);
      REQUIRE(std::fabs(found[k] - exact[k]) < 4.0 * se + 1e-12);
    }
  }
}

TEST_CASE("names are the features whose neighbourhood carries signal in most models", "[signal]") {
  SignalData data;
  const Index m = 30;
  data.x = normals(m, 8, 1);
  data.x.col(1) = data.x.col(0) + 0.3 * data.x.col(1); // neighbours of 0, and of each other
  data.x.col(2) = data.x.col(0) + 0.3 * data.x.col(2);
  data.x = data.x.colwise().normalized().eval();
  data.y = normals(m, 1, 2).col(0);
  data.x_norm = Eigen::VectorXd::Ones(8);
  SparsePosterior posterior;
  posterior.chains.resize(2);
  posterior.chains[0].states = {{0}, {1, 5}, {2, 5}, {0, 5}, {1}};
  posterior.chains[1].states = {{1}, {1}, {0, 5}, {0, 5}, {}};
  for (ChainRecord &chain : posterior.chains)
    chain.inclusion = {0.45, 0.4, 0.1, 0.0, 0.0, 0.5, 0.0, 0.0};
  posterior.chains[0].background = 0.5;
  const NeighbourNames names = neighbour_names(data, posterior);
  REQUIRE(names.named.size() == 1);
  REQUIRE(names.named[0].feature == 0);
  REQUIRE(names.named[0].probability == Approx(0.9)); // 5 of 5 and 4 of 5 models
  REQUIRE(names.named[0].error == Approx(0.1));
  REQUIRE(names.shown.size() == 1);
  REQUIRE(names.shown[0].feature == 5);
  REQUIRE(names.shown[0].probability == Approx(0.5));
  REQUIRE(names.shared[0].features == Array<int>({0, 1, 2}));
  REQUIRE(names.shared[0].share[1] == Approx(4.0 / 9.0));
  REQUIRE(names.inclusion[5] == Approx(0.5));
  REQUIRE(names.background.probability == Approx(0.25));
  // Of two near names a feature belongs to the nearer one; here none is left beside 0.
  NamingOptions options;
  options.near = 0.99;
  REQUIRE(neighbour_names(data, posterior, options).named.empty());
}

TEST_CASE("the posterior does not depend on threads, and can be interrupted", "[signal]") {
  const Index n = 30, p = 50;
  Eigen::MatrixXd x = normals(n, p, 1);
  x.col(6).setConstant(1.0);
  const Eigen::VectorXd y = 2.0 * x.col(9) + normals(n, 1, 2).col(0);
  const Eigen::MatrixXd z = Eigen::MatrixXd::Constant(n, 1, 1.0 / std::sqrt(1.0 * n));
  const SignalData data = signal_data(x, y, z);
  ChainLength length;
  length.burn = 50, length.keep = 100;
  const auto run = [&](const Runtime &runtime, bool classes) {
    Passes passes(runtime);
    const SparsePrior prior = classes ? SparsePrior::for_classes(n) : SparsePrior::for_numbers();
    return sparse_posterior(data, z, y, prior, length, 5, passes);
  };
  for (bool classes : {false, true}) {
    const SparsePosterior one = run(Runtime(), classes), two = run(two_threads(), classes);
    for (Index c = 0; c < 4; ++c) {
      REQUIRE(one.chains[c].states == two.chains[c].states);
      REQUIRE(one.chains[c].inclusion == two.chains[c].inclusion);
      REQUIRE(one.chains[c].inclusion[6] == 0.0);
      REQUIRE(one.chains[c].inclusion[9] > 0.5);
    }
    REQUIRE(one.chains[0].inclusion != one.chains[1].inclusion);
  }
  int asked = 0;
  Runtime runtime;
  runtime.stop_requested = [&] { return ++asked > 70; };
  REQUIRE_THROWS_AS(run(runtime, false), Interrupted);
}
