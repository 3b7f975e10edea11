// Coverage: how often certificates are wrong, counted. A cell draws many data sets from a law that
// the runner knows and the certificate is not told, and counts how often the value lies below the
// true value of what it certifies. Negative controls break an assumption on purpose.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "calibration/coverage_statistics.hpp"
#include "loopcert/core/types.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/data/law.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert {

// What data are really drawn from.
struct CoverageSource {
  Law law;                               // its moments give the true cost
  std::string shape = "law";             // of coverage_shapes()
  std::optional<Problem> deployed = {};  // plant and law after deployment, where they are others
};

// One of the Gaussian laws that a law mixes; a point has no covariance (0 x 0).
struct LawPart {
  double weight = 1;
  Vector mean;
  Matrix covariance;
};

// Ways to draw with the law's mean and covariance. Adding one is a line in coverage_draws.cpp.
struct CoverageShape {
  std::string name;
  std::string about;
  Disturbances (*draw)(const Law& law, const Stream& stream, Index n, std::uint64_t first);
  // The law of one trajectory; nothing where it is no such mixture.
  std::vector<LawPart> (*parts)(const Law& law);
};
const std::vector<CoverageShape>& coverage_shapes();
const CoverageShape& coverage_shape(const std::string& name);  // throws InputError

struct CoverageCell {
  std::string family;  // of coverage_families()
  std::string kind;    // of the family's kinds
  Index n = 0;
  std::string response =
      "start";  // where none is learned: start | lqr | erm, that on the same data
  CoverageRule rule = CoverageRule::below;
  Problem problem;  // what the certificate is told; its name is the cell's
  CoverageSource source;
};

// The cell on the problem of this tree. The certificate is not told the law that the tree states,
// unless `told` or the kind is an oracle. Throws InputError.
CoverageCell make_coverage_cell(const nlohmann::json& problem, const std::string& family,
                                const std::string& kind, Index n, double delta, bool told = false);

// "fixed hold-out on white, n = 2": what its random numbers depend on besides the seed.
std::string coverage_cell_name(const CoverageCell& cell);

// Certificate and truth for one data set.
struct CoverageTrial {
  double value = 0;
  double truth = 0;
};

// How a certificate comes about. `prepare` does what does not depend on the data; what it returns
// may be called from several threads. The cell must outlive it.
struct CoverageFamily {
  std::string name;
  std::string about;
  std::vector<std::string> (*kinds)();
  void (*ask)(Problem& problem, const std::string& kind, double delta);  // for that certificate
  std::function<CoverageTrial(const Disturbances&)> (*prepare)(const CoverageCell& cell);
};
const std::vector<CoverageFamily>& coverage_families();
const CoverageFamily& coverage_family(const std::string& name);  // throws InputError

struct CoverageResult {
  CoverageCell cell;
  CoverageCounts counts;
  double mean_value = 0;  // over the data sets that got a certificate
  double mean_truth = 0;
  std::string reason;  // of the first refusal or failure
  CoverageVerdict verdict;
};

struct CoverageRun {
  std::uint64_t seed = 0;
  int threads = 1;
  std::function<bool()> interrupted;
};

// Data set i is trajectories i n … i n + n - 1 of the cell's own stream: the result does not depend
// on threads or on other cells.
CoverageResult run_coverage_cell(const CoverageCell& cell, Index sets, double delta,
                                 const CoverageRun& run);

// The premise of every bound. The mean over data of exp(lambda n (L - Lhat) - n Lambda(lambda)),
// which must not exceed 1. It is 1 when Lambda is the exact cumulant.
struct PremiseCell {
  Problem problem;
  CoverageSource source;
  Index n = 0;
  std::string cumulant;   // exact | quadratic | scale-bound | hoeffding
  bool prior = false;     // the response is drawn anew from the prior with each data set
  double log_second = 0;  // lambda is where n (Lambda(2 lambda) - 2 Lambda(lambda)) is this
  CoverageRule rule = CoverageRule::exact;  // exact | at_most | fails, with 1 in place of delta
};

struct PremiseResult {
  PremiseCell cell;
  Index sets = 0;
  double lambda = 0;
  double mean = 0;
  Interval interval;  // 99.9 %, normal
  CoverageVerdict verdict;
};

std::string premise_cell_name(const PremiseCell& cell);
PremiseResult run_premise_cell(const PremiseCell& cell, Index sets, const CoverageRun& run);

}  // namespace loopcert
