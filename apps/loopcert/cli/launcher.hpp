// The place of this process among those that a launcher (mpirun, srun) started together.
#pragma once

#include <optional>

#include "sweeps/sweep_run.hpp"

namespace loopcert::app {

// Shard rank + 1 of as many as there are ranks, read from the environment; nullopt for a process
// that is alone. No MPI library is loaded: independent jobs have nothing to tell each other.
std::optional<Shard> launched_shard();

}  // namespace loopcert::app
