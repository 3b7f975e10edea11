// One kind's certificate, or the best of those that are granted.
#pragma once

#include "measurement/measured_kind.hpp"

namespace loopcert {

Samples samples_of(const MeasureResult& measured);

// Of options that name a kind, or "measured-best". Throws InputError when an assumption is missing.
Certificate measured_certificate(const MeasureOptions& options, const Samples& samples);

}  // namespace loopcert
