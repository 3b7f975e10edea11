#include <fmt/format.h>

#include "delivery/describe.hpp"
#include "model/linear_model.hpp"
#include "report/text.hpp"

namespace loopcert {
namespace {

using report::count_text;
using Coefficients = std::vector<report::IdentificationReport::Coefficient>;

void add_entries(Coefficients& list, const Matrix& estimate, const Matrix& radius,
                 const std::vector<std::string>& rows, const std::vector<std::string>& columns) {
  for (Index i = 0; i < estimate.rows(); ++i)
    for (Index j = 0; j < estimate.cols(); ++j)
      if (radius(i, j) > 0)
        list.push_back({rows[static_cast<size_t>(i)], columns[static_cast<size_t>(j)],
                        estimate(i, j), radius(i, j)});
}

Coefficients coefficients_of(const Identification& found, const Problem& problem) {
  Coefficients list;
  if (found.colour) {
    std::vector<std::string> now, before;
    const Index n = found.Phi.rows();
    for (Index i = 0; i < n; ++i) now.push_back(fmt::format("w{}", i));
    for (Index j = 0; j < found.Phi.cols(); ++j)
      before.push_back(fmt::format("w{}, {} before", j % n, j / n + 1));
    add_entries(list, found.Phi, found.Phi_radius, now, before);
    return list;
  }
  const LinearModel m = model_of(problem);
  std::vector<std::string> names = regressor_names(m, problem.data);
  if (std::ssize(names) > found.A.cols() + found.B.cols()) names.erase(names.begin());  // constant
  const auto states = names.begin() + found.A.cols();
  const std::vector<std::string> xi(names.begin(), states), inputs(states, names.end());
  add_entries(list, found.A, found.A_radius, xi, xi);
  add_entries(list, found.B, found.B_radius, xi, inputs);
  if (found.offset.size() > 0)
    add_entries(list, found.offset, found.offset_radius, xi, {"constant"});
  return list;
}

}  // namespace

report::IdentificationReport describe_identification(const Identification& found,
                                                     const Problem& problem,
                                                     const nlohmann::json& record) {
  report::IdentificationReport page;
  page.problem = found.problem;
  page.subject = found.colour ? "colour of the disturbance" : "plant";
  const char* many = found.infinite ? "logs" : "episodes";
  page.logs = count_text(found.n, found.infinite ? "log" : "episode", many) + ", " +
              count_text(found.transitions, "transition", "transitions");
  page.confidence = found.confidence;
  page.coefficients = coefficients_of(found, problem);
  page.noise = found.noise;
  page.noise_bound = found.noise_bound;
  for (const PoleReach& pole : found.poles) page.poles.push_back({pole.pole, pole.reached});
  if (!found.least_excited.empty())
    page.excitation =
        "Least excited was the direction " + found.least_excited + " of state and input.";
  page.counts = verdict_counts(found.tests.checks);
  page.checks = describe_checks(found.tests.checks);
  for (const Warning& warning : found.warnings) page.warnings.push_back(warning.text);
  page.lag_mean = found.tests.lags.mean;
  page.lag_band = found.tests.lags.band;
  page.certificate = found.certificate;
  page.per_step = found.infinite;
  for (const Forecast& f : found.forecasts)
    page.forecasts.push_back({fmt::format("{} {}", f.n, many), static_cast<double>(f.transitions),
                              f.width, f.certificate});
  for (const Prediction& p : found.predictions)
    page.predictions.push_back({p.name, p.logged, p.predicted});
  if (problem.step_time) page.axis = {problem.step_time->length, problem.step_time->unit};
  page.innovations = found.innovations;
  page.record = record;
  return page;
}

}  // namespace loopcert
