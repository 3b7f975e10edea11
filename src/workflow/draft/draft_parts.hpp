// The parts of a draft: choices first, then their text.
#pragma once

#include <nlohmann/json.hpp>

#include "loopcert/data/logs.hpp"
#include "loopcert/workflow/draft.hpp"

namespace loopcert {

// Rows of x_{t+1} = A x_t + B u_t that hold in all logs, up to rounding.
struct ExactRows {
  Matrix A, B;                 // zero elsewhere
  std::vector<Index> numbers;  // from 0
};
ExactRows exact_rows(const Logs& logs);

struct DraftChoices {
  std::string name;
  Paths logs;
  LogSurvey survey;
  std::vector<SurveyedSignal> states, inputs;
  std::vector<double> state_zeros, input_zeros;  // operating points that the columns are shifted by
  std::vector<double> state_scales, input_scales;  // acceptable sizes, of what is left
  bool scales_given = false;                       // all of them by the user
  bool shifted = false;                            // some zero is not zero
  std::optional<Index> horizon;                    // nothing: infinite
  Index lags = 1;
  bool offset = false;
  bool cut = false;       // episodes are longer than the horizon, and the first steps count
  bool windows = false;   // or pieces of them
  nlohmann::json system;  // of a model that was given; null: identified
  ExactRows exact;        // of what is identified
  std::vector<std::string> remarks;
};

DraftChoices choose_draft(const Paths& logs, const DraftOptions& options);

std::string draft_text(const DraftChoices& choices);

// Numbers, texts, lists and tables as TOML writes them on one line.
std::string toml_value(const nlohmann::json& value);

// "1.2 m"
std::string with_unit(double value, const std::string& unit);

}  // namespace loopcert
