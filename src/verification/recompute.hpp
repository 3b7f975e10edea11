// A recorded certificate evaluated again, by what it was made from.
#pragma once

#include <filesystem>

#include "certificate/record_json.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert {

// Reads what the record names (posterior, controller, responses) beside `path`. Throws InputError
// when something is missing, has another hash, or is not what the record says it is.
Certificate recompute_certificate(const CertificateRecord& record,
                                  const std::filesystem::path& path, const Problem& problem,
                                  const Disturbances& data);

// Throws InputError.
CertificateRecord read_record(const std::filesystem::path& certificate);

// A text among the record's inputs; throws InputError.
std::string text_input(const nlohmann::json& inputs, const char* key);

// The file beside the certificate that `inputs` names under `role`, with the hash it names there.
std::string read_checked(const std::filesystem::path& certificate, const nlohmann::json& inputs,
                         const std::string& role);

// The first thing in which two records differ, numbers up to rounding; "" when they agree.
std::string difference(const Certificate& recorded, const Certificate& recomputed);

void check_hash(const std::string& what, const std::string& found, const std::string& recorded);

}  // namespace loopcert
