// A certificate file evaluated again, with the code that made it.
#pragma once

#include <filesystem>
#include <string>

#include "loopcert/certificate/record.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert {

// Evaluates the record's bound again from its own problem, the data (none when it stands on none)
// and the posterior or controllers beside it.
// Throws InputError when a file is missing or a hash does not match.
struct Reevaluation {
  Certificate recorded;
  Certificate recomputed;
  bool agrees = false;       // same terms and value to 1e-9, same events, deltas and assumptions
  std::string disagreement;  // the first thing that differs
};
Reevaluation reevaluate_certificate(const std::filesystem::path& certificate,
                                    const Disturbances& data);

// The same with the verdict of a reviewer: a missing file, another hash, repeated trajectories or a
// record that contradicts itself are reasons to reject, not errors.
struct Verification {
  bool agrees = false;
  std::string reason;                // why not, in one line
  Certificate recorded, recomputed;  // when agrees
};
Verification verify_certificate(const std::filesystem::path& certificate, const Disturbances& data);

// The record of a certificate file, as it stands there.
Certificate read_certificate(const std::filesystem::path& certificate);

// The problem that a certificate file carries, for reading data against it.
Problem problem_of_certificate(const std::filesystem::path& certificate);

}  // namespace loopcert
