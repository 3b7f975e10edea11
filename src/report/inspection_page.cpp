#include <algorithm>

#include "report/fan.hpp"
#include "report/figure.hpp"
#include "report/inspection_report.hpp"
#include "report/page.hpp"
#include "report/plots.hpp"
#include "report/statistics.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"
#include "run_sections.hpp"

namespace loopcert::report {
namespace {

constexpr Index series_limit = 6;   // coordinates shown over the steps
constexpr Index point_limit = 600;  // trajectories shown one by one

std::string mark_of(const std::string& verdict) {
  if (verdict == "ok") return "✓ ";
  if (verdict == "doubtful") return "? ";
  return verdict == "contradicted" ? "✗ " : "– ";
}

bool is_finding(const InspectionReport::Check& c) {
  return c.verdict == "contradicted" || c.verdict == "doubtful";
}

using Check = InspectionReport::Check;

std::vector<Check> checks_with(const InspectionReport& inspection, const std::string& verdict) {
  std::vector<Check> found;
  for (const Check& c : inspection.checks)
    if (c.verdict == verdict) found.push_back(c);
  return found;
}

std::string names_of(const std::vector<Check>& checks) {
  std::string text;
  for (const Check& c : checks) text += (text.empty() ? "" : ", ") + c.name;
  return text;
}

// What a reader should know first; the table has the rest.
std::string lead(const InspectionReport& inspection) {
  const std::vector<Check> against = checks_with(inspection, "contradicted"),
                           doubtful = checks_with(inspection, "doubtful");
  const size_t tests = against.size() + doubtful.size() + checks_with(inspection, "ok").size();
  const std::string of = " of " + count_text(static_cast<long>(tests), "test", "tests");
  std::string words;
  if (!against.empty())
    words = "The data contradict the problem file: " + names_of(against) + ".";
  else if (!doubtful.empty())
    words = "The data make what the problem file assumes doubtful: " + names_of(doubtful) + ".";
  else if (tests > 0)
    words = "The data do not contradict what the problem file assumes.";
  else
    words = "The problem file assumes nothing that these data could contradict.";
  std::string text =
      paragraph(words, against.empty() && doubtful.empty() ? "verdict good" : "verdict plain");
  const std::vector<Check>& worst = against.empty() ? doubtful : against;
  if (!worst.empty())
    text += "<p class=\"warn short\"><a href=\"#checks\">" + html_escape(worst.front().name) +
            "</a>: " + html_escape(worst.front().meaning + " " + worst.front().advice) + "</p>";
  text += paragraph(inspection.notice, "note short");
  std::string cards =
      card(std::to_string(against.size()) + of, "contradict an assumption", "card main");
  cards += card(std::to_string(doubtful.size()) + of, "make one doubtful");
  return lead_html(text, cards);
}

Section checks_section(const InspectionReport& inspection) {
  DataTable table{{"check", "verdict", "assumption", "p-value", "found", "what to do"}, {}, {}};
  std::vector<Check> checks = inspection.checks;
  std::stable_partition(checks.begin(), checks.end(), is_finding);
  for (const Check& c : checks)
    table.rows.push_back({c.name, mark_of(c.verdict) + c.verdict, c.assumption,
                          c.p_value ? nice_number(*c.p_value, 2) : "–", c.meaning, c.advice});
  return {"Checks",
          paragraph("In short: " + inspection.counts +
                    ". A p-value is the probability that data that satisfy the assumption look at "
                    "least this unusual. Below 0.01 a check is doubtful, below 0.0001 "
                    "contradicted; if all assumptions hold, one check in a hundred is doubtful by "
                    "chance.") +
              "<div class=\"words\">" + table_html(table) + "</div>",
          "checks"};
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

// A picture, and the checks whose verdict one sees in it.
struct Picture {
  Figure figure;
  std::vector<std::string> checks;
};

Picture quantiles_picture(const InspectionReport& inspection) {
  const std::string what = inspection.of_logs ? "innovation" : "coordinate";
  return {titled(normal_quantiles(inspection.disturbances), "Are they Gaussian?",
                 "Each " + what +
                     " minus its mean over its standard deviation, pooled. Points off the line in "
                     "the tails are not Gaussian."),
          {"Gaussian", "Gaussian innovations", "kurtosis", "radius"}};
}

void add_lags(std::vector<Picture>& pictures, const InspectionReport& inspection) {
  if (inspection.lag_mean.size() > 0)
    pictures.push_back({lags_figure(inspection),
                        {"white in time", "autoregressive", "white innovations", "enough lags"}});
}

Picture norms_picture(const InspectionReport& inspection) {
  return {norms_figure(inspection),
          {"order does not matter", "no repetitions", "constant plant", "sensors"}};
}

// What is left over of logs: no trajectories of one length.
std::vector<Picture> innovation_pictures(const InspectionReport& inspection) {
  std::vector<Picture> pictures = {quantiles_picture(inspection)};
  add_lags(pictures, inspection);
  pictures.push_back(norms_picture(inspection));
  return pictures;
}

// The numbers behind x_0, steps of one width.
Matrix steps_of(const InspectionReport& inspection) {
  const Matrix& w = inspection.disturbances;
  const Index steps = inspection.deviations.size() - inspection.start;
  return steps > 0 && inspection.start + steps <= w.cols()
             ? Matrix(w.middleCols(inspection.start, steps))
             : Matrix();
}

std::vector<Picture> disturbance_pictures(const InspectionReport& inspection) {
  const Matrix& w = inspection.disturbances;
  std::vector<Picture> pictures = {quantiles_picture(inspection)};
  if (std::min(w.rows(), w.cols()) <= most_eigenvalues) {
    Spectrum s{covariance_eigenvalues(w), {}, inspection.scale_bound, w.rows()};
    if (inspection.law_covariance.size() && w.cols() <= most_eigenvalues)
      s.law = eigenvalues(inspection.law_covariance);
    pictures.push_back({titled(spectrum(s), "Spectrum",
                               inspection.scale_bound
                                   ? "Sample eigenvalues spread around the true ones; beyond the "
                                     "dotted line they contradict the assumed bound."
                                   : "No bound on the eigenvalues is assumed."),
                        {"scale bound", "covariance bound"}});
  }
  pictures.push_back(
      {titled(heat_map(sample_correlation(w), Colours::diverging, "disturbance w", "disturbance w"),
              "Sample correlation",
              "Of (x₀, w₀, …): bands off the diagonal are correlation in time."),
       {}});
  add_lags(pictures, inspection);
  if (const Matrix steps = steps_of(inspection); steps.size() > 0)
    if (Figure power =
            power_spectrum(steps, inspection.deviations.cols(), inspection.names, inspection.axis);
        !power.svg.empty())
      pictures.push_back({titled(power, "Colour",
                                 "Power over frequency: white disturbances are level, slow ones "
                                 "high on the left."),
                          {}});
  pictures.push_back({deviations_figure(inspection), {"same at every step"}});
  pictures.push_back(norms_picture(inspection));
  return pictures;
}

// Over a trajectory, by coordinate; of logs there is no trajectory to lay over another.
std::vector<Figure> fans(const InspectionReport& inspection) {
  constexpr Index most = 3;
  std::vector<Figure> figures;
  const Matrix steps = inspection.of_logs ? Matrix() : steps_of(inspection);
  const Index count = inspection.deviations.cols();
  if (steps.cols() <= count) return figures;  // one step is no course
  for (Index i = 0; i < std::min(count, most); ++i) {
    const std::string name = static_cast<size_t>(i) < inspection.names.size()
                                 ? inspection.names[static_cast<size_t>(i)]
                                 : "coordinate " + std::to_string(i);
    FanPlot plot{name, steps(Eigen::all, Eigen::seqN(i, steps.cols() / count, count))};
    plot.axis = inspection.axis;
    plot.whose = "median";
    figures.push_back(fan_plot(plot));
  }
  return figures;
}

// First what the data look like, and what shows the first finding.
std::vector<Section> sections_of(const InspectionReport& inspection) {
  const Section checks = checks_section(inspection);
  if (inspection.disturbances.rows() < 2)
    return {checks, {"Pictures", paragraph("One trajectory is not enough for a plot.")}};
  std::vector<Picture> pictures =
      inspection.of_logs ? innovation_pictures(inspection) : disturbance_pictures(inspection);
  const std::vector<Figure> courses = fans(inspection);
  const auto finding = std::find_if(inspection.checks.begin(), inspection.checks.end(), is_finding);
  auto shown = pictures.end();
  if (finding != inspection.checks.end())
    shown = std::find_if(pictures.begin(), pictures.end(), [&](const Picture& picture) {
      return std::find(picture.checks.begin(), picture.checks.end(), finding->name) !=
             picture.checks.end();
    });
  if (shown == pictures.end() && courses.empty()) shown = pictures.begin();
  std::string first;
  if (shown != pictures.end()) {
    first = figures_html({shown->figure});
    pictures.erase(shown);
  }
  if (!courses.empty()) first += figures_with_one_legend(courses);
  std::vector<Figure> others;
  for (Picture& picture : pictures) others.push_back(std::move(picture.figure));
  return {{inspection.of_logs ? "What the model leaves over" : "The disturbances", first},
          checks,
          {"More pictures", figures_html(others)}};
}

}  // namespace

std::string inspection_page(const InspectionReport& inspection) {
  Page page;
  page.title = "Inspection" + (inspection.problem.empty() ? "" : ": " + inspection.problem);
  page.subtitle = (inspection.of_logs
                       ? count_text(inspection.disturbances.rows(), "innovation", "innovations")
                       : count_text(inspection.disturbances.rows(), "trajectory", "trajectories")) +
                  " of " + count_text(inspection.disturbances.cols(), "number", "numbers");
  page.lead = lead(inspection);
  page.sections = sections_of(inspection);
  page.data = inspection.record;
  return page_html(page);
}

}  // namespace loopcert::report
