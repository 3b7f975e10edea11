// Room risk: expected and empirical costs of a response.
#include "bind.hpp"
#include "data/moments.hpp"
#include "loopcert/data/law.hpp"
#include "loopcert/problem/problem.hpp"
#include "risk/risk.hpp"

namespace loopcert::python {

void bind_risk(py::module_& module) {
  module.def(
      "empirical_cost",
      [](const Problem& problem, const Response& response, const Disturbances& data) {
        check_disturbances(data, problem.sizes());
        return response_risk(problem.system, response, sample_moments(data));
      },
      py::arg("problem"), py::arg("response"), py::arg("data"), Released(),
      "Mean cost of the trajectories: tr(M S M') with S their second moment.");
  module.def(
      "population_cost",
      [](const Problem& problem, const Response& response) -> std::optional<double> {
        if (!problem.disturbance.law) return std::nullopt;
        return response_risk(problem.system, response, law_moments(*problem.disturbance.law));
      },
      py::arg("problem"), py::arg("response"), Released(),
      "Expected cost under the law that the problem states; None when it states none.");
}

}  // namespace loopcert::python
