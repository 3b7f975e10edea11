#include "delivery/describe.hpp"

namespace loopcert {

report::InspectionReport describe_inspection(const Inspection& inspection, const Problem& problem,
                                             const Disturbances& data,
                                             const nlohmann::json& record) {
  report::InspectionReport page;
  page.problem = inspection.problem;
  page.counts = verdict_counts(inspection);
  page.notice = inspection_notice();
  for (const Check& c : inspection.checks)
    page.checks.push_back(
        {c.name, c.assumption, verdict_name(c.verdict), c.p_value, c.meaning, c.advice});
  page.disturbances = data.w;
  if (problem.disturbance.law) page.law_covariance = problem.disturbance.law->covariance;
  page.scale_bound = problem.disturbance.scale_bound;
  page.lag_mean = inspection.lags.mean;
  page.lag_band = inspection.lags.band;
  page.deviations = inspection.deviations;
  page.record = record;
  return page;
}

}  // namespace loopcert
