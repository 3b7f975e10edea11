// The check of the model as part of an inspection.
#include <fmt/format.h>

#include <cctype>

#include "assumed_checks.hpp"
#include "inspect_common.hpp"
#include "inspection/model_check.hpp"

namespace loopcert {
namespace {

std::string capital(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

}  // namespace

// Without logs: of rows that look like states.
Check inspect_model(const PreparedData& data, const Disturbances& recorded) {
  Check check;
  check.name = "model";
  check.assumption = "A and B of the plant";
  if (!recorded.from_logs()) {
    check.assumption = "rows of disturbances";
    check.verdict = Verdict::doubtful;
    check.meaning = capital(states_sentence()) + ".";
    check.advice = "Pass logged states and inputs with --rollouts.";
    return check;
  }
  const ModelCheck model = check_model(data.problem, recorded.logs, doubtful_below);
  if (!data.problem.system.plant.has_state()) {
    check.assumption = "what inputs do to outputs";
    check.meaning =
        "Not tested: what the inputs did not cause is no error of the model, and under feedback "
        "inputs follow from it.";
    return check;
  }
  if (!model.tested) {
    check.meaning =
        "The logs cannot test the model: too few episodes, or inputs that are a function of the "
        "states. A little noise on the inputs while logging makes the test possible.";
    return check;
  }
  check.p_value = model.p_value;
  check.numbers = {{"part of the one-step error that inputs explain", model.gain}};
  check.verdict = model.contradicted_at(doubtful_below) ? judge(model.p_value, true) : Verdict::ok;
  if (check.verdict == Verdict::ok) {
    check.meaning =
        fmt::format("The logged inputs move the states as A and B predict, within the noise: {}.",
                    p_text(model.p_value));
    return check;
  }
  check.meaning = capital(model_warning(model, data.problem)) + ".";
  check.advice = "Check units, signs, sampling time and timestamps of the log, then A and B.";
  return check;
}

}  // namespace loopcert
