// Certificates from measured costs alone: one number for each episode of the loop itself, and no
// model (docs/measure.md, docs/theory/measured.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loopcert/certificate/record.hpp"
#include "loopcert/core/types.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/inspection/warning.hpp"
#include "loopcert/measurement/costs.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert {

// What is assumed of the costs beyond independent episodes of one law, all of them at least zero.
struct MeasureOptions {
  std::string kind;                // one of measured_kind_names(), "measured-best"; empty: by what
                                   // is assumed
  double delta = 0.05;             // the certificate fails with this probability at most
  bool gaussian = false;           // linear loop, quadratic cost, Gaussian disturbances
  bool any_mean = false;           // their mean may be other than zero, or the loop has an offset
  std::optional<double> largest;   // no cost exceeds it
  std::optional<double> kurtosis;  // E J^2 <= kurtosis (E J)^2
  bool paired = false;             // a comparison: the k-th costs of both belong together
};

struct MeasureResult {
  Certificate certificate;
  double mean = 0, standard_error = 0;  // of the costs
  std::optional<double> against_mean, against_standard_error;
  std::vector<Warning> warnings;  // what the costs say against it
  MeasureOptions options;         // with the kind that was taken
  Vector costs, against;          // in their order

  // Of logged episodes under [limits] of a problem: how often they are broken, in an episode or by
  // the worst row at a step, with the problem's own delta for limits.
  std::optional<Certificate> limits;
  Matrix violations;              // n x rows of [limits] at their steps: 0 or 1
  std::vector<std::string> rows;  // the names of its columns' rows
};

// A bound on the expected cost. Throws InputError: no costs, a negative one, one above `largest`,
// NaN, or an assumption that is missing.
MeasureResult measure(const Vector& costs, const MeasureOptions& options);

// The same for two controllers: a bound on their expected costs' ratio or difference, `costs` over
// or minus `against`.
MeasureResult measure(const Vector& costs, const Vector& against, const MeasureOptions& options);

// Every kind's name; those that compare two controllers among them.
std::vector<std::string> measured_kind_names();

// The costs of logged episodes by [cost] of the problem, whose plant need not be known, and what
// they do to its [limits].
MeasureResult measure(const Problem& problem, const Rollouts& episodes,
                      const MeasureOptions& options);

// How many episodes (of each controller) like these it takes until the certificate's margin leaves
// room for `size`: a bound on the cost at most mean + size, or a difference or a change of the
// ratio of that size that shows, in about four of five trials. Nothing: more than 10^9.
std::optional<Index> episodes_for(const MeasureResult& measured, double size);

}  // namespace loopcert
