#include "report/text.hpp"
#include "run_sections.hpp"

namespace loopcert::report {

std::string run_page(const RunReport& run) {
  Page page;
  page.title = run.problem.empty() ? "A learning run" : run.problem;
  page.subtitle = "Method " + run.method + " · " +
                  (is_identified(run) ? count_text(run.n, "log", "logs")
                                      : count_text(run.n, "trajectory", "trajectories") + " · " +
                                            count_text(run.p, "free parameter", "free parameters"));
  if (run.horizon > 0)
    page.subtitle += " · horizon " + (is_endless(run) ? "infinite" : std::to_string(run.horizon)) +
                     " · " +
                     (run.of_outputs ? count_text(run.states, "output", "outputs")
                                     : count_text(run.states, "state", "states")) +
                     " · " + count_text(run.inputs, "input", "inputs");
  page.lead = run_lead(run);
  page.sections = {certificate_section(run), cost_section(run), paths_section(run),
                   response_section(run), disturbance_section(run)};
  if (run.limits) page.sections.insert(page.sections.begin() + 1, limits_section(run));
  page.data = run.record;
  return page_html(page);
}

}  // namespace loopcert::report
