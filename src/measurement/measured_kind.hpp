// Kinds of certificates from measured costs. Adding one is one file and one line in
// kinds/measured_kinds.inc.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/measurement/measure.hpp"

namespace loopcert {

// Costs in ascending order, so that a certificate does not depend on theirs.
struct Samples {
  Vector a;          // of the controller; of a paired comparison the differences
  Vector b = {};     // of what it is compared with, unless paired
  double times = 1;  // each counts so many times: planning

  Index n_a() const { return counted(a); }
  Index n_b() const { return counted(b); }
  Index counted(const Vector& of) const {
    return std::llround(times * static_cast<double>(of.size()));
  }
};

// What decides whether a kind may be used; known before any cost is.
struct MeasurePremises {
  const MeasureOptions& options;
  Index n = 0;
  double delta = 0;
};

struct MeasuredKind {
  std::string name;
  std::string about;
  std::string functional;           // cost | cost-ratio | cost-difference
  std::vector<std::string> events;  // of the ids and statements; equal parts of delta
  std::optional<Missing> (*needs)(const MeasurePremises&) = nullptr;
  std::vector<Statement> (*assumes)(const MeasureOptions&) = nullptr;
  // The bound, where each event has this delta.
  double (*value)(const Samples&, const MeasureOptions&, double delta) = nullptr;
  double parts = 1;               // of delta, in a portfolio
  std::string dominated_by = "";  // never larger wherever that one is granted
  bool paired = false;

  bool compares() const { return functional != "cost"; }
};

const std::vector<MeasuredKind>& measured_kinds();
const MeasuredKind& measured_kind(const std::string& name);  // throws InputError

std::optional<Missing> missing_gaussian_loop(const MeasurePremises& premises,
                                             const std::string& kind);
std::optional<Missing> missing_zero_mean_loop(const MeasurePremises& premises,
                                              const std::string& kind);
std::optional<Missing> missing_largest(const MeasurePremises& premises, const std::string& kind);

// Independent episodes; a law of the loop; the largest cost.
Statement fixed_episodes(bool compares);
Statement gaussian_loop(const MeasureOptions& options);
Statement largest_stated(const MeasureOptions& options);

double mean_of(const Vector& ascending);
Vector ascending(Vector costs);

#define ADD(maker) MeasuredKind maker();
#include "kinds/measured_kinds.inc"

}  // namespace loopcert
