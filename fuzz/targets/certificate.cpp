#include <nlohmann/json.hpp>

#include "../fixture.hpp"
#include "../targets.hpp"
#include "certificate/record_json.hpp"
#include "core/json.hpp"
#include "data/hash.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/verification/recheck.hpp"

namespace loopcert::fuzz {
namespace {

// The files that an honest certificate stands on, put there once.
const Disturbances& prepared_data() {
  static const Disturbances data = [] {
    for (const HonestRun& run : {posterior_run(), responses_run(), controller_run()})
      scratch_file(run.file, run.content);
    return small_data();
  }();
  return data;
}

// As `loopcert recheck`: numbers that lead nowhere are a verdict there, not a failure.
void reevaluate(const std::filesystem::path& path) {
  accepted([&] {
    try {
      check_certificate(reevaluate_certificate(path, prepared_data()).recorded);
    } catch (const NumericsError&) {
    }
  });
}

}  // namespace

void certificate(Bytes bytes) {
  prepared_data();
  const auto path = scratch_file("certificate.json", bytes);
  nlohmann::json tree;
  if (!accepted([&] { tree = parse_json(bytes); }) || has_large_problem(tree)) return;
  std::optional<Problem> problem;
  if (!accepted([&] { problem = problem_of_certificate(path); })) return;
  const Certificate found = read_certificate(path);
  const nlohmann::json again = certificate_to_json(found);
  require(certificate_to_json(certificate_from_json(again)) == again,
          "a certificate reads back as itself");
  reevaluate(path);
  tree["inputs"]["problem_sha256"] = problem_hash(*problem);
  tree["inputs"]["data_sha256"] = data_hash(prepared_data());
  reevaluate(scratch_file("certificate.json", tree.dump()));
}

}  // namespace loopcert::fuzz
