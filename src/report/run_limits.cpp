// Limits: how surely they hold, how often they are broken, what each of them costs.
#include <algorithm>

#include "loopcert/core/rounded.hpp"
#include "report/figure.hpp"
#include "report/plots.hpp"
#include "report/text.hpp"
#include "run_sections.hpp"

namespace loopcert::report {
namespace {

constexpr size_t row_figures = 6;  // limits with a picture of their own

constexpr double nothing = 1e-6;  // a price so much below the largest is the solver's rounding

using Row = LimitsFacts::Row;

// A share that was measured, and one that is certified: rounded up.
std::string share_text(double share) { return nice_number(100 * share, 3) + "\u00a0%"; }
std::string bound_share(double bound) {
  return nice_number(100 * std::min(1.0, rounded_up(bound))) + "\u00a0%";
}

std::string share_text(const std::optional<double>& share) {
  return share ? share_text(*share) : "–";
}

double worst_of(const Vector& values) { return values.size() > 0 ? values.maxCoeff() : 0; }

std::string largest_text(const Vector& values) {
  return values.size() > 0 ? share_text(values.maxCoeff()) : "–";
}

std::string allowed(const Row& row) {
  if (row.low && row.high) return "[" + nice_number(*row.low) + ", " + nice_number(*row.high) + "]";
  if (row.low) return "≥ " + nice_number(*row.low);
  return row.high ? "≤ " + nice_number(*row.high) : "–";
}

// How often LQR breaks a limit: what the limits were stated for.
std::string lqr_sentence(const LimitsFacts& l) {
  const bool law = l.lqr_law.has_value();
  const std::optional<double>& share = law ? l.lqr_law : l.lqr_data;
  if (!share) return "";
  return " " + at_start(l.reference) + " breaks a limit in " + share_text(*share) +
         " of the episodes" + (law ? ", under the problem's law." : ", on the data.");
}

// What the certificate says, without its confidence.
std::string claim(const LimitsFacts& l, double value) {
  if (!l.asked)
    return value > 0 ? "it is not shown that every disturbance of the stated set keeps all limits"
                     : "no disturbance of the stated set breaks a limit";
  return l.each ? "each limit is broken at each step with probability at most " + bound_share(value)
                : "a limit is broken in at most " + bound_share(value) + " of the episodes";
}

bool kept(const LimitsFacts& l) {
  return l.certificate && l.certificate->value <= l.asked.value_or(0);
}

std::string limits_statement(const RunReport& run) {
  const LimitsFacts& l = *run.limits;
  if (!l.certificate)
    return "Limits: nothing here certifies how surely they hold" +
           std::string(run.certificate ? "." : ": with certificate best it would be.");
  const CertificateFacts& c = *l.certificate;
  std::string text = "Limits: ";
  text += c.events.empty() ? claim(l, c.value)
                           : "with probability at least " + percent(c.confidence) +
                                 " over the draw of the data, " + claim(l, c.value);
  text += ", if the assumptions below hold.";
  if (l.asked)
    text += kept(l) ? " Asked for: " + share_text(*l.asked) + "."
                    : " That is more than the " + share_text(*l.asked) +
                          " that were asked for: the data do not show that the limits are kept.";
  return text;
}

std::string episodes_table(const LimitsFacts& l) {
  if (!l.law && !l.data) return "";
  DataTable table{{"episodes with a violation", "this controller", l.reference}, {}, {}};
  if (l.certificate && l.asked && !l.each)
    table.rows.push_back({"certified, at most", bound_share(l.certificate->value), "–"});
  if (l.asked && !l.each) table.rows.push_back({"asked for, at most", share_text(*l.asked), "–"});
  if (l.law)
    table.rows.push_back({"under the problem's law", share_text(l.law), share_text(l.lqr_law)});
  if (l.data) table.rows.push_back({"on the data", share_text(l.data), share_text(l.lqr_data)});
  return table_html(table);
}

Figure episodes_figure(const LimitsFacts& l) {
  std::vector<Part> parts;
  const auto add = [&](const std::string& name, const std::optional<double>& law,
                       const std::optional<double>& data) {
    if (law) parts.push_back({name, 100 * *law, "under the problem's law"});
    if (data) parts.push_back({name, 100 * *data, "on the data"});
  };
  if (l.certificate && l.asked && !l.each)
    parts.push_back(
        {"this controller, at most", 100 * rounded_up(l.certificate->value), "certified"});
  add("this controller", l.law, l.data);
  add(l.reference, l.lqr_law, l.lqr_data);
  if (l.asked && !l.each) parts.push_back({"asked for, at most", 100 * *l.asked, "asked for"});
  Figure figure = bars(parts, "% of the episodes break a limit");
  figure.title = "Episodes in which a limit is broken";
  figure.caption =
      "In percent. Data that a controller was learned from show fewer violations than it will "
      "have.";
  return figure;
}

// Columns that nothing is known of are left out: the table must fit on a page.
std::string limits_table(const LimitsFacts& l) {
  const auto any = [&](Vector(Row::*values)) {
    return std::any_of(l.rows.begin(), l.rows.end(),
                       [&](const Row& row) { return (row.*values).size() > 0; });
  };
  struct Column {
    std::string name;
    Vector Row::*values;
  };
  std::vector<Column> columns;
  const auto column = [&](const std::string& name, Vector(Row::*values)) {
    if (any(values)) columns.push_back({name, values});
  };
  column("certified", &Row::bounds);
  column("under the law", &Row::probabilities);
  column("on the data", &Row::shares);
  column(at_start(l.reference) + (any(&Row::lqr_probabilities) ? ", law" : ", data"),
         any(&Row::lqr_probabilities) ? &Row::lqr_probabilities : &Row::lqr_shares);
  double dearest = 0;
  for (const Row& row : l.rows) dearest = std::max(dearest, row.prices.sum());
  DataTable table{{"limit", "allowed", "steps"}, {}, {}};
  for (const Column& c : columns) table.header.emplace_back(c.name);
  if (any(&Row::prices)) table.header.emplace_back("1 % wider saves");
  for (const Row& row : l.rows) {
    table.rows.push_back({row.name, allowed(row),
                          row.always ? "every"
                          : row.first == row.last
                              ? std::to_string(row.first)
                              : std::to_string(row.first) + "–" + std::to_string(row.last)});
    std::vector<std::string>& cells = table.rows.back();
    for (const Column& c : columns)
      cells.push_back(c.values == &Row::bounds && row.bounds.size() > 0
                          ? bound_share(row.bounds.maxCoeff())
                          : largest_text(row.*c.values));
    if (any(&Row::prices))
      cells.push_back(row.prices.size() == 0 ? "–"
                      : row.prices.sum() > nothing * dearest
                          ? nice_number(row.prices.sum() / 100, 3)
                          : "0");
  }
  return paragraph(
             "Each limit at its worst step: the probability that it is broken there." +
             std::string(any(&Row::prices)
                             ? " Its price is what the cost would fall by if the limit were 1 % "
                               "wider; 0 means that it does not matter."
                             : "")) +
         table_html(table);
}

// How bad the worst step of a limit is, by whatever is known of it.
double risk_of(const Row& row) {
  return std::max({worst_of(row.probabilities), worst_of(row.shares), worst_of(row.bounds),
                   worst_of(row.lqr_probabilities), worst_of(row.lqr_shares)});
}

Figure steps_figure(const RunReport& run, const Row& row) {
  const LimitsFacts& l = *run.limits;
  ViolationPlot plot;
  plot.first = row.first;
  plot.axis = run.axis;
  plot.target = l.asked;
  plot.target_name = l.each ? "asked for" : "asked for, all limits and steps together";
  const auto add = [&](const std::string& name, const Vector& values, bool bound = false) {
    if (values.size() > 0) plot.series.push_back({name, values, bound});
  };
  // What an episode's bound says of every row is no news beside what was asked for.
  const bool news = l.each || !l.certificate || (row.bounds.array() < l.certificate->value).any();
  if (news) add("certified, at most", row.bounds, true);
  add("under the law", row.probabilities);
  add("on the data", row.shares);
  const bool law = row.lqr_probabilities.size() > 0;
  add(at_start(l.reference) + (law ? ", under the law" : ", on the data"),
      law ? row.lqr_probabilities : row.lqr_shares);
  return titled(
      violation_plot(plot), row.name + (row.low && row.high ? " in " : " ") + allowed(row),
      "How often this limit is broken at each step. On a logarithmic axis what never "
      "happens is not drawn, and what happens in less than 0.0001 % is drawn at its lower end.");
}

std::string step_figures(const RunReport& run) {
  const LimitsFacts& l = *run.limits;
  std::vector<const Row*> rows;
  for (const Row& row : l.rows)
    if (!row.always && row.probabilities.size() + row.shares.size() + row.bounds.size() > 0)
      rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row* a, const Row* b) { return risk_of(*a) > risk_of(*b); });
  const bool more = rows.size() > row_figures;
  if (more) rows.resize(row_figures);
  std::vector<Figure> figures;
  for (const Row* row : rows) figures.push_back(steps_figure(run, *row));
  if (figures.empty()) return "";
  return (more ? paragraph("Pictures of the " + std::to_string(row_figures) +
                               " limits that are broken most often.",
                           "note")
               : "") +
         figures_html(figures);
}

}  // namespace

std::string best_under_limits(const RunReport& run) {
  if (!run.limits || is_identified(run)) return "";  // there it is that of any gains
  return run.limits->asked && !run.limits->each
             ? " and keeps each limit with an equal share of the probability"
             : " and keeps the limits";
}

std::string limits_lead(const RunReport& run) {
  if (!run.limits) return "";
  const LimitsFacts& l = *run.limits;
  return paragraph(limits_statement(run) + lqr_sentence(l),
                   kept(l) ? "verdict good" : "verdict plain");
}

std::string limits_cards(const RunReport& run) {
  if (!run.limits) return "";
  const LimitsFacts& l = *run.limits;
  std::string out;
  if (l.certificate && l.asked)
    out += card("≤ " + bound_share(l.certificate->value),
                std::string(l.each ? "certified probability of each limit at each step, confidence "
                                   : "of the episodes break a limit, certified, confidence ") +
                    percent(l.certificate->confidence),
                "card main");
  return out;
}

Section limits_section(const RunReport& run) {
  const LimitsFacts& l = *run.limits;
  std::string body;
  if (l.law || l.data)
    body += "<div class=\"grid\">" + figure_html(episodes_figure(l)) + "<div>" + episodes_table(l) +
            "</div></div>";
  if (l.together && l.certificate && run.certificate)
    body += paragraph(
        "Cost and limits together: with probability at least " + percent(*l.together) +
        " over the draw of the data, the expected cost is at most " +
        nice_bound(run.certificate->value) + ", and " + claim(l, l.certificate->value) + ".");
  body += paragraph(
      "All of this is about the controller without clipping. If an actuator cuts its input off, "
      "the plant sees other inputs: the limits on inputs then hold, the costs and the limits on "
      "states are no longer those stated here.",
      "note");
  body += limits_table(l) + step_figures(run);
  if (!l.certificate) return {"Limits", body};
  const CertificateFacts& c = *l.certificate;
  body += "<h3>What the certificate of the limits assumes</h3>" + assumption_list(c) +
          paragraph("Kind: " + c.kind + (c.chosen.empty() ? "" : ", chosen " + c.chosen) +
                    ". Confidence " + nice_number(rounded_confidence(c.confidence), 12) + ".");
  if (!c.events.empty())
    body += "<h3>It holds unless one of these events fails</h3>" + event_table(c);
  return {"Limits", body};
}

}  // namespace loopcert::report
