// Certificates of identified plants evaluated again.
#pragma once

#include <filesystem>

#include "controller/memory_controller.hpp"
#include "data/logs.hpp"
#include "loopcert/verification/recheck.hpp"

namespace loopcert {

// Everything from the logs again; tau, gains and, for ever, P as the record has them. A missing
// file, another hash or numbers that prove nothing are reasons to reject, not errors.
Verification verify_identified(const std::filesystem::path& certificate, const Logs& logs);

// Throws InputError unless the certificate is about this controller.
void check_certifies_gain(const std::filesystem::path& certificate,
                          const MemoryController& controller);
void check_certifies_gains(const std::filesystem::path& certificate, const Controller& controller);

}  // namespace loopcert
