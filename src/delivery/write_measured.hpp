// What `measure` writes.
#pragma once

#include "delivery/folder.hpp"
#include "loopcert/measurement/measure.hpp"

namespace loopcert {

// certificate.json with the costs it is about, and its page; of logged episodes also limits.json,
// if there are limits. Files of earlier runs that would not belong to it are removed.
void add_measure_files(OutputFolder& folder, const MeasureResult& measured);

}  // namespace loopcert
