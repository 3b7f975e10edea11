// What `loopcert doctor` looks at. Adding a check is one function, declared here, and one line in
// the table in doctor_checks.cpp.
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

// doctor_build.cpp
Finding look_at_build();
Finding look_at_libraries();
// doctor_cpu.cpp
Finding look_at_cpu();
Finding look_at_vector_units();
// doctor_machine.cpp
Finding look_at_threads();
Finding look_at_memory();
Finding look_at_current_folder();
Finding look_at_temporary_folder();
Finding look_at_locale();
// doctor_importer.cpp
Finding look_at_importer();
// doctor_product.cpp
Finding look_at_product_rate();
Finding look_at_reproducibility();

}  // namespace loopcert::app
