// Learning from one small data set: learning/optimizer.cpp and pac_bayes.cpp by a group of lanes.
// One loop, in which the bound is evaluated in one place: the code of a device must fit its cache.
#pragma once

#include "many_coordinates.hpp"
#include "many_pairs.hpp"

namespace lc {

struct ManyEnd {
  double gradient_norm = 0, value = 0;
  int iterations = 0, evaluations = 0, status = LC_MANY_STALLED;
};

// A step that satisfies the weak Wolfe conditions, or, where rounding hides the decrease, the
// approximate ones, by halving and extending an interval (optimizer.cpp).
struct ManySearch {
  static constexpr double armijo = 1e-4, curvature = 0.9;
  enum Answer { accepted, go_on, failed };

  double f_start, slope;
  double t, low = 0, f_low, g_low, high = HUGE_VAL, f_high = HUGE_VAL, g_high = HUGE_VAL;
  int trials = 0;

  LC_DEVICE ManySearch(double f, double g, double first_step)
      : f_start(f), slope(g), t(first_step), f_low(f), g_low(g) {}
  LC_DEVICE static bool finite(double x) { return x - x == 0; }

  // Value and slope at t.
  LC_DEVICE Answer look_at(double f, double g) {
    const double noise = 1e-14 * fabs(f_start);
    const bool decreases = f <= f_start + armijo * t * slope;
    const bool nearly = f <= f_start + noise && g <= (2 * armijo - 1) * slope;
    if (!(decreases || nearly) || !finite(g)) {
      high = t;
      f_high = f;
      g_high = g;
    } else if (g < curvature * slope) {
      low = t;
      f_low = f;
      g_low = g;
    } else {
      return accepted;
    }
    t = finite(high) ? interpolate() : 2.5 * t;
    return ++trials == 40 || (finite(high) && high - low < 1e-14 * high) ? failed : go_on;
  }
  LC_DEVICE double interpolate() const {
    const double width = high - low;
    const double d1 = g_low + g_high - 3 * (f_high - f_low) / width;
    const double root = d1 * d1 - g_low * g_high;
    double part = 0.5;
    if (finite(f_high) && finite(g_high) && root >= 0) {
      const double d2 = sqrt(root);
      part = 1 - (g_high + d2 - d1) / (g_high - g_low + 2 * d2);
    }
    if (!finite(part)) part = 0.5;
    return low + width * (part < 0.1 ? 0.1 : part > 0.9 ? 0.9 : part);
  }
};

template <class Lanes, bool With_B>
struct ManyDescent {
  ManyBound<Lanes, With_B>& bound;
  ManyCoordinates<Lanes, With_B> coordinates{bound};
  ManyPairs<Lanes, With_B> pairs{bound};
  // What the next evaluation is for.
  enum Stage { refining, starting, trying, returning };

  // The prior's centre with a part of its variance.
  LC_DEVICE void centre(double part) {
    const ManyForm& form = bound.form;
    double *const Z = bound.at(form.at.Z), *const V = bound.at(form.at.V);
    bound.each(form.count, [&](int e) {
      const int k = coordinates.place(e);
      Z[k] = form.center[k];
      V[k] = part * form.s2;
    });
    bound.lanes.sync();
  }

  // One damped step of every variance to where it is stationary (refine_variance.cpp).
  LC_DEVICE void refine() {
    const double half = 0.5 * bound.per_kl();
    double* const V_of = bound.at(bound.form.at.V);
    bound.each(bound.form.count, [&](int e) {
      double& V = V_of[coordinates.place(e)];
      const double rest = bound.slope_of_variance(e) + half / V;
      const double target = rest > half / bound.form.s2 ? half / rest : bound.form.s2;
      V = sqrt(V * target);
    });
    bound.lanes.sync();
  }

  LC_DEVICE void write(double* result) {
    const double *const Z = bound.at(bound.form.at.Z), *const V = bound.at(bound.form.at.V);
    bound.each(bound.form.count, [&](int e) {
      const int k = coordinates.place(e);
      result[e] = Z[k];
      result[bound.form.count + e] = V[k];
    });
    bound.lanes.sync();
  }

  // A negative spread weight rewards variance: another basin near the prior.
  LC_DEVICE bool two_basins() const {
    double least = 0;
    if (bound.form.with_spread) {
      const double* const t = bound.at(bound.form.at.t);
      for (int j = 0; j < bound.form.cols; ++j) least = fmin(least, t[j]);
    }
    return least < 0;
  }

  // minimize_bound; `result`: means, then variances of the free entries.
  LC_DEVICE ManyEnd minimize(double* result, lc_values& values) {
    const ManyForm& form = bound.form;
    const int size = 2 * form.count;
    double *const d = bound.at(form.at.direction), *x = bound.at(form.at.x),
                  *g = bound.at(form.at.g), *next_x = bound.at(form.at.next_x),
                  *next_g = bound.at(form.at.next_g);
    ManyEnd best, now;
    best.status = LC_MANY_REFUSED;
    ManySearch search(0, 0, 0);
    double f_now = 0, square = 0;  // of the gradient's norm
    int refinements = 4, iterations_before = 0, evaluations_before = 0;
    bool second = false;
    Stage stage = refining;
    centre(0.01);
    while (true) {
      if (stage == trying) {
        const double t = search.t;
        bound.each(size, [&](int e) { next_x[e] = x[e] + t * d[e]; });
        bound.lanes.sync();
      }
      if (stage == trying || stage == returning) coordinates.set(stage == trying ? next_x : x);
      const bool fine = bound.evaluate(stage == starting || stage == trying);
      bool ended = stage == returning, moved = false;
      if (!fine && stage != trying) {  // the processor knows which of its reasons it was
        best.status = LC_MANY_REFUSED;
        return best;
      }
      if (stage == refining) {
        refine();
        if (--refinements == 0) stage = starting;
        continue;
      }
      if (fine && !ended) {
        bound.slope_of_mean();
        if (stage == starting) {
          coordinates.scale();
          coordinates.start(x);
        }
        coordinates.gradient(stage == starting ? g : next_g);
      }
      if (stage == starting) {
        now = {};
        now.evaluations = 1;
        f_now = bound.value / coordinates.unit;
        pairs.forget();
        double sum[1] = {};
        bound.each(size, [&](int e) { sum[0] += g[e] * g[e]; });
        bound.lanes.sum(sum);
        square = sum[0];
        moved = true;
      } else if (stage == trying) {
        ++now.evaluations;
        double sum[2] = {};
        if (fine) {
          bound.each(size, [&](int e) {
            sum[0] += next_g[e] * d[e];
            sum[1] += next_g[e] * next_g[e];
          });
          bound.lanes.sum(sum);
        }
        const double f = fine ? bound.value / coordinates.unit : HUGE_VAL;
        const ManySearch::Answer answer = search.look_at(f, fine ? sum[0] : HUGE_VAL);
        if (answer == ManySearch::go_on) continue;
        moved = answer == ManySearch::accepted ||
                (search.low > 0 && f < search.f_start && ManySearch::finite(sum[1]));
        if (moved) {
          pairs.add(x, g, next_x, next_g);
          exchange(x, next_x);
          exchange(g, next_g);
          f_now = f;
          square = sum[1];
          ++now.iterations;
        } else if (pairs.count > 0) {  // one more try along the gradient
          pairs.forget();
        } else {
          now.status = LC_MANY_STALLED;
          stage = returning;
          continue;
        }
      }
      if (!ended) {
        now.gradient_norm = sqrt(square) / fmax(1.0, fabs(f_now));
        const bool converged = now.gradient_norm <= form.tolerance;
        if (converged || now.iterations >= form.max_iterations) {
          now.status = converged ? LC_MANY_CONVERGED : LC_MANY_ITERATION_LIMIT;
          stage = returning;
          if (!moved) continue;  // elsewhere
          ended = true;
        }
      }
      if (!ended) {
        double slope = 0;
        pairs.find_direction(g, d, slope, square);
        search = ManySearch(f_now, slope, pairs.count == 0 ? fmin(1.0, 1 / sqrt(square)) : 1.0);
        stage = trying;
        continue;
      }
      now.value = bound.value;
      if (!second || now.value < best.value) {
        best = now;
        values = bound.v;
        write(result);
      }
      best.iterations = now.iterations + iterations_before;
      best.evaluations = now.evaluations + evaluations_before;
      if (second || !two_basins()) return best;
      second = true;
      iterations_before = now.iterations;
      evaluations_before = now.evaluations;
      centre(1);
      stage = starting;
    }
  }
  LC_DEVICE static void exchange(double*& one, double*& other) {
    double* const kept = one;
    one = other;
    other = kept;
  }
};

}  // namespace lc
