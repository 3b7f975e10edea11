// Room workflow: problem files drafted from logs.
#include "bind.hpp"
#include "core/file.hpp"
#include "loopcert/workflow/draft.hpp"

namespace loopcert::python {

void bind_drafts(py::module_& module) {
  module.def(
      "draft_problem",
      [](const Paths& logs, std::vector<std::string> states, std::vector<std::string> outputs,
         std::vector<std::string> inputs, std::string time, std::string episode,
         std::optional<Index> horizon, bool infinite, std::optional<Index> lags,
         std::vector<std::pair<std::string, double>> largest,
         std::optional<std::filesystem::path> model, std::string name) {
        ProblemDraft draft =
            draft_problem(logs, {std::move(states), std::move(outputs), std::move(inputs),
                                 std::move(time), std::move(episode), horizon, infinite, lags,
                                 std::move(largest), std::move(model), std::move(name)});
        return std::pair(std::move(draft.text), std::move(draft.remarks));
      },
      py::arg("logs"), py::arg("states"), py::arg("outputs"), py::arg("inputs"), py::arg("time"),
      py::arg("episode"), py::arg("horizon"), py::arg("infinite"), py::arg("lags"),
      py::arg("largest"), py::arg("model"), py::arg("name"), Released(),
      "A problem file from log files, as `loopcert init` writes it, and remarks.");
  module.def("write_text", &write_file, py::arg("path"), py::arg("text"), Released());
}

}  // namespace loopcert::python
