// What `loopcert doctor` looks at. Adding a check is one function in a file of this folder, and one
// line in doctor_checks.inc.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace loopcert::app {

enum class Verdict { ok, note, problem };

struct Finding {
  Verdict verdict;
  std::string text;
  nlohmann::json data = nlohmann::json::object();  // the same as numbers
};

struct DoctorCheck {
  std::string name;
  Finding (*look)();
};

const std::vector<DoctorCheck>& doctor_checks();

std::string verdict_word(Verdict verdict);

#define ADD(name, look) Finding look();
#include "doctor/doctor_checks.inc"

}  // namespace loopcert::app
