#include <RcppEigen.h>

#include <stabilect/base/resample.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

stabilect::ResampleScheme parse_scheme(const std::string &name) {
  using stabilect::ResampleScheme;
  static const std::map<std::string, ResampleScheme> schemes{
      {"subsample", ResampleScheme::subsample},
      {"bootstrap", ResampleScheme::bootstrap},
      {"pairs", ResampleScheme::pairs},
      {"loo", ResampleScheme::loo},
      {"folds", ResampleScheme::folds}};
  const auto found = schemes.find(name);
  if (found == schemes.end())
    throw std::invalid_argument("unknown scheme '" + name + "'");
  return found->second;
}

} // namespace

// n, labels: of what is drawn, samples or blocks of them; label -1: a block with several labels.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_draw_resamples(int n, const std::vector<int> &labels, const std::string &scheme,
                              int n_units, double fraction, int n_folds, bool stratify,
                              bool balance, int min_size, int seed) {
  stabilect::ResampleOptions options;
  options.scheme = parse_scheme(scheme);
  options.n_units = n_units;
  options.fraction = fraction;
  options.n_folds = n_folds;
  options.stratify = stratify;
  options.balance = balance;
  options.min_size = min_size;
  options.seed = static_cast<std::uint64_t>(seed);
  const stabilect::Resampler resampler(n, labels, options);
  Rcpp::IntegerMatrix counts(n, resampler.n_runs());
  Eigen::Map<Eigen::MatrixXi> map(counts.begin(), counts.nrow(), counts.ncol());
  const stabilect::ResampleResult result = stabilect::draw_resamples(resampler, map);
  return Rcpp::List::create(Rcpp::Named("counts") = counts, Rcpp::Named("redraws") = result.redraws,
                            Rcpp::Named("degenerate") = result.degenerate);
}
