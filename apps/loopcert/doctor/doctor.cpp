// loopcert doctor: what this program is, and what it finds on this machine.
#include <fmt/format.h>

#include <memory>

#include "cli/failure.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "commands/commands.hpp"
#include "doctor/doctor_checks.hpp"
#include "loopcert/core/version.hpp"

namespace loopcert::app {
namespace {

void run_doctor(bool json) {
  Table table;
  nlohmann::json checks = nlohmann::json::array();
  int problems = 0;
  for (const DoctorCheck& check : doctor_checks()) {
    const Finding finding = check.look();
    const std::string word = verdict_word(finding.verdict);
    if (finding.verdict == Verdict::problem) ++problems;
    table.add(check.name, fmt::format("{:<8} {}", word, finding.text));
    checks.push_back(
        {{"name", check.name}, {"verdict", word}, {"text", finding.text}, {"data", finding.data}});
  }
  if (json)
    print_json(
        {{"status", problems == 0 ? "ok" : "problem"}, {"version", version}, {"checks", checks}});
  else
    print(table.text());
  if (problems > 0) throw FindingError(fmt::format("doctor: problems found: {}", problems));
}

Action setup_doctor(CLI::App& command) {
  auto json = std::make_shared<bool>(false);
  add_json(command, *json);
  set_manual(command,
             {.synopsis = {"[--json]"},
              .description =
                  {"Reports how this program was built and what it finds on this machine: versions "
                   "of the compiler and of the libraries, the CPU and its vector units, threads, "
                   "memory, the rate of matrix products, whether the bits of a product depend on "
                   "the number of threads, folders that can be written, the decimal point. It "
                   "takes about a second; the rates depend on what else was running.",
                   "Every line begins with one of:"},
              .formats = {{"ok", "as it should be"},
                          {"note", "works, with a remark"},
                          {"problem", "does not work, or gives wrong results"}},
              .statuses = {{"0", "no problem"}, {"1", "a line begins with `problem`"}, {"3", ""}},
              .examples = {{"loopcert doctor", ""}, {"loopcert doctor --json", ""}},
              .see_also = {"help"}});
  return [json] { run_doctor(*json); };
}

}  // namespace

Command doctor_command() {
  return {"doctor", "check this program and this machine", setup_doctor, about_program};
}

}  // namespace loopcert::app
