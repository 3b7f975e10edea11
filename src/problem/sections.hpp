// One decoder per section of a problem file.
#pragma once

#include "loopcert/problem/problem.hpp"
#include "problem/fields.hpp"

namespace loopcert {

// [system] and [cost]: the horizon is checked against the memory of this machine before anything
// whose size depends on it is made.
// Nothing in `model` when the plant is known.
System decode_system(const Table& root, bool affine, std::optional<ModelOptions>& model);
// [system] identify, lags, offset and horizon = "infinite"; nothing when the plant is known.
std::optional<ModelOptions> decode_model(const Table& root, const Table& plant);
// A and B of a plant that is identified: as stated, or NaN of the sizes that the file gives.
void decode_unknown_plant(const Table& plant, System& system, ModelOptions& model);
nlohmann::json model_section(const Problem& problem, nlohmann::json stated);
ResponseOptions decode_response(const Table& root);
// Throws InputError for a start that the plant does not have, and for a cost that nothing tells.
void check_response(const Problem& problem);
Assumptions decode_disturbance(const Table& root, const Plant& plant);
LearningOptions decode_learning(const Table& root);
DataLayout decode_data(const Table& root, const Plant& plant);
CertificateOptions decode_certificate(const Table& root, const std::string& method);
// Nothing without [baseline].
std::optional<Baseline> decode_baseline(const Table& root, const Sizes& sizes, bool identified);
// Nothing without [limits].
std::optional<Limits> decode_limits(const Table& root, const Assumptions& disturbance,
                                    const Plant& plant, const std::optional<ModelOptions>& model);

// disturbance.covariance and disturbance.mean, each in all the forms a file may use.
Law decode_law(const Node& covariance, const std::optional<Node>& mean, const Sizes& sizes);
Matrix decode_covariance_bound(const Node& node, const Sizes& sizes);
// disturbance.measurement, with the covariance and mean of the states beside it.
StatedNoise decode_noise(const Node& measurement, const Table& table, const Plant& plant);

// Sections as trees that read back as equal ones.
nlohmann::json response_section(const ResponseOptions& options);
nlohmann::json disturbance_section(const Assumptions& options);
nlohmann::json learning_section(const LearningOptions& options);
nlohmann::json certificate_section(const CertificateOptions& options);
nlohmann::json limits_section(const Limits& limits);
nlohmann::json baseline_section(const Baseline& baseline);
// [data]; only what differs from the default.
nlohmann::json data_section(const DataLayout& layout);

}  // namespace loopcert
