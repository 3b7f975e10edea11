// The device that learns: it holds the bound's matrices, the posterior, its gradients and the
// optimizer's memory, and does the products. The code that learns (pac_bayes.cpp, optimizer.cpp) is
// the same for all of them; another device is one file that implements these classes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "certificate/bound.hpp"
#include "learning/vectors.hpp"

namespace loopcert {

// One bound in a device's memory. Values that do not fit a double throw NumericsError.
class HeldBound {
 public:
  virtual ~HeldBound() = default;

  // Between computer and device: the start and the end of a minimization.
  virtual BoundValue evaluate(const Posterior& posterior, MomentGradient* gradient = nullptr) = 0;

  // Sets the optimizer's coordinates (scaling.hpp) around a posterior, for bound / unit, and
  // returns those of the posterior.
  virtual Vector start_at(const Posterior& posterior, const BoundValue& bound, double unit) = 0;
  // In these coordinates; the gradient is that of bound / unit.
  virtual BoundValue evaluate(const HeldVector& x, HeldVector& gradient) = 0;
  virtual Posterior posterior(const Vector& x) = 0;

  // The precision of the best covariance, all else as it is (bound.hpp).
  virtual std::vector<Matrix> stationary_precision(const Posterior& posterior) = 0;
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string name() const = 0;
  virtual void multiply(const Matrix& A, const Matrix& B, Matrix& C) = 0;  // C = A B
  virtual Vectors& vectors() = 0;
  // For posteriors in this frame; null: diagonal ones. The caller keeps the others alive.
  virtual std::unique_ptr<HeldBound> hold(const QuadraticForm& form, const BoundInputs& inputs,
                                          const Prior& prior, const SharedFrame& frame) = 0;
};

// This computer's processor. Results do not depend on the number of threads.
std::unique_ptr<Backend> cpu_backend(int threads);

}  // namespace loopcert
