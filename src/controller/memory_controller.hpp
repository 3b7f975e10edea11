// Controllers that run for ever: step by step, as files, as C.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "loopcert/controller/c_code.hpp"
#include "loopcert/controller/controller.hpp"
#include "loopcert/controller/memory.hpp"
#include "loopcert/core/types.hpp"

namespace loopcert {

// Throws InputError: sizes, NaN or Inf.
void check_memory_controller(const MemoryController& controller);

// Step by step, for ever, in constant memory.
class MemoryRun {
 public:
  explicit MemoryRun(const MemoryController& controller);  // keeps a reference
  Vector step(const VectorView& y_t);
  // What the actuator did at this step, where it is not what step() returned: remembered instead.
  void applied(const VectorView& u_t);

 private:
  const MemoryController& controller_;
  Vector y_, u_;  // newest first
};

// How many steps of it a page shows.
inline constexpr Index shown_steps = 12;

// The first steps as one K and k, from a memory of zeros.
Controller first_steps(const MemoryController& controller, Index steps);

// Clipping changes what it remembers of its own inputs, and so later ones: u gains replies (what
// was applied minus u). T n_u x T n_u, zero from its diagonal on; empty when it remembers no
// inputs.
Matrix replies_to_clipping(const MemoryController& controller, Index steps);

// controller.json with horizon = "infinite" and memory = {outputs, inputs}.
nlohmann::json memory_controller_to_json(const MemoryController& controller);
MemoryController memory_controller_from_json(const nlohmann::json& tree);
MemoryController read_memory_controller(const std::filesystem::path& path);
// Whether the file is such a controller. False also for one that cannot be read.
bool has_memory_controller(const std::filesystem::path& path);

// C99 that runs for ever: <prefix>.h, <prefix>.c, <prefix>_test.c.
std::vector<CFile> memory_controller_to_c(const MemoryController& controller,
                                          const std::string& prefix,
                                          const std::vector<std::string>& remarks,
                                          bool clip = false, bool single = false);

}  // namespace loopcert
