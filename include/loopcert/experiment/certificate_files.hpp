// From a problem to what certificates take, and the files that let a stranger evaluate one again.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "loopcert/certificate/fixed_response.hpp"
#include "loopcert/certificate/kinds.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert {

Assumptions assumptions_of(const Problem& problem);
// Evidence of n = 0 for certificates that use no data.
Evidence evidence_if_any(const Disturbances& data);
Deltas deltas_of(const Problem& problem, const std::vector<std::string>& events);

// SHA-256 of the meaning, not of the file: of the problem as canonical JSON, and of the
// trajectories as little-endian doubles row by row. The same data as .csv and .npy agree.
std::string problem_hash(const Problem& problem);
std::string data_hash(const Disturbances& data);
// Of what was logged, x row by row and then u: "" where w itself was recorded.
std::string logs_hash(const Disturbances& data);

// posterior.npz: mean and variance, and the center of a prior that was learned; d_u x d_z each.
std::string format_posterior(const Posterior& posterior, const Matrix& prior_center = {});
Posterior parse_posterior(std::string_view bytes);

// The `inputs` of a certificate record: hashes, the problem itself, prior, posterior file.
nlohmann::json certificate_inputs(const Problem& problem, const Disturbances& data);

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
