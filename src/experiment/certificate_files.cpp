#include "loopcert/experiment/certificate_files.hpp"

#include <bit>
#include <cstdint>

#include "loopcert/core/error.hpp"
#include "loopcert/core/sha256.hpp"
#include "loopcert/data/npz.hpp"

namespace loopcert {
namespace {

// The numbers by rows, 8 bytes each, lowest first.
std::string bytes_of(const Matrix& numbers) {
  std::string bytes;
  bytes.reserve(static_cast<size_t>(numbers.size()) * 8);
  for (Index i = 0; i < numbers.rows(); ++i)
    for (Index j = 0; j < numbers.cols(); ++j) {
      const auto bits = std::bit_cast<std::uint64_t>(numbers(i, j));
      for (int shift = 0; shift < 64; shift += 8)
        bytes.push_back(static_cast<char>((bits >> shift) & 0xff));
    }
  return bytes;
}

}  // namespace

Assumptions assumptions_of(const Problem& problem) {
  const DisturbanceOptions& d = problem.disturbance;
  return {d.model, d.scale_bound, d.radius,           d.zero_mean, d.law,
          d.white, d.stationary,  d.covariance_bound, d.kurtosis};
}

Evidence evidence_if_any(const Disturbances& data) {
  return data.n() > 0 ? evidence_of(data) : Evidence{};
}

Deltas deltas_of(const Problem& problem, const std::vector<std::string>& events) {
  return split_delta(events, problem.certificate.delta, problem.certificate.parts);
}

std::string problem_hash(const Problem& problem) {
  return sha256_hex(problem_to_json(problem).dump());
}

std::string data_hash(const Disturbances& data) { return sha256_hex(bytes_of(data.w)); }

std::string logs_hash(const Disturbances& data) {
  return data.from_logs() ? sha256_hex(bytes_of(data.logs.x) + bytes_of(data.logs.u)) : "";
}

std::string format_posterior(const Posterior& posterior, const Matrix& prior_center) {
  NamedArrays arrays{{"mean", array_from_matrix(posterior.mean)},
                     {"variance", array_from_matrix(posterior.variance)}};
  if (prior_center.size() > 0) arrays["center"] = array_from_matrix(prior_center);
  return format_npz(arrays);
}

Posterior parse_posterior(std::string_view bytes) {
  const NamedArrays arrays = parse_npz(bytes);
  for (const char* name : {"mean", "variance"})
    if (!arrays.contains(name)) throw_input_error(name, "nothing", "an array of this name");
  return {matrix_from_array(arrays.at("mean")), matrix_from_array(arrays.at("variance"))};
}

nlohmann::json certificate_inputs(const Problem& problem, const Disturbances& data) {
  nlohmann::json inputs = {{"problem_sha256", problem_hash(problem)},
                           {"data_sha256", data_hash(data)},
                           {"problem", problem_to_json(problem)}};
  if (data.from_logs()) inputs["logs_sha256"] = logs_hash(data);
  return inputs;
}

}  // namespace loopcert
