#include "inspection/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "assumed_checks.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "core/json_fields.hpp"
#include "inspect_common.hpp"
#include "inspection/inspection.hpp"
#include "inspection/model_check.hpp"
#include "inspection/sensors.hpp"
#include "loopcert/core/error.hpp"
#include "system/unseen.hpp"

namespace loopcert {
namespace {

// A test that was made: its warning counts if Holm's method says so.
struct Tested {
  double p = 1;
  Warning warning;
};

std::string sentence(const Check& check) {
  const std::string p = check.p_value ? " (" + p_text(*check.p_value) + ")" : "";
  return fmt::format("the data contradict {}{}: {}{}", check.assumption, p, check.meaning,
                     check.advice.empty() ? "" : " " + check.advice);
}

void test_assumptions(std::vector<Tested>& tested, const Problem& problem, const Disturbances& data,
                      const std::vector<const Certificate*>& certificates) {
  const std::vector<AssumedCheck> checks = assumed_checks(certificates);
  if (checks.empty()) return;
  const PreparedData prepared = prepare_data(problem, data, quick_inspection);
  for (const AssumedCheck& assumed : checks) {
    const Check check = assumed.check(prepared);
    if (check.p_value && check.verdict != Verdict::not_assumed)
      tested.push_back({*check.p_value, {assumed.id, sentence(check)}});
  }
}

// Smallest first: the k-th counts if all before it do and p <= rate / (tests left).
std::vector<Warning> by_holm(std::vector<Tested> tested) {
  std::stable_sort(tested.begin(), tested.end(),
                   [](const Tested& a, const Tested& b) { return a.p < b.p; });
  std::vector<Warning> warnings;
  for (size_t k = 0; k < tested.size(); ++k) {
    if (!(tested[k].p <= false_alarm_rate / static_cast<double>(tested.size() - k))) break;
    warnings.push_back(std::move(tested[k].warning));
  }
  return warnings;
}

}  // namespace

nlohmann::json warnings_to_json(const std::vector<Warning>& warnings) {
  nlohmann::json list = nlohmann::json::array();
  for (const Warning& w : warnings) list.push_back({{"id", w.id}, {"text", w.text}});
  return list;
}

std::vector<Warning> warnings_from_json(const nlohmann::json& tree) {
  std::vector<Warning> warnings;
  if (!tree.is_array()) throw_input_error("warnings", tree.type_name(), "a list");
  for (const nlohmann::json& w : tree) {
    if (!has_text(w, "id") || !has_text(w, "text"))
      throw_input_error("warnings", w.type_name(), "objects with id and text");
    warnings.push_back({text_at(w, "id"), text_at(w, "text")});
  }
  return warnings;
}

std::vector<Warning> read_warnings(const std::filesystem::path& path) {
  const std::string text = read_file(path, largest_record);
  return at_place(path.string(), [&] {
    const nlohmann::json tree = parse_json(text);
    return tree.is_object() && tree.contains("warnings") ? warnings_from_json(tree["warnings"])
                                                         : std::vector<Warning>();
  });
}

void note_warnings(Controller& controller, const std::vector<Warning>& warnings) {
  int count = 0;
  for (const Warning& w : warnings)
    if (w.id != "method") controller.provenance[fmt::format("warning {}", ++count)] = w.text;
}

void add_looks(nlohmann::json& record, const std::vector<Warning>& warnings,
               const std::optional<LoggedCost>& cost) {
  record["warnings"] = warnings_to_json(warnings);
  record["logged_cost"] = cost ? nlohmann::json(cost->mean) : nlohmann::json();
  record["logged_cost_standard_error"] =
      cost ? nlohmann::json(cost->standard_error) : nlohmann::json();
}

std::vector<Warning> warnings_of(const std::vector<Check>& checks) {
  std::vector<Tested> tested;
  for (const Check& check : checks) {
    if (!check.p_value || check.verdict == Verdict::not_assumed) continue;
    std::string id = check.name;  // "white innovations": white-innovations
    for (char& c : id) c = c == ' ' ? '-' : static_cast<char>(std::tolower(c));
    tested.push_back({*check.p_value, {id, sentence(check)}});
  }
  return by_holm(std::move(tested));
}

std::vector<Warning> data_warnings(const Problem& problem, const Disturbances& data,
                                   const std::vector<const Certificate*>& certificates) {
  std::vector<Tested> tested;
  if (data.n() == 0) return {};
  if (unseen_outputs(problem.system.plant) > 0) {
    const StepByStep same = step_by_step(problem, data);
    return data_warnings(same.problem, same.data, certificates);
  }
  test_assumptions(tested, problem, data, certificates);
  if (data.from_logs()) {
    const Check sensors = inspect_sensors(problem, data.logs);
    if (sensors.p_value) tested.push_back({*sensors.p_value, {"sensors", sentence(sensors)}});
    const ModelCheck model = check_model(problem, data.logs, false_alarm_rate);
    if (model.tested) {
      // A contradiction too small to matter is none.
      const bool counts = model.contradicted_at(false_alarm_rate);
      tested.push_back({counts ? model.p_value : 1.0,
                        {"model", counts ? model_warning(model, problem) : std::string()}});
    }
  }
  std::vector<Warning> warnings = by_holm(std::move(tested));
  if (!data.from_logs() && looks_like_states(problem.system.plant, data))
    warnings.insert(warnings.begin(), {"states", states_sentence()});
  return warnings;
}

}  // namespace loopcert
