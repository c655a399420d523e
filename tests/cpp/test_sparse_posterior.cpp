#include "catch.h"

#include <Eigen/Eigenvalues>

#include <stabilect/signal/find_signals.h>

#include "normals.h"

using namespace stabilect;

namespace {

using Eigensystem = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;

// A small model whose density can be written down: features, covariates, background.
struct SmallModel {
  Eigen::MatrixXd x;
  Eigen::MatrixXd k; // x x' / p
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
  model.k = model.x * model.x.transpose() / (1.0 * p);
  const Eigensystem system(model.k);
  const Index rank = std::min(n - 1, p);
  model.data.space.directions = system.eigenvectors().rightCols(rank) *
                                system.eigenvalues().tail(rank).cwiseSqrt().asDiagonal();
  model.data.space.precision = precision;
  model.data.panels.resize(n, p);
  for (Index j = 0; j < p; ++j)
    model.data.panels.set_column(j, model.x.col(j));
  const Eigen::MatrixXd x = model.x;
  model.data.column = [x](int j) -> Eigen::VectorXd { return x.col(j); };
  model.prior.slabs = {0.2, 1.0};
  model.prior.backgrounds = {{0.0, 0, 0.6}, {1.0, 0, 0.2}, {3.0, 2, 0.2}};
  model.prior.freedoms = {kNormalErrors};
  model.prior.covariate_precision = precision;
  return model;
}

// Covariance of y over s2, with weights of the errors.
Eigen::MatrixXd covariance(const SmallModel &model, unsigned set, double slab,
                           const Background &background, const Eigen::VectorXd &lambda,
                           double covariates) {
  const Index n = lambda.size(), k = background.leading;
  const Eigen::MatrixXd &z = model.data.space.covariates;
  Eigen::MatrixXd v = covariates * z * z.transpose() + background.tau * model.k;
  if (k > 0) {
    const Eigen::MatrixXd first = Eigensystem(model.k).eigenvectors().rightCols(k);
    v += background.tau * (1.0 * n / k * first * first.transpose() - model.k);
  }
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
                                prior.backgrounds[background].weight *
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
  model.prior.backgrounds = {Background()};
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
      sum += std::exp(log_density(model, covariance(model, set, 0.5, Background(), own, 2.0), y));
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
  model.prior.backgrounds = {{0.0, 0, 0.7}, {1.0, 0, 0.3}};
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

TEST_CASE("each of three classes has the posterior of orthant probabilities", "[signal]") {
  const Index n = 6, p = 3;
  SmallModel model = small_model(n, p, 0.5, 3);
  const Eigen::MatrixXd z = model.data.space.covariates;
  SignalOptions options;
  options.prior = SparsePrior::for_classes(n);
  options.prior.slabs = {0.5};
  options.length.burn = 100, options.length.keep = 20000;
  options.codes = {1, 2, 3, 3, 1, 2};
  model.prior = options.prior;
  model.prior.backgrounds = {Background()}; // so few features have none
  const int draws = 20000;
  const Eigen::MatrixXd noise = normals(n, draws, 9);
  Eigen::VectorXd largest = Eigen::VectorXd::Zero(p);
  for (int k = 1; k <= 3; ++k) {
    const Eigen::VectorXd exact = exact_means(model, [&](unsigned set, int, int, int) {
      const Eigen::LLT<Eigen::MatrixXd> root(
          covariance(model, set, 0.5, Background(), Eigen::VectorXd::Ones(n), 9.0 * n));
      const Eigen::MatrixXd latent = root.matrixL() * noise;
      int inside = 0;
      for (int d = 0; d < draws; ++d) {
        bool all = true;
        for (Index i = 0; i < n; ++i)
          all = all && (latent(i, d) > 0.0) == (options.codes[i] == k);
        inside += all;
      }
      return 1.0 * inside / draws;
    });
    largest = largest.cwiseMax(exact.head(p));
  }
  Eigen::VectorXd y(n);
  for (Index i = 0; i < n; ++i)
    y[i] = options.codes[i] == 1;
  const SignalData data = signal_data(model.x, y, z);
  const Runtime quiet_one;
  Passes passes(quiet_one);
  const NeighbourNames names =
      signal_detail::NamesOfSignals(data, z, Eigen::VectorXd::Zero(z.rows()), FeatureVersions(),
                                    options, passes)
          .run();
  for (Index j = 0; j < p; ++j)
    REQUIRE(names.inclusion[j] == Approx(largest[j]).margin(0.04));
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
