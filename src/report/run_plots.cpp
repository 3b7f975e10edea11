// Closed loop, controller and data in pictures.
#include <algorithm>

#include "report/plots.hpp"
#include "report/statistics.hpp"
#include "report/text.hpp"
#include "run_sections.hpp"

namespace loopcert::report {
namespace {

constexpr Index eigenvalue_limit = 2000;  // beyond it a page would take minutes
constexpr Index direction_limit = 2000;   // points of one figure

// Every k-th entry of a long vector.
Vector thinned(const Vector& values) {
  const Index every = (values.size() + direction_limit - 1) / direction_limit;
  return every > 1 ? Vector(values(Eigen::seq(0, values.size() - 1, every))) : values;
}

// How large each signal is: what an actuator and a sensor must be made for.
std::string signal_table(const RunReport& run) {
  if (run.signals.empty()) return "";
  DataTable table{{"signal", "mean size", "rms", "95 % level", "99 % level"}, {}, {}};
  for (const SignalFacts& s : run.signals)
    table.rows.push_back({s.name, nice_number(s.expected), nice_number(s.rms),
                          nice_number(s.level_95), nice_number(s.level_99)});
  return "<h3>How large the signals are</h3>" +
         paragraph(std::string("Over all steps, ") +
                   (run.signals_from == "law"        ? "under the problem's law"
                    : run.signals_from == "estimate" ? "under the estimated plant"
                                                     : "on the data") +
                   ": the size is above the 95 % level in one step of twenty, and above the 99 % "
                   "level in one of a hundred. " +
                   (run.of_outputs ? "Outputs" : "States") + " are those from step 1 on.") +
         table_html(table);
}

// "can remain spread in directions that are benign": sigma_k against what direction k does.
void add_directions(std::vector<Figure>& figures, const RunReport& run) {
  const Vector& size = run.direction_size;
  if (size.size() == 0) return;
  const Vector deviation = thinned(run.direction_deviation);
  const std::string thin = size.size() > deviation.size()
                               ? " Shown are " + std::to_string(deviation.size()) + " of " +
                                     std::to_string(size.size()) + " directions."
                               : "";
  if (size.maxCoeff() > size.minCoeff() * (1 + 1e-9))
    figures.push_back(titled(
        scatter_plot(thinned(size), deviation, "‖Mₖ‖, size of direction k", "σₖ"),
        "Where the posterior stays spread: size",
        "One point per coordinate of the response. The certificate pays for spread in directions "
        "that turn disturbances into cost, and less for spread in directions that hardly do." +
            thin));
  if (run.direction_curvature.size() > 0)
    figures.push_back(
        titled(scatter_plot(thinned(run.direction_curvature), deviation,
                            "Ĝₖₖ, curvature of direction k", "σₖ"),
               "Where the posterior stays spread: curvature",
               "The same against the curvature of the cost on the data, ‖Mₖ‖² times the second "
               "moment of the disturbance that it responds to." +
                   thin));
}

}  // namespace

Section paths_section(const RunReport& run) {
  if (run.state_paths.size() == 0)
    return {"Closed loop",
            paragraph("No trajectories: no data and no law to draw from, or no problem file.") +
                signal_table(run)};
  std::string body =
      paragraph("The controller in closed loop with " + run.paths_source +
                ". Line: median. Dark band: the middle half. Light band: from 5 % to 95 %." +
                (run.baseline_state_paths.size() > 0
                     ? " Beside it today's controller on the same trajectories: median, and dashed "
                       "5 % and 95 %."
                     : ""));
  if (std::max(run.states, run.inputs) > fans_of_a_kind)
    body += paragraph("Only the first " + std::to_string(fans_of_a_kind) + " of the " +
                          (run.of_outputs ? "outputs" : "states") +
                          " and of the inputs are shown, and what has a limit.",
                      "note");
  return {"Closed loop", body + figures_html(signal_fans(run)) + signal_table(run)};
}

Section response_section(const RunReport& run) {
  std::vector<Figure> figures;
  const std::string measured = run.of_outputs ? "output y" : "state x",
                    cause = run.of_outputs ? "purified output η" : "disturbance w";
  if (run.Phi_x.size())
    figures.push_back(titled(heat_map(run.Phi_x, Colours::diverging, measured, cause),
                             "Response Φₓ",
                             run.of_outputs ? "How each purified output moves each later output."
                                            : "How each disturbance moves each later state."));
  if (run.Phi_u.size())
    figures.push_back(titled(heat_map(run.Phi_u, Colours::diverging, "input", cause), "Response Φᵤ",
                             "How the input responds to each earlier disturbance."));
  if (run.K.size())
    figures.push_back(titled(heat_map(run.K, Colours::diverging, "input", measured), "Controller K",
                             "How the input uses what was measured so far."));
  if (run.posterior_standard_deviation.size())
    figures.push_back(titled(
        heat_map(run.posterior_standard_deviation, Colours::sequential, "row", "column of Z"),
        "Posterior standard deviation",
        "How far each coordinate of the response may deviate from the mean."));
  add_directions(figures, run);
  std::string body = paragraph(
      "Rows and columns are in the order of time; a causal response is zero above its block "
      "diagonal.");
  if (run.Phi_x.size() == 0)
    body += paragraph("The responses need the problem, which is not available.", "note");
  if (run.posterior_standard_deviation.size() == 0)
    body +=
        paragraph("There is no posterior: method " + run.method + " chooses one response.", "note");
  return {"Response and controller", body + figures_html(figures)};
}

// What the model leaves over of logged episodes, state by state.
std::string residual_table(const RunReport& run) {
  if (run.residuals.empty()) return "";
  DataTable table{
      {"state", "rms of w", "part of the change in a step", "mean", "largest |w|"}, {}, {}};
  for (const RunReport::Residual& r : run.residuals)
    table.rows.push_back(
        {r.component, nice_number(r.residual),
         r.change > 0 ? nice_number(100 * r.residual / r.change, 3) + " %" : "no change",
         nice_number(r.mean, 3), nice_number(r.largest)});
  return paragraph(
             "The episodes were logged as states and inputs: the disturbances are the residuals of "
             "the model, so they include model errors.") +
         table_html(table);
}

Section disturbance_section(const RunReport& run) {
  if (run.disturbances.rows() < 2)
    return {"Disturbances",
            paragraph("The data are not available, or there are fewer than two trajectories.")};
  const Index d = run.disturbances.cols(), n = run.disturbances.rows();
  std::vector<Figure> figures;
  std::string body = residual_table(run);
  figures.push_back(titled(heat_map(sample_covariance(run.disturbances), Colours::diverging,
                                    "disturbance w", "disturbance w"),
                           "Sample covariance",
                           "Of (x₀, w₀, …): bands off the diagonal are correlation in time."));
  if (std::min(d, n) <= eigenvalue_limit) {
    Spectrum s{covariance_eigenvalues(run.disturbances), {}, run.scale_bound, n};
    if (run.law_covariance.size() && d <= eigenvalue_limit) s.law = eigenvalues(run.law_covariance);
    figures.push_back(titled(
        spectrum(s), "Spectrum",
        run.scale_bound ? "Sample eigenvalues spread around the true ones. Beyond the dotted line "
                          "they contradict the assumed bound; below it they do not prove it."
                        : "No bound on the eigenvalues is assumed."));
    if (s.law && s.bound && (*s.law)[0] > *s.bound * (1 + 1e-9))
      body += paragraph("The largest eigenvalue of the law in the problem is " +
                            nice_number((*s.law)[0]) + ", above the assumed bound of " +
                            nice_number(*s.bound) + ": the problem contradicts its own assumption.",
                        "warn");
  }
  figures.push_back(titled(normal_quantiles(run.disturbances), "Are they Gaussian?",
                           "Each coordinate minus its mean over its standard deviation, pooled. "
                           "Points off the line in the tails are not Gaussian."));
  return {"Disturbances", body + figures_html(figures)};
}

}  // namespace loopcert::report
