// A controller without a last step: u_t = K (y_t, …, y_{t-p+1}) + L (u_{t-1}, …, u_{t-q}) + k. What
// was before the first step counts as zero.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "loopcert/controller/c_code.hpp"
#include "loopcert/controller/controller.hpp"
#include "loopcert/core/types.hpp"

namespace loopcert {

struct MemoryController {
  Index n_y = 0, n_u = 0;
  Index outputs = 1;  // p
  Index inputs = 0;   // q
  Matrix K;           // n_u x p n_y
  Matrix L;           // n_u x q n_u
  Vector k;           // n_u
  std::map<std::string, std::string> provenance = {};
};

// Throws InputError: sizes, NaN or Inf.
void check_memory_controller(const MemoryController& controller);

// Step by step, for ever, in constant memory.
class MemoryRun {
 public:
  explicit MemoryRun(const MemoryController& controller);  // keeps a reference
  Vector step(const VectorView& y_t);

 private:
  const MemoryController& controller_;
  Vector y_, u_;  // newest first
};

// How many steps of it a page shows.
inline constexpr Index shown_steps = 12;

// The first steps as one K and k, from a memory of zeros.
Controller first_steps(const MemoryController& controller, Index steps);

// controller.json with horizon = "infinite" and memory = {outputs, inputs}.
nlohmann::json memory_controller_to_json(const MemoryController& controller);
MemoryController memory_controller_from_json(const nlohmann::json& tree);
MemoryController read_memory_controller(const std::filesystem::path& path);
// Whether the file is such a controller. False also for one that cannot be read.
bool has_memory_controller(const std::filesystem::path& path);

// C99 that runs for ever: <prefix>.h, <prefix>.c, <prefix>_test.c.
std::vector<CFile> memory_controller_to_c(const MemoryController& controller,
                                          const std::string& prefix,
                                          const std::vector<std::string>& remarks);

}  // namespace loopcert
