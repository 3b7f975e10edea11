#include "../../apps/verify/verdict/check.hpp"

#include <cmath>

#include "../fixture.hpp"
#include "checker.hpp"
#include "data/hash.hpp"
#include "data/npy.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/verification/recheck.hpp"

namespace loopcert::fuzz {
namespace {

const std::vector<HonestRun>& runs() {
  static const std::vector<HonestRun> all = {posterior_run(), responses_run(), controller_run()};
  return all;
}

// The files of honest runs, put there once, and the controller of the run whose file is named.
void lay_out(const nlohmann::json& inputs) {
  static const bool once = [] {
    scratch_file("data.npy", format_npy(array_from_matrix(small_data().w)));
    for (const HonestRun& run : runs()) scratch_file(run.file, run.content);
    return true;
  }();
  (void)once;
  for (const HonestRun& run : runs())
    if (inputs.contains(run.role)) scratch_file("controller.json", run.controller);
}

// With hashes that fit, as one who forges a record would.
nlohmann::json repaired(nlohmann::json tree) {
  nlohmann::json& inputs = tree["inputs"];
  if (inputs.contains("problem"))
    inputs["problem_sha256"] = verify::sha256(inputs["problem"].dump());
  inputs["data_sha256"] = data_hash(small_data());
  for (const HonestRun& run : runs())
    if (inputs.contains(run.role)) inputs[run.role + "_sha256"] = verify::sha256(run.content);
  return tree;
}

// What the library makes of a record that was accepted is no larger, if it takes the record at all
// and would choose the same kind.
void ask_library(const std::filesystem::path& path, double value) {
  accepted([&] {
    try {
      const auto [recorded, again, agrees, difference] = reevaluate_certificate(path, small_data());
      if (again.chosen != recorded.chosen) return;
      double size = 0;
      for (const Term& term : again.terms) size += std::abs(term.value);
      require(again.value <= value + 1e-6 * size, "checker and library find the same bound");
    } catch (const NumericsError&) {
    }
  });
}

void check_record(const nlohmann::json& record) {
  const auto path = scratch_file("certificate.json", record.dump());
  std::optional<verify::Verdict> verdict;
  checker_accepts([&] { verdict = verify::check(verify::read_inputs(path, {}, {}, {})); });
  if (!verdict) return;
  require(std::isfinite(verdict->value), "a verified value is a number");
  require(verdict->confidence > 0 && verdict->confidence <= 1, "a confidence is a probability");
  ask_library(path, verdict->value);
}

}  // namespace

bool checker_accepts(const std::function<void()>& action) {
  try {
    action();
    return true;
  } catch (const verify::Refuted& reason) {
    check_message(verify::printable(reason.text));
  } catch (const verify::Undecided& reason) {
    check_message(verify::printable(reason.text));
  } catch (const verify::BadInput& reason) {
    check_message(verify::printable(reason.text));
  }
  return false;
}

void checker(Bytes bytes) {
  nlohmann::json tree;
  if (!checker_accepts([&] { tree = verify::parse_json(std::string(bytes)); })) return;
  if (!tree.is_object() || has_large_problem(tree)) return;
  const nlohmann::json inputs = tree.value("inputs", nlohmann::json());
  lay_out(inputs);
  check_record(tree);
  if (inputs.is_object()) check_record(repaired(tree));
}

}  // namespace loopcert::fuzz
