#ifndef STABILECT_ACTIVE_MODEL_H
#define STABILECT_ACTIVE_MODEL_H

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "stabilect/likelihood/active_factor.h"
#include "stabilect/likelihood/block_minimum.h"
#include "stabilect/likelihood/free_columns.h"
#include "stabilect/likelihood/norm_bend.h"
#include "stabilect/likelihood/options.h"
#include "stabilect/likelihood/recent_steps.h"

namespace stabilect {

// The score at a point of the path is at most a tolerance, relative to lambda; for lambda near zero
// this, relative to the norm of the residual of the model without features.
constexpr double kScoreFloor = 1e-14;

// Of the largest second derivative.
constexpr double kDamping = 1e-6;

// Columns whose curved ones are kept at once.
constexpr Index kChunk = 8;

// A feature to be let in, and its product with the residual; with several predictors, its norm.
struct Violator {
  int feature;
  double product;
};

// The model at one lambda: Newton steps on the free columns and the active features together, with
// the factor of an earlier point, corrected by the recent steps (recent_steps.h), until this
// converges too slowly.
template <typename Likelihood> class ActiveModel {
public:
  using Block = Eigen::VectorXd;

  // The state that another call returns to.
  struct State {
    Array<int> feature;
    Array<double> sign;          // of the feature's product when it entered
    Eigen::VectorXd coordinates; // a block for each free column, then for each feature
  };

  ActiveModel(PathColumns &columns, Likelihood &likelihood, const FreeColumns &free, double alpha,
              const Kernels &kernels)
      : columns_(&columns), likelihood_(&likelihood), free_(&free), kernels_(&kernels),
        alpha_(alpha),
        ridge_((1.0 - alpha) / (std::sqrt(columns.total_weight()) * likelihood.spread())),
        width_(likelihood.width()), n_free_(free.size()), is_active_(columns.p(), 0),
        eta_(columns.ld() * width_), curved_(columns.ld() * kChunk) {
    now_.coordinates = Eigen::VectorXd::Zero(n_free_ * width_);
    if (likelihood.family() != Family::cox)
      now_.coordinates.head(width_) = likelihood.level() * free.unit();
    refresh();
  }

  const State &state() const { return now_; }
  void restore(const State &state) {
    forget();
    for (int j : now_.feature)
      is_active_[j] = 0;
    now_ = state;
    slot_.clear();
    for (int j : now_.feature) {
      is_active_[j] = 1;
      slot_.push_back(columns_->slot(j));
    }
    refresh();
  }
  // The block of the a-th active feature.
  auto block(Index a) const { return block_of(now_, a); }
  auto block_of(const State &state, Index a) const {
    return state.coordinates.segment((n_free_ + a) * width_, width_);
  }

  double value() const { return value_; } // minus the log likelihood
  double residual_norm() const {
    const AlignedBuffer<double> &r = likelihood_->residual();
    return std::sqrt(kernels_->dot(r.data(), r.data(), eta_.size()));
  }
  // After solve_free(): how far the next step would still go in a linear predictor. At coefficients
  // without limit, as of separated classes, every step leads on by about one, however small the
  // score has become.
  double drift() {
    forget();
    factor();
    direct();
    AlignedBuffer<double> eta(eta_.size());
    combine(direction_, eta);
    return Eigen::Map<const Eigen::ArrayXd>(eta.data(), eta_.size()).abs().maxCoeff();
  }
  // From here on steps of free columns are damped where the second derivative has vanished: they
  // would go on there, and take others with them. The model at the end is the same.
  void damp() {
    damping_ = kDamping * likelihood_->steepest();
    forget();
  }
  void set_floor(double norm) { floor_ = kScoreFloor * norm; }
  void set_tolerance(double tolerance) { tolerance_ = tolerance; }
  double score() const { return score_norm_; } // the largest element, at the end of solve()

  // A feature's product with the residual, or with several predictors its norm; the feature varies
  // here.
  double product(int j) {
    double sum = 0.0;
    for (Index a = 0; a < width_; ++a) {
      const double one = kernels_->dot(columns_->column(columns_->slot(j)),
                                       likelihood_->residual().data() + part_of(a), columns_->ld());
      if (width_ == 1)
        return one;
      sum += one * one;
    }
    return std::sqrt(sum);
  }

  bool has(int j) const { return is_active_[j] != 0; }
  Index place_of(int j) const {
    return std::find(now_.feature.begin(), now_.feature.end(), j) - now_.feature.begin();
  }
  // `product`: the feature's product with the residual.
  void enter(int j, double product) {
    now_.feature.push_back(j);
    now_.sign.push_back(product < 0.0 ? -1.0 : 1.0);
    slot_.push_back(columns_->slot(j));
    is_active_[j] = 1;
    now_.coordinates.conservativeResize(now_.coordinates.size() + width_);
    now_.coordinates.tail(width_).setZero();
  }

  // Goes to the model at lambda, which is known.
  void resume(double lambda, const State &state) {
    open(lambda);
    recent_.clear();
    exchange(state);
  }

  // The model of the free columns at lambda zero; false if it cannot be reached.
  bool solve_free() {
    begin(0.0);
    for (int round = 0; round < kMostSteps; ++round) {
      if (solved())
        return true;
      if (!finite() || !step())
        return nearly_solved();
    }
    return false;
  }

  // From here on at this lambda, from the present coefficients.
  void begin(double lambda) {
    open(lambda);
    compute_score();
  }
  // The same with one predictor, after an earlier model with residual r, from which lambda `fell`:
  // the change tells the first step about second derivatives; now they are about `share` of those.
  void begin(double lambda, const State &earlier, double fell, double share,
             const AlignedBuffer<double> &r) {
    begin(lambda);
    const Array<int> &then = earlier.feature;
    if (then.size() > n_active() || !std::equal(then.begin(), then.end(), now_.feature.begin()))
      return;
    change_ = Eigen::Map<const Eigen::VectorXd>(r.data(), r.size()) - residual();
    direction_ = now_.coordinates;
    direction_.head(earlier.coordinates.size()) -= earlier.coordinates;
    // Of features in both models the products follow from the penalty.
    fall_.resize(direction_.size());
    multiply_columns(change_.data(), n_free_ + then.size(), fall_.data());
    fall_.head(n_free_).setZero();
    for (Index a = 0; a < then.size(); ++a)
      fall_[n_free_ + a] = fell * alpha_ * now_.sign[a];
    for (Index a = 0; ridge_ > 0.0 && a < n_active(); ++a)
      fall_[n_free_ + a] += ridge(a) * direction_[n_free_ + a];
    recent_.add(direction_, share * fall_, share * change_);
  }
  // From coefficients continued along the line through those of `earlier`, `share` of their
  // difference further on, if that makes the objective smaller.
  void begin(double lambda, const State &earlier, double share) {
    open(lambda);
    goal_ = continued(earlier, share);
    const double before = value_ + penalty(now_.coordinates);
    goal_.swap(now_.coordinates);
    refresh();
    if (!(value_ + penalty(now_.coordinates) < before)) {
      goal_.swap(now_.coordinates);
      refresh();
    }
    compute_score();
  }

  bool finite() const { return std::isfinite(value_) && std::isfinite(score_norm_); }
  // Is the score small enough, as far as steps can make it smaller?
  bool solved() const { return score_norm_ <= precision() || (stalled_ && nearly_solved()); }
  // As small as rounding lets it be?
  bool nearly_solved() const {
    return score_norm_ <= std::max({precision(), 100.0 * kTightest * lambda_, 100.0 * floor_});
  }
  // Of a model that is not solved yet: a bound of how far the product of a column of norm one with
  // the residual is from that at the solution, if it is certain which of its features are in there;
  // otherwise infinite. Both allow four times the displacement that is still to come.
  double doubt() {
    const double none = std::numeric_limits<double>::infinity();
    if (!factored_ || score_norm_ > (width_ == 1 ? kSketched : kSketchedBlocks) * lambda_)
      return none;
    direct();
    directed_ = true;
    for (Index a = 0; a < n_active(); ++a)
      if (!stays(a, direction_, kCertain))
        return none;
    return kCertain * std::sqrt(std::max(0.0, score_.dot(direction_)) * likelihood_->steepest());
  }
  bool near() const { return score_norm_ <= kNear * bound(); }

  // The largest products come first. Of those that are equal but for rounding only the first in the
  // order of ties: of columns that are equal here the others then no longer violate, and other
  // columns come with the next look.
  void admit(Array<Violator> violators) {
    const auto product = [](const Violator &one) { return std::abs(one.product); };
    std::sort(violators.begin(), violators.end(), [&](const Violator &a, const Violator &b) {
      return product(a) != product(b) ? product(a) > product(b) : a.feature < b.feature;
    });
    Array<Violator> first;
    for (const Violator &one : violators) {
      if (first.empty() || product(one) < (1.0 - kEqual) * product(first.back()))
        first.push_back(one);
      else if (columns_->precedes(one.feature, first.back().feature))
        first.back() = one;
    }
    violators = std::move(first);
    const Index from = n_active();
    for (const Violator &one : violators)
      enter(one.feature, one.product);
    plain_ = stalled_ = directed_ = false;
    compute_score(n_free_ + from);
    if (!factored_ || violators.size() > std::max<Index>(kChunk, from))
      factored_ = false;
    else
      for (Index a = from; a < n_active();)
        a = append(a, std::min(a + kChunk / width_ + 1, n_active()));
    recent_.extend(n_coordinates(), [&](const double *change, double *fall) {
      multiply_columns(change, n_free_ + from, fall);
    });
  }

  // One step; false if none makes the objective smaller.
  bool step() {
    if (plain_ && score_norm_ > contraction() * before_ && ++slow_ >= patience())
      factored_ = false;
    before_ = score_norm_;
    if (width_ > 1 && factored_ && !renew_bends())
      factored_ = false;
    directed_ = directed_ && factored_ && width_ == 1;
    if (!factored_) {
      slow_ = 0;
      recent_.clear();
      factor();
    }
    if (!directed_)
      direct();
    directed_ = false;
    gone_.clear();
    if (width_ == 1)
      follow(direction_);
    else
      turn(direction_);
    return take();
  }

protected:
  // Coefficients: a block for each free column and each active feature, one coefficient per linear
  // predictor (one for each contrast of several classes, else one).

  auto residual() const {
    return Eigen::Map<const Eigen::VectorXd>(likelihood_->residual().data(), eta_.size());
  }
  Index part_of(Index a) const { return columns_->ld() * a; }
  Index n_active() const { return now_.feature.size(); }
  Index n_blocks() const { return n_free_ + n_active(); }
  const double *column(Index k) const {
    return k < n_free_ ? free_->column(k) : columns_->column(slot_[k - n_free_]);
  }
  double ridge(Index a) const {
    return ridge_ == 0.0 ? 0.0 : lambda_ * ridge_ * columns_->factor(now_.feature[a]);
  }

  void leave(Index a) {
    const Index at = (n_free_ + a) * width_, behind = now_.coordinates.size() - at - width_;
    now_.coordinates.segment(at, behind) = now_.coordinates.tail(behind).eval();
    now_.coordinates.conservativeResize(at + behind);
    is_active_[now_.feature[a]] = 0;
    now_.feature.erase(now_.feature.begin() + a);
    now_.sign.erase(now_.sign.begin() + a);
    slot_.erase(slot_.begin() + a);
  }

  // Linear predictors and likelihood at the present coefficients.
  void refresh() { evaluate(now_.coordinates); }
  void evaluate(const Eigen::VectorXd &coordinates) {
    combine(coordinates, eta_);
    for (Index i = 0; i < likelihood_->offset().size(); ++i)
      eta_[i] += likelihood_->offset()[i];
    value_ = likelihood_->evaluate(eta_);
  }

  // The linear predictors of these coordinates.
  void combine(const Eigen::VectorXd &coordinates, AlignedBuffer<double> &out) {
    for (Index i = 0; i < out.size(); ++i)
      out[i] = 0.0;
    const int only = 0;
    // One predictor has its coefficients side by side; several predictors gather theirs.
    Array<double> &gathered = products_;
    gathered.resize(width_ > 1 ? n_active() : 0);
    for (Index a = 0; a < width_; ++a) {
      double *target = out.data() + part_of(a);
      for (Index k = 0; k < n_free_; ++k)
        kernels_->add_columns(column(k), columns_->ld(), &only, 1, &coordinates[k * width_ + a],
                              target);
      for (Index k = 0; k < gathered.size(); ++k)
        gathered[k] = coordinates[(n_free_ + k) * width_ + a];
      kernels_->add_columns(columns_->base(), columns_->ld(), slot_.data(), n_active(),
                            width_ > 1 ? gathered.data() : coordinates.data() + n_free_, target);
      for (Index i = 0; !columns_->unweighted() && i < columns_->n_rows(); ++i)
        target[i] /= columns_->roots()[i];
    }
  }

  // Products of the columns of blocks from the given one on with r; with the residual they are
  // minus the gradient without the penalty. `out` has all coordinates.
  void multiply_columns(const double *r, Index from, double *out) {
    const Index first = std::max<Index>(0, from - n_free_);
    products_.resize(n_active() - first);
    for (Index a = 0; a < width_; ++a) {
      const double *own = r + part_of(a);
      for (Index k = from; k < n_free_; ++k)
        out[k * width_ + a] = kernels_->dot(column(k), own, columns_->ld());
      kernels_->dot_one(columns_->base(), columns_->ld(), slot_.data() + first, products_.size(),
                        own, products_.data());
      for (Index k = 0; k < products_.size(); ++k)
        out[(n_free_ + first + k) * width_ + a] = products_[k];
    }
  }

  // A step along d, halved until the objective is smaller, with a tolerance for rounding. `length`
  // becomes the length taken; false if the objective is never smaller.
  template <typename Penalty>
  bool walk(const Eigen::VectorXd &d, double &length, const Penalty &penalty, int most_tries) {
    const double start = value_ + penalty(now_.coordinates);
    const double limit = start + 1e-13 * std::max(1.0, std::abs(start));
    for (int tries = 0; tries < most_tries; ++tries, length *= 0.5) {
      goal_ = now_.coordinates + length * d;
      evaluate(goal_);
      if (!(value_ + penalty(goal_) <= limit))
        continue;
      now_.coordinates.swap(goal_);
      return true;
    }
    refresh();
    return false;
  }

  // The penalty of one lambda: objective and score, which is minus the gradient along the free
  // columns and the active features.

  static constexpr double kTurned = 0.1; // share of its length that a block keeps

  double bound() const { return lambda_ * alpha_; }
  auto part(Eigen::VectorXd &of, Index a) const {
    return of.segment((n_free_ + a) * width_, width_);
  }

  void compute_score() { compute_score(0); }
  // Of blocks from the given one on; the norm is of all.
  void compute_score(Index from) {
    if (score_.size() != n_blocks() * width_) // Eigen would move it
      score_.conservativeResize(n_blocks() * width_);
    multiply_columns(likelihood_->residual().data(), from, score_.data());
    penalise(std::max(from, n_free_));
    score_norm_ = 0.0;
    // Not a number, where hazards overflow, must not pass for small.
    if (!score_.allFinite()) {
      score_norm_ = std::numeric_limits<double>::infinity();
      return;
    }
    const Index by_element = width_ == 1 ? score_.size() : n_free_ * width_;
    if (by_element > 0)
      score_norm_ = score_.head(by_element).cwiseAbs().maxCoeff();
    for (Index a = 0; width_ > 1 && a < n_active(); ++a)
      score_norm_ = std::max(score_norm_, part(score_, a).norm());
  }

  // From products with the residual to minus the gradient, for blocks from the given one on. A
  // block at zero is pulled by what its products have beyond the bound.
  void penalise(Index from) {
    if (width_ == 1) {
      const Index first = from - n_free_, n = n_active() - first;
      score_.tail(n) -= bound() * Eigen::Map<const Eigen::VectorXd>(now_.sign.data() + first, n);
      for (Index a = first; ridge_ > 0.0 && a < n_active(); ++a)
        score_[n_free_ + a] -= ridge(a) * now_.coordinates[n_free_ + a];
      return;
    }
    for (Index a = from - n_free_; a < n_active(); ++a) {
      const auto own = block(a);
      const double norm = own.norm(), pull = part(score_, a).norm();
      if (norm > 0.0)
        part(score_, a) -= (ridge(a) + bound() / norm) * own;
      else
        part(score_, a) *= std::max(0.0, 1.0 - bound() / pull);
    }
  }

  double penalty(const Eigen::VectorXd &coordinates) const {
    double sum = 0.0;
    if (width_ == 1 && !(ridge_ > 0.0))
      return bound() * coordinates.tail(n_active()).cwiseAbs().sum();
    for (Index a = 0; a < n_active(); ++a) {
      const double norm = coordinates.segment((n_free_ + a) * width_, width_).norm();
      sum += bound() * norm + 0.5 * ridge(a) * norm * norm;
    }
    return sum;
  }

  // The coefficients plus `share` of their difference from earlier ones. Those that would change
  // their sign go to zero; blocks that would turn around stay.
  Eigen::VectorXd continued(const State &earlier, double share) const {
    Eigen::VectorXd out = now_.coordinates;
    const Index free = n_free_ * width_;
    out.head(free) += share * (out.head(free) - earlier.coordinates.head(free));
    auto at = earlier.feature.begin();
    for (Index a = 0; a < n_active(); ++a) {
      const auto found = std::find(at, earlier.feature.end(), now_.feature[a]);
      if (found == earlier.feature.end())
        continue; // entered since, or returned: then the order has changed
      at = found + 1;
      const Index then = n_free_ + (found - earlier.feature.begin());
      if (width_ == 1) {
        double &own = out[n_free_ + a];
        const double next = own + share * (own - earlier.coordinates[then]);
        own = next * own > 0.0 ? next : 0.0;
        continue;
      }
      auto own = out.segment((n_free_ + a) * width_, width_);
      const Block next = own + share * (own - earlier.coordinates.segment(then * width_, width_));
      if (next.dot(own) > kTurned * own.squaredNorm())
        own = next;
    }
    return out;
  }

  // The factor of second derivatives, and the bends of the penalty in it. With several predictors
  // the penalty itself bends, and most for short blocks, which have entered lately and grow: the
  // factor follows their bends by rotations, so that a new one is not needed for these.

  // A bend is renewed when it has changed by this share; all are when more than one in kManyBent
  // has.
  static constexpr double kBent = 0.4, kNoChange = 1e-3;
  static constexpr Index kManyBent = 4, kBentAtOnce = 4;

  // The bend of the penalty on a block; of a block at zero, for the length that it will have.
  NormBend bend(Index a) {
    NormBend out{0.0, block(a)};
    double norm = out.direction.norm();
    if (norm == 0.0) {
      out.direction = part(score_, a);
      const double pull = out.direction.norm();
      if (!(pull > 0.0))
        return {own_[a].diagonal().maxCoeff(), out.direction};
      norm = pull * pull * pull / out.direction.dot(own_[a] * out.direction);
      out.direction /= pull;
    } else {
      out.direction /= norm;
    }
    out.weight = bound() / norm;
    return out;
  }

  // Keeps the diagonal block of a feature without the bend, which tells whether zero is best for
  // it, and returns it with the bend.
  Eigen::MatrixXd keep_own(Index a, const Eigen::MatrixXd &own) {
    if (own_.size() <= a) {
      own_.resize(a + 1);
      bends_.resize(a + 1);
    }
    own_[a] = own;
    bends_[a] = bend(a);
    return own + bends_[a].matrix();
  }
  void forget_own(Index a) {
    if (a >= own_.size())
      return;
    own_.erase(own_.begin() + a);
    bends_.erase(bends_.begin() + a);
  }

  // Brings the bends in the factor to the present blocks, where they differ much. False if a new
  // factor costs less, or this one is lost.
  bool renew_bends() {
    bent_.clear();
    for (Index a = 0; a < n_active(); ++a)
      if (!block(a).isZero(0.0) && bends_[a].differs(block(a), bound(), kBent))
        bent_.push_back(a);
    if (kManyBent * bent_.size() > n_active())
      return false;
    for (Index k = 0; k < bent_.size(); k += kBentAtOnce)
      if (!renew(k, std::min(k + kBentAtOnce, bent_.size())))
        return false;
    return true;
  }

  // A square that is added to the matrix of the factor or, with sign -1, taken from it.
  struct Change {
    Index block;
    Eigen::VectorXd part;
    double sign;
  };

  // Renews these of bent_. What is added comes first, so that the matrix stays positive.
  bool renew(Index from, Index to) {
    Array<Change> changes;
    for (Index k = from; k < to; ++k) {
      const Index a = bent_[k];
      const NormBend now = bend(a);
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes(now.matrix() - bends_[a].matrix());
      bends_[a] = now;
      for (Index q = 0; q < width_; ++q) {
        const double by = axes.eigenvalues()[q], size = std::abs(by);
        if (size > kNoChange * now.weight)
          changes.push_back(
              {a, std::sqrt(size) * axes.eigenvectors().col(q), by > 0.0 ? 1.0 : -1.0});
      }
    }
    std::stable_partition(changes.begin(), changes.end(),
                          [](const Change &one) { return one.sign > 0.0; });
    Array<double> signs;
    for (const Change &one : changes)
      signs.push_back(one.sign);
    factor_.prepare_change(signs);
    for (Index q = 0; q < changes.size(); ++q)
      std::copy(changes[q].part.data(), changes[q].part.data() + width_,
                factor_.change_vector(q) + (n_free_ + changes[q].block) * width_);
    return factor_.change((n_free_ + bent_[from]) * width_);
  }

  // The factor at the present or an earlier point.

  Index n_coordinates() const { return n_blocks() * width_; }

  // Products of blocks `first` to `last` with the curved columns of blocks `from` to `to`, for each
  // pair of predictors: cross(a, b, l, k) is the product of block k with the curved l.
  void multiply(Index first, Index last, Index from, Index to) {
    pointers_.resize(last);
    for (Index k = first; k < last; ++k)
      pointers_[k] = column(k);
    const Index pairs = width_ * (width_ + 1) / 2, rows = last - first, ld = columns_->ld();
    first_ = first;
    from_ = from;
    rows_ = rows;
    count_ = to - from;
    cross_.resize(pairs * count_ * rows);
    if (curved_.size() < count_ * ld)
      curved_.resize(count_ * ld);
    for (Index pair = 0; pair < pairs; ++pair) {
      for (Index l = from; l < to; ++l)
        likelihood_->curved(pair, column(l), curved_.data() + ld * (l - from));
      STABILECT_AT_WIDTH(0, cross_products)
      (pointers_.data() + first, rows, curved_.data(), ld, count_,
       cross_.data() + pair * count_ * rows, rows);
    }
  }
  double cross(Index a, Index b, Index l, Index k) const {
    const Index pair = a < b ? b * (b + 1) / 2 + a : a * (a + 1) / 2 + b;
    return cross_[(pair * count_ + l - from_) * rows_ + k - first_];
  }

  // The diagonal block of block k of several predictors, with the penalty, after multiply().
  Eigen::MatrixXd own_block(Index k) {
    Eigen::MatrixXd own(width_, width_);
    for (Index a = 0; a < width_; ++a)
      for (Index b = 0; b < width_; ++b)
        own(a, b) = cross(a, b, k, k);
    if (k < n_free_) {
      own.diagonal().array() += damping_;
      return own;
    }
    own.diagonal().array() += ridge(k - n_free_);
    return keep_own(k - n_free_, own);
  }

  // At the present point. A feature without a coefficient that is a combination of previous ones
  // leaves.
  void factor() {
    likelihood_->remember();
    for (;;) {
      factor_.prepare(n_coordinates());
      for (Index from = 0; from < n_blocks(); from += kChunk)
        fill_columns(from, std::min<Index>(from + kChunk, n_blocks()));
      const Index lost = factor_.factorise(n_coordinates(), [this](Index row) {
        const Index a = row / width_ - n_free_;
        return a >= 0 && leans_first(a);
      });
      if (lost == n_coordinates())
        break;
      drop(lost / width_ - n_free_);
    }
    factored_ = true;
    stale_ = false;
  }

  void fill_columns(Index from, Index to) {
    multiply(from, n_blocks(), from, to);
    for (Index l = from; l < to; ++l) {
      for (Index b = 0; b < width_; ++b) {
        double *column = factor_.column(l * width_ + b);
        for (Index k = l + 1; k < n_blocks(); ++k)
          for (Index a = 0; a < width_; ++a)
            column[k * width_ + a] = cross(a, b, l, k);
      }
      if (width_ == 1) {
        factor_.column(l)[l] = cross(0, 0, l, l) + (l < n_free_ ? damping_ : ridge(l - n_free_));
        continue;
      }
      const Eigen::MatrixXd own = own_block(l);
      for (Index b = 0; b < width_; ++b)
        for (Index a = b; a < width_; ++a)
          factor_.column(l * width_ + b)[l * width_ + a] = own(a, b);
    }
  }

  // Extends the factor by features `from` to `to`; returns the one behind those that stay.
  Index append(Index from, Index to) {
    multiply(0, n_free_ + to, n_free_ + from, n_free_ + to);
    Array<Index> &place = place_; // of a block, as multiply() saw them
    place.resize(n_free_ + to);
    for (Index k = 0; k < place.size(); ++k)
      place[k] = k;
    row_.resize((n_free_ + to) * width_);
    for (Index seen = n_free_ + from; seen < n_free_ + to; ++seen) {
      const Index k = factor_.size() / width_;
      place[k] = seen;
      if (width_ == 1 ? append_row(k) : append_block(k, place, row_))
        continue;
      factor_.truncate(k * width_);
      drop(k - n_free_);
    }
    return factor_.size() / width_ - n_free_;
  }

  // Of one predictor.
  bool append_row(Index k) {
    for (Index l = 0; l <= k; ++l)
      row_[l] = cross(0, 0, place_[k], place_[l]);
    row_[k] += ridge(k - n_free_);
    if (!factor_.append(row_.data(), false)) {
      if (leans_first(k - n_free_))
        return false;
      factor_.append(row_.data(), true);
    }
    return true;
  }

  // Of several.
  bool append_block(Index k, const Array<Index> &place, Array<double> &row) {
    const Index seen = place[k];
    Eigen::MatrixXd own(width_, width_);
    for (Index a = 0; a < width_; ++a)
      for (Index b = 0; b < width_; ++b)
        own(a, b) = cross(a, b, seen, seen);
    own.diagonal().array() += ridge(k - n_free_);
    own = keep_own(k - n_free_, own);
    for (Index a = 0; a < width_; ++a) {
      for (Index l = 0; l < k; ++l)
        for (Index b = 0; b < width_; ++b)
          row[l * width_ + b] = cross(b, a, seen, place[l]);
      for (Index b = 0; b <= a; ++b)
        row[k * width_ + b] = own(a, b);
      if (!factor_.append(row.data(), false)) {
        if (leans_first(k - n_free_))
          return false;
        factor_.append(row.data(), true);
      }
    }
    return true;
  }

  // Another model, at coefficients that are known; the factor follows.
  void exchange(const State &state) {
    for (Index a = n_active() - 1; a >= 0; --a) {
      if (std::find(state.feature.begin(), state.feature.end(), now_.feature[a]) !=
          state.feature.end())
        continue;
      for (Index b = width_ - 1; factored_ && b >= 0; --b)
        factor_.remove((n_free_ + a) * width_ + b);
      drop(a);
    }
    const Index from = n_active(), free = n_free_ * width_;
    for (Index k = 0; k < state.feature.size(); ++k)
      if (!has(state.feature[k]))
        enter(state.feature[k], state.sign[k]);
    now_.coordinates.head(free) = state.coordinates.head(free);
    for (Index k = 0; k < state.feature.size(); ++k) {
      const Index a = place_of(state.feature[k]);
      part(now_.coordinates, a) = state.coordinates.segment((n_free_ + k) * width_, width_);
      now_.sign[a] = state.sign[k];
    }
    refresh();
    compute_score();
    for (Index a = from; factored_ && a < n_active();)
      a = append(a, std::min(a + kChunk / width_ + 1, n_active()));
  }

  bool leans_first(Index a) {
    const int j = now_.feature[a];
    if (!block(a).isZero(0.0) || std::find(leaned_.begin(), leaned_.end(), j) != leaned_.end())
      return false;
    leaned_.push_back(j);
    return true;
  }

  // A feature leaves, with its score.
  void drop(Index a) {
    const Index at = (n_free_ + a) * width_, behind = score_.size() - at - width_;
    score_.segment(at, behind) = score_.tail(behind).eval();
    score_.conservativeResize(at + behind);
    forget_own(a);
    leave(a);
  }

  void solve_factor(Eigen::VectorXd &d) {
    work_.resize(pad_rows(d.size()));
    std::copy(d.data(), d.data() + d.size(), work_.begin());
    std::fill(work_.begin() + d.size(), work_.end(), 0.0);
    factor_.solve(work_.data());
    std::copy(work_.begin(), work_.begin() + d.size(), d.data());
  }

  // The displacement of a step, and the features that leave in it. With one linear predictor a step
  // follows the quadratic model: where a coefficient would change its sign, this feature leaves and
  // the step goes on along the model without it. With several, a block that would turn around is
  // set to its own best value, often zero.

  static constexpr double kClear = 20.0;

  // The displacement along the quadratic model, and the features that leave on the way.
  void follow(Eigen::VectorXd &d) {
    const Index m = n_coordinates();
    displacement_.setZero(m);
    Eigen::VectorXd &left = left_;
    left = score_;
    Array<Index> &alive = alive_;
    alive.resize(m);
    for (Index k = 0; k < m; ++k)
      alive[k] = k;
    for (;;) {
      double length = 1.0;
      Index first = -1;
      for (Index k = 0; lambda_ > 0.0 && k < alive.size(); ++k) {
        const Index a = alive[k] - n_free_;
        if (a < 0)
          continue;
        const double at = now_.coordinates[alive[k]] + displacement_[alive[k]];
        if ((at + length * d[k]) * now_.sign[a] >= 0.0)
          continue;
        length = at == 0.0 ? 0.0 : -at / d[k];
        first = k;
      }
      for (Index k = 0; k < alive.size(); ++k)
        displacement_[alive[k]] += length * d[k];
      if (first < 0)
        return;
      left *= 1.0 - length;
      leave_at_zero(first, length == 0.0, d, alive, left);
      d = left;
      solve_factor(d);
    }
  }

  // Rotates the feature at place `first` out of the factor, and others that are at zero with it.
  void leave_at_zero(Index first, bool at_once, const Eigen::VectorXd &d, Array<Index> &alive,
                     Eigen::VectorXd &left) {
    Index kept = alive.size();
    for (Index k = alive.size() - 1; k >= 0; --k) {
      const Index a = alive[k] - n_free_;
      if (a < 0)
        break;
      const double at = now_.coordinates[alive[k]] + displacement_[alive[k]];
      const bool leaves = k == first || (at_once && at == 0.0 && d[k] * now_.sign[a] < 0.0);
      if (!leaves)
        continue;
      displacement_[alive[k]] = -now_.coordinates[alive[k]];
      gone_.push_back(a);
      factor_.remove(k);
      alive.erase(alive.begin() + k);
      left.segment(k, kept - k - 1) = left.segment(k + 1, kept - k - 1).eval();
      --kept;
    }
    left.conservativeResize(kept);
  }

  // Newton's displacement, but for the blocks that it would turn around.
  void turn(const Eigen::VectorXd &d) {
    displacement_ = newton_ = d;
    double share = 1.0;
    for (Index a = n_active() - 1; a >= 0; --a) {
      const auto z = block(a);
      auto by = part(displacement_, a);
      const double norm = z.norm();
      if (norm == 0.0 ? by.dot(part(score_, a)) > 0.0 : z.dot(z + by) >= kTurned * norm * norm)
        continue;
      if (norm > 0.0)
        share = std::min(share, (kTurned - 1.0) * norm * norm / z.dot(by));
      pull_ = part(score_, a);
      pull_.noalias() += own_[a] * z;
      if (norm > 0.0)
        pull_ += bound() / norm * z;
      if (pull_.norm() <= bound() || norm == 0.0) {
        by = -z;
        gone_.push_back(a);
      } else {
        by = block_minimum(own_[a], pull_, bound()) - z;
      }
    }
    newton_ *= share;
  }

  // Is it certain, by the step that would be next, that the block has left zero? This many times
  // the step may still come. With several predictors the factor may be wrong about short blocks,
  // whose penalty bends most.
  bool stays(Index a, Eigen::VectorXd &direction, double times) {
    const auto z = block(a);
    const double norm = z.norm();
    if (!(norm > times * part(direction, a).norm()))
      return false;
    double bend = 0.0;
    for (Index k = 0; width_ > 1 && k < width_; ++k)
      for (Index l = 0; l < width_; ++l)
        bend += z[k] * own_[a](l, k) * z[l];
    return width_ == 1 || bend > kClear * score_norm_ * norm;
  }

  // Steps.

  static constexpr int kMostSteps = 500, kMostTries = 60;
  static constexpr double kEqual = 1e-10; // products, relative
  static constexpr double kNear = 0.005, kSketched = 1e-3, kSketchedBlocks = 1e-4, kCertain = 4.0;

  // So many steps that leave more than this share of the score are reason for a new factor.
  double contraction() const { return width_ == 1 ? 0.2 : 0.8; }
  Index patience() const { return width_ == 1 ? 1 + n_active() / 25 : 6; }
  double precision() const { return std::max(tolerance_ * lambda_, floor_); }

  void open(double lambda) {
    if (lambda != lambda_)
      leaned_.clear();
    lambda_ = lambda;
    plain_ = stalled_ = directed_ = false;
  }
  void direct() {
    recent_.direct(
        score_, [this](Eigen::VectorXd &d) { solve_factor(d); }, direction_);
  }
  void forget() {
    factored_ = false;
    recent_.clear();
  }

  // Goes by the displacement or, with several predictors, a shorter way; if the objective does not
  // fall, with a factor of this very point.
  bool take() {
    const bool again = stale_, several = width_ > 1;
    if (goes(again || several ? 1 : kMostTries))
      return true;
    if (several && (goes_to_zero() || goes_straight()))
      return true;
    forget();
    plain_ = false;
    stalled_ = !again;
    return again;
  }

  bool goes(int most_tries) {
    start_score_ = score_;
    change_ = residual();
    double length = 1.0;
    const bool less = walk(
        displacement_, length, [this](const Eigen::VectorXd &at) { return penalty(at); },
        most_tries);
    if (less)
      finish_step(length);
    return less;
  }
  // Only blocks for which zero is best go there: all, or else one.
  bool goes_to_zero() {
    while (!gone_.empty()) {
      displacement_.setZero();
      for (Index a : gone_)
        part(displacement_, a) = -block(a);
      if (goes(1))
        return true;
      gone_.resize(gone_.size() > 1 ? 1 : 0);
    }
    return false;
  }
  bool goes_straight() {
    displacement_ = newton_;
    return goes(kMostTries);
  }

  void finish_step(double length) {
    stale_ = true;
    plain_ = gone_.empty();
    if (gone_.empty()) {
      compute_score();
      change_ -= residual();
      recent_.add(length * displacement_, start_score_ - score_, change_);
      return;
    }
    recent_.clear();
    // With one predictor the factor has lost these rows, but a shortened step brings them back.
    if (length < 1.0) {
      factored_ = false;
    } else {
      std::sort(gone_.begin(), gone_.end());
      for (Index k = gone_.size() - 1; k >= 0; --k) {
        if (width_ > 1)
          for (Index a = width_ - 1; a >= 0; --a)
            factor_.remove((n_free_ + gone_[k]) * width_ + a);
        drop(gone_[k]);
      }
    }
    compute_score();
  }

  PathColumns *columns_;
  Likelihood *likelihood_;
  const FreeColumns *free_;
  const Kernels *kernels_;
  double alpha_, ridge_, lambda_ = 0.0, tolerance_ = kTightest, floor_ = 0.0, damping_ = 0.0,
                         value_ = 0.0, score_norm_ = 0.0;
  Index width_, n_free_;
  State now_;
  Array<int> slot_;
  Array<char> is_active_; // by feature
  Array<double> products_;
  AlignedBuffer<double> eta_; // as the residual: one predictor after the other
  Eigen::VectorXd score_, goal_;

  ActiveFactor factor_;
  Array<Eigen::MatrixXd> own_; // with several predictors, the diagonal blocks of the factor's point

  Array<NormBend> bends_; // in the factor
  Array<Index> bent_;

  bool factored_ = false, stale_ = true; // stale: of an earlier point
  Array<int> leaned_;                    // left at this lambda, as others stand for them

  Array<double> work_, cross_, row_;
  Array<Index> place_;
  Array<const double *> pointers_;
  AlignedBuffer<double> curved_;
  Index first_ = 0, from_ = 0, rows_ = 0, count_ = 0;

  Eigen::VectorXd displacement_;
  Array<Index> gone_;      // features that leave
  Eigen::VectorXd newton_; // the part of Newton's displacement that turns no block around

  Eigen::VectorXd left_; // of the score, in follow()
  Block pull_;           // in turn()
  Array<Index> alive_;

  RecentSteps recent_;
  bool plain_ = false, stalled_ = false; // the last step let none leave; none helps any more
  bool directed_ = false;                // direction_ is that of the next step
  Index slow_ = 0;
  double before_ = 0.0;
  Eigen::VectorXd direction_, start_score_, fall_, change_; // change_: of the residual in a step
};

} // namespace stabilect

#endif
