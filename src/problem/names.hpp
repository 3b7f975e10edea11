// Names in a problem file whose meaning is another room's; the methods are in problem.hpp.
#pragma once

#include <string>
#include <vector>

namespace loopcert {

// What learning.posterior may be.
const std::vector<std::string>& posterior_family_names();

// The events that certificate.delta may name: at least those of every certificate.
const std::vector<std::string>& event_names();

}  // namespace loopcert
