#include "watch/plant_claim.hpp"

#include "certificate/identified_cost.hpp"
#include "core/file.hpp"
#include "core/sha256.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/verification/recheck.hpp"
#include "verification/recheck_identified.hpp"
#include "workflow/identified_run.hpp"

namespace loopcert {
namespace {

double delta_of(const Certificate& certificate, const std::string& event) {
  double delta = 0;
  for (const Event& e : certificate.events)
    if (e.id == event) delta += e.delta;
  return delta;
}

}  // namespace

std::string certificate_sha256(const std::filesystem::path& file) {
  return sha256_hex(read_file(file, largest_record));
}

PlantClaim plant_claim(const std::filesystem::path& certificate, const Logs& logs, double alpha) {
  const Problem problem = problem_of_certificate(certificate);
  if (!problem.identifies())
    throw_input_error(certificate.string(), "a plant that was known",
                      "one that was identified from logs");
  const Verification found = verify_identified(certificate, logs);
  if (!found.agrees) throw InputError(found.reason);
  const bool both_sides = found.recorded.kind == improvement_kind;
  const IdentifiedPlant plant = identify_plant(problem, logs_in_order(problem, logs), both_sides);
  PlantClaim claim;
  claim.model = plant.model;
  claim.Theta = plant.set.Theta_hat;
  claim.root = plant.set.root;
  claim.G = plant.set.G;
  claim.beta = plant.set.beta;
  claim.transitions = static_cast<double>(plant.set.transitions);
  claim.alpha = alpha;
  claim.delta = delta_of(found.recorded, "model") + delta_of(found.recorded, "noise");
  claim.certificate = certificate_sha256(certificate);
  return claim;
}

}  // namespace loopcert
