// One small problem by one or several threads that pose as the lanes of a device's group.
#pragma once

#include <barrier>
#include <limits>
#include <thread>
#include <vector>

#include "steps/many_batch.hpp"

namespace lc {

// What the lanes of a group share.
struct Group {
  explicit Group(int lanes)
      : count(lanes), barrier(lanes), values(static_cast<std::size_t>(lanes)) {}

  int count;
  std::barrier<> barrier;
  std::vector<std::array<double, 16>> values;
};

struct ThreadLanes {
  Group& group;
  int number;
  double *numbers, *pairs_at;

  double* memory() const { return numbers; }
  double* pairs() const { return pairs_at; }

  int lane() const { return number; }
  int count() const { return group.count; }
  void sync() const { group.barrier.arrive_and_wait(); }

  template <int K>
  void sum(double (&x)[K]) const {
    std::copy_n(x, K, mine().data());
    sync();
    for (int k = 0; k < K; ++k) {
      x[k] = 0;
      for (const auto& lane : group.values) x[k] += lane[static_cast<std::size_t>(k)];
    }
    sync();
  }
  double largest(double value) const {
    mine()[0] = value;
    sync();
    for (const auto& lane : group.values) value = std::max(value, lane[0]);
    sync();
    return value;
  }
  std::array<double, 16>& mine() const { return group.values[static_cast<std::size_t>(number)]; }
};

template <class Lanes>
ManyEnd minimize_by(Lanes& lanes, const ManyForm& form, const double* data,
                    const lc_many_numbers& numbers, double* posterior, lc_values& values) {
  return form.with_B ? learn_one<true>(lanes, form, data, numbers, posterior, values)
                     : learn_one<false>(lanes, form, data, numbers, posterior, values);
}

// In memory full of NaN.
inline void learn_by(int lanes, const ManyBatch& batch, const ManyForm& form, const double* data,
                     const lc_many_numbers& numbers, lc_many_result& result) {
  const auto size = static_cast<std::size_t>(form.at.size),
             more = static_cast<std::size_t>(form.at.pairs_size);
  std::vector<double> memory(size + more, std::numeric_limits<double>::quiet_NaN());
  double *const at = memory.data(), *const pairs = at + size;
  std::vector<double> posterior(2 * static_cast<std::size_t>(form.count));
  ManyEnd end;
  if (lanes == 1) {
    OneLane lane{at, pairs};
    end = minimize_by(lane, form, data, numbers, posterior.data(), result.values);
  } else {
    Group group(lanes);
    const auto run = [&](int number) {
      ThreadLanes lane{group, number, at, pairs};
      lc_values values = {};
      const ManyEnd found = minimize_by(lane, form, data, numbers, posterior.data(), values);
      if (number > 0) return;
      end = found;
      result.values = values;
    };
    std::vector<std::thread> others;
    for (int k = 1; k < lanes; ++k) others.emplace_back(run, k);
    run(0);
    for (std::thread& one : others) one.join();
  }
  batch.hand_over(end, posterior.data(), result);
}

}  // namespace lc
