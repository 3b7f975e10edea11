// Room learning: what a step of the optimizer says.
#include "bind.hpp"
#include "learning/pac_bayes.hpp"

namespace loopcert::python {

void bind_learning(py::module_& module) {
  py::class_<LearningStep>(module, "LearningStep", "One iteration of the optimizer.")
      .def_readonly("iteration", &LearningStep::iteration)
      .def_readonly("empirical", &LearningStep::empirical, "Empirical cost of the mean response.")
      .def_readonly("kl", &LearningStep::kl, "KL(rho || pi).")
      .def_readonly("bound", &LearningStep::bound, "The certificate so far.")
      .def_readonly("gradient_norm", &LearningStep::gradient_norm);
}

}  // namespace loopcert::python
