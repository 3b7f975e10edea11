// Costs in [0, J]: any plant, any law. The capital of a bettor (measurement/betting.hpp).
#include "measurement/betting.hpp"
#include "measurement/measured_kind.hpp"

namespace loopcert {
namespace {

const std::string bounded = "measured-bounded", difference = "measured-difference",
                  paired = "measured-paired";

std::vector<Statement> assumes(const MeasureOptions& options) {
  return {fixed_episodes(false), largest_stated(options)};
}
std::vector<Statement> assumes_of_two(const MeasureOptions& options) {
  return {fixed_episodes(true), largest_stated(options)};
}

}  // namespace

MeasuredKind measured_bounded_kind() {
  return {bounded,
          "costs in [0, J], any plant, any law",
          "cost",
          {"betting"},
          [](const MeasurePremises& p) { return missing_largest(p, bounded); },
          assumes,
          [](const Samples& s, const MeasureOptions& options, double delta) {
            return *options.largest * betting_upper(s.a / *options.largest, delta, s.times);
          }};
}

// Independent episodes of both: an upper bound minus a lower one, half of delta each.
MeasuredKind measured_difference_kind() {
  return {difference,
          "two controllers, independent episodes, costs in [0, J], any plant, any law",
          "cost-difference",
          {"betting", "betting-against"},
          [](const MeasurePremises& p) { return missing_largest(p, difference); },
          assumes_of_two,
          [](const Samples& s, const MeasureOptions& options, double delta) {
            const double J = *options.largest;
            return J * (betting_upper(s.a / J, delta, s.times) -
                        betting_lower(s.b / J, delta, s.times));
          }};
}

// Pairs: their differences lie in [-J, J].
MeasuredKind measured_paired_kind() {
  return {paired,
          "two controllers, episodes in pairs, costs in [0, J], any plant, any law",
          "cost-difference",
          {"betting-pairs"},
          [](const MeasurePremises& p) { return missing_largest(p, paired); },
          [](const MeasureOptions& options) {
            return std::vector<Statement>{{"pairs-fixed"}, largest_stated(options)};
          },
          [](const Samples& s, const MeasureOptions& options, double delta) {
            const double J = *options.largest;
            const Vector x = (0.5 + 0.5 * (s.a / J).array()).matrix();
            return J * (2 * betting_upper(x, delta, s.times) - 1);
          },
          1,
          "",
          true};
}

}  // namespace loopcert
