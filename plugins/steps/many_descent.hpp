// Learning from one small data set: learning/optimizer.cpp and pac_bayes.cpp by a group of lanes.
#pragma once

#include "many_coordinates.hpp"

namespace lc {

struct ManyEnd {
  double gradient_norm = 0, value = 0;
  int iterations = 0, evaluations = 0, status = LC_MANY_STALLED;
};

template <class Lanes>
struct ManyDescent {
  ManyBound<Lanes>& bound;
  ManyCoordinates<Lanes> coordinates{bound};
  int size = 2 * bound.form.count;
  // The history: a ring of pairs, the oldest at `first`.
  int pairs = 0, first = 0;
  double inverse[many_memory] = {};
  double scale = 1;
  double f_now = 0, f_next = 0;

  static constexpr double armijo = 1e-4, curvature = 0.9;
  LC_DEVICE static double infinity() { return HUGE_VAL; }
  LC_DEVICE static bool finite(double x) { return x - x == 0; }

  LC_DEVICE double dot(const double* x, const double* y) {
    double sum[1] = {};
    bound.each(size, [&](int e) { sum[0] += x[e] * y[e]; });
    bound.lanes.sum(sum);
    return sum[0];
  }
  LC_DEVICE double add_and_dot(double factor, double t, const double* x, double* d,
                               const double* y) {
    double sum[1] = {};
    bound.each(size, [&](int e) {
      d[e] = factor * (d[e] + t * x[e]);
      sum[0] += y[e] * d[e];
    });
    bound.lanes.sum(sum);
    return sum[0];
  }

  LC_DEVICE int slot(int i) const { return (first + i) % many_memory; }
  LC_DEVICE double* step(int i) const { return bound.at.steps + static_cast<long>(slot(i)) * size; }
  LC_DEVICE double* change(int i) const {
    return bound.at.changes + static_cast<long>(slot(i)) * size;
  }

  LC_DEVICE void add_pair() {
    const ManyPlaces& at = bound.at;
    if (pairs == many_memory) {
      first = (first + 1) % many_memory;
      --pairs;
    }
    double *s = step(pairs), *y = change(pairs), sum[3] = {};
    bound.each(size, [&](int e) {
      s[e] = at.next_x[e] - at.x[e];
      y[e] = at.next_g[e] - at.g[e];
      sum[0] += s[e] * y[e];
      sum[1] += y[e] * y[e];
      sum[2] += s[e] * s[e];
    });
    bound.lanes.sum(sum);
    inverse[slot(pairs)] = 1 / sum[0];
    if (!(sum[0] > 1e-12 * sqrt(sum[2] * sum[1]))) return;  // keeps the model positive
    ++pairs;
    scale = sum[0] / sum[1];
  }
  LC_DEVICE void forget() {
    pairs = first = 0;
    scale = 1;
  }

  // -(approximate inverse Hessian) g
  LC_DEVICE void find_direction() {
    double* d = bound.at.direction;
    const double* g = bound.at.g;
    bound.each(size, [&](int e) { d[e] = -g[e]; });
    if (pairs == 0) return;
    double alpha[many_memory];
    double product = dot(step(pairs - 1), d);
    for (int i = pairs; i-- > 0;) {
      alpha[i] = inverse[slot(i)] * product;
      const bool last = i == 0;
      product =
          add_and_dot(last ? scale : 1.0, -alpha[i], change(i), d, last ? change(0) : step(i - 1));
    }
    for (int i = 0; i < pairs; ++i)
      product = add_and_dot(1, alpha[i] - inverse[slot(i)] * product, step(i), d,
                            i + 1 < pairs ? change(i + 1) : step(i));
  }

  LC_DEVICE double objective(const double* x, double* g) {
    coordinates.set(x);
    if (!bound.evaluate()) return infinity();
    bound.slopes();
    coordinates.gradient(g);
    return bound.value / coordinates.unit;
  }

  LC_DEVICE static double interpolate(double low, double f_low, double g_low, double high,
                                      double f_high, double g_high) {
    const double width = high - low;
    const double d1 = g_low + g_high - 3 * (f_high - f_low) / width;
    const double root = d1 * d1 - g_low * g_high;
    double t = 0.5;
    if (finite(f_high) && finite(g_high) && root >= 0) {
      const double d2 = sqrt(root);
      t = 1 - (g_high + d2 - d1) / (g_high - g_low + 2 * d2);
    }
    if (!finite(t)) t = 0.5;
    return low + width * (t < 0.1 ? 0.1 : t > 0.9 ? 0.9 : t);
  }

  // To (next_x, next_g).
  LC_DEVICE bool line_search(double first_step, int& evaluations) {
    const ManyPlaces& at = bound.at;
    const double slope = dot(at.g, at.direction), noise = 1e-14 * fabs(f_now);
    double low = 0, f_low = f_now, g_low = slope;
    double high = infinity(), f_high = infinity(), g_high = infinity();
    double t = first_step;
    for (int trial = 0; trial < 40; ++trial) {
      bound.each(size, [&](int e) { at.next_x[e] = at.x[e] + t * at.direction[e]; });
      bound.lanes.sync();
      f_next = objective(at.next_x, at.next_g);
      ++evaluations;
      const double g = finite(f_next) ? dot(at.next_g, at.direction) : infinity();
      const bool decreases = f_next <= f_now + armijo * t * slope;
      const bool nearly = f_next <= f_now + noise && g <= (2 * armijo - 1) * slope;
      if (!(decreases || nearly) || !finite(g)) {
        high = t;
        f_high = f_next;
        g_high = g;
      } else if (g < curvature * slope) {
        low = t;
        f_low = f_next;
        g_low = g;
      } else {
        return true;
      }
      t = finite(high) ? interpolate(low, f_low, g_low, high, f_high, g_high) : 2.5 * t;
      if (finite(high) && high - low < 1e-14 * high) break;
    }
    return low > 0 && f_next < f_now && finite(dot(at.next_g, at.next_g));
  }

  LC_DEVICE double relative_norm() {
    return sqrt(dot(bound.at.g, bound.at.g)) / fmax(1.0, fabs(f_now));
  }

  // From the posterior (Z, V) to the minimum. False where the processor would throw.
  LC_DEVICE bool descend(ManyEnd& end) {
    ManyPlaces& at = bound.at;
    if (!bound.evaluate()) return false;
    coordinates.scale();
    coordinates.start(at.x);
    forget();
    f_now = objective(at.x, at.g);
    end.evaluations = 1;
    end.iterations = 0;
    end.status = LC_MANY_ITERATION_LIMIT;
    while (true) {
      end.gradient_norm = relative_norm();
      if (end.gradient_norm <= bound.form.tolerance) {
        end.status = LC_MANY_CONVERGED;
        break;
      }
      if (end.iterations >= bound.form.max_iterations) break;
      find_direction();
      const double first_step =
          pairs == 0 ? fmin(1.0, 1 / sqrt(dot(at.direction, at.direction))) : 1.0;
      if (!line_search(first_step, end.evaluations)) {
        if (pairs > 0) {  // one more try along the gradient
          forget();
          continue;
        }
        end.status = LC_MANY_STALLED;
        break;
      }
      add_pair();
      exchange(at.x, at.next_x);
      exchange(at.g, at.next_g);
      f_now = f_next;
      ++end.iterations;
    }
    bound.lanes.sync();
    coordinates.set(at.x);
    const bool fine = bound.evaluate();
    end.value = bound.value;
    return fine;
  }
  LC_DEVICE static void exchange(double*& one, double*& other) {
    double* const kept = one;
    one = other;
    other = kept;
  }

  // The prior's centre with a part of its variance.
  LC_DEVICE void centre(double part) {
    const ManyForm& form = bound.form;
    bound.each(form.count, [&](int e) {
      const int k = coordinates.place(e);
      bound.at.Z[k] = form.center[k];
      bound.at.V[k] = part * form.s2;
    });
    bound.lanes.sync();
  }

  // One damped step of every variance to where it is stationary (refine_variance.cpp).
  LC_DEVICE bool refine() {
    if (!bound.evaluate()) return false;
    const double half = 0.5 * bound.per_kl();
    bound.each(bound.form.count, [&](int e) {
      double& V = bound.at.V[coordinates.place(e)];
      const double rest = bound.slope_of_variance(e) + half / V;
      const double target = rest > half / bound.form.s2 ? half / rest : bound.form.s2;
      V = sqrt(V * target);
    });
    bound.lanes.sync();
    return true;
  }

  LC_DEVICE void write(double* result) {
    bound.each(bound.form.count, [&](int e) {
      const int k = coordinates.place(e);
      result[e] = bound.at.Z[k];
      result[bound.form.count + e] = bound.at.V[k];
    });
    bound.lanes.sync();
  }

  // minimize_bound; `result`: means, then variances of the free entries.
  LC_DEVICE ManyEnd minimize(double* result, lc_values& values) {
    ManyEnd best, next;
    best.status = LC_MANY_REFUSED;
    centre(0.01);
    for (int step = 0; step < 4; ++step)
      if (!refine()) return best;
    if (!descend(next)) return best;
    best = next;
    values = bound.v;
    write(result);
    double least = 0;
    for (int j = 0; bound.in.t && j < bound.form.cols; ++j) least = fmin(least, bound.in.t[j]);
    if (!(least < 0)) return best;
    // A negative spread weight rewards variance: another basin near the prior.
    centre(1);
    if (!descend(next)) {
      best.status = LC_MANY_REFUSED;  // the processor knows which of its reasons it was
      return best;
    }
    const int iterations = best.iterations + next.iterations,
              evaluations = best.evaluations + next.evaluations;
    if (next.value < best.value) {
      best = next;
      values = bound.v;
      write(result);
    }
    best.iterations = iterations;
    best.evaluations = evaluations;
    return best;
  }
};

}  // namespace lc
