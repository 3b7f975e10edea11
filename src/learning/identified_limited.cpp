#include "learning/identified_limited.hpp"

#include <algorithm>
#include <cmath>

#include "core/work.hpp"
#include "learning/priced_rows.hpp"
#include "loopcert/core/error.hpp"
#include "response/limit_rows.hpp"

namespace loopcert {
namespace {

// A row at a step, or one side of it where its mean is not zero.
struct LimitSide {
  Index c = 0;    // of limits_at_steps()
  int side = 0;   // 1: high, -1: low, 0: both
  Vector h = {};  // on (zeta, u)
  Index t = 0;
  double low = 0, high = 0;
  double share = 0;   // of the probability
  double room = 1.5;  // certified over estimated deviation
  double error = 0;   // of the mean
  double mean = 0;    // around which it is linearized
};

struct LimitedCandidate {
  Gains gains;
  PricedDesign design;
  std::optional<IdentifiedBound> bound;  // of the cost
  LimitBounds limits;
  double back_off = 1;
};

// To compare what does not pass: a bound of 1 says nothing, the sum behind it still does.
double badness(const LimitBounds& limits) {
  double sum = limits.value;
  for (const RowBound& row : limits.rows) sum += row.violation;
  return limits.value < 1 ? limits.value : sum;
}

class LimitedSearch {
 public:
  LimitedSearch(const Problem& problem, const IdentifiedPlant& plant, bool guaranteed)
      : problem_(problem),
        limits_(problem.limits.value()),
        plant_(plant),
        guaranteed_(guaranteed),
        covariances_(logged_covariances(plant)),
        loop_(plant.loop, covariances_.U_v, covariances_.U_0) {
    add_sides();
  }

  // The cheapest that passes, or that of the smallest violation; nothing without a bound of costs.
  std::optional<LimitedCandidate> run();
  bool feasible() const { return feasible_; }
  std::vector<double> prices(const LimitedCandidate& at) const;

 private:
  void add_sides();
  std::vector<PricedRow> rows(double factor, bool with_room) const;
  bool passes(const LimitedCandidate& c) const { return c.limits.value <= limits_.probability; }
  const LimitedCandidate* consider(PricedDesign design, const std::vector<PricedRow>& rows,
                                   double factor);
  const LimitedCandidate* consider_at(double factor);
  void take_room(const LimitedCandidate& from);
  void share_again(const PricedDesign& design);
  void narrow();

  const Problem& problem_;
  const Limits& limits_;
  const IdentifiedPlant& plant_;
  bool guaranteed_;
  LoggedCovariances covariances_;
  PricedLoop loop_;
  std::vector<LimitSide> sides_;
  Vector warm_;
  bool feasible_ = true;
  std::optional<LimitedCandidate> best_, last_;
  Work work_{"designs under the limits"};  // a search: how many it takes is not known
};

void LimitedSearch::add_sides() {
  const LinearModel& m = plant_.model;
  const std::vector<LimitAt> all = limits_at_steps(limits_);
  for (size_t c = 0; c < all.size(); ++c) {
    const LimitRow& row = limits_.rows[static_cast<size_t>(all[c].row)];
    LimitSide side{static_cast<Index>(c), 0, Vector::Zero(m.n() + m.n_u), all[c].t};
    side.h.segment(m.first(), m.n_y) = row.x;
    side.h.tail(m.n_u) = row.u;
    side.low = row.low;
    side.high = row.high;
    side.share = limits_.probability;
    if (!limits_.each) side.share /= static_cast<double>(all.size());
    if (!m.constant) {
      if (row.low < 0 && 0 < row.high)
        sides_.push_back(side);
      else
        feasible_ = false;  // whatever the gains are, its mean is zero
      continue;
    }
    const bool both = std::isfinite(row.low) && std::isfinite(row.high);
    if (both) side.share /= 2;
    for (const int which : {-1, 1})
      if (std::isfinite(which < 0 ? row.low : row.high)) {
        side.side = which;
        sides_.push_back(side);
      }
  }
}

// With z the quantile of a share, one side is z deviation <= distance d of the mean. Where the mean
// m moves, (d - m)^2 >= (d - m_0)^2 - 2 (d - m_0)(m - m_0) makes it a square around a centre:
//   E (value - m_0 + d_0/z^2)^2 <= d_0^2 (1 + 1/z^2)/z^2,   d_0 = d - m_0.
std::vector<PricedRow> LimitedSearch::rows(double factor, bool with_room) const {
  std::vector<PricedRow> all;
  for (const LimitSide& side : sides_) {
    const double room = (with_room ? side.room : 1) / factor;
    PricedRow row{side.t, side.h, 0, 1};
    if (side.side == 0) {
      const double nearest = std::min(side.high, -side.low);
      row.radius =
          std::min(largest_deviation(side.low, side.high, 0, side.share), 1e3 * nearest) / room;
      all.push_back(std::move(row));
      continue;
    }
    const double z =
        room * std::max(1 / largest_deviation(-INFINITY, 1, 0, std::min(side.share, 0.49)), 0.02);
    const double limit = side.side > 0 ? side.high : side.low;
    const double whole = side.side * (limit - side.mean);
    const double d = std::max(whole - (with_room ? side.error : 0), 0.05 * whole);
    row.centre = side.mean - side.side * d / (z * z);
    row.radius = d * std::sqrt(1 + 1 / (z * z)) / z;
    all.push_back(std::move(row));
  }
  return all;
}

// Certifies the gains of a design, and keeps the best so far.
const LimitedCandidate* LimitedSearch::consider(PricedDesign design,
                                                const std::vector<PricedRow>& rows, double factor) {
  work_.add();
  LimitedCandidate found{design.gains, std::move(design), std::nullopt, {}, factor};
  if (guaranteed_) {
    IdentifiedPlant priced = plant_;
    priced.loop = loop_.priced(rows, found.design.price);
    const auto gains = guaranteed_gains(priced);
    if (!gains) return nullptr;
    found.gains = *gains;
    const Vector price = found.design.price;
    found.design = loop_.under(rows, *gains);
    found.design.price = price;
  }
  found.limits = bound_limits(problem_, plant_, found.gains);
  last_ = std::move(found);
  const bool better =
      !best_ || (passes(*last_) != passes(*best_) ? passes(*last_)
                 : passes(*last_)                 ? last_->design.cost < best_->design.cost
                                  : badness(last_->limits) < badness(best_->limits));
  if (!better) return &*last_;
  last_->bound = bound_identified(plant_, last_->gains);
  if (last_->bound) best_ = last_;
  return &*last_;
}

const LimitedCandidate* LimitedSearch::consider_at(double factor) {
  const std::vector<PricedRow> tightened = rows(factor, true);
  PricedDesign design = loop_.solve(tightened, warm_);
  if (design.feasible) warm_ = design.price;
  return consider(std::move(design), tightened, factor);
}

// How much larger than the estimate says the certificate takes each row to be.
void LimitedSearch::take_room(const LimitedCandidate& from) {
  for (size_t i = 0; i < sides_.size(); ++i) {
    LimitSide& side = sides_[i];
    const RowBound& row = from.limits.rows[static_cast<size_t>(side.c)];
    const auto at = static_cast<Index>(i);
    if (row.variance.bound == "none") {
      side.room *= 1.2;
      continue;
    }
    const double deviation = from.design.deviation(at);
    if (deviation > 0)
      side.room = std::max(std::sqrt(std::max(row.variance.value, 0.0)) / deviation, 1.0);
    if (row.error) side.error = std::sqrt(std::max(row.error->value, 0.0));
    if (side.side == 0) continue;
    // The mean of the design, where it is inside.
    const double middle = std::isfinite(side.low) && std::isfinite(side.high)
                              ? 0.5 * (side.low + side.high)
                          : side.side > 0 ? side.high - 3 * deviation * side.room
                                          : side.low + 3 * deviation * side.room;
    const double mean = from.design.mean(at);
    side.mean = side.low < mean && mean < side.high ? mean : middle;
  }
}

// What a row without a price does not use of its share goes to those that have one.
void LimitedSearch::share_again(const PricedDesign& design) {
  if (limits_.each) return;
  double sum = 0;
  Index active = 0;
  for (size_t i = 0; i < sides_.size(); ++i) {
    LimitSide& side = sides_[i];
    const auto at = static_cast<Index>(i);
    if (design.price(at) > 0) {
      ++active;
    } else {
      const double used = violation(side.side < 0   ? side.low
                                    : side.side > 0 ? -INFINITY
                                                    : side.low,
                                    side.side > 0   ? side.high
                                    : side.side < 0 ? INFINITY
                                                    : side.high,
                                    design.mean(at), design.deviation(at) * side.room);
      side.share = std::min(side.share, std::max(used + 0.3 * (side.share - used), 1e-12));
    }
    sum += side.share;
  }
  if (active == 0) return;
  for (size_t i = 0; i < sides_.size(); ++i)
    if (design.price(static_cast<Index>(i)) > 0)
      sides_[i].share += (limits_.probability - sum) / static_cast<double>(active);
}

// The largest factor that passes, to a hundredth.
void LimitedSearch::narrow() {
  double pass = 0, fail = 0, factor = 1;
  double least = INFINITY;
  int worse = 0;
  for (int k = 0; k < 14; ++k) {
    const LimitedCandidate* found = consider_at(factor);
    const bool good = found != nullptr && passes(*found);
    (good ? pass : fail) = factor;
    if (pass > 0 && fail > 0) break;
    const double value = found != nullptr ? badness(found->limits) : INFINITY;
    worse = good || value < 0.999 * least ? 0 : worse + 1;
    least = std::min(least, value);
    if (worse >= 3 || factor > 1.5) return;  // less room helps no more; or more than it needs
    factor *= good ? 1.08 : 0.9;
  }
  if (!(pass > 0 && fail > 0)) return;
  while (fail > 1.004 * pass) {
    const double middle = std::sqrt(pass * fail);
    const LimitedCandidate* found = consider_at(middle);
    (found != nullptr && passes(*found) ? pass : fail) = middle;
  }
}

std::optional<LimitedCandidate> LimitedSearch::run() {
  const std::vector<PricedRow> any = rows(1, false);
  PricedDesign free = loop_.under(any, certainty_equivalence(plant_.loop));
  const LimitedCandidate* found = consider(std::move(free), any, 1);
  if (found != nullptr && passes(*found)) return best_;
  if (sides_.empty()) return best_;
  if (found != nullptr) take_room(*found);
  // Without room for the error of the estimate: can it be done at all?
  for (int k = 0; k < 3; ++k) {
    const PricedDesign plain = loop_.solve(rows(1, false), {});
    feasible_ = feasible_ && (plain.feasible || k + 1 < 3);
    if (plain.feasible) break;
    share_again(plain);
  }
  for (int round = 0; round < 3; ++round) {
    for (int k = 0; k < 4 && !limits_.each; ++k) {
      const PricedDesign design = loop_.solve(rows(1, true), warm_);
      if (design.feasible) warm_ = design.price;
      share_again(design);
    }
    found = consider_at(1);
    if (found != nullptr) take_room(*found);
  }
  narrow();
  return best_;
}

std::vector<double> LimitedSearch::prices(const LimitedCandidate& at) const {
  std::vector<double> all(static_cast<size_t>(limits_.count()), 0);
  const std::vector<PricedRow> kept = rows(at.back_off, true);
  for (size_t i = 0; i < sides_.size(); ++i)
    all[static_cast<size_t>(sides_[i].c)] +=
        2 * at.design.price(static_cast<Index>(i)) * kept[i].radius * kept[i].radius;
  return all;
}

}  // namespace

LoggedCovariances logged_covariances(const IdentifiedPlant& plant) {
  // U_v = R / (N q - b^2), and U_0 is the moment of the starts over its floor.
  const auto N = static_cast<double>(plant.set.transitions);
  LoggedCovariances found{plant.set.U_v * ((N * plant.set.q - plant.set.b_sq) / N), {}};
  if (plant.loop.T == 0) return found;
  found.U_0 = plant.U_0 * plant.start_floor;
  if (plant.model.constant) found.U_0(0, 0) = 1;
  return found;
}

LimitedIdentified design_under_identified_limits(const Problem& problem,
                                                 const IdentifiedPlant& plant) {
  const std::string& method = problem.learning.method;
  if (method != "auto" && method != "identified" && method != "guaranteed")
    throw_input_error("learning.method", "'" + method + "'",
                      "identified | guaranteed | auto for a plant that is identified");
  const double target = problem.limits.value().probability;
  std::optional<LimitedCandidate> best;
  LimitedIdentified result;
  for (const bool guaranteed : {false, true}) {
    if (method == (guaranteed ? "identified" : "guaranteed")) continue;
    LimitedSearch search(problem, plant, guaranteed);
    std::optional<LimitedCandidate> found = search.run();
    if (!found) continue;
    constexpr double worth = 0.9;  // as without limits
    const bool passes = found->limits.value <= target;
    const bool take = !best || (passes != result.met ? passes
                                : passes ? found->bound->value < worth * best->bound->value
                                         : badness(found->limits) < worth * badness(best->limits));
    if (!take) continue;
    result.met = passes;
    result.feasible = search.feasible();
    result.prices = search.prices(*found);
    result.design.design = guaranteed ? "guaranteed" : "identified";
    best = std::move(found);
  }
  if (!best) throw_not_identified(problem, plant, certainty_equivalence(plant.loop));
  result.design.bound = std::move(*best->bound);
  result.limits = std::move(best->limits);
  result.back_off = best->back_off;
  if (!result.met) {
    const auto worst = std::max_element(
        result.limits.rows.begin(), result.limits.rows.end(),
        [](const RowBound& a, const RowBound& b) { return a.violation < b.violation; });
    result.unmet = UnmetRow{worst->at, worst->violation};
  }
  return result;
}

}  // namespace loopcert
