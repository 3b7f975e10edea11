#include "loopcert/learning/optimizer.hpp"

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
  explicit History(int memory) : memory_(static_cast<size_t>(memory)) {}

  void add(Vector step, Vector change) {
    const double product = step.dot(change);
    if (!(product > 1e-12 * step.norm() * change.norm())) return;  // keeps the model positive
    if (steps_.size() == memory_) {
      steps_.erase(steps_.begin());
      changes_.erase(changes_.begin());
      inverse_.erase(inverse_.begin());
    }
    scale_ = product / change.squaredNorm();
    inverse_.push_back(1 / product);
    steps_.push_back(std::move(step));
    changes_.push_back(std::move(change));
  }

  // -(approximate inverse Hessian) g by the two-loop recursion.
  Vector direction(const Vector& gradient) const {
    Vector d = -gradient;
    std::vector<double> alpha(steps_.size());
    for (size_t i = steps_.size(); i-- > 0;) {
      alpha[i] = inverse_[i] * steps_[i].dot(d);
      d -= alpha[i] * changes_[i];
    }
    d *= scale_;
    for (size_t i = 0; i < steps_.size(); ++i)
      d += (alpha[i] - inverse_[i] * changes_[i].dot(d)) * steps_[i];
    return d;
  }

  bool empty() const { return steps_.empty(); }
  void clear() {
    steps_.clear();
    changes_.clear();
    inverse_.clear();
    scale_ = 1;
  }

 private:
  size_t memory_;
  std::vector<Vector> steps_, changes_;
  std::vector<double> inverse_;
  double scale_ = 1;
};

struct Point {
  Vector x, gradient;
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
bool line_search(const Objective& objective, const Point& from, const Vector& direction,
                 double first_step, Point& to, int& evaluations) {
  const double slope = from.gradient.dot(direction);
  const double noise = 1e-14 * std::abs(from.value);
  double low = 0, f_low = from.value, g_low = slope;
  double high = infinity, f_high = infinity, g_high = infinity;
  double t = first_step;
  for (int trial = 0; trial < 40; ++trial) {
    to.x = from.x + t * direction;
    to.value = objective(to.x, to.gradient);
    ++evaluations;
    const double g = std::isfinite(to.value) ? to.gradient.dot(direction) : infinity;
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
  return low > 0 && to.value < from.value && std::isfinite(to.gradient.sum());
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

Minimum minimize(const Objective& objective, const Vector& start, const OptimizerOptions& options) {
  Minimum result;
  Point now{start, Vector(start.size()), 0}, next{start, Vector(start.size()), 0};
  now.value = objective(now.x, now.gradient);
  result.evaluations = 1;
  const auto relative_norm = [](const Point& point) {
    return point.gradient.norm() / std::max(1.0, std::abs(point.value));
  };
  History history(options.memory);
  result.status = SolverStatus::iteration_limit;
  while (true) {
    result.gradient_norm = relative_norm(now);
    if (result.gradient_norm <= options.gradient_tolerance) {
      result.status = SolverStatus::converged;
      break;
    }
    if (result.iterations >= options.max_iterations) break;
    const Vector direction = history.direction(now.gradient);
    const double step = history.empty() ? std::min(1.0, 1 / direction.norm()) : 1.0;
    if (!line_search(objective, now, direction, step, next, result.evaluations)) {
      if (!history.empty()) {  // one more try along the gradient
        history.clear();
        continue;
      }
      result.status = SolverStatus::stalled;
      break;
    }
    history.add(next.x - now.x, next.gradient - now.gradient);
    std::swap(now, next);
    ++result.iterations;
    if (options.on_iteration &&
        !options.on_iteration({result.iterations, now.value, relative_norm(now)})) {
      result.status = SolverStatus::interrupted;
      result.gradient_norm = relative_norm(now);
      break;
    }
  }
  result.x = std::move(now.x);
  result.value = now.value;
  return result;
}

}  // namespace loopcert
