#include "report/identification_report.hpp"

#include <algorithm>

#include "report/page.hpp"
#include "report/text.hpp"

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
                percent(report.confidence) + ", if the assumptions hold. " + report.excitation) +
      table_html(table);
  if (report.coefficients.size() > coefficient_limit)
    body += paragraph("The other coefficients are in identification.json.");
  return {"Coefficients", body + table_html(noise)};
}

Section checks_section(const IdentificationReport& report) {
  DataTable table{{"check", "verdict", "assumption", "p-value", "found", "what to do"}, {}, {}};
  for (const InspectionReport::Check& c : report.checks)
    table.rows.push_back({c.name, c.verdict, c.assumption,
                          c.p_value ? nice_number(*c.p_value, 2) : "–", c.meaning, c.advice});
  return {"Does the model hold?",
          paragraph("Data can contradict a model, never prove it. Below 0.01 a check is doubtful, "
                    "below 0.0001 contradicted.") +
              "<div class=\"words\">" + table_html(table) + "</div>"};
}

Section pictures_section(const IdentificationReport& report) {
  std::vector<Figure> figures;
  for (size_t i = 0; i < std::min(report.predictions.size(), prediction_limit); ++i) {
    const IdentificationReport::Prediction& p = report.predictions[i];
    const Vector steps =
        Vector::LinSpaced(p.logged.size(), 1, static_cast<double>(p.logged.size()));
    figures.push_back(titled(
        series_plot({{{"logged", steps, p.logged, false}, {"predicted", steps, p.predicted, true}},
                     {},
                     "transition of the first log",
                     p.name}),
        "One step ahead: " + p.name,
        "What was logged, and what the estimate says from the steps before."));
  }
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
  figures.push_back(titled(pole_plot(report.poles), "Poles of the " + report.subject,
                           "Of the estimate, and of plants on the edge of the set that move each "
                           "pole far: the true pole may lie there."));
  if (report.innovations.rows() > 1 && report.innovations.rows() <= quantile_limit)
    figures.push_back(titled(normal_quantiles(report.innovations), "Are they Gaussian?",
                             "Each innovation minus its mean over its standard deviation, pooled. "
                             "Points off the line in the tails are not Gaussian."));
  return {"Pictures", figures_html(figures)};
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
  page.lead = paragraph("The " + report.subject + " from its logs: " + report.counts + ".",
                        report.warnings.empty() ? "verdict good" : "verdict plain");
  for (const std::string& warning : report.warnings) page.lead += paragraph(warning, "warn");
  page.sections = {estimate_section(report), pictures_section(report), checks_section(report),
                   forecasts_section(report)};
  page.data = report.record;
  return page_html(page);
}

}  // namespace loopcert::report
