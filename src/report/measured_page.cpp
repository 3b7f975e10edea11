#include "report/measured_report.hpp"

#include <algorithm>
#include <cmath>

#include "report/frame.hpp"
#include "report/page.hpp"
#include "report/statistics.hpp"
#include "report/text.hpp"
#include "run_sections.hpp"

namespace loopcert::report {
namespace {

constexpr Index most_points = 600;

using Bounds = MeasuredReport::Bounds;

const CertificateFacts& certificate_of(const MeasuredReport& report) {
  return report.certified.certificate.value();
}

std::string less_or_more(double change, const std::string& unit) {
  return (change < 0 ? "at least " + nice_number(-rounded_up(change)) + unit + " less"
                     : "at most " + nice_bound(change) + unit + " more");
}

std::string statement(const MeasuredReport& report) {
  const CertificateFacts& c = certificate_of(report);
  std::string text = "With probability at least " + percent(c.confidence) +
                     " over the draw of the " + (report.paired ? "pairs" : "episodes") + ", ";
  if (report.bounds == Bounds::cost)
    text += "the expected cost of an episode is at most " + nice_bound(c.value);
  else if (report.bounds == Bounds::ratio)
    text += "the expected cost is at most " + nice_bound(c.value) +
            " times that of the controller compared with, " +
            less_or_more(100 * (c.value - 1), " %");
  else
    text += "the expected cost minus that of the controller compared with is at most " +
            nice_bound(c.value) + ": it costs " + less_or_more(c.value, "");
  return text + ", if the assumptions below hold.";
}

bool is_shown_better(const MeasuredReport& report) {
  const double value = certificate_of(report).value;
  return report.bounds == Bounds::cost || value < (report.bounds == Bounds::ratio ? 1.0 : 0.0);
}

std::string mean_text(const Vector& costs) {
  const Summary s = summarize({costs.begin(), costs.end()});
  return nice_number(s.mean) + " ± " +
         nice_number(s.standard_deviation / std::sqrt(static_cast<double>(s.count)), 2);
}

std::string lead(const MeasuredReport& report) {
  const CertificateFacts& c = certificate_of(report);
  std::string words =
      paragraph(statement(report), is_shown_better(report) ? "verdict good" : "verdict plain");
  std::string cards =
      card(nice_bound(c.value),
           std::string(report.bounds == Bounds::cost    ? "certified cost"
                       : report.bounds == Bounds::ratio ? "certified ratio of the costs"
                                                        : "certified difference of the costs") +
               ", confidence " + percent(c.confidence),
           "card main") +
      card(mean_text(report.costs), "mean cost and its standard error");
  if (report.against.size() > 0)
    cards += card(mean_text(report.against), "of the controller compared with");
  if (report.limits) {
    const std::string bound =
        nice_number(100 * std::min(1.0, rounded_up(report.limits->value))) + "\u00a0%";
    words += paragraph("Limits: with probability at least " + percent(report.limits->confidence) +
                           (report.each ? ", the worst limit is broken at a step with probability "
                                          "at most "
                                        : ", a limit is broken in at most ") +
                           bound + (report.each ? "." : " of the episodes."),
                       "verdict plain");
    cards += card("≤ " + bound, "certified share of broken limits", "card main");
    cards += card(std::to_string(report.broken) + " of " + std::to_string(report.costs.size()),
                  "episodes broke a limit");
  }
  return lead_html(words + warnings_in_short(report.certified.warnings), cards);
}

// In the order recorded: a trend or a jump contradicts episodes of one law. Of many the largest of
// each stretch.
Figure order_figure(const MeasuredReport& report) {
  SeriesPlot plot{{}, {}, "episode", "cost"};
  const auto add = [&](const std::string& name, const Vector& costs) {
    const Index count = std::min(costs.size(), most_points);
    Series series{name, Vector(count), Vector(count), false};
    for (Index k = 0; k < count; ++k) {
      const Index from = k * costs.size() / count, to = (k + 1) * costs.size() / count;
      Index at = 0;
      series.y(k) = costs.segment(from, to - from).maxCoeff(&at);
      series.x(k) = static_cast<double>(from + at + 1);
    }
    plot.series.push_back(std::move(series));
  };
  add("this controller", report.costs);
  if (report.against.size() > 0) add("compared with", report.against);
  const auto line = [&](const std::string& name, double value) {
    const Vector ends{{1.0, static_cast<double>(report.costs.size())}};
    plot.series.push_back(
        {name + " " + nice_number(value), ends, Vector::Constant(2, value), true});
  };
  line("mean", report.costs.mean());
  if (report.against.size() > 0) line("mean compared with", report.against.mean());
  if (report.bounds == Bounds::cost) line("certified", rounded_up(certificate_of(report).value));
  return titled(series_plot(plot), "In the order recorded",
                "A trend or a jump here contradicts episodes of one law.");
}

// The share of episodes that cost more.
Figure shares_figure(const MeasuredReport& report) {
  Range x, y;
  std::vector<std::pair<std::string, std::vector<Point>>> curves;
  const auto add = [&](const std::string& name, const Vector& costs) {
    std::vector<double> sorted(costs.begin(), costs.end());
    std::sort(sorted.begin(), sorted.end());
    const size_t stride = std::max<size_t>(1, sorted.size() / most_points);
    std::vector<Point> points;
    for (size_t k = 0; k < sorted.size(); k += stride) {
      points.push_back(
          {sorted[k], 100 * (1 - static_cast<double>(k) / static_cast<double>(sorted.size()))});
      x.add(points.back().x);
      y.add(points.back().y);
    }
    curves.emplace_back(name, std::move(points));
  };
  add("this controller", report.costs);
  if (report.against.size() > 0) add("compared with", report.against);
  Frame frame(linear_scale(x), log_scale(y), "cost", "% of the episodes cost at least so much",
              "Share of episodes that cost at least so much");
  Figure figure;
  figure.table.header = {"what", "cost", "% cost at least so much"};
  for (size_t i = 0; i < curves.size(); ++i) {
    const std::string css = colour_class(static_cast<int>(i));
    frame.line(curves[i].second, css);
    for (const Point& p : curves[i].second)
      figure.table.rows.push_back({curves[i].first, nice_number(p.x), nice_number(p.y, 3)});
    if (curves.size() > 1) figure.legend.push_back({Key::line, css, curves[i].first, 0});
  }
  figure.svg = frame.finish();
  return titled(figure, "How dear episodes are", "");
}

std::string costs_table(const MeasuredReport& report) {
  DataTable table{
      {"costs", "episodes", "mean", "standard error", "median", "rms", "99 % level", "maximum"},
      {},
      {}};
  const auto add = [&](const std::string& name, const Vector& costs) {
    std::vector<double> sorted(costs.begin(), costs.end());
    std::sort(sorted.begin(), sorted.end());
    const Summary s = summarize(sorted);
    const auto n = static_cast<double>(s.count);
    table.rows.push_back({name, std::to_string(s.count), nice_number(s.mean),
                          nice_number(s.standard_deviation / std::sqrt(n), 2),
                          nice_number(s.median), nice_number(costs.norm() / std::sqrt(n)),
                          nice_number(quantile(sorted, 0.99)), nice_number(sorted.back())});
  };
  add("this controller", report.costs);
  if (report.against.size() > 0) add("compared with", report.against);
  if (report.paired) add("difference of a pair", report.costs - report.against);
  return table_html(table);
}

Section costs_section(const MeasuredReport& report) {
  std::vector<Figure> figures = {order_figure(report), shares_figure(report)};
  if (report.paired) {
    const Vector difference = report.costs - report.against;
    const Index count = std::min(difference.size(), most_points);
    const Vector at = Vector::LinSpaced(count, 0, static_cast<double>(difference.size() - 1));
    Series series{"pair", at.array() + 1, Vector(count), false};
    for (Index k = 0; k < count; ++k) series.y(k) = difference(static_cast<Index>(at(k)));
    figures.push_back(titled(series_plot({{series}, {}, "pair", "difference"}), "Pair by pair",
                             "Below zero this controller cost less on the same disturbances."));
  }
  return {"Measured costs", figures_html(figures) + costs_table(report)};
}

Section limits_of(const MeasuredReport& report) {
  DataTable table{{"limit", "episodes that break it", "share"}, {}, {}};
  const auto n = static_cast<double>(report.costs.size());
  const auto add = [&](const std::string& name, Index count) {
    table.rows.push_back(
        {name, std::to_string(count), nice_number(100 * static_cast<double>(count) / n, 3) + " %"});
  };
  for (const auto& [name, count] : report.rows) add(name, count);
  add("any of them", report.broken);
  return {"Limits", table_html(table) + "<h3>What the certificate of the limits assumes</h3>" +
                        assumption_list(*report.limits) + event_table(*report.limits)};
}

}  // namespace

std::string measured_page(const MeasuredReport& report) {
  Page page;
  page.title = "Measured costs";
  page.subtitle = (report.paired ? count_text(report.costs.size(), "pair", "pairs")
                                 : count_text(report.costs.size(), "episode", "episodes")) +
                  (report.against.size() > 0 && !report.paired
                       ? ", compared with " + std::to_string(report.against.size())
                       : "") +
                  " · no model";
  page.lead = lead(report);
  page.sections = {costs_section(report)};
  if (report.limits) page.sections.push_back(limits_of(report));
  page.sections.push_back(certificate_section(report.certified));
  page.sections.push_back(against_section(report.certified));
  page.sections.push_back({"Details", certificate_details(report.certified)});
  page.data = report.certified.record;
  return page_html(page);
}

}  // namespace loopcert::report
