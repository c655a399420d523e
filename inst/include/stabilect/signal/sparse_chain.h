#ifndef STABILECT_SPARSE_CHAIN_H
#define STABILECT_SPARSE_CHAIN_H

// One chain of the sampler of sparse models (sparse_prior.h). Effects, background and variance are
// integrated out of the moves between models; they are drawn to renew the errors, or the
// unobserved y of classes.

#include <utility>

#include "stabilect/signal/random_draws.h"
#include "stabilect/signal/sparse_model.h"

namespace stabilect {

class SparseChain {
public:
  SparseChain(const SparseData &data, const SparsePrior &prior, Rng rng, int refresh)
      : data_(data), prior_(prior), rng_(rng), refresh_(refresh), y_(data.y),
        lambda_(Eigen::VectorXd::Ones(data.y.size())), forms_(prior.backgrounds.size()),
        squares_(data.panels.padded()), products_(data.panels.padded()),
        inclusion_(data.panels.padded()), entry_(data.panels.p()),
        columns_(data.panels.padded(), n_slots(data)) {
    state_.slab = static_cast<int>(prior.slabs.size() / 2);
    state_.freedom = static_cast<int>(prior.freedoms.size() - 1);
    const double n = static_cast<double>(data.y.size());
    const double flat =
        prior.covariate_precision > 0.0 ? 0.0 : static_cast<double>(data.space.covariates.cols());
    half_freedom_ = 0.5 * (n - flat + prior.prior_freedom);
    load();
  }

  void step() {
    const double move = rng_.uniform();
    if (move < 0.5)
      swap();
    else if (move < 0.75)
      add();
    else
      drop();
    draw_slab();
    if (++n_steps_ % refresh_ == 0)
      refresh();
    if (prior_.classes)
      draw_latent();
  }

  // From now on swaps count for inclusion().
  void record() { recording_ = true; }

  // The posterior probability of each feature, by the probabilities of the swaps (Rao-Blackwell).
  double inclusion(Index j) const { return n_recorded_ > 0 ? inclusion_[j] / n_recorded_ : 0.0; }

  const SparseState &state() const { return state_; }
  const Eigen::VectorXd &lambda() const { return lambda_; }

  // For tests that draw y from the model.
  void set_response(const Eigen::VectorXd &y) {
    y_ = y;
    load_response();
  }

private:
  // Of many samples products take long: they are kept of most features that models visit.
  static Index n_slots(const SparseData &data) {
    constexpr Index kMost = 256;
    const Index least = ColumnCache::kSlots;
    return data.y.size() > kManySamples ? std::max(least, std::min(data.panels.p(), kMost)) : least;
  }

  using Model = signal_detail::EffectModel;
  using Solved = signal_detail::SolvedModel;

  // ---- moves between models
  Array<int> without(Index k) const {
    Array<int> rest(state_.features);
    rest.erase(rest.begin() + k);
    return rest;
  }

  Index size() const { return state_.features.size(); }

  // Another feature in the place of one, by its conditional probability.
  void swap() {
    n_recorded_ += recording_ ? 1.0 : 0.0; // also where there is none
    if (size() == 0)
      return;
    const Index k = rng_.below(size());
    const Array<int> rest = without(k);
    additions(rest);
    state_.features[k] = entry_.at(rng_.uniform());
    if (!recording_)
      return;
    entry_.add_to(inclusion_);
    for (int j : rest)
      inclusion_[j] += 1.0f;
  }

  void add() {
    if (size() >= std::min(prior_.most, data_.panels.p()))
      return;
    const double log_sum = additions(state_.features);
    if (std::log(1.0 - rng_.uniform()) < log_sum - std::log(size() + 1.0))
      state_.features.push_back(entry_.at(rng_.uniform()));
  }

  void drop() {
    if (size() == 0)
      return;
    const Array<int> rest = without(rng_.below(size()));
    const double log_sum = additions(rest);
    if (std::log(1.0 - rng_.uniform()) < std::log(1.0 * size()) - log_sum)
      state_.features = rest;
  }

  // The posterior of each model with one feature more, relative to this model; the logarithm of
  // their sum.
  double additions(const Array<int> &features) {
    const Model model = model_of(features);
    const Index s = features.size();
    const double slab = prior_.slabs[state_.slab];
    const Solved solved = signal_detail::solve_model(model, slab);
    const Eigen::MatrixXd triangle = solved.factor.matrixL().solve(Eigen::MatrixXd::Identity(s, s));
    GainArgs args;
    args.squares = squares_.data();
    args.products = products_.data();
    args.n_columns = s;
    for (Index i = 0; i < s; ++i) {
      args.columns[i] = model.columns[i]->products.data();
      args.heights[i] = static_cast<float>(solved.z[i]);
      for (Index j = 0; j <= i; ++j)
        args.triangle[i * kMostColumns + j] = static_cast<float>(triangle(i, j));
    }
    args.inverse_slab = args.least = static_cast<float>(1.0 / slab);
    args.normal = prior_.classes;
    const double sum = prior_.prior_sum + yy_ - solved.z.squaredNorm();
    args.power = static_cast<float>(half_freedom_);
    args.inverse_sum = static_cast<float>(1.0 / sum);
    args.least_left = static_cast<float>(prior_.prior_sum / sum);
    return prior_.log_step(s, data_.panels.p()) - 0.5 * std::log(slab) +
           entry_.fill(args, features);
  }

  Model model_of(const Array<int> &features) {
    const Index s = features.size();
    Model model;
    for (int k : features)
      model.columns.push_back(&column(k));
    model.gram.resize(s, s);
    model.along.resize(s);
    for (Index i = 0; i < s; ++i) {
      model.along[i] = model.columns[i]->x.dot(ay_);
      for (Index j = 0; j <= i; ++j)
        model.gram(i, j) = model.columns[i]->times.dot(model.columns[j]->x);
    }
    return model;
  }

  // ---- grids
  // The likelihood of a residual sum of squares, with variance integrated out or 1.
  double log_fit(double sum) const {
    return prior_.classes ? -0.5 * sum : -half_freedom_ * std::log(prior_.prior_sum + sum);
  }

  void draw_slab() {
    const Model model = model_of(state_.features);
    Eigen::VectorXd logs(prior_.slabs.size());
    for (Index k = 0; k < logs.size(); ++k) {
      const Solved solved = signal_detail::solve_model(model, prior_.slabs[k]);
      logs[k] = signal_detail::log_volume(solved, prior_.slabs[k]) +
                log_fit(yy_ - solved.z.squaredNorm());
    }
    state_.slab = static_cast<int>(draw_place(rng_, logs));
  }

  // The background's size given the errors; true if it has changed.
  bool draw_background() {
    const Index s = size();
    const double slab = prior_.slabs[state_.slab];
    Eigen::MatrixXd both(y_.size(), s + 1);
    for (Index i = 0; i < s; ++i)
      both.col(i) = column(state_.features[i]).x;
    both.col(s) = y_;
    Eigen::VectorXd logs(prior_.backgrounds.size());
    for (Index t = 0; t < logs.size(); ++t) {
      const Eigen::MatrixXd inner = form(t).quadratic(both);
      const Solved solved =
          signal_detail::solve_model({{}, inner.topLeftCorner(s, s), inner.col(s).head(s)}, slab);
      logs[t] = std::log(prior_.backgrounds[t].weight) + form(t).log_density() +
                signal_detail::log_volume(solved, slab) +
                log_fit(inner(s, s) - solved.z.squaredNorm());
    }
    const int before = std::exchange(state_.background, static_cast<int>(draw_place(rng_, logs)));
    return before != state_.background;
  }

  // ---- errors
  void refresh() {
    bool changed = false;
    if (prior_.backgrounds.size() > 1 && n_refreshed_++ % 2 == 0 && n_steps_ >= prior_.alone)
      changed = draw_background();
    if (changed)
      load();
    if (prior_.freedoms.size() > 1 || prior_.freedoms[0] < kNormalErrors)
      draw_errors();
  }

  // Draws effects, covariates and background, and returns what they leave of y.
  Eigen::VectorXd draw_residual(const Model &model, const Solved &solved, double deviation) {
    const SampleForm &now = form(state_.background);
    Eigen::VectorXd rest = y_;
    const Eigen::VectorXd effects =
        solved.factor.matrixU().solve(solved.z + deviation * draw_normals(rng_, size()));
    for (Index i = 0; i < size(); ++i)
      rest -= effects[i] * model.columns[i]->x;
    return rest - now.draw_fit(rest, deviation * draw_normals(rng_, now.n_columns()));
  }

  // Variance, freedom and weights of t errors.
  void draw_errors() {
    const Model model = model_of(state_.features);
    const Solved solved = signal_detail::solve_model(model, prior_.slabs[state_.slab]);
    const double sum = prior_.prior_sum + yy_ - solved.z.squaredNorm();
    const double variance = 0.5 * sum / draw_gamma(rng_, half_freedom_);
    const Eigen::VectorXd squares =
        draw_residual(model, solved, std::sqrt(variance)).cwiseAbs2() / variance;
    Eigen::VectorXd logs(prior_.freedoms.size());
    for (Index k = 0; k < logs.size(); ++k)
      logs[k] = signal_detail::log_errors(squares, prior_.freedoms[k]);
    state_.freedom = static_cast<int>(draw_place(rng_, logs));
    const double freedom = prior_.freedoms[state_.freedom];
    const Eigen::VectorXd before = lambda_;
    for (Index i = 0; i < lambda_.size(); ++i)
      lambda_[i] = freedom < kNormalErrors
                       ? draw_gamma(rng_, 0.5 * (freedom + 1.0)) / (0.5 * (freedom + squares[i]))
                       : 1.0;
    // Where normal errors stay normal, so does all that depends on their weights.
    if (lambda_ == before)
      return;
    forms_.assign(forms_.size(), SampleForm());
    load();
  }

  // ---- two classes (Albert and Chib 1993): y given the fit, on the side of its class.
  void draw_latent() {
    const Model model = model_of(state_.features);
    const Solved solved = signal_detail::solve_model(model, prior_.slabs[state_.slab]);
    const Eigen::VectorXd fit = y_ - draw_residual(model, solved, 1.0);
    for (Index i = 0; i < y_.size(); ++i) {
      const double side = data_.y[i] > 0.0 ? 1.0 : -1.0;
      y_[i] = fit[i] + side * draw_normal_above(rng_, -side * fit[i]);
    }
    load_response();
  }

  // ---- what depends on A and y
  const SampleForm &form(Index t) {
    if (forms_[t].n_columns() == 0)
      forms_[t] = SampleForm(data_.space, prior_.backgrounds[t], lambda_);
    return forms_[t];
  }

  void load() {
    columns_.clear();
    data_.panels.squares(lambda_, form(state_.background).factor(), squares_.data());
    load_response();
  }

  void load_response() {
    ay_ = form(state_.background).times(y_);
    yy_ = y_.dot(ay_);
    data_.panels.products(ay_, products_.data());
  }

  const FeatureColumn &column(int feature) {
    return columns_.get(feature, [&](FeatureColumn &slot) {
      slot.x = data_.column(slot.feature);
      slot.times = form(state_.background).times(slot.x);
      data_.panels.products(slot.times, slot.products.data());
    });
  }

  const SparseData &data_;
  const SparsePrior &prior_;
  Rng rng_;
  int refresh_;
  long n_steps_ = 0, n_refreshed_ = 0;
  SparseState state_;
  Eigen::VectorXd y_, lambda_;
  Array<SampleForm> forms_; // by background; empty until needed
  AlignedBuffer<float> squares_, products_, inclusion_;
  EntryWeights entry_;
  ColumnCache columns_;
  Eigen::VectorXd ay_;
  double yy_ = 0.0, half_freedom_ = 0.0, n_recorded_ = 0.0;
  bool recording_ = false;
};

} // namespace stabilect

#endif
