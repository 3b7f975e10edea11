// A certificate from measured costs evaluated again.
#pragma once

#include <optional>

#include "loopcert/measurement/measure.hpp"
#include "loopcert/verification/recheck.hpp"

namespace loopcert {

// From the files beside the certificate; `costs` instead of that of the costs, if given.
Verification verify_measured(const std::filesystem::path& certificate,
                             const std::optional<Vector>& costs = std::nullopt);

// What `measure` found, from the files that it wrote: nothing is computed again. Throws InputError
// when a file is missing or has another hash.
MeasureResult read_measured(const std::filesystem::path& certificate);

}  // namespace loopcert
