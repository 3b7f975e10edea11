// A certificate from measured costs evaluated again.
#pragma once

#include <optional>

#include "loopcert/verification/recheck.hpp"

namespace loopcert {

// From the files beside the certificate; `costs` instead of that of the costs, if given.
Verification verify_measured(const std::filesystem::path& certificate,
                             const std::optional<Vector>& costs = std::nullopt);

}  // namespace loopcert
