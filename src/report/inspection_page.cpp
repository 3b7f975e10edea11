#include <algorithm>

#include "report/figure.hpp"
#include "report/inspection_report.hpp"
#include "report/page.hpp"
#include "report/plots.hpp"
#include "report/statistics.hpp"
#include "report/text.hpp"

namespace loopcert::report {
namespace {

constexpr Index series_limit = 6;   // coordinates shown over the steps
constexpr Index point_limit = 600;  // trajectories shown one by one

std::string mark_of(const std::string& verdict) {
  if (verdict == "ok") return "✓ ";
  if (verdict == "doubtful") return "? ";
  return verdict == "contradicted" ? "✗ " : "– ";
}

Section checks_section(const InspectionReport& inspection) {
  DataTable table{{"check", "verdict", "assumption", "p-value", "found", "what to do"}, {}, {}};
  for (const InspectionReport::Check& c : inspection.checks)
    table.rows.push_back({c.name, mark_of(c.verdict) + c.verdict, c.assumption,
                          c.p_value ? nice_number(*c.p_value, 2) : "–", c.meaning, c.advice});
  return {
      "Checks",
      paragraph("A p-value is the probability that data that satisfy the assumption look at least "
                "this unusual. Below 0.01 a check is doubtful, below 0.0001 contradicted; if all "
                "assumptions hold, one check in a hundred is doubtful by chance.") +
          "<div class=\"words\">" + table_html(table) + "</div>"};
}

Figure lags_figure(const InspectionReport& inspection) {
  const Index lags = inspection.lag_mean.size();
  Series series{"mean correlation", Vector::LinSpaced(lags, 1, static_cast<double>(lags)),
                inspection.lag_mean, true};
  return titled(series_plot({{series}, inspection.lag_band, "lag in steps", "correlation"}),
                "Correlation in time",
                "Of each coordinate with itself some steps later, averaged. White noise stays "
                "in the band at each lag with probability about 99 %.");
}

Figure deviations_figure(const InspectionReport& inspection) {
  const Matrix& deviations = inspection.deviations;
  SeriesPlot plot{{}, {}, "block: 0 is x₀, t + 1 is w at step t", "standard deviation"};
  for (Index i = 0; i < std::min(deviations.cols(), series_limit); ++i)
    plot.series.push_back(
        {static_cast<size_t>(i) < inspection.names.size() ? inspection.names[static_cast<size_t>(i)]
                                                          : "coordinate " + std::to_string(i),
         Vector::LinSpaced(deviations.rows(), 0, static_cast<double>(deviations.rows() - 1)),
         deviations.col(i), true});
  return titled(series_plot(plot), "The same at every step?",
                "Standard deviation of each coordinate over the steps. A level line fits "
                "`stationary = true`.");
}

// Of many trajectories the longest of each stretch.
Figure norms_figure(const InspectionReport& inspection) {
  const Vector norms = inspection.disturbances.rowwise().norm();
  const Index count = std::min(norms.size(), point_limit);
  Series series{"norm", Vector(count), Vector(count), false};
  for (Index k = 0; k < count; ++k) {
    const Index from = k * norms.size() / count, to = (k + 1) * norms.size() / count;
    Index at = 0;
    series.y(k) = norms.segment(from, to - from).maxCoeff(&at);
    series.x(k) = static_cast<double>(from + at + 1);
  }
  return titled(
      series_plot({{series}, {}, inspection.of_logs ? "transition" : "trajectory", "norm"}),
      "Length, in the order recorded",
      "A trend or a wave here contradicts independent draws of one law.");
}

// What is left over of logs: no trajectories of one length.
Section innovations_section(const InspectionReport& inspection) {
  std::vector<Figure> figures = {
      titled(normal_quantiles(inspection.disturbances), "Are they Gaussian?",
             "Each innovation minus its mean over its standard deviation, pooled. Points off the "
             "line in the tails are not Gaussian.")};
  if (inspection.lag_mean.size() > 0) figures.push_back(lags_figure(inspection));
  figures.push_back(norms_figure(inspection));
  return {"Pictures", figures_html(figures)};
}

Section pictures_section(const InspectionReport& inspection) {
  const Matrix& w = inspection.disturbances;
  if (w.rows() < 2) return {"Pictures", paragraph("One trajectory is not enough for a plot.")};
  std::vector<Figure> figures;
  figures.push_back(titled(normal_quantiles(w), "Are they Gaussian?",
                           "Each coordinate minus its mean over its standard deviation, pooled. "
                           "Points off the line in the tails are not Gaussian."));
  if (std::min(w.rows(), w.cols()) <= most_eigenvalues) {
    Spectrum s{covariance_eigenvalues(w), {}, inspection.scale_bound, w.rows()};
    if (inspection.law_covariance.size() && w.cols() <= most_eigenvalues)
      s.law = eigenvalues(inspection.law_covariance);
    figures.push_back(titled(spectrum(s), "Spectrum",
                             inspection.scale_bound
                                 ? "Sample eigenvalues spread around the true ones; beyond the "
                                   "dotted line they contradict the assumed bound."
                                 : "No bound on the eigenvalues is assumed."));
  }
  figures.push_back(titled(
      heat_map(sample_correlation(w), Colours::diverging, "disturbance w", "disturbance w"),
      "Sample correlation", "Of (x₀, w₀, …): bands off the diagonal are correlation in time."));
  if (inspection.lag_mean.size() > 0) figures.push_back(lags_figure(inspection));
  const Index steps = inspection.deviations.size() - inspection.start;
  if (steps > 0 && inspection.start + steps <= w.cols())
    if (Figure power =
            power_spectrum(w.middleCols(inspection.start, steps), inspection.deviations.cols(),
                           inspection.names, inspection.axis);
        !power.svg.empty())
      figures.push_back(titled(power, "Colour",
                               "Power over frequency: white disturbances are level, slow ones high "
                               "on the left."));
  figures.push_back(deviations_figure(inspection));
  figures.push_back(norms_figure(inspection));
  return {"Pictures", figures_html(figures)};
}

}  // namespace

std::string inspection_page(const InspectionReport& inspection) {
  Page page;
  page.title = "Inspection" + (inspection.problem.empty() ? "" : ": " + inspection.problem);
  page.subtitle = (inspection.of_logs
                       ? count_text(inspection.disturbances.rows(), "innovation", "innovations")
                       : count_text(inspection.disturbances.rows(), "trajectory", "trajectories")) +
                  " of " + count_text(inspection.disturbances.cols(), "number", "numbers");
  const bool bad = std::any_of(
      inspection.checks.begin(), inspection.checks.end(),
      [](const auto& c) { return c.verdict == "contradicted" || c.verdict == "doubtful"; });
  page.lead = paragraph("Tests of the assumptions in the problem file: " + inspection.counts + ".",
                        bad ? "verdict plain" : "verdict good");
  for (const InspectionReport::Check& c : inspection.checks)
    if (c.verdict == "contradicted" || c.verdict == "doubtful")
      page.lead += paragraph(c.name + ", " + c.verdict + ". " + c.meaning + " " + c.advice, "warn");
  page.lead += paragraph(inspection.notice, "note");
  page.sections = {checks_section(inspection), inspection.of_logs ? innovations_section(inspection)
                                                                  : pictures_section(inspection)};
  page.data = inspection.record;
  return page_html(page);
}

}  // namespace loopcert::report
