#include "workflow/limits_report.hpp"

#include "certificate/record_json.hpp"
#include "core/json.hpp"
#include "system/unseen.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

json numbers(const Vector& all, Index first, Index count) {
  if (all.size() == 0) return nullptr;
  const Vector part = all.segment(first, count);
  return std::vector<double>(part.begin(), part.end());
}

json rows_to_json(const LimitsReport& report) {
  const auto of = [](const std::optional<Violations>& v) { return v ? v->rows : Vector(); };
  const Vector bounds = report.bound ? report.bound->rows : Vector();
  const bool priced = report.design && report.design->feasible;
  const Vector prices = priced ? report.design->price : Vector();
  json rows = json::array();
  Index first = 0;
  for (const LimitRow& row : report.limits.rows) {
    const Index count = row.steps();
    json tree = {{"name", row.name},
                 {"low", std::isfinite(row.low) ? json(row.low) : json()},
                 {"high", std::isfinite(row.high) ? json(row.high) : json()},
                 {"steps", {row.first, row.last}},
                 {"x", std::vector<double>(row.x.begin(), row.x.end())},
                 {"u", std::vector<double>(row.u.begin(), row.u.end())},
                 {"bounds", numbers(bounds, first, count)},
                 {"prices", numbers(prices, first, count)},
                 {"shares", numbers(of(report.on_data), first, count)},
                 {"probabilities", numbers(of(report.under_law), first, count)},
                 {"lqr_shares", numbers(of(report.lqr_on_data), first, count)},
                 {"lqr_probabilities", numbers(of(report.lqr_under_law), first, count)}};
    rows.push_back(std::move(tree));
    first += count;
  }
  return rows;
}

json limits_to_json(const LimitsReport& report, const Certificate* cost) {
  const auto episodes = [](const std::optional<Violations>& v) {
    return v ? json(v->episodes) : json();
  };
  json tree = {{"probability", report.limits.robust ? json() : json(report.limits.probability)},
               {"each", report.limits.each},
               {"robust", report.limits.robust.has_value()},
               {"rows", rows_to_json(report)},
               {"episodes",
                {{"data", episodes(report.on_data)},
                 {"lqr_data", episodes(report.lqr_on_data)},
                 {"law", episodes(report.under_law)},
                 {"lqr_law", episodes(report.lqr_under_law)}}}};
  if (report.design)
    tree["design"] = {{"cost", report.design->cost},
                      {"lower", report.design->lower},
                      {"feasible", report.design->feasible},
                      {"excess", report.design->excess},
                      {"evaluations", report.design->evaluations}};
  for (const char* key :
       {"value", "kind", "chosen", "confidence", "functional", "joint", "certificate"})
    tree[key] = nullptr;
  if (!report.bound) return tree;
  const Certificate& c = report.bound->certificate;
  tree["value"] = c.value;
  tree["kind"] = c.kind;
  if (!c.chosen.empty()) tree["chosen"] = c.chosen;
  tree["confidence"] = c.confidence;
  tree["functional"] = c.functional.id;
  tree["certificate"] = certificate_to_json(c);  // limits.json without its inputs
  if (cost)                                      // both hold together: the deltas add up
    tree["joint"] = {{"cost", cost->value},
                     {"violation", c.value},
                     {"confidence", std::max(0.0, cost->confidence + c.confidence - 1)}};
  return tree;
}

}  // namespace

SignalReport report_signals(const Problem& problem, const Response& response,
                            const Disturbances& data) {
  const Sizes sizes = problem.sizes();
  SignalReport report;
  if (problem.disturbance.law && problem.disturbance.law->shape == LawShape::gaussian)
    report = {signal_sizes(sizes, response, *problem.disturbance.law), "law"};
  else if (data.n() > 0)
    report = {signal_sizes(sizes, response, data.w), "data"};
  const Plant& plant = problem.system.plant;
  for (SignalSize& size : report.sizes)
    if (!plant.has_state() && (plant.G_x.size() == 0 || unseen_outputs(plant) > 0) &&
        size.name[0] == 'x')
      size.name[0] = 'y';
  return report;
}

std::optional<LimitsReport> report_limits(const Problem& problem, const Response& response,
                                          const Response& lqr, const Disturbances& data) {
  if (!problem.limits) return std::nullopt;
  LimitsReport report{*problem.limits, {}, {}, {}, {}, {}, {}};
  const Sizes sizes = problem.sizes();
  if (data.n() > 0) {
    report.on_data = violations_on(report.limits, sizes, response, data.w);
    report.lqr_on_data = violations_on(report.limits, sizes, lqr, data.w);
  }
  if (problem.disturbance.law) {
    report.under_law = violations_under(report.limits, sizes, response, *problem.disturbance.law);
    report.lqr_under_law = violations_under(report.limits, sizes, lqr, *problem.disturbance.law);
  }
  return report;
}

void add_limits(json& record, const std::optional<LimitsReport>& limits,
                const SignalReport& signals, const Certificate* cost) {
  record["limits"] = limits ? limits_to_json(*limits, cost) : json();
  record["signals"] = json::array();
  for (const SignalSize& s : signals.sizes)
    record["signals"].push_back({{"name", s.name},
                                 {"expected", s.expected},
                                 {"rms", s.rms},
                                 {"level_95", s.level_95},
                                 {"level_99", s.level_99}});
  record["signals_from"] = signals.from.empty() ? json() : json(signals.from);
}

void add_step_time(json& record, const std::optional<StepTime>& time) {
  if (!time) return;
  record["step_time"] = time->length;
  record["time_unit"] = time->unit;
}

}  // namespace loopcert
