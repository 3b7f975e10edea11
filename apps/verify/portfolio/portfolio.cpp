// The rule of docs/theory/portfolio.md: shares depend on method, problem and n, never on the data.
#include <algorithm>
#include <cmath>
#include <optional>

#include "portfolio/portfolio.hpp"

namespace verify {
namespace {

using Kinds = std::vector<std::string>;

struct Family {
  double share;
  Kinds kinds;
  long n = 0, bounds = 1;  // trajectories of a part, and parts or controllers to choose from
};

// What the problem grants: which kinds have a share.
struct Premises {
  const Problem& p;
  bool offset;
  const json& law = p.disturbance();
  bool gaussian = grants_gaussian(p), zero_mean = grants_zero_mean(p), scale = grants_scale(p);
  bool white = grants_white(p), known = grants_covariance(p);
  bool bounded = law.at("model") == "bounded" && law.contains("radius");
  bool kurtosis = law.contains("kurtosis");

  Kinds fixed(const std::string& prefix, long n) const {
    Kinds kinds;
    if (n < 1) return kinds;
    if (bounded) kinds.push_back(prefix + "-bounded");
    if (!gaussian && kurtosis) kinds.push_back(prefix + "-fourth-moment");
    if (!gaussian) return kinds;
    kinds.push_back(prefix + (zero_mean && !offset ? "-chi-square" : "-scale-free"));
    if (!zero_mean) return kinds;
    if (scale) kinds.push_back(prefix);
    if (n > p.d_w()) kinds.push_back(prefix + "-relative");
    if (white && n > p.n_x) kinds.push_back(prefix + "-white");
    if (known) kinds.push_back(prefix + "-known");
    return kinds;
  }

  // `alone`: for a method with a prior. Beside others there is one, for an unknown mean.
  Kinds posterior(bool alone, long n) const {
    Kinds kinds;
    if (n < 2) return kinds;
    if (!alone) {
      if (gaussian && scale && !zero_mean && n >= 3) kinds.push_back("data-driven-mean");
      return kinds;
    }
    if (bounded) kinds.insert(kinds.end(), {"bounded", "bounded-self"});
    if (!gaussian) return kinds;
    if (scale && n >= 3) kinds.push_back("data-driven-mean");
    if (!zero_mean) return kinds;
    if (scale)
      kinds.insert(kinds.end(),
                   {"data-driven-rank-aware", "scale", "data-driven-exact", "scale-exact"});
    if (scale && n > p.d_w()) kinds.push_back("one-sided");
    if (n > p.d_w()) kinds.push_back("relative");
    if (white && n > p.n_x) kinds.push_back("white");
    if (known) kinds.push_back("known-covariance");
    return kinds;
  }

  Kinds difference() const {
    Kinds kinds;
    if (!gaussian) return kinds;
    kinds.push_back(zero_mean && !offset ? "improvement" : "improvement-mean");
    if (zero_mean && scale) kinds.push_back("improvement-scale");
    return kinds;
  }
};

Premises premises_of(const Record& record, const Controller& controller) {
  const Problem& p = record.problem;
  bool offset = p.constant();
  if (record.inputs.contains("controller")) {
    offset = p.has_offset;
    for (const double k : controller.k.values) offset = offset || k != 0;
  }
  return {p, offset};
}

std::vector<Family> families(const Record& record, const Controller& controller, long n) {
  const Premises granted = premises_of(record, controller);
  if (record.inputs.contains("controller")) return {{1, granted.fixed("hold-out", n), n}};
  if (record.inputs.contains("posterior")) return {{1, granted.posterior(true, n), n}};
  if (is_difference_kind(record.chosen)) return {{1, granted.difference(), n}};
  const long count = record.problem.tree.at("certificate").at("folds").get<long>();
  const long part = n / count;
  const bool lqr_allowed = !record.problem.constant() || record.problem.affine;
  const Family whole{0.9, granted.fixed("hold-out", n), n};
  const Family cross{0.9, granted.fixed("cross", part), part, count};
  const Family posterior{0.1, lqr_allowed ? granted.posterior(false, n) : Kinds(), n};
  const std::string method = record.input("/deployment/method");
  if (method == "auto")
    return {{0.8, whole.kinds, n, static_cast<long>(colours.size())},
            {0.1, cross.kinds, part, count},
            posterior};
  if (method == "lqr" || method == "start") return {whole, posterior};
  return {cross, posterior};
}

// Four parts for a kind whose multiple is known, one for each other.
double weight_of(const std::string& kind) {
  return kind.ends_with("-chi-square") || kind.ends_with("-scale-free") ? 4 : 1;
}
double total_weight(const Kinds& kinds) {
  double total = 0;
  for (const std::string& kind : kinds) total += weight_of(kind);
  return total;
}

// What a kind is at least, as a multiple of Lhat, whatever the data: of n, sizes and delta alone
// (docs/theory/portfolio.md). Nothing is known of most.
double largest_floor(long d, long n, double delta) {
  return chi_square_below(n - d + 1, delta) * static_cast<double>(n - d + 1) /
         static_cast<double>(n);
}

std::optional<double> least_factor(const Problem& p, const std::string& kind, long n,
                                   double delta) {
  if (kind.ends_with("-chi-square")) return 1 / chi_square_below(n, delta);
  if (kind.ends_with("-scale-free")) return 1 / scale_free_below(n, delta);
  double q = 0;
  if (kind.ends_with("-relative")) {
    q = largest_floor(p.d_w(), n, delta / 2);
  } else if (kind.ends_with("-white")) {
    const bool shared = p.disturbance().at("stationary").get<bool>();
    const double each = delta / 2 / static_cast<double>(shared ? 2 : p.T + 1);
    q = largest_floor(p.n_x, n, each);
    if (shared) q = std::max(q, largest_floor(p.n_x, n * p.T, each));
  } else {
    return std::nullopt;
  }
  return 1 + (1 - scale_free_below(n * p.d_w(), delta / 2)) / q;
}

// A kind that has no value with so few trajectories, or could not be the smallest even with all of
// delta, leaves its share to the others.
void drop_hopeless(const Record& record, double delta, Family& family) {
  const auto worthless = [&](const std::string& kind) {
    if (!kind.ends_with("-fourth-moment")) return false;
    const double each = delta / total_weight(family.kinds) / static_cast<double>(family.bounds);
    return std::log1p(-1 / record.assumed("kurtosis", 1)) * static_cast<double>(family.n) >=
           std::log(each);
  };
  std::erase_if(family.kinds, worthless);
  const double part = delta / static_cast<double>(family.bounds);
  const auto least = [&](const std::string& kind) {
    return least_factor(record.problem, kind, family.n, part);
  };
  std::optional<double> known;  // by a kind whose value is that multiple
  for (const std::string& kind : family.kinds)
    if (kind.ends_with("-chi-square") || kind.ends_with("-scale-free")) known = least(kind);
  if (!known) return;
  std::erase_if(family.kinds, [&](const std::string& kind) {
    return (kind.ends_with("-relative") || kind.ends_with("-white")) && *least(kind) >= *known;
  });
}

}  // namespace

Record chosen_record(const Record& record, const Controller& controller, long n) {
  std::vector<Family> all = families(record, controller, n);
  double used = 0;
  for (const Family& family : all) used += family.kinds.empty() ? 0 : family.share;
  std::map<std::string, double> expected;
  for (Family& family : all) {
    const double delta = record.problem.total_delta() * family.share / used;
    drop_hopeless(record, delta, family);
    for (const std::string& kind : family.kinds)
      expected[kind] = delta * weight_of(kind) / total_weight(family.kinds);
  }
  std::map<std::string, std::vector<Event>> found;
  for (const Event& event : record.events) found[event.kind].push_back(event);
  for (const auto& [kind, delta] : expected) {
    if (!found.contains(kind)) throw Refuted{"event " + kind + ": none has its share of delta"};
    const double part = delta / static_cast<double>(found[kind].size());  // equal ones
    for (const Event& event : found[kind])
      if (!(std::abs(event.delta - part) <= 1e-12 * part))
        throw Refuted{"event " + word(kind + ": " + event.id) + ": its delta is not the rule's"};
  }
  if (found.size() != expected.size())
    throw Refuted{"events: a share of delta for a kind whose assumptions are not stated"};
  Record chosen = record;
  chosen.kind = record.chosen;
  chosen.events = found[record.chosen];  // of its own
  for (Event& event : chosen.events) event.kind.clear();
  return chosen;
}

}  // namespace verify
