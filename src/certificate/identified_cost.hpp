// Certificates of plants that are identified: `identified` for a finite horizon, and
// `identified-average` for ever. They hold for every gain at once, learned from the same logs or
// not.
#pragma once

#include <optional>
#include <string>

#include "certificate/average_expansion.hpp"
#include "certificate/expansion.hpp"
#include "certificate/riccati_bound.hpp"
#include "loopcert/certificate/record.hpp"
#include "loopcert/problem/problem.hpp"
#include "model/transitions.hpp"

namespace loopcert {

// "identified", or "identified-average" for an infinite horizon.
std::string identified_kind_name(const Problem& problem);

// What the logs say, once for all gains.
struct IdentifiedPlant {
  LinearModel model;
  Index n = 0;  // episodes
  Pilot pilot;
  Deltas delta;
  ConfidenceSet set;
  double start_floor = 0;                       // finite horizon: the Wishart floor of n starts
  double noise_ceiling = 0, start_ceiling = 0;  // from below, where that was asked for
  Matrix U_0;                                   // finite horizon: on zeta
  EstimatedLoop loop;
};

// Throws InputError when an assumption was not granted, and NotProved when the logs are not enough,
// with what would be.
// `both_sides`: with two more events, for differences of costs over a finite horizon.
IdentifiedPlant identify_plant(const Problem& problem, const Logs& logs, bool both_sides = false);

// What the same logs say when there are `factor` times as many like them: a forecast, no set.
IdentifiedPlant with_more_logs(const IdentifiedPlant& plant, double factor);

// How a bound on the cost of these gains was proved: all that a checker needs besides the logs.
struct IdentifiedBound {
  std::string bound;  // riccati | expansion | difference
  double value = 0;
  double nominal = 0;           // of the estimate itself, under the matrices above the covariances
  double tau = 0;               // riccati
  double nu = 0;                // expansion
  double rise = 0;              // riccati for ever, with a constant
  Matrix P;                     // riccati for ever
  ProvedGain reply, cost_gain;  // expansion for ever
  std::vector<double> below;    // difference: multipliers of the steps of the baseline
  Gains gains;                  // one for each step, or one
};

// The smaller of the two. Nothing when neither is finite.
std::optional<IdentifiedBound> bound_identified(const IdentifiedPlant& plant, const Gains& gains);

// The same at recorded numbers (tau, P, rise, gains); nothing when these prove nothing.
std::optional<IdentifiedBound> bound_identified_at(const IdentifiedPlant& plant,
                                                   const IdentifiedBound& numbers);

// What these gains cost less than no input at all, at least (a negative value), over a finite
// horizon and for a plant identified from both sides; at recorded numbers.
std::optional<IdentifiedBound> bound_difference(const IdentifiedPlant& plant, const Gains& gains);
std::optional<IdentifiedBound> bound_difference_at(const IdentifiedPlant& plant, const Gains& gains,
                                                   double tau, const std::vector<double>& taus);
inline const std::string improvement_kind = "identified-improvement";

// The direction of (state, input) that the logs took least: "0.71 x0 - 0.7 u0".
std::string least_excited_text(const Problem& problem, const IdentifiedPlant& plant);

// Why there is no bound, and how many transitions may be enough.
[[noreturn]] void throw_not_identified(const Problem& problem, const IdentifiedPlant& plant,
                                       const Gains& gains);

Certificate identified_certificate(const Problem& problem, const IdentifiedPlant& plant,
                                   const IdentifiedBound& bound);

// The loop of the estimate in the form that expand() takes.
Interconnection interconnection_of(const EstimatedLoop& loop, const Gains& gains, const Matrix& U_v,
                                   const Matrix& U_0);

}  // namespace loopcert
