// Folded: response, controller and data in pictures.
#include <algorithm>

#include "report/statistics.hpp"
#include "report/text.hpp"
#include "run_sections.hpp"

namespace loopcert::report {
namespace {

constexpr Index direction_limit = 2000;  // points of one figure

// Every k-th entry of a long vector.
Vector thinned(const Vector& values) {
  const Index every = (values.size() + direction_limit - 1) / direction_limit;
  return every > 1 ? Vector(values(Eigen::seq(0, values.size() - 1, every))) : values;
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

// One of each signal; without names each is of its own.
HeatUnits::Names units_of(const RunReport& run, bool state) {
  HeatUnits::Names units = state ? run.state_units : run.input_units;
  if (units.empty())
    for (Index i = 0; i < (state ? run.states : run.inputs); ++i)
      units.push_back(state ? state_name(run, i) : input_name(run, i));
  return units;
}

}  // namespace

std::string response_details(const RunReport& run) {
  std::vector<Figure> figures;
  const std::string measured = run.of_outputs ? "output y" : "state x",
                    cause = run.of_outputs ? "purified output η" : "disturbance w";
  const HeatUnits::Names x = units_of(run, true), u = units_of(run, false);
  if (run.Phi_x.size())
    figures.push_back(titled(heat_map(run.Phi_x, Colours::diverging, measured, cause, {x, x}),
                             "Response Φₓ",
                             run.of_outputs ? "How each purified output moves each later output."
                                            : "How each disturbance moves each later state."));
  if (run.Phi_u.size())
    figures.push_back(titled(heat_map(run.Phi_u, Colours::diverging, "input", cause, {u, x}),
                             "Response Φᵤ", "How the input responds to each earlier disturbance."));
  if (run.K.size())
    figures.push_back(titled(heat_map(run.K, Colours::diverging, "input", measured, {u, x}),
                             "Controller K", "How the input uses what was measured so far."));
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
  if (run.posterior_standard_deviation.size() == 0 && run.deed == Deed::learn)
    body +=
        paragraph("There is no posterior: method " + run.method + " chooses one response.", "note");
  return folded("Response and controller", "as heat maps", body + figures_html(figures));
}

std::string disturbance_details(const RunReport& run) {
  const std::string title = "Disturbances";
  if (run.disturbances.rows() < 2)
    return folded(
        title, "not at hand",
        paragraph("The data are not available, or there are fewer than two trajectories."));
  const Index d = run.disturbances.cols(), n = run.disturbances.rows();
  std::vector<Figure> figures;
  const Index seen = run.causes > 0 ? (run.horizon + 1) * run.causes - run.start : 0;
  Figure power = power_spectrum(
      seen > 0 && seen + run.start <= d ? run.disturbances.middleCols(run.start, seen) : Matrix(),
      run.causes, run.state_names, run.axis);
  if (!power.svg.empty())
    figures.push_back(
        titled(power, "Colour",
               "Power over frequency: white disturbances are level, slow ones high on "
               "the left."));
  figures.push_back(titled(normal_quantiles(run.disturbances), "Are they Gaussian?",
                           "Each coordinate minus its mean over its standard deviation, pooled. "
                           "Points off the line in the tails are not Gaussian."));
  if (std::min(d, n) <= most_eigenvalues) {
    Spectrum s{covariance_eigenvalues(run.disturbances), {}, run.scale_bound, n};
    if (run.law_eigenvalues.size()) s.law = run.law_eigenvalues;
    figures.push_back(titled(
        spectrum(s), "Eigenvalues of the covariance",
        run.scale_bound ? "Sample eigenvalues spread around the true ones. Beyond the dotted line "
                          "they contradict the assumed bound; below it they do not prove it."
                        : "No bound on the eigenvalues is assumed."));
  }
  figures.push_back(titled(
      heat_map(sample_covariance(run.disturbances), Colours::diverging, "disturbance w",
               "disturbance w", {units_of(run, true), units_of(run, true)}),
      "Sample covariance", "Of (x₀, w₀, …): bands off the diagonal are correlation in time."));
  return folded(title, "colour, shape, size", figures_html(figures));
}

Section details_section(const RunReport& run) {
  return {"Details", certificate_details(run) + response_details(run) + disturbance_details(run)};
}

}  // namespace loopcert::report
