// How many trajectories until a certificate is below a target? An estimate by simulation: from a
// law that a pilot suggests, learn() on simulated data sets of growing size. Never a certificate.
#pragma once

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/data/law.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert {

// The law that data sets are drawn from.
struct PlanLaw {
  Law law;
  std::string source;               // in words
  Index pilot = 0;                  // trajectories it was estimated from; 0: the problem's own law
  std::optional<double> shrinkage;  // weight of the covariance with uncorrelated steps, 0 to 1
};

// From a pilot: Gaussian; mean zero where the problem assumes it; covariance shrunk towards
// uncorrelated steps (Schaefer and Strimmer 2005), block by block where the problem assumes white
// steps, pooled where it assumes them stationary as well, and cut down to what scale_bound and
// covariance_bound allow. Without a pilot (n = 0): the law in the problem. Throws InputError when
// there is none.
PlanLaw plan_law(const Problem& problem, const Disturbances& pilot);

struct PlanOptions {
  double target = 0;
  double fraction = 0.8;  // of the trials that must end below the target
  Index trials = 20;      // simulated data sets per n
  Index max_n = 10000;
  int threads = 1;
  std::function<void()> poll;  // called before each trial, by any thread; may throw to give up
};

// The trials at one n. Without a single certificate the numbers are NaN and `failure` says why.
struct PlanPoint {
  Index n = 0;
  Index certified = 0;                   // trials that gave a certificate
  double low = 0, median = 0, high = 0;  // 10 %, 50 % and 90 % of the certificates
  double share = 0;                      // of all trials, below the target
  double cost = 0;                       // median expected cost of the controllers, under the law
  std::string failure;
  double kept = 0;  // share of all trials whose limits are certified as the problem asks
};

struct Plan {
  std::string problem, method, certificate;
  PlanLaw law;
  PlanOptions options;
  std::vector<PlanPoint> points;  // by n
  std::optional<Index> enough;    // the smallest n tried whose share reaches the fraction
  // Under that law, and under the limits with equal shares of their probability; NaN: none keeps
  // them. No certificate can be expected below it, unless limits leave a choice of shares.
  double optimal_cost = NAN;
  bool limits = false;         // the problem has some
  bool limits_shared = false;  // and they are about all of an episode
};

// Goes through learn() alone, so every method that certifies can be planned for. The same
// arguments give the same numbers, whatever the number of threads. Throws InputError when the
// method gives no certificate, or none at any n.
Plan make_plan(const Problem& problem, const Disturbances& pilot, const PlanOptions& options);

// The answer in a sentence; what it is worth in another.
std::string plan_answer(const Plan& plan);
std::string plan_notice(const Plan& plan);

nlohmann::json plan_to_json(const Plan& plan);

}  // namespace loopcert
