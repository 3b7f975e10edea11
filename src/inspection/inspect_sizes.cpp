// How much there is, and how large.
#include <fmt/format.h>

#include "inspect_common.hpp"

namespace loopcert {

Check inspect_sizes(const PreparedData& data) {
  Check check;
  check.name = "sizes";
  check.assumption =
      fmt::format("horizon = {}, {} {}", data.problem.sizes().T, data.problem.sizes().n_x,
                  data.problem.system.plant.has_state() ? "states" : "outputs");
  check.verdict = Verdict::ok;
  const double largest = data.w.rowwise().norm().maxCoeff();
  check.numbers = {{"n", static_cast<double>(data.n())},
                   {"d_w", static_cast<double>(data.d())},
                   {"largest norm", largest}};
  if (data.rank) check.numbers.push_back({"rank", static_cast<double>(*data.rank)});
  check.meaning = fmt::format("{} trajectories of {} numbers, the largest norm is {}.", data.n(),
                              data.d(), small(largest));
  if (data.rank)
    check.meaning += fmt::format(" Around their mean they span {} dimensions.", *data.rank);
  const auto constant = data.d() - static_cast<Index>(data.live.size());
  if (constant > 0 && data.n() > 1)
    check.meaning += fmt::format(" {} coordinates are the same in all of them.", constant);
  if (data.n() <= data.d())
    check.advice = fmt::format(
        "With no more trajectories than d_w = {} the sample covariance is singular: some checks "
        "are not possible, and the data alone do not determine a controller.",
        data.d());
  return check;
}

Check inspect_radius(const PreparedData& data) {
  Check check;
  check.name = "radius";
  const double largest = data.w.rowwise().norm().maxCoeff();
  check.numbers = {{"largest norm", largest}};
  const std::optional<double>& radius = data.problem.disturbance.radius;
  if (!radius || data.problem.disturbance.model != "bounded") {
    check.assumption = "no bound on the norm of a trajectory";
    check.verdict = Verdict::not_assumed;
    check.meaning = fmt::format("The largest norm of a trajectory is {}.", small(largest));
    return check;
  }
  check.assumption = "radius = " + small(*radius);
  check.numbers.push_back({"share of the radius", largest / *radius});
  if (largest > *radius) {
    const Index beyond = (data.w.rowwise().norm().array() > *radius).count();
    check.verdict = Verdict::contradicted;
    check.p_value = 0;
    check.meaning = fmt::format("{} of {} trajectories have a norm above the radius, up to {}.",
                                beyond, data.n(), small(largest));
    check.advice =
        "Raise `radius` to what your physics allows, not to what these trajectories reached.";
    return check;
  }
  check.verdict = Verdict::ok;
  check.meaning = fmt::format("The largest norm of a trajectory is {} of the radius.",
                              fmt::format("{:.0f} %", 100 * largest / *radius));
  if (largest < *radius / 2)
    check.advice =
        "The radius looks large. A certificate for bounded disturbances grows with its square: "
        "lower `radius` if you can justify a smaller one.";
  return check;
}

}  // namespace loopcert
