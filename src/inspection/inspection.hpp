// Data against the assumptions that the problem file states: a diagnostic, never a certificate.
// A check can contradict an assumption; none can prove one.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert {

// not_tested: the data are too few, or the sizes too large, for any answer.
enum class Verdict { ok, doubtful, contradicted, not_assumed, not_tested };
std::string verdict_name(Verdict verdict);  // "ok", "doubtful", "contradicted", "not assumed", …

// p-values below these make a check doubtful, or contradicted.
inline constexpr double doubtful_below = 0.01, contradicted_below = 1e-4;

struct Check {
  struct Number {
    std::string name;
    double value = 0;
  };
  std::string name;
  std::string assumption;  // what the problem file says, as keys: "zero_mean = true"
  Verdict verdict = Verdict::not_tested;
  std::optional<double> p_value;  // how often data that obey the assumption look at least this odd
  std::vector<Number> numbers;
  std::string meaning;  // what was found, in words
  std::string advice;   // what to change in the problem file, or what it costs; may be empty
};

// How long the looks may take that can take long.
struct InspectionEffort {
  Index eigenvalues = 2000;  // of min(n, d_w): beyond it no eigenvalues are computed
  Index shape_rows = 2000;   // trajectories and directions of the multivariate test
  Index shape_columns = 32;
  double simulation = 4e8;  // multiplications spent on its null distribution
};
// Beside a certificate: a few milliseconds for a small problem.
inline constexpr InspectionEffort quick_inspection{600, 300, 6, 4e6};

// What several checks need of the data, computed once.
struct PreparedData {
  const Problem& problem;
  const Matrix& w;            // n x d_w
  Vector mean, deviation;     // d_w; deviation with 1/(n - 1)
  std::vector<Index> live;    // columns that vary
  Matrix z;                   // n x live: (w - mean) / deviation
  std::optional<Index> rank;  // of z; absent when that takes too long
  Matrix white;               // n x rank with white' white = n I; empty unless rank < n - 1
  InspectionEffort effort = {};

  Index n() const { return w.rows(); }
  Index d() const { return w.cols(); }
};

PreparedData prepare_data(const Problem& problem, const Disturbances& data,
                          const InspectionEffort& effort = {});

// One file each, src/inspection/inspect_<name>.cpp.
Check inspect_sizes(const PreparedData& data);
Check inspect_radius(const PreparedData& data);
Check inspect_gaussian(const PreparedData& data);
Check inspect_kurtosis(const PreparedData& data);
Check inspect_mean(const PreparedData& data);
Check inspect_scale_bound(const PreparedData& data);
Check inspect_covariance_bound(const PreparedData& data);
Check inspect_whiteness(const PreparedData& data);
Check inspect_stationarity(const PreparedData& data);
Check inspect_autoregressive(const PreparedData& data);
Check inspect_duplicates(const PreparedData& data);
Check inspect_order(const PreparedData& data);
// What the logs say about A and B; and, without logs, whether rows look like states.
Check inspect_model(const PreparedData& data, const Disturbances& recorded);

// Mean correlation of a coordinate of w_t with itself `lag` steps later, for lag = 1 … T-1, and how
// far from zero white noise strays with probability 1 % (roughly).
struct LagCorrelations {
  Vector mean, band;
};
LagCorrelations lag_correlations(const PreparedData& data);

// Standard deviation of each coordinate at each step: (T + 1) x n_x, x_0 first.
Matrix step_deviations(const PreparedData& data);

struct Inspection {
  std::string problem;
  Index n = 0, d_w = 0;  // trajectories and their numbers, or logs and innovations of a step
  std::vector<Check> checks;
  LagCorrelations lags;
  Matrix deviations;
};

// Throws InputError on bad data.
Inspection inspect(const Problem& problem, const Disturbances& data);

// "3 ok, 1 doubtful": how many checks ended how.
std::string verdict_counts(const std::vector<Check>& checks);
// What an inspection is and is not, in a sentence.
const std::string& inspection_notice();

nlohmann::json checks_to_json(const std::vector<Check>& checks);
nlohmann::json inspection_to_json(const Inspection& inspection);

}  // namespace loopcert
