#include "catch.h"

#include <stabilect/base/rng.h>
#include <stabilect/predict/concordance.h>

using namespace stabilect;

namespace {

// Few times and few scores, so that many are equal; two groups of samples in mixed order.
struct Followed {
  Eigen::VectorXd time, event;
  Eigen::MatrixXd risks;
  Array<int> group;

  explicit Followed(Index n) : time(n), event(n), risks(n, 5), group(n, 0) {
    Rng rng(3, n);
    for (Index i = 0; i < n; ++i) {
      time[i] = 1.0 + static_cast<double>(rng.below(n / 2 + 1));
      event[i] = rng.uniform() < 0.6 ? 1.0 : 0.0;
      group[i] = static_cast<int>(rng.below(2));
      for (Index b = 0; b < risks.cols(); ++b)
        risks(i, b) = static_cast<double>(rng.below(2 + 3 * b));
    }
  }
  bool is_before(Index i, Index j) const {
    return event[i] == 1.0 && (time[i] < time[j] || (time[i] == time[j] && event[j] == 0.0));
  }
  // By definition, over all pairs.
  double discordance(Index b) const {
    double agree = 0.0, total = 0.0;
    for (Index i = 0; i < time.size(); ++i)
      for (Index j = 0; j < time.size(); ++j) {
        if (group[i] != group[j] || !is_before(i, j))
          continue;
        total += 1.0;
        agree += risks(i, b) > risks(j, b) ? 1.0 : risks(i, b) == risks(j, b) ? 0.5 : 0.0;
      }
    return 1.0 - agree / total;
  }
};

} // namespace

TEST_CASE("discordances count the pairs of one group") {
  for (Index n : {4, 9, 60, 300}) {
    const Followed data(n);
    const Discordance of(data.time, data.event, data.group);
    const ConcordanceInput in = {data.time, data.event, data.risks.col(2), Eigen::VectorXd::Ones(n),
                                 Eigen::VectorXd::Ones(n)};
    for (Index b = 0; b < data.risks.cols(); ++b)
      CHECK(of(data.risks.col(b)) == data.discordance(b));
    const ConcordanceSums sums = concordance_sums(in, data.group);
    CHECK(1.0 - sums.agree / sums.total == data.discordance(2));
  }
}

TEST_CASE("a discordance without a pair, or of scores that are no numbers, is none") {
  Followed data(8);
  const Eigen::VectorXd never = Eigen::VectorXd::Zero(8);
  CHECK(std::isnan(Discordance(data.time, never, data.group)(data.risks.col(1))));
  data.risks(3, 1) = std::nan("");
  CHECK(std::isnan(Discordance(data.time, data.event, data.group)(data.risks.col(1))));
}
