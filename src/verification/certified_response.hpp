// What a certificate file is about, from the files beside it.
#pragma once

#include <filesystem>

#include "loopcert/controller/controller.hpp"

namespace loopcert {

// Throws InputError unless the closed loop of the controller has the response, up to rounding, that
// the certificate is about: of posteriors the mean, of folds the average.
void check_realizes(const std::filesystem::path& certificate, const Controller& controller);

// The same, and the certificate is on the cost of one controller: not on an average over a
// posterior, not on a difference.
void check_certifies(const std::filesystem::path& certificate, const Controller& controller);

}  // namespace loopcert
