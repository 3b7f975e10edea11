#include <algorithm>
#include <cmath>

#include "report/frame.hpp"
#include "report/page.hpp"
#include "report/text.hpp"
#include "report/watch_report.hpp"
#include "run_sections.hpp"

namespace loopcert::report {
namespace {

std::string verdict(const WatchReport& report) {
  const std::string seen = count_text(report.n, report.counted, report.counted + "s");
  if (report.rejected_at)
    return "The claim is rejected at " + report.counted + " " +
           std::to_string(*report.rejected_at) +
           (report.cause.empty() ? "" : " (" + report.cause + ")") + ": " + report.claim + ".";
  return "The claim stands after " + seen + ": " + report.claim + ".";
}

std::vector<Point> points_of(const Vector& x, const Vector& y) {
  std::vector<Point> points;
  for (Index k = 0; k < x.size(); ++k) points.push_back({x(k), y(k)});
  return points;
}

Range range_of(const Vector& values) {
  Range range;
  for (const double value : values) range.add(value);
  return range;
}

void add_table(Figure& figure, const std::string& what, const Vector& x, const Vector& y,
               const std::string& y_name) {
  figure.table.header = {what, y_name};
  for (Index k = 0; k < x.size(); ++k)
    figure.table.rows.push_back({nice_number(x(k), 9), nice_number(y(k))});
}

Figure evidence_figure(const WatchReport& report) {
  Range y = range_of(report.course);
  y.add(1);
  y.add(report.threshold);
  const double low = std::max(y.low, 1e-3);  // what is less says nothing more
  y.low = low;
  Frame frame(linear_scale(range_of(report.number)), log_scale(y), report.counted + "s", "evidence",
              "Evidence against the claim");
  frame.horizontal(report.threshold, "c1 dash");
  frame.line(points_of(report.number, report.course.cwiseMax(low)), "c0");
  Figure figure;
  figure.legend = {{Key::line, "c0", "evidence against the claim", 0},
                   {Key::dashed, "c1", "rejects: " + nice_number(report.threshold), 0}};
  add_table(figure, report.counted, report.number, report.course, "evidence");
  figure.svg = frame.finish();
  return titled(figure, "Evidence",
                "What a bettor against the claim would hold who began with 1, and bet at every "
                "time at which a change may have begun.");
}

Figure costs_figure(const WatchReport& report) {
  Range y = range_of(report.most);
  for (const double value : report.mean) y.add(value);
  y.add(*report.claimed);
  y.add(0);
  Frame frame(linear_scale(range_of(report.number)), linear_scale(y), report.counted + "s", "cost",
              "Costs as they came");
  for (Index k = 0; k < report.number.size(); ++k)
    frame.marker({report.number(k), report.most(k)}, 0, report.number.size() > 200 ? 1.6 : 2.6,
                 "c0 open", nice_number(report.number(k), 9) + ": " + nice_number(report.most(k)));
  const Index window = std::max<Index>(1, report.number.size() / 12);
  Vector moving(report.mean.size());
  for (Index k = 0; k < moving.size(); ++k) {
    const Index from = std::max<Index>(0, k + 1 - window);
    moving(k) = report.mean.segment(from, k + 1 - from).mean();
  }
  frame.line(points_of(report.number, moving), "c2");
  frame.horizontal(*report.claimed, "c1 dash");
  Figure figure;
  figure.legend = {{Key::marker, "c0 open", "costs", 0},
                   {Key::line, "c2", "mean of the last " + std::to_string(window), 0},
                   {Key::dashed, "c1", "claimed mean " + nice_number(*report.claimed), 0}};
  add_table(figure, report.counted, report.number, report.mean, "mean cost");
  figure.svg = frame.finish();
  return titled(figure, "Costs", "");
}

}  // namespace

std::string watch_page(const WatchReport& report) {
  Page page;
  page.title = "A watch";
  page.subtitle = count_text(report.n, report.counted, report.counted + "s");
  page.lead = lead_html(
      paragraph(verdict(report), report.rejected_at ? "verdict plain" : "verdict good") +
          paragraph(report.false_alarms),
      card(nice_number(report.largest),
           "largest evidence so far; " + nice_number(report.threshold) + " rejects", "card main") +
          card(nice_number(report.evidence), "evidence now") +
          card(std::to_string(report.n), report.counted + "s"));
  std::vector<Figure> figures;
  if (report.number.size() > 1) {
    figures.push_back(evidence_figure(report));
    if (report.claimed) figures.push_back(costs_figure(report));
  }
  std::string body =
      figures.empty() ? paragraph("This call saw too little to draw.") : figures_html(figures);
  if (report.before > 0)
    body +=
        paragraph("Not drawn: " + count_text(report.before, report.counted, report.counted + "s") +
                      " that earlier calls saw, of which the state remembers the evidence alone.",
                  "note");
  page.sections = {{"As it went", body}};
  page.data = report.record;
  return page_html(page);
}

}  // namespace loopcert::report
