// Hold-out kinds under an envelope, for the table of fixed kinds.
#pragma once

#include "loopcert/certificate/fixed_response.hpp"

namespace loopcert {

FixedKind hold_out_kind();
FixedKind hold_out_relative_kind();
FixedKind hold_out_white_kind();
FixedKind hold_out_known_kind();

}  // namespace loopcert
