// The record of a watch on the steps of an identified plant: docs/theory/watch.md, item 6.
#include <algorithm>

#include "kinds/watch.hpp"

namespace verify {
namespace {

const std::string known_keys =
    " format status alpha delta false_alarms n evidence largest rejected_at cause certificate ";

Ball root_of(const Ball& square) { return ball(arb_sqrtpos, square.x); }

// What a bettor against the set of plants and its noise holds.
class StepsBettor {
 public:
  StepsBettor(const ConfidenceSet& set, long transitions)
      : set_(set),
        n_v_(set.root.rows()),
        scale_(root_of(Ball(transitions))),
        whiten_(solve(set.root, identity(n_v_))),
        information_(Ball(10) * identity(set.G.rows() + 1)),
        fitted_(n_v_, set.G.rows() + 1) {
    add("drift", 0.5);
    const double share = n_v_ == 1 ? 0.5 : 0.25;
    for (long i = 0; i < 8; ++i) add("spread", Ball(share) / 8);
    for (long k = 1; n_v_ > 1 && k <= n_v_; ++k)
      for (long i = 0; i < 8; ++i)
        add("spread of output " + std::to_string(k), Ball(share) / Ball(8 * n_v_));
  }

  // After one more transition: what was measured, r and y in columns.
  Ball evidence(const Mat& r, const Mat& y) {
    begin_.next();
    sum_ = begin_.later;
    next_ = 0;
    const Mat left = y - set_.Theta_hat * r, z = whiten_ * left, rho = set_.G * r;
    const Ball mu = set_.beta * root_of(dot(rho, rho));
    Mat regressor(rho.rows() + 1, 1);
    regressor.set(0, 0, 1);
    set_block(regressor, 1, 0, scale_ * rho);
    bet(drift(regressor, z, mu));
    spread(dot(z, z), mu, n_v_);
    for (long k = 0; n_v_ > 1 && k < n_v_; ++k) {
      const Mat row = block(set_.root, k, 0, 1, n_v_);
      spread(left(k, 0) * left(k, 0) / dot(row, row), mu, 1);
    }
    if (upper(dot(z, z)) < 1e12 && upper(dot(regressor, regressor)) < 1e12) {
      information_ = keep_ * information_ + regressor * transpose(regressor) +
                     (1 - keep_) * Ball(10) * identity(regressor.rows());
      fitted_ = keep_ * fitted_ + z * transpose(regressor);
    }
    return sum_;
  }

  // Whether bets of this name hold as much as any others, up to this part.
  bool is_cause(const std::string& name, double rounding) const {
    double most = 0, own = 0;
    for (size_t k = 0; k < sums_.size(); ++k) {
      most = std::max(most, lower(weights_[k] * sums_[k]));
      if (names_[k] == name) own = std::max(own, upper(weights_[k] * sums_[k]));
    }
    return own * (1 + 2 * rounding) >= most;
  }

 private:
  void add(const std::string& name, const Ball& weight) {
    names_.push_back(name);
    weights_.push_back(weight);
    sums_.emplace_back(0);
  }

  void bet(const Ball& factor) {
    sums_[next_] = at_most((sums_[next_] + begin_.weight) * factor, 1e290);
    sum_ = sum_ + weights_[next_] * sums_[next_];
    ++next_;
  }

  // lambda: the mean of z that the steps before predict, less mu, shrunk by how little they know.
  Ball drift(const Mat& regressor, const Mat& z, const Ball& mu) const {
    const Mat seen = solve(information_, regressor), mean = fitted_ * seen;
    const Ball square = dot(mean, mean), length = root_of(square);
    const Ball doubt = Ball(n_v_) * dot(regressor, seen);
    const Mat lambda = (length * max_zero(length - mu) / (square + doubt)) * mean;
    const Ball size = dot(lambda, lambda);
    return exp(dot(lambda, z) - root_of(size) * mu - Ball(0.5) * size);
  }

  void spread(const Ball& square, const Ball& mu, long k) {
    for (const double r : {1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0})
      bet(exp(Ball(0.5) * (1 - 1 / Ball(r)) * at_most(square, 1e150) -
              Ball(0.5) * (Ball(r) - 1) * mu * mu - Ball(0.5) * Ball(k) * log(Ball(r))));
  }

  ConfidenceSet set_;
  long n_v_;
  Ball scale_;
  Mat whiten_, information_, fitted_;
  Ball keep_ = 0.99, sum_;
  size_t next_ = 0;
  std::vector<std::string> names_;
  std::vector<Ball> weights_, sums_;
  Beginnings begin_;
};

Mat column(const Table& rows, long i) {
  Mat found(rows.cols, 1);
  for (long j = 0; j < rows.cols; ++j) found.set(j, 0, rows(i, j));
  return found;
}

}  // namespace

bool is_plant_watch(const json& tree) {
  return tree.is_object() && tree.contains("format") && tree["format"] == "loopcert plant-watch 1";
}

WatchVerdict check_plant_watch(const json& tree, const Record& record, const Logs& logs,
                               const Logs& steps) {
  check_keys(tree, known_keys, "watch", "watch");
  const Problem& p = record.problem;
  if (!p.unknown) bad("--certificate", "a plant that was known", "one that was identified");
  const double delta = tree.at("delta").get<double>();
  const double events = record.delta("model") + record.delta("noise");
  if (!(delta >= events * (1 - 0x1p-40)))
    throw Refuted{"delta: less than that of the certificate's events model and noise"};
  const WatchSaid said = watch_said(tree, events);
  const std::string cause = tree.at("cause").is_null() ? "" : tree["cause"].get<std::string>();
  if (said.rejected == cause.empty()) throw Refuted{"cause: not what the status says"};
  const Plant plant = plant_of(p);
  Transition later{{0, plant.Cr.rows(), {}}, {0, plant.E.cols(), {}}};
  for (const Log& run : steps) add_transitions(later, p, plant, run);
  if (later.r.rows < said.n)
    throw Refuted{"n: there are only " + std::to_string(later.r.rows) + " transitions"};
  return with_enough_bits([&] {
    const Transition before = transitions_of(p, plant, logs);
    StepsBettor bettor(set_of(record, before), before.r.rows - before.pilot);
    EvidenceSeen seen(said.alpha);
    // Both round the bound on the noise outwards, by 1e-9 of it: that is in every exponent.
    const double rounding = (static_cast<double>(said.n) + 16) * 0x1p-24;
    for (long i = 0; i < said.n; ++i) {
      seen.add(bettor.evidence(column(later.r, i), column(later.y, i)));
      if (i + 1 == said.rejected_at && !bettor.is_cause(cause, rounding))
        throw Refuted{"cause: other bets won more"};
    }
    return WatchVerdict{
        said.rejected ? "plant rejected at transition " + std::to_string(said.rejected_at) + " (" +
                            cause + ")"
                      : "plant stands after " + std::to_string(said.n) + " transitions",
        seen.require(said, rounding),
        {"assuming: as long as the plant is as it was, so are its assumptions in the certificate",
         "a plant of the certificate's is ever rejected with probability at most alpha, plus the "
         "deltas of its events model and noise"}};
  });
}

}  // namespace verify
