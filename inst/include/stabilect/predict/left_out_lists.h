#ifndef STABILECT_LEFT_OUT_LISTS_H
#define STABILECT_LEFT_OUT_LISTS_H

// Predictions of left-out samples by ridge regressions of many lists of features on the same part
// of the samples.

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "stabilect/base/error.h"
#include "stabilect/base/runtime.h"
#include "stabilect/base/types.h"

namespace stabilect {

// A part of the samples on which lists are fitted, and the samples that it predicts.
struct TrainingPart {
  Array<int> in, out;      // rows of x; `in` may repeat rows
  Eigen::MatrixXd targets; // a row for each of `in`, a column for each link
};

// What many lists share in a part: its left-out samples with all columns standardised, the products
// of these columns in the part, and with the targets.
struct SharedProducts {
  Eigen::MatrixXd out, columns, targets;
};

namespace left_out_detail {

// What all lists share in a part: targets, covariates and, if wanted, the products of features.
class PartBase {
public:
  PartBase(const TrainingPart &part, const ConstMatrix &held)
      : part_(&part), mean_(part.targets.colwise().mean()) {
    const Index c = held.cols();
    held_in_ = rows_of(held, part.in);
    held_out_ = rows_of(held, part.out);
    const Eigen::RowVectorXd centre = held_in_.colwise().mean();
    held_in_.rowwise() -= centre;
    held_out_.rowwise() -= centre;
    rest_ = part.targets.rowwise() - mean_;
    level_ = mean_.replicate(part.out.size(), 1);
    if (c > 0) {
      solver_.compute(held_in_);
      const Eigen::MatrixXd slope = solver_.solve(rest_);
      rest_ -= held_in_ * slope;
      level_ += held_out_ * slope;
    }
  }

  // Predictions of `out` from the first k columns of `columns`, rows as those of x.
  Eigen::MatrixXd predict(const Eigen::MatrixXd &columns, Index k, double lambda) const {
    if (k == 0)
      return level_;
    Eigen::MatrixXd in(part_->in.size(), k), out(part_->out.size(), k);
    for (Index j = 0; j < k; ++j)
      out.col(j) =
          standardised_outside(columns.col(j), standardise_inside(columns.col(j), in.col(j)));
    if (held_in_.cols() > 0) {
      const Eigen::MatrixXd slope = solver_.solve(in);
      in -= held_in_ * slope;
      out -= held_out_ * slope;
    }
    // The smaller of two systems of equations.
    if (k <= in.rows()) {
      const auto solver = penalised(in.transpose(), lambda);
      return level_ + out * solver.solve(in.transpose() * rest_);
    }
    return level_ + out * (in.transpose() * penalised(in, lambda).solve(rest_));
  }

  // Lists then need no sums over samples.
  SharedProducts products_of(const ConstMatrix &x) const {
    const Index p = x.cols();
    Eigen::MatrixXd in(part_->in.size(), p);
    SharedProducts shared;
    shared.out.resize(part_->out.size(), p);
    for (Index j = 0; j < p; ++j)
      shared.out.col(j) = standardised_outside(x.col(j), standardise_inside(x.col(j), in.col(j)));
    if (held_in_.cols() > 0) {
      const Eigen::MatrixXd slopes = solver_.solve(in);
      in -= held_in_ * slopes;
      shared.out -= held_out_ * slopes;
    }
    shared.columns = Eigen::MatrixXd::Zero(p, p);
    shared.columns.selfadjointView<Eigen::Lower>().rankUpdate(in.transpose());
    shared.targets = in.transpose() * rest_;
    return shared;
  }

  // As predict(), from the first k columns of a list.
  Eigen::MatrixXd predict_list(const SharedProducts &shared, const Array<int> &list, Index k,
                               double lambda) const {
    Eigen::MatrixXd gram(k, k), along(k, shared.targets.cols());
    for (Index i = 0; i < k; ++i) {
      along.row(i) = shared.targets.row(list[i]);
      for (Index j = 0; j <= i; ++j)
        gram(i, j) = shared.columns(std::max(list[i], list[j]), std::min(list[i], list[j]));
      gram(i, i) += lambda;
    }
    Eigen::MatrixXd out = level_;
    if (k == 0)
      return out;
    const Eigen::MatrixXd beta = Eigen::LLT<Eigen::MatrixXd>(gram).solve(along);
    for (Index t = 0; t < out.cols(); ++t)
      for (Index i = 0; i < k; ++i)
        out.col(t) += shared.out.col(list[i]) * beta(i, t);
    return out;
  }

private:
  // How a column is standardised: (value * unit - mean) * factor; factor 0 if it is constant.
  struct Standard {
    double unit = 0.0, mean = 0.0, factor = 0.0;
  };

  // Cholesky factors of u u' + lambda.
  template <typename Rows>
  static Eigen::LLT<Eigen::MatrixXd> penalised(const Rows &u, double lambda) {
    Eigen::MatrixXd products = Eigen::MatrixXd::Zero(u.rows(), u.rows());
    products.selfadjointView<Eigen::Lower>().rankUpdate(u);
    products.diagonal().array() += lambda;
    return Eigen::LLT<Eigen::MatrixXd>(products);
  }

  static Eigen::MatrixXd rows_of(const ConstMatrix &x, const Array<int> &rows) {
    Eigen::MatrixXd out(rows.size(), x.cols());
    for (Index i = 0; i < rows.size(); ++i)
      out.row(i) = x.row(rows[i]);
    return out;
  }

  // At mean 0 and standard deviation 1 (divisor n) in the part; zeros if constant there.
  template <typename Column, typename In>
  Standard standardise_inside(const Column &column, In &&in) const {
    Standard at;
    double largest = 0.0;
    for (Index i = 0; i < in.size(); ++i)
      largest = std::max(largest, std::fabs(column[part_->in[i]]));
    at.unit = largest > 0.0 ? 1.0 / largest : 0.0;
    for (Index i = 0; i < in.size(); ++i)
      in[i] = column[part_->in[i]] * at.unit;
    at.mean = in.mean();
    in.array() -= at.mean;
    const double scale = std::sqrt(in.squaredNorm() / double(in.size()));
    at.factor = scale > 1e-12 ? 1.0 / scale : 0.0;
    in *= at.factor;
    return at;
  }

  // The left-out samples on the same scale.
  template <typename Column>
  Eigen::VectorXd standardised_outside(const Column &column, const Standard &at) const {
    Eigen::VectorXd out(part_->out.size());
    for (Index i = 0; i < out.size(); ++i)
      out[i] = at.factor > 0.0 ? (column[part_->out[i]] * at.unit - at.mean) * at.factor : 0.0;
    return out;
  }

  const TrainingPart *part_;
  Eigen::RowVectorXd mean_;
  Eigen::MatrixXd held_in_, held_out_, rest_, level_;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> solver_;
};

inline void check_part(const TrainingPart &part, Index n) {
  for (const Array<int> *rows : {&part.in, &part.out})
    for (int i : *rows)
      if (i < 0 || i >= n)
        throw Error("parts must name rows of x");
  if (part.in.size() == 0 || part.targets.rows() != part.in.size())
    throw Error("a part must have targets for its rows");
}

} // namespace left_out_detail

// The products of all columns, for many lists.
inline SharedProducts shared_products(const ConstMatrix &x, const TrainingPart &part,
                                      const ConstMatrix &held) {
  if (held.rows() != x.rows())
    throw Error("there must be covariates of each row");
  left_out_detail::check_part(part, x.rows());
  return left_out_detail::PartBase(part, held).products_of(x);
}

// The predictions of the samples that the part leaves out, for each list (column). With m targets
// the first rows are those of the first. `shared`: of shared_products(), if known. A list is
// ordered: its first `size` features count. The ridge minimises |target - level - Z beta|^2 / 2 +
// lambda |beta|^2 / 2 with standardised features Z; the level and the covariates `held` have no
// penalty.
inline Eigen::MatrixXd left_out_lists(const ConstMatrix &x, const TrainingPart &part,
                                      const ConstMatrix &held, const Array<Array<int>> &lists,
                                      Index size, double lambda, const Runtime &runtime = Runtime(),
                                      const SharedProducts *shared = nullptr) {
  const Index n = x.rows();
  if (!(lambda > 0.0) || std::isinf(lambda))
    throw Error("lambda must be finite and positive");
  if (held.rows() != n)
    throw Error("there must be covariates of each row");
  left_out_detail::check_part(part, n);
  for (const Array<int> &list : lists)
    for (int j : list)
      if (j < 0 || j >= x.cols())
        throw Error("lists must name columns of x");
  if (shared && (shared->columns.rows() != x.cols() || shared->out.cols() != x.cols() ||
                 shared->out.rows() != static_cast<Index>(part.out.size())))
    throw Error("products must be of this part");
  const left_out_detail::PartBase base(part, held);
  Eigen::MatrixXd out(part.out.size() * part.targets.cols(), lists.size());
  run_tasks(lists.size(), runtime, [&](Index b) {
    const Array<int> &list = lists[b];
    const Index k = std::min<Index>(size, list.size());
    Eigen::MatrixXd links;
    if (shared) {
      links = base.predict_list(*shared, list, k, lambda);
    } else {
      Eigen::MatrixXd columns(n, k);
      for (Index j = 0; j < k; ++j)
        columns.col(j) = x.col(list[j]);
      links = base.predict(columns, k, lambda);
    }
    out.col(b) = Eigen::Map<const Eigen::VectorXd>(links.data(), links.size());
  });
  return out;
}

} // namespace stabilect

#endif
