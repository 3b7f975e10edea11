// The record of a certificate from measured costs, and back.
#pragma once

#include <nlohmann/json.hpp>

#include "loopcert/measurement/measure.hpp"

namespace loopcert {

inline constexpr const char* costs_file = "costs.npy";
inline constexpr const char* against_file = "against.npy";
inline constexpr const char* violations_file = "violations.npy";

bool is_measured(const Certificate& certificate);

// The certificate file, with means and warnings.
nlohmann::json measured_to_json(const MeasureResult& measured);
nlohmann::json measured_limits_to_json(const MeasureResult& measured);  // that has limits

// What a record says was assumed, whatever its certificate says. Throws InputError.
nlohmann::json measure_options_to_json(const MeasureOptions& options);
MeasureOptions measure_options_from_json(const nlohmann::json& tree);

// SHA-256 of the numbers, 8 bytes each.
std::string costs_hash(const MatrixView& numbers);

}  // namespace loopcert
