// What the page of an identification shows, as plain records.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "report/inspection_report.hpp"
#include "report/plots.hpp"

namespace loopcert::report {

struct IdentificationReport {
  struct Coefficient {
    std::string row, column;  // "x1", "u0"
    double estimate = 0, radius = 0;
  };
  struct Forecast {
    std::string logs;
    double transitions = 0, width = 0;
    std::optional<double> certificate;
  };
  struct Prediction {
    std::string name;
    Vector logged, predicted;
  };
  std::string problem, subject;  // "plant", "colour of the disturbance"
  std::string logs;              // "40 episodes, 760 transitions"
  double confidence = 0;
  std::vector<Coefficient> coefficients;  // those that are unknown
  Matrix noise, noise_bound;
  std::vector<PolePlace> poles;
  std::string excitation;  // a sentence
  std::vector<InspectionReport::Check> checks;
  std::string counts;
  std::vector<std::string> warnings;
  Vector lag_mean, lag_band;
  std::optional<double> certificate;
  bool per_step = false;  // the certificate is of a step
  std::vector<Forecast> forecasts;
  std::vector<Prediction> predictions;
  TimeAxis axis;
  Matrix innovations;  // one a row
  nlohmann::json record;
};

std::string identification_page(const IdentificationReport& report);

}  // namespace loopcert::report
