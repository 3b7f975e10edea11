#include "delivery/describe.hpp"

namespace loopcert {

namespace {

// What the tests found, without what they looked at.
report::InspectionReport tests_of(const Inspection& inspection, const nlohmann::json& record) {
  report::InspectionReport page;
  page.problem = inspection.problem;
  page.counts = verdict_counts(inspection.checks);
  page.notice = inspection_notice();
  page.checks = describe_checks(inspection.checks);
  page.lag_mean = inspection.lags.mean;
  page.lag_band = inspection.lags.band;
  page.deviations = inspection.deviations;
  page.record = record;
  return page;
}

}  // namespace

std::vector<report::InspectionReport::Check> describe_checks(const std::vector<Check>& checks) {
  std::vector<report::InspectionReport::Check> list;
  for (const Check& c : checks)
    list.push_back({c.name, c.assumption, verdict_name(c.verdict), c.p_value, c.meaning, c.advice});
  return list;
}

report::InspectionReport describe_innovations(const Inspection& inspection,
                                              const Matrix& innovations,
                                              const nlohmann::json& record) {
  report::InspectionReport page = tests_of(inspection, record);
  page.disturbances = innovations;
  page.of_logs = true;
  return page;
}

report::InspectionReport describe_inspection(const Inspection& inspection, const Problem& problem,
                                             const Disturbances& data,
                                             const nlohmann::json& record) {
  report::InspectionReport page = tests_of(inspection, record);
  page.disturbances = data.w;
  if (problem.disturbance.law) page.law_covariance = problem.disturbance.law->covariance;
  page.scale_bound = problem.disturbance.scale_bound;
  const Sizes s = problem.sizes();
  page.start = problem.system.plant.has_state() ? s.n_x : 0;
  if (inspection.deviations.cols() == static_cast<Index>(problem.data.states.size()))
    for (const ColumnSpec& c : problem.data.states) page.names.push_back(signal_text(c));
  if (problem.step_time) page.axis = {problem.step_time->length, problem.step_time->unit};
  return page;
}

}  // namespace loopcert
