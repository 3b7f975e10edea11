#include "kinds/watch.hpp"

#include <algorithm>
#include <cmath>

namespace verify {
namespace {

const std::string known_watch_keys =
    " format status claim functional kind confidence alpha false_alarms degrees n evidence largest"
    " rejected_at ";

struct CostsSaid {
  WatchSaid watch;
  double claim = 0, degrees = 0;
};

CostsSaid costs_said(const json& tree) {
  check_keys(tree, known_watch_keys, "watch", "watch");
  double wrong = 0;  // the certificate, with this probability at most
  const json &confidence = tree.at("confidence"), &kind = tree.at("kind");
  if (confidence.is_null() != kind.is_null())
    throw Refuted{"confidence: a kind has one, and only a kind"};
  if (!confidence.is_null()) {
    wrong = 1 - confidence.get<double>();
    if (!kind.is_string()) bad("kind", "another thing", "a name");
    if (!(wrong >= 0 && wrong < 1)) bad("confidence", "another number", "one up to 1");
  }
  const CostsSaid said{watch_said(tree, wrong), tree.at("claim").get<double>(),
                       tree.at("degrees").get<double>()};
  const std::string functional = tree.at("functional").get<std::string>();
  if (functional != "cost" && functional != "violation")
    bad("functional", word(functional), "\"cost\" or \"violation\"");
  if (!(said.claim > 0)) bad("claim", "another number", "a positive one");
  if (said.degrees != 0 && !(said.degrees >= 1 && said.degrees <= 1e6))
    bad("degrees", "another number", "0, or one from 1 to 1e6");
  return said;
}

// What a bettor against the claim holds: every bet may have begun at every cost.
class Bettor {
 public:
  explicit Bettor(const CostsSaid& said) : claim_(said.claim), degrees_(said.degrees) {
    const Ball share = said.degrees > 0 ? Ball(0.125) : Ball(0.25);
    add(share, 0);  // the sizes of the first two follow from the costs
    add(2 * share, 0);
    for (int k = 10; k >= 1; --k) add(share / Ball(16), std::ldexp(1, -k));
    for (const double b : {0.375, 0.625, 0.75, 0.875, 0.9375, 1.0}) add(share / Ball(16), b);
    constants_ = sizes_.size();
    const Ball half = Ball(said.degrees) / Ball(2);
    if (said.degrees > 0)
      for (const double r : {1.05, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0}) {
        add(Ball(1) / Ball(16), 0);
        sizes_.back() = half * (1 - 1 / Ball(r));
        prices_.push_back(half * log(Ball(r)));
      }
  }

  // The evidence after one more cost.
  Ball evidence(double cost) {
    begin_.next();
    Ball sum = begin_.later;
    const Ball x = at_most(Ball(cost) / claim_, 1e150);
    sizes_[0] = adaptive();
    sizes_[1] = alert();
    for (size_t k = 0; k < sizes_.size(); ++k) {
      const Ball factor = k < constants_ ? 1 - sizes_[k] + sizes_[k] * x
                                         : exp(sizes_[k] * x - prices_[k - constants_]);
      sums_[k] = at_most((sums_[k] + begin_.weight) * max_zero(factor), 1e290);
      sum = sum + weights_[k] * sums_[k];
    }
    const Ball y = at_most(x, 100) - 1, forget = 1 - keep_;
    drift_ = keep_ * drift_ + forget * y;
    size_ = keep_ * size_ + forget * y * y;
    excess_ = at_most(max_zero(excess_ + y - Ball(1.75) * spread_), 100);
    spread_ = keep_ * spread_ + forget * (max_zero(y) + max_zero(0 - y));
    return sum;
  }

 private:
  // min(1, m / (s + m^2)) for m > 0, else 0: m / (s + m^2) is then not positive either.
  Ball adaptive() const { return max_zero(at_most(drift_ / (size_ + drift_ * drift_), 1)); }

  // min(1, 0.2 c / (a + 2^-10)): what came above 1.75 spreads a, in spreads.
  Ball alert() const { return at_most(Ball(0.2) * excess_ / (spread_ + Ball(0x1p-10)), 1); }

  void add(const Ball& weight, double size) {
    weights_.push_back(weight);
    sizes_.push_back(size);
    sums_.push_back(0);
  }

  Ball claim_, degrees_;
  size_t constants_ = 0;
  std::vector<Ball> weights_, sizes_, prices_, sums_;
  Beginnings begin_;
  Ball keep_ = 0.98922801319397548;  // half in 64 costs, as a double
  Ball drift_ = 0, size_ = 1, spread_ = 1, excess_ = 0;
};

// Evidence as doubles have it: each cost rounds a few times, relative to the exponents of its bets.
double rounding(const CostsSaid& said) {
  return (static_cast<double>(said.watch.n) + 16) * (0x1p-40 + said.degrees * 0x1p-49);
}

bool near(double recorded, const Ball& exact, double room) {
  return recorded <= upper(exact * Ball(1 + room)) && recorded >= lower(exact * Ball(1 - room));
}

}  // namespace

WatchSaid watch_said(const json& tree, double wrong) {
  WatchSaid said;
  const std::string status = tree.at("status").get<std::string>();
  if (status != "rejected" && status != "stands")
    bad("status", word(status), "\"rejected\" or \"stands\"");
  said.rejected = status == "rejected";
  said.alpha = tree.at("alpha").get<double>();
  said.evidence = tree.at("evidence").get<double>();
  said.largest = tree.at("largest").get<double>();
  constexpr long most = 1'000'000'000;
  said.n = whole(tree.at("n"), most, "n", 0);
  if (!tree.at("rejected_at").is_null())
    said.rejected_at = whole(tree["rejected_at"], most, "rejected_at", 1);
  if (!(said.alpha > 0 && said.alpha < 1)) bad("alpha", "another number", "one between 0 and 1");
  if (!(tree.at("false_alarms").get<double>() >= (said.alpha + wrong) * (1 - 0x1p-40)))
    throw Refuted{"false_alarms: less than alpha and what the certificate may be wrong with"};
  if (said.rejected != (said.rejected_at > 0) || said.rejected_at > said.n)
    throw Refuted{"rejected_at: not what the status says"};
  return said;
}

void Beginnings::next() {
  while (octave_ * 2 <= n_ + 1) {
    octave_ *= 2;
    ++order_;
  }
  ++n_;
  weight = 1 / (Ball(order_ + 1) * Ball(order_ + 2) * Ball(octave_));
  later = Ball(2 * octave_ - 1 - n_) * weight + 1 / Ball(order_ + 2);
}

void EvidenceSeen::add(const Ball& evidence) {
  now_ = evidence;
  ++n_;
  if (!arb_is_finite(now_.x)) throw TooWide{"the evidence"};
  largest_ = std::max(largest_, upper(now_));
  if (first_ > 0 || lower(now_ * Ball(alpha_)) < 1) return;
  first_ = n_;
  earliest_ = lower(now_);
}

double EvidenceSeen::require(const WatchSaid& said, double rounding) const {
  if (!near(said.evidence, now_, rounding)) throw Refuted{"evidence: not what was seen leads to"};
  const double room = 1 + rounding;
  if (said.largest > largest_ * room || largest_ > said.largest * room)
    throw Refuted{"largest: not what was seen leads to"};
  if (said.rejected && (first_ == 0 || first_ > said.rejected_at))
    throw Refuted{"rejected_at: the evidence is below 1 / alpha there"};
  // Rounding may have delayed the program by less than what it allows for.
  if (first_ > 0 && first_ != said.rejected_at && earliest_ * said.alpha > room)
    throw Refuted{"rejected_at: the evidence reached 1 / alpha at " + std::to_string(first_)};
  return said.rejected ? earliest_ : largest_;
}

bool is_watch(const json& tree) {
  return tree.is_object() && tree.contains("format") && tree["format"] == "loopcert watch 1";
}

WatchVerdict check_watch(const json& tree, const Table& costs) {
  const CostsSaid said = costs_said(tree);
  const WatchSaid& watch = said.watch;
  if (costs.cols != 1) bad("costs", std::to_string(costs.cols) + " columns", "one cost in a row");
  if (costs.rows < watch.n)
    throw Refuted{"n: there are only " + std::to_string(costs.rows) + " costs"};
  for (const double cost : costs.values)
    if (!(cost >= 0)) throw Refuted{"costs: one is negative or not a number"};
  return with_enough_bits([&] {
    Bettor bettor(said);
    EvidenceSeen seen(watch.alpha);
    for (long i = 0; i < watch.n; ++i)
      seen.add(bettor.evidence(costs.values[static_cast<size_t>(i)]));
    WatchVerdict verdict{watch.rejected
                             ? "claim rejected at cost " + std::to_string(watch.rejected_at)
                             : "claim stands after " + std::to_string(watch.n) + " costs",
                         seen.require(watch, rounding(said)),
                         {}};
    verdict.lines.emplace_back(
        "assuming: given the costs before it, no cost has a mean above the claim while it is true");
    if (said.degrees > 0)
      verdict.lines.emplace_back(
          "assuming: while it is true the loop is linear and Gaussian, and no direction makes more "
          "than 1/" +
          json(said.degrees).dump() + " of the mean cost");
    verdict.lines.emplace_back("a true claim is ever rejected with probability at most alpha");
    return verdict;
  });
}

}  // namespace verify
