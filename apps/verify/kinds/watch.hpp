// The record of a watch: its evidence against a claim, again, from the costs.
#pragma once

#include <string>

#include "formats/files.hpp"
#include "kinds/plant.hpp"

namespace verify {

bool is_watch(const json& tree);

struct WatchVerdict {
  std::string what;     // "claim rejected at cost 17", or that it stands
  double evidence = 0;  // at least this at the cost that rejected; at most this where none did
  std::vector<std::string> lines;
};
// Raises `bits` as it takes.
WatchVerdict check_watch(const json& tree, const Table& costs);

// The same of a plant's steps, from the certificate that it was identified for, and its logs.
bool is_plant_watch(const json& tree);
WatchVerdict check_plant_watch(const json& tree, const Record& record, const Logs& logs,
                               const Logs& steps);

// What records of both kinds say.
struct WatchSaid {
  bool rejected = false;
  double alpha = 0, evidence = 0, largest = 0;
  long n = 0, rejected_at = 0;
};
// Refuted or BadInput where it contradicts itself; `wrong`: the claim fails with this probability.
WatchSaid watch_said(const json& tree, double wrong);

// Evidence as it grows, against what was said of it.
class EvidenceSeen {
 public:
  explicit EvidenceSeen(double alpha) : alpha_(alpha) {}
  void add(const Ball& evidence);
  // Refuted unless the record says the same, up to this part. What there is evidence of for
  // certain.
  double require(const WatchSaid& said, double rounding) const;

 private:
  double alpha_, largest_ = 1, earliest_ = 0;
  Ball now_ = 1;
  long n_ = 0, first_ = 0;  // at which 1 / alpha is reached for certain
};

// check() at more and more bits, until nothing is too wide.
template <class Check>
WatchVerdict with_enough_bits(const Check& check) {
  const char* wide = "the evidence";
  for (bits = 64; bits <= 1024; bits *= 2) {
    try {
      return check();
    } catch (const TooWide& error) {
      wide = error.what;
    }
  }
  throw Undecided{std::string(wide) + " is too wide even with 1024 bits"};
}

inline Ball at_most(const Ball& a, double most) { return ball(arb_min, a.x, Ball(most).x); }
// 2^-k / ((k+1)(k+2)) for 2^k <= n < 2^(k+1): the weight of a beginning at n, and of all later
// ones.
struct Beginnings {
  Ball weight, later;
  void next();

 private:
  long n_ = 0, octave_ = 1, order_ = 0;
};

}  // namespace verify
