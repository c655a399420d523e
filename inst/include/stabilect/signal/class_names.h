#ifndef STABILECT_CLASS_NAMES_H
#define STABILECT_CLASS_NAMES_H

// Names of several classes, from those of each class against all others.

#include "stabilect/signal/neighbour_names.h"

namespace stabilect {

namespace signal_detail {

struct NameOfClass {
  NamedFeature found;
  const SharedSignal *shared; // nullptr for features that are only shown
  double size;                // of the correlation with being in the class
};

// Being in class k, in the coordinates of the data.
inline Eigen::VectorXd class_direction(const SignalData &data, const Array<int> &codes, Index k) {
  Eigen::VectorXd own(codes.size());
  for (Index i = 0; i < codes.size(); ++i)
    own[i] = codes[i] == k + 1 ? 1.0 : 0.0;
  return data.coordinates_of(own).col(0).normalized();
}

// Those with the largest probability first. Ties, as of probabilities that are nearly one, by
// correlation, then by class.
inline Array<NameOfClass> sorted_names(const SignalData &data, const Array<int> &codes,
                                       const Array<NeighbourNames> &by_class, bool named) {
  Array<NameOfClass> out;
  for (Index k = 0; k < by_class.size(); ++k) {
    const Array<NamedFeature> &from = named ? by_class[k].named : by_class[k].shown;
    const Eigen::VectorXd own = class_direction(data, codes, k);
    for (Index i = 0; i < from.size(); ++i) {
      out.push_back({from[i], named ? &by_class[k].shared[i] : nullptr,
                     std::fabs(data.x.col(from[i].feature).dot(own))});
      out.back().found.of_class = static_cast<int>(k) + 1;
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const NameOfClass &a, const NameOfClass &b) {
    return a.found.probability != b.found.probability ? a.found.probability > b.found.probability
                                                      : a.size > b.size;
  });
  return out;
}

} // namespace signal_detail

// By decreasing probability, without neighbours of those before; a feature has the class in which
// its probability is largest. `column`: for correlations of features; `codes`: of the samples, from
// 1. Inclusion and background are the largest of any class.
inline NeighbourNames join_classes(const SignalData &data, const UnitColumn &column,
                                   const Array<int> &codes, const Array<NeighbourNames> &by_class,
                                   const NamingOptions &options = NamingOptions()) {
  using namespace signal_detail;
  NeighbourNames out;
  Array<int> taken;
  const auto take = [&](int feature) {
    const bool close = std::any_of(taken.begin(), taken.end(), [&](int before) {
      return std::fabs(column(before).dot(column(feature))) > options.near;
    });
    if (!close)
      taken.push_back(feature);
    return !close;
  };
  for (const NameOfClass &name : sorted_names(data, codes, by_class, true))
    if (take(name.found.feature)) {
      out.named.push_back(name.found);
      out.shared.push_back(*name.shared);
    }
  for (const NameOfClass &name : sorted_names(data, codes, by_class, false))
    if (take(name.found.feature))
      out.shown.push_back(name.found);
  out.inclusion.assign(data.p(), 0.0);
  for (const NeighbourNames &one : by_class) {
    for (Index j = 0; j < one.inclusion.size(); ++j)
      out.inclusion[j] = std::max(out.inclusion[j], one.inclusion[j]);
    if (one.background.probability > out.background.probability)
      out.background = one.background;
  }
  return out;
}

} // namespace stabilect

#endif
