// A finished run as plain Python objects and back, for pickle.
#pragma once

#include "bind.hpp"
#include "workflow/learn_run.hpp"

namespace loopcert::python {

py::tuple learn_run_state(const LearnRun& run);
LearnRun learn_run_from_state(const py::tuple& state);

}  // namespace loopcert::python
