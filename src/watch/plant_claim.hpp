// What a certificate of an identified plant claims of the steps that come after it.
#pragma once

#include <filesystem>

#include "data/logs.hpp"
#include "watch/plant_watch.hpp"

namespace loopcert {

// `logs`: those that the certificate was made from. The set of plants is computed from them again,
// and the certificate with it: throws InputError when it does not follow.
PlantClaim plant_claim(const std::filesystem::path& certificate, const Logs& logs, double alpha);

std::string certificate_sha256(const std::filesystem::path& file);

}  // namespace loopcert
