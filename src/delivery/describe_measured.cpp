#include <map>

#include "delivery/describe.hpp"
#include "delivery/describe_parts.hpp"
#include "measurement/measured_record.hpp"

namespace loopcert {
namespace {

report::MeasuredReport::Bounds bounds_of(const Certificate& c) {
  using Bounds = report::MeasuredReport::Bounds;
  if (c.functional.id == "cost-ratio") return Bounds::ratio;
  return is_difference(c) ? Bounds::difference : Bounds::cost;
}

}  // namespace

report::MeasuredReport describe_measured(const MeasureResult& measured) {
  report::MeasuredReport page;
  page.certified.deed = report::Deed::measure;
  page.certified.certificate = certificate_facts(measured.certificate);
  page.certified.n = measured.costs.size();
  for (const Warning& warning : measured.warnings) page.certified.warnings.push_back(warning.text);
  page.certified.record = measured_to_json(measured);
  page.bounds = bounds_of(measured.certificate);
  page.costs = measured.costs;
  page.against = measured.against;
  page.paired = measured.options.paired;
  if (!measured.limits) return page;
  page.limits = certificate_facts(*measured.limits);
  page.each = measured.limits->functional.id == "violation-each";
  page.broken = (measured.violations.array() > 0).rowwise().any().count();
  std::map<std::string, Vector> of_row;  // episodes in which it is broken at some step
  for (size_t i = 0; i < measured.rows.size(); ++i) {
    const Vector now = measured.violations.col(static_cast<Index>(i));
    Vector& row = of_row.try_emplace(measured.rows[i], Vector::Zero(now.size())).first->second;
    row = row.cwiseMax(now);
  }
  for (const auto& [row, broken] : of_row)
    page.rows.emplace_back(row, (broken.array() > 0).count());
  return page;
}

}  // namespace loopcert
