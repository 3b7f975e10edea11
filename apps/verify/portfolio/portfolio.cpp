// The rule of docs/theory/portfolio.md: shares depend on method, problem and n, never on the data.
#include <algorithm>
#include <cmath>

#include "portfolio/portfolio.hpp"

namespace verify {
namespace {

using Kinds = std::vector<std::string>;

constexpr long few_folds = 4;

// Rests on an event of its own, beside that of the mean cost.
bool is_alone(const std::string& kind) { return kind.ends_with("-frobenius"); }

struct Family {
  double share;
  Kinds kinds;
  long n = 0, bounds = 1;  // trajectories of a part, and parts or controllers to choose from
  std::string mean = {};   // the event on the mean cost that all its kinds rest on, if there is one
};

// Those of which the problem grants what they rest on.
Kinds granted(const std::vector<std::pair<std::string, bool>>& kinds) {
  Kinds found;
  for (const auto& [kind, is_granted] : kinds)
    if (is_granted) found.push_back(kind);
  return found;
}

// What the problem grants: which kinds have a share.
struct Premises {
  const Problem& p;
  bool offset;
  long all;  // trajectories
  const json& law = p.law();
  bool gaussian = grants_gaussian(p), zero_mean = grants_zero_mean(p), scale = grants_scale(p);
  bool white = grants_white(p), known = grants_covariance(p);
  bool bounded = law.at("model") == "bounded" && law.contains("radius");
  bool kurtosis = law.contains("kurtosis");
  bool centred = gaussian && zero_mean, no_offset = centred && !offset;

  // Disturbances follow from those before them, and there are enough of the first ones: of the n
  // that certify, and of all of them, whose envelopes are below `hopeless` times what they bound.
  bool coloured(long n, double hopeless) const {
    const long d_s = (p.lags + 1) * p.n_x, N = all * (p.T - p.lags), k = p.n_x * p.n_x * p.lags;
    if (!centred || p.lags == 0 || n <= d_s) return false;
    const double each = p.total_delta / 10,
                 b_sq = 1.35 *
                        (2 * std::log(1 / each) + std::log(1 + 1 / 0.35) * static_cast<double>(k));
    const double noise = wishart_floor(p.n_x, N, each) - b_sq / static_cast<double>(N);
    return hopeless * std::min(wishart_floor(d_s, all, each), noise) > 1;
  }

  Kinds fixed(const std::string& prefix, long n) const {
    if (n < 1) return {};
    const bool many = prefix == "cross" && p.option("/certificate/folds").get<long>() > few_folds;
    return granted({{prefix + "-bounded", bounded},
                    {prefix + "-fourth-moment", !gaussian && kurtosis},
                    {prefix + (no_offset ? "-frobenius" : "-scale-free"), gaussian},
                    {prefix, centred && scale},
                    {prefix + "-relative", centred && all > p.d_w() && (!no_offset || many)},
                    {prefix + "-white", centred && white && all > p.n_x},
                    {prefix + "-identified", coloured(all, 5) && !offset},
                    {prefix + "-known", centred && known}});
  }

  // For all responses at once.
  Kinds uniform(long n) const { return granted({{"identified", coloured(n, 3)}}); }

  // For a method with a prior.
  Kinds posterior(long n) const {
    if (n < 2) return {};
    return granted({{"bounded", bounded},
                    {"bounded-self", bounded},
                    {"data-driven-mean", gaussian && scale && n >= 3},
                    {"data-driven-rank-aware", centred && scale},
                    {"scale", centred && scale},
                    {"one-sided", centred && scale && n > p.d_w()},
                    {"relative", centred && n > p.d_w()},
                    {"white", centred && white && n > p.n_x},
                    {"known-covariance", centred && known}});
  }

  // Beside another method, around LQR: for an unknown mean, and where LQR is a response.
  Kinds posterior_beside(long n) const {
    const bool lqr_allowed = !p.has_offset || p.affine;
    if (n < 3 || !lqr_allowed || !gaussian || !scale || zero_mean) return {};
    return {"data-driven-mean"};
  }

  Kinds difference() const {
    return granted({{no_offset ? "improvement" : "improvement-mean", gaussian},
                    {"improvement-scale", centred && scale}});
  }
};

bool not_zero(const Table& table) {
  return std::any_of(table.values.begin(), table.values.end(), [](double x) { return x != 0; });
}

// Its loop may have a constant part even if the plant has no offset.
bool has_constant(const Baseline& b) {
  if (b.form != "controller") return not_zero(b.setpoint) || not_zero(b.offset);
  const json& k = b.controller.at("k");
  return std::any_of(k.begin(), k.end(), [](const json& x) { return x.get<double>() != 0; });
}

// Whether what may be deployed, or what it is compared with, has a constant part.
bool constant_of(const Record& record) {
  const Problem& p = record.problem;
  if (p.constant() || !p.baseline || !has_constant(*p.baseline)) return p.constant();
  if (is_difference_kind(record.chosen)) return true;
  if (!record.is_deployed()) return false;
  const std::string method = record.input("/deployment/method");
  return method == "baseline" || (method == "auto" && p.falls_back());
}

std::vector<Family> families(const Record& record, const Controller& controller) {
  const Problem& p = record.problem;
  const bool own = p.has_offset || controller.has_constant();
  const Premises premises{p, record.is_given() ? own : constant_of(record), record.n};
  const long n = record.n;
  const std::string one = "hold-out-all";
  if (record.is_given())
    return {{0.9, premises.fixed("hold-out", n), n, 1, one}, {0.1, premises.uniform(n), n}};
  if (has_path(record) && !is_difference_kind(record.chosen)) {
    const double taught =
        std::floor(p.option("/certificate/fraction").get<double>() * static_cast<double>(n));
    const long rest = n - static_cast<long>(taught);
    return {{0.9, premises.fixed("hold-out", rest), rest, path_of(record).length, one},
            {0.1, premises.uniform(n), n}};
  }
  if (record.has_posterior()) return {{1, premises.posterior(n), n}};
  if (is_difference_kind(record.chosen)) return {{1, premises.difference(), n}};
  const std::string method = record.input("/deployment/method");
  const bool both = method == "auto", no_data = method == "lqr" || method == "start" ||
                                                method == "optimum" || method == "baseline";
  const long folds = p.option("/certificate/folds").get<long>(), part = n / folds;
  // Where a colour may be identified no prior pays.
  const bool coloured = p.lags > 0;
  std::vector<Family> all = {coloured ? Family{both ? 0.05 : 0.1, premises.uniform(n), n}
                                      : Family{0.1, premises.posterior_beside(n), n}};
  const double fixed = both ? (coloured ? 0.65 : 0.6) : 0.9;
  const double cross = both ? 0.3 : 0.9;
  if (both || no_data)
    all.push_back({fixed, premises.fixed("hold-out", n), n, both ? auto_candidates(p) : 1, one});
  if (!no_data) all.push_back({cross, premises.fixed("cross", part), part, folds, "cross-all"});
  return all;
}

// Whose value is at most a multiple of Lhat that n and delta fix.
bool is_multiple(const std::string& kind) {
  return is_alone(kind) || kind.ends_with("-scale-free");
}
// Beside the mean cost these need what data say of the law.
bool needs_more(const std::string& kind) {
  return kind.ends_with("-relative") || kind.ends_with("-white") || kind.ends_with("-identified");
}
auto count_of_more(const Kinds& kinds) {
  return std::count_if(kinds.begin(), kinds.end(), needs_more);
}
// Of the family's delta: what is for the event on the mean cost, and what else rests on it; the
// kind that does not has three quarters, or one where trajectories are few, and all without others.
double part_of_others(const Family& family) {
  const auto alone = std::ranges::count_if(family.kinds, is_alone);
  if (alone == 0) return 1;
  return alone == std::ssize(family.kinds) ? 0 : family.n < 16 ? 0.75 : 0.25;
}
double part_of_mean(const Family& family) {
  return part_of_others(family) * (count_of_more(family.kinds) > 0 ? 0.75 : 1);
}

// What a kind is as a multiple of Lhat, or at least: of n, sizes and delta alone
// (docs/theory/portfolio.md). Nothing is known of most.
double least_multiple(const Problem& p, const std::string& kind, long n, double delta) {
  if (is_alone(kind)) return 1 + spread_factor(n, delta);
  if (kind.ends_with("-scale-free")) return 1 / scale_free_below(n, delta);
  const bool white = kind.ends_with("-white");
  if (!white && !kind.ends_with("-relative")) return 0;
  const bool shared = white && p.option("/disturbance/stationary").get<bool>();
  const long d = white ? p.n_x : p.d_w();
  const double each = delta / 2 / static_cast<double>(shared ? 2 : white ? p.T + 1 : 1);
  double q = wishart_floor(d, n, each);
  if (shared) q = std::max(q, wishart_floor(d, n * p.T, each));
  return std::min(1 + (1 - chi_square_below(n * p.d_w(), delta)) / q, 1 / q);
}

// A kind that has no value with so few trajectories, or could not be the smallest even with all of
// delta, leaves its share to the others.
void drop_hopeless(const Record& record, double delta, Family& family) {
  const auto bounds = static_cast<double>(family.bounds), n = static_cast<double>(family.n);
  const double mean = delta * part_of_mean(family) / bounds;
  const auto least = [&](const std::string& kind) {
    return needs_more(kind) ? least_multiple(record.problem, kind, record.n, delta)
                            : least_multiple(record.problem, kind, family.n, delta / bounds);
  };
  double known = INFINITY;
  for (const std::string& kind : family.kinds)
    if (is_multiple(kind)) known = least(kind);
  std::erase_if(family.kinds, [&](const std::string& kind) {
    if (kind.ends_with("-fourth-moment"))
      return std::log1p(-1 / record.assumed("kurtosis", 1)) * n >= std::log(mean);
    return !is_multiple(kind) && least(kind) >= known;
  });
}

// What each kind has of delta for itself, and for the mean cost, by the rule.
std::map<std::string, double> shares_of(const Record& record, std::vector<Family>& all) {
  double used = 0;
  for (const Family& family : all) used += family.kinds.empty() ? 0 : family.share;
  std::map<std::string, double> expected;
  for (Family& family : all) {
    if (family.kinds.empty()) continue;
    const double delta = record.problem.total_delta * family.share / used;
    if (family.mean.empty()) {
      for (const std::string& kind : family.kinds)
        expected[kind] = delta / static_cast<double>(family.kinds.size());
      continue;
    }
    drop_hopeless(record, delta, family);
    const auto more = static_cast<double>(count_of_more(family.kinds));
    const double others = delta * part_of_others(family);
    if (others > 0 && !family.kinds.empty()) expected[family.mean] = delta * part_of_mean(family);
    for (const std::string& kind : family.kinds) {
      if (needs_more(kind)) expected[kind] = others / 4 / more;
      if (is_alone(kind)) expected[kind] = delta - others;
    }
  }
  return expected;
}

// The event of the family on the mean cost, for each fold.
void add_mean(std::vector<Event> of_mean, std::vector<Event>& events) {
  for (const Event& event : of_mean)
    if (event.id != "chernoff" || event.statement.id != "chernoff")
      throw Refuted{"event " + word(event.kind) + ": expected chernoff"};
  of_mean.insert(of_mean.begin() + 1, events.begin(), events.end());
  events = of_mean;
}

}  // namespace

Record chosen_record(const Record& record, const Controller& controller) {
  std::vector<Family> all = families(record, controller);
  const std::map<std::string, double> expected = shares_of(record, all);
  std::map<std::string, std::vector<Event>> found;
  for (const Event& event : record.events) found[event.kind].push_back(event);
  for (const auto& [kind, delta] : expected) {
    if (!found.contains(kind)) throw Refuted{"event " + kind + ": none has its share of delta"};
    for (const Event& event : found[kind]) {
      const double part = upper(delta * share_of(event, found[kind]));
      if (!(std::abs(event.delta - part) <= 1e-12 * part))
        throw Refuted{"event " + word(kind + ": " + event.id) + ": its delta is not the rule's"};
    }
  }
  if (found.size() != expected.size())
    throw Refuted{"events: a share of delta for a kind whose assumptions are not stated"};
  Record chosen = record;
  chosen.kind = record.chosen;
  chosen.events = found[record.chosen];  // of its own
  for (const Family& family : all) {
    if (family.mean.empty() || is_alone(record.chosen) ||
        std::ranges::count(family.kinds, record.chosen) == 0)
      continue;
    add_mean(found[family.mean], chosen.events);
    const Problem& p = record.problem;
    chosen.averaged = grants_gaussian(p) && grants_zero_mean(p) && grants_white(p) && p.lags == 0 &&
                      record.n > p.n_x;
  }
  for (Event& event : chosen.events) event.kind.clear();
  return chosen;
}

}  // namespace verify
