// Hold-out kinds under an envelope, for the table of fixed kinds.
#pragma once

#include "loopcert/certificate/fixed_response.hpp"

namespace loopcert {

// hold-out-relative, hold-out-white, hold-out-known
std::vector<FixedKind> fixed_envelope_kinds();

}  // namespace loopcert
