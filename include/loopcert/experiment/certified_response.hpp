// What a certificate file is about, from the files beside it.
#pragma once

#include <filesystem>

#include "loopcert/controller/controller.hpp"

namespace loopcert {

// Throws InputError unless the certificate is about the closed loop of this very controller: not an
// average over a posterior, not a difference, and the same response up to rounding.
void check_certifies(const std::filesystem::path& certificate, const Controller& controller);

}  // namespace loopcert
