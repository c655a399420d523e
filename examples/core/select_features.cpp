// FeaLect without R: reads a table, scores its features by lasso paths on many resamples, and
// writes the names of the features above the cut, best first.
//
//   select_features table.csv [runs [seed]]
//
// The first line has the names of the columns; the first column is the class, 0 or 1.

#include <algorithm>
#include <fstream>
#include <iostream>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "stabilect/base/resample.h"
#include "stabilect/path/fealect.h"
#include "stabilect/path/lars_batch.h"
#include "stabilect/select/three_segment.h"

using stabilect::Array;
using stabilect::Index;

struct Table {
  std::vector<std::string> names; // of the features
  Array<int> classes;
  Eigen::MatrixXd x; // samples x features
};

std::vector<std::string> split(const std::string &line) {
  std::vector<std::string> cells;
  std::stringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');)
    cells.push_back(cell);
  return cells;
}

Table read_table(const char *path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line))
    throw stabilect::Error(std::string("cannot read ") + path);
  Table table;
  table.names = split(line);
  table.names.erase(table.names.begin());
  std::vector<double> values;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = split(line);
    if (cells.size() != table.names.size() + 1)
      throw stabilect::Error("every line must have as many cells as the first");
    table.classes.push_back(std::stoi(cells[0]));
    for (std::size_t j = 1; j < cells.size(); ++j)
      values.push_back(std::stod(cells[j]));
  }
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  table.x = Eigen::Map<RowMajor>(values.data(), table.classes.size(), table.names.size());
  return table;
}

// The mean over runs of the shares of each feature in the models of all sizes (Zare et al. 2013).
Eigen::VectorXd score_features(const Table &table, int n_runs, std::uint64_t seed) {
  const int n = static_cast<int>(table.classes.size());
  stabilect::ResampleOptions plan;
  plan.n_units = n_runs;
  plan.stratify = true;
  plan.seed = seed;
  Eigen::MatrixXi counts(n, n_runs);
  stabilect::draw_resamples(stabilect::Resampler(n, table.classes, plan), counts);

  Eigen::VectorXd y(n);
  for (int i = 0; i < n; ++i)
    y[i] = table.classes[i] == 0 ? -1.0 : 1.0;
  Eigen::VectorXd total = Eigen::VectorXd::Zero(table.x.cols());
  // Threads and progress are the caller's: see Runtime. Without one, everything is serial.
  stabilect::run_paths(
      stabilect::PackedMatrix(table.x, true), y, counts.cast<double>(), stabilect::LarsOptions(),
      stabilect::Runtime(), [&](Index, stabilect::LarsPath path) {
        const auto run = stabilect::score_path(path, stabilect::ScoreRule::size, -1);
        for (Index k = 0; k < run.feature.size(); ++k)
          total[run.feature[k]] += run.score[k];
      });
  return total / n_runs;
}

int main(int argc, char **argv) try {
  if (argc < 2)
    throw stabilect::Error("usage: select_features table.csv [runs [seed]]");
  const Table table = read_table(argv[1]);
  const Eigen::VectorXd score = score_features(table, argc > 2 ? std::stoi(argv[2]) : 100,
                                               argc > 3 ? std::stoull(argv[3]) : 1);
  std::vector<Index> order(score.size());
  std::iota(order.begin(), order.end(), Index(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return score[a] > score[b]; });

  std::vector<double> logs; // of positive scores, ascending
  for (auto j = order.rbegin(); j != order.rend(); ++j)
    if (score[*j] > 0)
      logs.push_back(std::log(score[*j]));
  const auto curve =
      stabilect::fit_three_segment(Eigen::Map<const Eigen::VectorXd>(logs.data(), logs.size()));
  std::cout.precision(17);
  for (Index k = 0; k < std::max<Index>(curve.n_informative, 10); ++k)
    std::cout << table.names[order[k]] << ',' << score[order[k]] << ','
              << (k < curve.n_informative ? "above the cut" : "below") << '\n';
  return 0;
} catch (const stabilect::Error &error) {
  std::cerr << "error: " << error.what() << '\n';
  return 1;
}
