// The rule of docs/theory/portfolio.md: shares depend on method, problem and n, never on the data.
#include "portfolio.hpp"

#include <cmath>
#include <map>

namespace verify {
namespace {

struct Premises {
  bool gaussian, zero_mean, scale, white, known, offset;
  long n, n_x, d_w;
};

Premises premises_of(const Record& record, const Controller& controller, long n) {
  const Problem& p = record.problem;
  const json& d = need(p.tree, "disturbance", record.file);
  if (d.contains("radius") || d.contains("kurtosis"))
    throw Undecided{"kind 'best' with radius or kurtosis is not supported yet"};
  bool offset = p.constant();
  if (record.inputs.contains("controller")) {
    offset = p.has_offset;
    for (const double k : controller.k.values) offset = offset || k != 0;
  }
  const bool zero_mean = flag_at(d, "zero_mean", record.file);
  return {text_at(d, "model", record.file) == "gaussian",
          zero_mean,
          d.contains("scale_bound"),
          flag_at(d, "white", record.file),
          d.contains("covariance_bound"),
          offset,
          n,
          p.n_x,
          p.d_w()};
}

std::vector<std::string> fixed_kinds(const Premises& p, const std::string& prefix) {
  std::vector<std::string> kinds;
  if (!p.gaussian || p.n < 1) return kinds;
  const bool centred = p.zero_mean;
  if (!(centred && !p.offset)) kinds.push_back(prefix + "-scale-free");
  if (centred && !p.offset) kinds.push_back(prefix + "-chi-square");
  if (centred && p.scale) kinds.push_back(prefix);
  if (centred && p.n > p.d_w) kinds.push_back(prefix + "-relative");
  if (centred && p.white && p.n > p.n_x) kinds.push_back(prefix + "-white");
  if (centred && p.known) kinds.push_back(prefix + "-known");
  return kinds;
}

std::vector<std::string> posterior_kinds(const Premises& p, bool sampled) {
  std::vector<std::string> kinds;
  if (!p.gaussian || p.n < 2) return kinds;
  if (p.scale && p.n >= 3) kinds.push_back("data-driven-mean");
  if (!p.zero_mean) return kinds;
  if (p.scale) {
    kinds.insert(kinds.end(), {"data-driven-rank-aware", "scale"});
    if (sampled) kinds.insert(kinds.end(), {"data-driven-exact", "scale-exact"});
    if (p.n > p.d_w) kinds.push_back("one-sided");
  }
  if (p.n > p.d_w) kinds.push_back("relative");
  if (p.white && p.n > p.n_x) kinds.push_back("white");
  if (p.known) kinds.push_back("known-covariance");
  return kinds;
}

struct Family {
  double share;
  std::vector<std::string> kinds;
};

std::vector<Family> families(const Record& record, const Controller& controller, long n) {
  const Premises all = premises_of(record, controller, n);
  if (record.inputs.contains("controller")) return {{1, fixed_kinds(all, "hold-out")}};
  if (record.inputs.contains("posterior")) return {{1, posterior_kinds(all, true)}};
  const json& folds = need(record.problem.tree, "certificate.folds", record.file);
  if (!folds.is_number_integer() || folds < 2 || folds > n)
    throw Refuted{"certificate.folds: not from 2 to n"};
  Premises fold = all;
  fold.n = n / folds.get<long>();
  const bool lqr_allowed = !record.problem.constant() || record.problem.affine;
  const std::vector<std::string> posterior =
      lqr_allowed ? posterior_kinds(all, false) : std::vector<std::string>();
  const std::string method = text_at(record.inputs, "deployment.method", record.file);
  const std::vector<std::string> whole = fixed_kinds(all, "hold-out"),
                                 cross = fixed_kinds(fold, "cross");
  if (method == "auto") return {{0.4, whole}, {0.5, cross}, {0.1, posterior}};
  if (method == "lqr" || method == "start") return {{0.9, whole}, {0.1, posterior}};
  return {{0.9, cross}, {0.1, posterior}};
}

}  // namespace

Record chosen_record(const Record& record, const Controller& controller, long n) {
  std::map<std::string, double> expected, found;
  double used = 0;
  const std::vector<Family> all = families(record, controller, n);
  for (const Family& family : all) used += family.kinds.empty() ? 0 : family.share;
  for (const Family& family : all)
    for (const std::string& kind : family.kinds)
      expected[kind] =
          record.total_delta() * family.share / used / static_cast<double>(family.kinds.size());
  Record chosen = record;
  chosen.kind = record.chosen;
  chosen.events.clear();
  chosen.confidence = 1;
  for (const Event& event : record.events) {
    const size_t colon = event.name.find(": ");
    const std::string kind = event.name.substr(0, colon);
    if (!(event.delta > 0)) throw Refuted{"event " + event.name + ": its delta is not positive"};
    found[kind] += event.delta;
    if (kind != record.chosen || colon == event.name.npos) continue;
    chosen.events.push_back({event.name.substr(colon + 2), event.statement, event.delta});
    chosen.confidence -= event.delta;
  }
  for (const auto& [kind, delta] : expected)
    if (!found.contains(kind) || std::abs(found[kind] - delta) > 1e-12 * delta)
      throw Refuted{"event " + kind + ": its share of delta is not the rule's"};
  if (found.size() != expected.size())
    throw Refuted{"events: a share of delta for a kind that is not granted"};
  return chosen;
}

}  // namespace verify
