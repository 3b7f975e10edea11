// The problem file: one plain type that says everything a user can say (TOML, or the same keys as
// JSON).
#pragma once

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/data/assumptions.hpp"
#include "loopcert/data/layout.hpp"
#include "loopcert/problem/baseline.hpp"
#include "loopcert/response/options.hpp"
#include "loopcert/system/cost.hpp"
#include "loopcert/system/limits.hpp"

namespace loopcert {

// [learning] prior: a mean and a covariance of the user's own, in the coordinates Z; what is not
// given is empty. Sizes: docs/problem-file.md.
struct GivenPrior {
  Matrix mean;
  Matrix deviation;      // covariance = diagonal
  Matrix rows, columns;  // covariance = kronecker
  Matrix full;           // covariance = full
};

// [learning]
struct LearningOptions {
  // one of learning_methods()
  std::string method = "pac-bayes";
  std::optional<double> gamma = 0.01;  // ridge weight; nullopt: chosen by cross-validation ("cv")
  std::string posterior;  // a posterior family; empty: diagonal, for certificate "best" also others
  std::string prior_center = "start";          // start | lqr | split | given
  std::string prior_covariance = "isotropic";  // isotropic | cost | diagonal | kronecker | full
  GivenPrior prior_given;
  std::optional<double> prior_scale = 1.0;  // nullopt: a grid paid by a union bound ("grid")
  std::string prior_method = "shrinkage";   // center = split: how the centre is learned
  double prior_fraction = 0.5;  // center = split: the part of the data that the prior may see
};

// [certificate]
struct CertificateOptions {
  std::string kind = "data-driven";
  // Either one number (`delta`), split by the certificate, or named parts.
  std::optional<double> delta;                        // total
  std::vector<std::pair<std::string, double>> parts;  // of the certificate's events
  double fraction = 0.5;  // hold-out kinds: the part of the data to learn from
  Index folds = 2;        // cross kinds
};

// [system] identify: a plant that is estimated from logs. Its A and B, where the file states them,
// count like a stated law: for simulations and for costs under the truth; those of rows that are
// not identified hold exactly.
struct ModelOptions {
  std::vector<Index> rows;  // the unknown ones, from 0; empty: all
  Index lags = 1;           // ARX order over what is measured
  bool offset = false;      // also an unknown constant
  bool infinite = false;    // horizon = "infinite": the average cost of a step; then plant.T = 1
  bool stated = false;      // A and B are in the file; otherwise they hold NaN

  bool is_unknown(Index row) const {
    return rows.empty() || std::find(rows.begin(), rows.end(), row) != rows.end();
  }
  bool operator==(const ModelOptions&) const = default;
};

// How long a step lasts: for pictures, and part of no record.
struct StepTime {
  double length = 0;
  std::string unit = "s";
};

struct Problem {
  std::string name;
  System system;
  ResponseOptions response;
  Assumptions disturbance;
  LearningOptions learning;
  CertificateOptions certificate;
  DataLayout data;
  std::optional<ModelOptions> model;  // nothing: the plant is known
  std::optional<Limits> limits;       // on states and inputs
  std::optional<Baseline> baseline;   // the controller that runs today
  std::optional<StepTime> step_time;  // where the file says it

  Sizes sizes() const { return system.sizes(); }
  bool identifies() const { return model.has_value(); }
  // A response of its cost has a constant part: z = (1, w).
  bool has_constant() const {
    return response.affine || system.plant.has_offset() || system.cost.has_reference();
  }
};

// Reads .toml, or .json with the same keys. Throws InputError "file: key: found …, expected …".
Problem read_problem(const std::filesystem::path& path);

// The same problem over another number of steps. What the file gives step by step must fit.
Problem read_problem(const std::filesystem::path& path, Index horizon);

// SHA-256 of its meaning, not of the file.
std::string problem_hash(const Problem& problem);

// Throws InputError when the plant is to be identified and `what` needs one that is known.
void require_known_plant(const Problem& problem, const std::string& what);
// The same, but A and B stated for a finite horizon are enough.
void require_stated_plant(const Problem& problem, const std::string& what);

// The names that learning.method may have.
const std::vector<std::string>& learning_methods();

// The names that limits.kind may have.
const std::vector<std::string>& limits_kind_names();

// Predicted peak memory in bytes of learning on this problem, before any big matrix exists.
double predicted_memory(const Sizes& sizes, bool constant_column);

}  // namespace loopcert
