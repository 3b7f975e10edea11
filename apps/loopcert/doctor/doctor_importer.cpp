#include "core/process.hpp"
#include "data/importer.hpp"
#include "doctor/doctor_checks.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert::app {

// Is the program that reads .mat and .h5 files there, and does it start?
Finding look_at_importer() {
  const auto importer = find_importer();
  if (!importer)
    return {Verdict::note,
            "found no loopcert-importer (next to loopcert, in libexec/loopcert, or "
            "LOOPCERT_IMPORTER): these files cannot be read",
            {{"importer", nullptr}}};
  const nlohmann::json data = {{"importer", importer->string()}};
  try {
    // Without arguments it says how it is used.
    const ProcessResult result = run_process({importer->string()}, 1000, 10);
    if (result.status == 2) return {Verdict::ok, "read by " + importer->string(), data};
  } catch (const InputError&) {
  }
  return {Verdict::problem, importer->string() + " does not start", data};
}

}  // namespace loopcert::app
