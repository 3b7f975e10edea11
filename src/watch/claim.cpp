#include "watch/claim.hpp"

#include "loopcert/core/error.hpp"
#include "loopcert/verification/recheck.hpp"

namespace loopcert {

CertifiedClaim claim_of_certificate(const std::filesystem::path& file) {
  return claim_of(read_certificate(file), file.string());
}

CertifiedClaim claim_of(const Certificate& c, const std::string& place) {
  const auto refuse = [&](const char* found) {
    throw_input_error(place, found,
                      "one on the mean cost of an episode, or on how often limits are broken");
  };
  if (is_difference(c)) refuse("a certificate on a difference of costs");
  if (c.functional.id == "cost-ratio") refuse("a certificate on a ratio of costs");
  if (c.functional.id == "violation-each")
    refuse("a certificate on each row of limits at each step");
  if (c.subject == Subject::posterior_average)
    refuse("a certificate on an average over controllers");
  const bool violation = c.functional.id == "violation";
  if (!violation && c.functional.id != "cost")
    refuse("a certificate on steps of a long run (--steps watches the steps of its plant)");
  return {c.value, c.confidence, c.chosen.empty() ? c.kind : c.kind + ": " + c.chosen, violation};
}

}  // namespace loopcert
