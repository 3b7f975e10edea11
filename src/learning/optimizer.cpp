#include "learning/optimizer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace loopcert {
namespace {

constexpr double armijo = 1e-4;
constexpr double curvature = 0.9;
constexpr double infinity = std::numeric_limits<double>::infinity();

// The last few (step, change of gradient) pairs.
class History {
 public:
  History(int memory, Index size, Vectors& vectors)
      : memory_(static_cast<size_t>(memory)), size_(size), vectors_(vectors) {}

  void add(const HeldVector& x, const HeldVector& x_before, const HeldVector& g,
           const HeldVector& g_before) {
    // The oldest pair makes room; its memory is used again.
    if (steps_.size() == memory_) {
      std::rotate(steps_.begin(), steps_.begin() + 1, steps_.end());
      std::rotate(changes_.begin(), changes_.begin() + 1, changes_.end());
      inverse_.erase(inverse_.begin());
    } else {
      steps_.push_back(vectors_.make(size_));
      changes_.push_back(vectors_.make(size_));
    }
    HeldVector &step = *steps_.back(), &change = *changes_.back();
    const double product = vectors_.differences(x, x_before, step, g, g_before, change);
    const double change_square = vectors_.dot(change, change);
    inverse_.push_back(1 / product);
    // keeps the model positive
    if (!(product > 1e-12 * std::sqrt(vectors_.dot(step, step) * change_square)))
      drop_last();
    else
      scale_ = product / change_square;
  }

  // -(approximate inverse Hessian) g by the two-loop recursion. Each pass adds a multiple of one
  // vector and multiplies by the next: half the memory traffic of doing it one by one.
  void direction(const HeldVector& gradient, HeldVector& d) const {
    const size_t count = steps_.size();
    std::vector<double> alpha(count);
    vectors_.negate(gradient, d);
    if (count == 0) return;
    double product = vectors_.dot(*steps_[count - 1], d);
    for (size_t i = count; i-- > 0;) {
      alpha[i] = inverse_[i] * product;
      const bool last = i == 0;
      product = vectors_.add_and_dot(last ? scale_ : 1.0, -alpha[i], *changes_[i], d,
                                     last ? *changes_[0] : *steps_[i - 1]);
    }
    for (size_t i = 0; i < count; ++i)
      product = vectors_.add_and_dot(1, alpha[i] - inverse_[i] * product, *steps_[i], d,
                                     i + 1 < count ? *changes_[i + 1] : *steps_[i]);
  }

  bool empty() const { return steps_.empty(); }
  void clear() {
    steps_.clear();
    changes_.clear();
    inverse_.clear();
    scale_ = 1;
  }

 private:
  void drop_last() {
    steps_.pop_back();
    changes_.pop_back();
    inverse_.pop_back();
  }

  size_t memory_;
  Index size_;
  Vectors& vectors_;
  std::vector<Held> steps_, changes_;
  std::vector<double> inverse_;
  double scale_ = 1;
};

struct Iterate {
  Held x, gradient;
  double value = 0;
};

// Next trial inside (low, high): the minimizer of the cubic through both ends, kept off the ends.
double interpolate(double low, double f_low, double g_low, double high, double f_high,
                   double g_high) {
  const double width = high - low;
  const double d1 = g_low + g_high - 3 * (f_high - f_low) / width;
  const double root = d1 * d1 - g_low * g_high;
  double t = 0.5;
  if (std::isfinite(f_high) && std::isfinite(g_high) && root >= 0) {
    const double d2 = std::sqrt(root);
    t = 1 - (g_high + d2 - d1) / (g_high - g_low + 2 * d2);
  }
  if (!std::isfinite(t)) t = 0.5;
  return low + width * std::clamp(t, 0.1, 0.9);
}

// A step that satisfies the weak Wolfe conditions, or, where rounding hides the decrease, the
// approximate ones (Hager and Zhang 2005). False when none was found.
bool line_search(const Objective& objective, const Iterate& from, const HeldVector& direction,
                 double first_step, Iterate& to, int& evaluations, Vectors& vectors) {
  const double slope = vectors.dot(*from.gradient, direction);
  const double noise = 1e-14 * std::abs(from.value);
  double low = 0, f_low = from.value, g_low = slope;
  double high = infinity, f_high = infinity, g_high = infinity;
  double t = first_step;
  for (int trial = 0; trial < 40; ++trial) {
    vectors.step(*from.x, t, direction, *to.x);
    to.value = objective(*to.x, *to.gradient);
    ++evaluations;
    const double g = std::isfinite(to.value) ? vectors.dot(*to.gradient, direction) : infinity;
    const bool decreases = to.value <= from.value + armijo * t * slope;
    const bool nearly = to.value <= from.value + noise && g <= (2 * armijo - 1) * slope;
    if (!(decreases || nearly) || !std::isfinite(g)) {
      high = t;
      f_high = to.value;
      g_high = g;
    } else if (g < curvature * slope) {
      low = t;
      f_low = to.value;
      g_low = g;
    } else {
      return true;
    }
    t = std::isfinite(high) ? interpolate(low, f_low, g_low, high, f_high, g_high) : 2.5 * t;
    if (std::isfinite(high) && high - low < 1e-14 * high) break;
  }
  return low > 0 && to.value < from.value && std::isfinite(vectors.dot(*to.gradient, *to.gradient));
}

}  // namespace

std::string solver_status_name(SolverStatus status) {
  switch (status) {
    case SolverStatus::converged:
      return "converged";
    case SolverStatus::iteration_limit:
      return "iteration limit";
    case SolverStatus::interrupted:
      return "interrupted";
    case SolverStatus::stalled:
      break;
  }
  return "stalled";
}

Ending minimize(const Objective& objective, Index size, Held& x, Vectors& vectors,
                const OptimizerOptions& options) {
  Ending result;
  Iterate now{std::move(x), vectors.make(size), 0};
  Iterate next{vectors.make(size), vectors.make(size), 0};
  now.value = objective(*now.x, *now.gradient);
  result.evaluations = 1;
  const auto norm = [&](const HeldVector& v) { return std::sqrt(vectors.dot(v, v)); };
  const auto relative_norm = [&](const Iterate& point) {
    return norm(*point.gradient) / std::max(1.0, std::abs(point.value));
  };
  History history(options.memory, size, vectors);
  const Held direction = vectors.make(size);
  result.status = SolverStatus::iteration_limit;
  while (true) {
    result.gradient_norm = relative_norm(now);
    if (result.gradient_norm <= options.gradient_tolerance) {
      result.status = SolverStatus::converged;
      break;
    }
    if (result.iterations >= options.max_iterations) break;
    history.direction(*now.gradient, *direction);
    const double step = history.empty() ? std::min(1.0, 1 / norm(*direction)) : 1.0;
    if (!line_search(objective, now, *direction, step, next, result.evaluations, vectors)) {
      if (!history.empty()) {  // one more try along the gradient
        history.clear();
        continue;
      }
      result.status = SolverStatus::stalled;
      break;
    }
    history.add(*next.x, *now.x, *next.gradient, *now.gradient);
    std::swap(now, next);
    ++result.iterations;
    if (options.on_iteration &&
        !options.on_iteration({result.iterations, now.value, relative_norm(now)})) {
      result.status = SolverStatus::interrupted;
      result.gradient_norm = relative_norm(now);
      break;
    }
  }
  x = std::move(now.x);
  result.value = now.value;
  return result;
}

Minimum minimize(const HostObjective& objective, const Vector& start,
                 const OptimizerOptions& options) {
  Team team(1);
  const std::unique_ptr<Vectors> vectors = host_vectors(team);
  const auto held = [&](const HeldVector& x, HeldVector& gradient) {
    return objective(on_host(x), on_host(gradient));
  };
  Held x = vectors->make(start.size());
  vectors->write(start, *x);
  Minimum minimum{minimize(held, start.size(), x, *vectors, options), {}};
  minimum.x = vectors->read(*x);
  return minimum;
}

}  // namespace loopcert
