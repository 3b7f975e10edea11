// What the data say against the assumptions of the certificates that are reported, and against the
// model: one line each, to stand beside the certificate.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/certificate/record.hpp"
#include "loopcert/controller/controller.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/inspection/warning.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert {

nlohmann::json warnings_to_json(const std::vector<Warning>& warnings);
// Throws InputError when the tree has another form.
std::vector<Warning> warnings_from_json(const nlohmann::json& tree);

// Those of a certificate.json; none when it has none.
std::vector<Warning> read_warnings(const std::filesystem::path& path);

// Into the controller's provenance, which goes with it into files and exported C; those of a method
// about itself stay out.
void note_warnings(Controller& controller, const std::vector<Warning>& warnings);

// Data that obey every assumption and a right model lead to a warning at most this often: Holm's
// method over all tests that are made.
inline constexpr double false_alarm_rate = 0.01;

// Only assumptions that one of the certificates lists are held against the data; the model is held
// against the logs, where the data come from logs.
std::vector<Warning> data_warnings(const Problem& problem, const Disturbances& data,
                                   const std::vector<const Certificate*>& certificates);

// Those of the checks that contradict what they test, by the same rule.
struct Check;
std::vector<Warning> warnings_of(const std::vector<Check>& checks);

std::optional<LoggedCost> logged_cost(const System& system, const Disturbances& data);

// `warnings`, `logged_cost` and `logged_cost_standard_error` of run.json and certificate.json.
void add_looks(nlohmann::json& record, const std::vector<Warning>& warnings,
               const std::optional<LoggedCost>& cost);

}  // namespace loopcert
