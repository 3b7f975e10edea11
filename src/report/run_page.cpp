#include "report/text.hpp"
#include "run_sections.hpp"

namespace loopcert::report {

namespace {

std::string horizon_text(const RunReport& run) {
  if (is_endless(run)) return "horizon infinite";
  const std::string steps = "horizon " + std::to_string(run.horizon);
  if (!(run.axis.step > 0)) return steps;
  return steps + " steps, " + run.axis.text(static_cast<double>(run.horizon)) + " " + run.axis.unit;
}

}  // namespace

std::string run_page(const RunReport& run) {
  Page page;
  const bool certify = run.deed == Deed::certify;
  page.title = !run.problem.empty() ? run.problem : certify ? "A controller" : "A learning run";
  page.subtitle =
      certify
          ? "A given controller on " + count_text(run.n, "trajectory", "trajectories")
          : "Method " + run.method + " · " +
                (is_identified(run) ? count_text(run.n, "log", "logs")
                                    : count_text(run.n, "trajectory", "trajectories") + " · " +
                                          count_text(run.p, "free parameter", "free parameters"));
  if (run.horizon > 0)
    page.subtitle += " · " + horizon_text(run) + " · " +
                     (run.of_outputs ? count_text(run.states, "output", "outputs")
                                     : count_text(run.states, "state", "states")) +
                     " · " + count_text(run.inputs, "input", "inputs");
  page.lead = run_lead(run);
  page.sections = {loop_section(run), cost_section(run)};
  if (run.limits) page.sections.push_back(limits_section(run));
  for (const auto part : {certificate_section, against_section, details_section})
    page.sections.push_back(part(run));
  page.data = run.record;
  return page_html(page);
}

}  // namespace loopcert::report
