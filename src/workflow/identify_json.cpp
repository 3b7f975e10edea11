// identification.json.
#include "core/json.hpp"
#include "inspection/warnings.hpp"
#include "workflow/identify_run.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

json optional_number(const std::optional<double>& value) { return value ? json(*value) : json(); }

// [low, high] of each entry.
json intervals(const Matrix& middle, const Matrix& radius) {
  json rows = json::array();
  for (Index i = 0; i < middle.rows(); ++i) {
    json row = json::array();
    for (Index j = 0; j < middle.cols(); ++j)
      row.push_back({middle(i, j) - radius(i, j), middle(i, j) + radius(i, j)});
    rows.push_back(std::move(row));
  }
  return rows;
}

json poles_json(const std::vector<PoleReach>& poles) {
  json list = json::array();
  for (const PoleReach& p : poles)
    list.push_back({{"real", p.pole.real()},
                    {"imaginary", p.pole.imag()},
                    {"modulus", std::abs(p.pole)},
                    {"reach", p.reach}});
  return list;
}

json whiteness_json(const InnovationLags& lags) {
  json list = json::array();
  for (Index k = 0; k < lags.mean.size(); ++k)
    list.push_back({{"lag", k + 1},
                    {"correlation", lags.mean(k)},
                    {"band", lags.band(k)},
                    {"p_value", lags.p_value(k)}});
  return list;
}

json forecasts_json(const std::vector<Forecast>& forecasts) {
  json list = json::array();
  for (const Forecast& f : forecasts)
    list.push_back({{"n", f.n},
                    {"transitions", f.transitions},
                    {"width", f.width},
                    {"certificate", optional_number(f.certificate)}});
  return list;
}

}  // namespace

json identification_to_json(const Identification& found) {
  json spans = json::object();
  json record = {{"status", "done"},
                 {"problem", found.problem},
                 {"subject", found.colour ? "colour" : "plant"},
                 {"n", found.n},
                 {"transitions", found.transitions},
                 {"pilot", found.pilot},
                 {"lags", found.lags},
                 {"confidence", found.confidence},
                 {"A", rows_json(found.A)},
                 {"B", rows_json(found.B)},
                 {"radius", found.radius},
                 {"noise", rows_json(found.noise)},
                 {"noise_bound", rows_json(found.noise_bound)},
                 {"poles", poles_json(found.poles)},
                 {"excitation", found.excitation},
                 {"whiteness", whiteness_json(found.tests.lags)},
                 {"lags_suggested", found.tests.lags_suggested},
                 {"checks", checks_to_json(found.tests.checks)},
                 {"warnings", warnings_to_json(found.warnings)},
                 {"certificate", optional_number(found.certificate)},
                 {"forecasts", forecasts_json(found.forecasts)}};
  if (found.colour) {
    record["Phi"] = rows_json(found.Phi);
    spans["Phi"] = intervals(found.Phi, found.Phi_radius);
  } else {
    spans["A"] = intervals(found.A, found.A_radius);
    spans["B"] = intervals(found.B, found.B_radius);
    record["least_excited"] = found.least_excited;
  }
  if (found.offset.size() > 0) {
    record["offset"] = std::vector<double>(found.offset.begin(), found.offset.end());
    spans["offset"] = intervals(found.offset.transpose(), found.offset_radius.transpose())[0];
  }
  record["intervals"] = spans;
  return record;
}

}  // namespace loopcert
