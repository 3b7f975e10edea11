// What a certificate claims of the costs that come after it.
#pragma once

#include <filesystem>
#include <string>

#include "loopcert/certificate/record.hpp"

namespace loopcert {

struct CertifiedClaim {
  double mean = 0;        // of a cost, or of 0 and 1: the share of episodes that break a limit
  double confidence = 0;  // of the certificate
  std::string kind;
  bool violation = false;
};

// Throws InputError for a certificate that claims nothing of single episodes: a difference, an
// average over controllers, an average over time.
CertifiedClaim claim_of_certificate(const std::filesystem::path& file);
CertifiedClaim claim_of(const Certificate& certificate, const std::string& place);

}  // namespace loopcert
