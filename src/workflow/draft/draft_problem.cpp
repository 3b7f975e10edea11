// From log files to a problem file that reads them.
#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "data/offsets.hpp"
#include "loopcert/core/error.hpp"
#include "problem/problem_json.hpp"
#include "problem/tree_file.hpp"
#include "workflow/draft/draft_parts.hpp"
#include "workflow/identified_run.hpp"

namespace loopcert {
namespace {

std::string clock_words(const LogSurvey& survey) {
  const DataLayout& layout = survey.layout;
  if (!layout.step.name.empty()) return "steps counted by " + column_text(layout.step);
  if (layout.time.name.empty()) return "";
  return fmt::format("{}, a row every {}", column_text(layout.time),
                     with_unit(layout.period, layout.time.unit));
}

// The file says what it should: it reads back, and so do the logs. These are returned where a plant
// is identified.
Logs check_draft(const std::string& text, const Paths& logs) {
  const Problem problem = problem_from_json(tree_from_toml(text));
  if (problem.identifies()) return read_logs_of(problem, logs);
  read_known_episodes(logs, problem.data, problem.system.plant);
  return {};
}

// A row that the logs show to hold exactly has nothing to identify.
void settle_exact_rows(DraftChoices& c, const Logs& logs) {
  if (c.lags > 1 || logs.empty()) return;
  c.exact = exact_rows(logs);
  if (std::ssize(c.exact.numbers) == std::ssize(c.states)) {
    c.exact.numbers.clear();
    c.remarks.push_back(
        "the logs follow one linear law without any disturbance: there is nothing to certify "
        "against");
  }
}

}  // namespace

bool roles_are_known(const LogSurvey& survey) {
  const auto has = [&](const char* role, const char* name) {
    return std::any_of(survey.signals.begin(), survey.signals.end(), [&](const SurveyedSignal& s) {
      return s.role == role || (s.role.empty() && s.name == name);
    });
  };
  return has("state", "x0") && has("input", "u0");
}

ProblemDraft draft_problem(const Paths& logs, const DraftOptions& options) {
  DraftChoices c = choose_draft(logs, options);
  ProblemDraft draft;
  draft.text = draft_text(c);
  settle_exact_rows(c, check_draft(draft.text, logs));
  if (!c.exact.numbers.empty()) {
    draft.text = draft_text(c);
    check_draft(draft.text, logs);
  }
  draft.states = c.states;
  draft.inputs = c.inputs;
  draft.episodes = std::ssize(c.survey.lengths);
  draft.shortest = c.survey.shortest();
  draft.longest = c.survey.longest();
  draft.clock = clock_words(c.survey);
  draft.horizon = !c.horizon  ? "infinite: the cost of a step, for a controller that runs for ever"
                  : c.windows ? fmt::format("{} steps, pieces of the episodes", *c.horizon)
                  : c.cut     ? fmt::format("{} steps, the first of each episode", *c.horizon)
                              : fmt::format("{} steps, the whole episode", *c.horizon);
  draft.plant = !c.system.is_null() ? "known"
                : c.lags > 1        ? fmt::format("identified, {} lags", c.lags)
                                    : "identified";
  if (!c.exact.numbers.empty())
    draft.plant += fmt::format(", but for {} of {} rows, which hold exactly",
                               c.exact.numbers.size(), c.states.size());
  if (c.offset && c.system.is_null()) draft.plant += ", with an offset";
  draft.weights = c.scales_given ? "1 / (largest acceptable value)^2, as given"
                                 : "1 / (largest value in the logs)^2";
  draft.remarks = c.remarks;
  return draft;
}

}  // namespace loopcert
