// The optimizer's last (step, change of gradient) pairs (optimizer.cpp) in a group's memory.
#pragma once

#include "many_bound.hpp"

namespace lc {

template <class Lanes, bool With_B>
struct ManyPairs {
  ManyBound<Lanes, With_B>& bound;
  int size = 2 * bound.form.count;
  int count = 0, first = 0;  // a ring; the oldest is at `first`
  double scale = 1;

  LC_DEVICE int slot(int i) const {
    const int k = first + i;
    return k < many_memory ? k : k - many_memory;
  }
  LC_DEVICE double* step(int i) const { return bound.lanes.pairs() + slot(i) * size; }
  LC_DEVICE double* change(int i) const {
    return bound.lanes.pairs() + (many_memory + slot(i)) * size;
  }

  LC_DEVICE void forget() {
    count = first = 0;
    scale = 1;
  }
  LC_DEVICE void add(const double* x, const double* g, const double* next_x, const double* next_g) {
    if (count == many_memory) {
      first = slot(1);
      --count;
    }
    double *const s = step(count), *const y = change(count), sum[3] = {};
    bound.along(size, [&](int e) {
      const double moved = next_x[e] - x[e], changed = next_g[e] - g[e];
      s[e] = moved;
      y[e] = changed;
      sum[0] += moved * changed;
      sum[1] += changed * changed;
      sum[2] += moved * moved;
    });
    bound.lanes.sum(sum);
    if (bound.lanes.lane() == 0) bound.at(bound.form.at.inverse)[slot(count)] = 1 / sum[0];
    if (!(sum[0] > 1e-12 * sqrt(sum[2] * sum[1]))) return;  // keeps the model positive
    ++count;
    scale = sum[0] / sum[1];
  }

  // -(approximate inverse Hessian) g by the two-loop recursion, and its slope. A lane touches its
  // own entries only; numbers of the pairs are written by one lane, before a sum that all wait for.
  LC_DEVICE void find_direction(const double* g, double* d, double& slope, double square) {
    slope = -square;
    if (count == 0) {
      bound.along(size, [&](int e) { d[e] = -g[e]; });
      return;
    }
    const double* const inverse = bound.at(bound.form.at.inverse);
    double* const alpha = bound.at(bound.form.at.alpha);
    const double* s = step(count - 1);
    double sum[2] = {};
    bound.along(size, [&](int e) {
      const double one = -g[e];
      d[e] = one;
      sum[0] += one * s[e];
    });
    bound.lanes.sum(sum);
    // There: d - alpha y, and back: d + (alpha - beta) s.
    for (int turn = 0; turn < 2 * count; ++turn) {
      const bool back = turn >= count;
      const int i = back ? turn - count : count - 1 - turn;
      const double product = inverse[slot(i)] * sum[0];
      const double by = back ? alpha[i] - product : -product;
      if (!back && bound.lanes.lane() == 0) alpha[i] = product;
      const double factor = turn == count - 1 ? scale : 1.0;
      const bool last = turn == 2 * count - 1, turning = turn == count - 1;
      const double* const add = back ? step(i) : change(i);
      const double* const with = last      ? g
                                 : turning ? change(0)
                                 : back    ? change(i + 1)
                                           : step(i - 1);
      sum[0] = 0;
      bound.along(size, [&](int e) {
        const double one = factor * (d[e] + by * add[e]);
        d[e] = one;
        sum[0] += with[e] * one;
      });
      bound.lanes.sum(sum);
    }
    slope = sum[0];
  }
};

}  // namespace lc
