#include "report/identification_report.hpp"

#include <algorithm>
#include <cmath>

#include "report/page.hpp"
#include "report/statistics.hpp"
#include "report/text.hpp"
#include "run_sections.hpp"

namespace loopcert::report {
namespace {

constexpr size_t coefficient_limit = 60;
constexpr size_t prediction_limit = 4;
constexpr Index quantile_limit = 20000;  // innovations in a plot

Section estimate_section(const IdentificationReport& report) {
  DataTable table{{"signal", "from", "estimate", "at least", "at most"}, {}, {}};
  for (size_t i = 0; i < std::min(report.coefficients.size(), coefficient_limit); ++i) {
    const IdentificationReport::Coefficient& c = report.coefficients[i];
    table.rows.push_back({c.row, c.column, nice_number(c.estimate),
                          nice_number(c.estimate - c.radius), nice_number(c.estimate + c.radius)});
  }
  DataTable noise{{"", "estimate of the variance", "at most"}, {}, {}};
  for (Index i = 0; i < report.noise.rows(); ++i)
    noise.rows.push_back({"innovation " + std::to_string(i), nice_number(report.noise(i, i)),
                          nice_bound(report.noise_bound(i, i))});
  std::string body =
      paragraph("All intervals and the bound on the noise hold together with probability " +
                    percent(report.confidence) + ", if the assumptions hold. " + report.excitation,
                "note") +
      table_html(table);
  if (report.coefficients.size() > coefficient_limit)
    body += paragraph("The other coefficients are in identification.json.");
  return {"What is known of the " + report.subject, body + table_html(noise)};
}

// What the estimate says against what was logged: the first thing to look at.
Section predictions_section(const IdentificationReport& report) {
  std::vector<Figure> figures;
  for (size_t i = 0; i < std::min(report.predictions.size(), prediction_limit); ++i) {
    const IdentificationReport::Prediction& p = report.predictions[i];
    const Vector steps =
        Vector::LinSpaced(p.logged.size(), 1, static_cast<double>(p.logged.size()));
    SeriesPlot plot{{{"logged", steps, p.logged, false}, {"predicted", steps, p.predicted, true}},
                    {},
                    report.axis.step > 0 ? report.axis.label() : "transition of the first log",
                    p.name};
    if (report.axis.step > 0) plot.axis = report.axis;
    figures.push_back(
        titled(series_plot(plot), "One step ahead: " + p.name,
               "What was logged first, and what the estimate says from the steps before."));
  }
  figures.push_back(titled(pole_plot(report.poles), "Poles of the " + report.subject,
                           "Of the estimate, and of plants on the edge of the set that move each "
                           "pole far: the true pole may lie there."));
  return {"The model against the logs", figures_html(figures)};
}

// How large the innovations are, each in its unit.
std::string innovations_table(const IdentificationReport& report) {
  if (report.innovations.rows() < 2) return "";
  DataTable table{{"innovation", "rms", "99 % level", "maximum"}, {}, {}};
  for (Index i = 0; i < report.innovations.cols(); ++i) {
    std::vector<double> sizes;
    for (const double v : report.innovations.col(i)) sizes.push_back(std::abs(v));
    std::sort(sizes.begin(), sizes.end());
    table.rows.push_back({"innovation " + std::to_string(i),
                          nice_number(report.innovations.col(i).norm() /
                                      std::sqrt(static_cast<double>(report.innovations.rows()))),
                          nice_number(quantile(sizes, 0.99)), nice_number(sizes.back())});
  }
  return "<h3>What the model leaves over</h3>" + table_html(table);
}

std::string pictures(const IdentificationReport& report) {
  std::vector<Figure> figures;
  if (report.lag_mean.size() > 0) {
    const Index lags = report.lag_mean.size();
    const Series series{"mean correlation", Vector::LinSpaced(lags, 1, static_cast<double>(lags)),
                        report.lag_mean, true};
    figures.push_back(
        titled(series_plot({{series}, report.lag_band, "lag in steps", "correlation"}),
               "Are the innovations white?",
               "Correlation of what the model leaves over with itself some steps later. White "
               "noise stays in the band at each lag with probability about 99 %."));
  }
  if (report.innovations.rows() > 1 && report.innovations.rows() <= quantile_limit)
    figures.push_back(titled(normal_quantiles(report.innovations), "Are they Gaussian?",
                             "Each innovation minus its mean over its standard deviation, pooled. "
                             "Points off the line in the tails are not Gaussian."));
  return figures.empty() ? "" : figures_html(figures);
}

Section checks_section(const IdentificationReport& report) {
  std::string warnings;
  for (const std::string& warning : report.warnings) warnings += paragraph(warning, "warn");
  DataTable table{{"check", "verdict", "assumption", "p-value", "found", "what to do"}, {}, {}};
  for (const InspectionReport::Check& c : report.checks)
    table.rows.push_back({c.name, c.verdict, c.assumption,
                          c.p_value ? nice_number(*c.p_value, 2) : "–", c.meaning, c.advice});
  return {
      "What the data say against the model",
      warnings +
          paragraph("Data can contradict a model, never prove it. Below 0.01 a check is doubtful, "
                    "below 0.0001 contradicted.") +
          "<div class=\"words\">" + table_html(table) + "</div>" + innovations_table(report) +
          pictures(report),
      "against"};
}

Section forecasts_section(const IdentificationReport& report) {
  DataTable table{{"logs", "transitions", "width of every interval"}, {}, {}};
  const bool certified = report.subject == "plant";
  if (certified) table.header.push_back("certificate");
  const auto add = [&](const std::string& logs, double transitions, double width,
                       const std::optional<double>& certificate) {
    table.rows.push_back({logs, nice_number(transitions, 8), nice_number(width, 3)});
    if (certified) table.rows.back().push_back(certificate ? nice_bound(*certificate) : "none yet");
  };
  const double now = report.record.value("transitions", 0.0);
  add("these", now, 1, report.certificate);
  for (const IdentificationReport::Forecast& f : report.forecasts)
    add(f.logs, f.transitions, f.width, f.certificate);
  return {"What more logs would bring",
          paragraph(std::string("A forecast for logs like these. ") +
                    (certified ? "The certificate is that of the controller of the estimate" +
                                     std::string(report.per_step ? ", for a step." : ".")
                               : "")) +
              table_html(table)};
}

}  // namespace

std::string identification_page(const IdentificationReport& report) {
  Page page;
  page.title = "Identification" + (report.problem.empty() ? "" : ": " + report.problem);
  page.subtitle = report.logs;
  std::string words = paragraph(
      "With probability at least " + percent(report.confidence) +
          " over the draw of the logs, all " +
          count_text(static_cast<long>(report.coefficients.size()), "coefficient", "coefficients") +
          " of the " + report.subject +
          " lie in their intervals, if the assumptions hold. Tests of them: " + report.counts + ".",
      report.warnings.empty() ? "verdict good" : "verdict plain");
  words += warnings_in_short(report.warnings);
  double slowest = 0;
  for (const PolePlace& pole : report.poles) slowest = std::max(slowest, std::abs(pole.at));
  std::string cards;
  if (report.certificate)
    cards += card(nice_bound(*report.certificate),
                  "certified cost" + std::string(report.per_step ? " of a step" : "") +
                      " of the estimate's controller, confidence " + percent(report.confidence),
                  "card main");
  if (!report.poles.empty())
    cards += card(nice_number(slowest), "modulus of the slowest pole of the estimate");
  page.lead = lead_html(words, cards);
  page.sections = {predictions_section(report), estimate_section(report), checks_section(report),
                   forecasts_section(report)};
  page.data = report.record;
  return page_html(page);
}

}  // namespace loopcert::report
