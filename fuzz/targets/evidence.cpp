// One letter says which file of an honest certificate the other bytes replace; the hash of the
// record is made to fit, as one who forges a run would.
#include "../fixture.hpp"
#include "../targets.hpp"
#include "core/sha256.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/verification/recheck.hpp"

namespace loopcert::fuzz {
namespace {

const HonestRun* run_of(char letter) {
  static const HonestRun posterior = posterior_run(), responses = responses_run(),
                         given = controller_run();
  return letter == 'p' ? &posterior : letter == 'r' ? &responses : letter == 'c' ? &given : nullptr;
}

}  // namespace

void evidence(Bytes bytes) {
  static const Disturbances data = small_data();
  const HonestRun* run = bytes.empty() ? nullptr : run_of(bytes[0]);
  if (!run) return;
  bytes.remove_prefix(1);
  scratch_file(run->file, bytes);
  nlohmann::json record = run->certificate;
  record["inputs"][run->role + "_sha256"] = sha256_hex(bytes);
  const auto path = scratch_file("certificate.json", record.dump());
  accepted([&] {
    try {
      reevaluate_certificate(path, data);
    } catch (const NumericsError&) {  // a verdict of `loopcert recheck`
    }
  });
}

}  // namespace loopcert::fuzz
