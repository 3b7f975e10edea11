// The device that learns: it holds the bound's matrices, the posterior, its gradients and the
// optimizer's memory, and does the products. The code that learns (pac_bayes.cpp, optimizer.cpp) is
// the same for all of them; another device is one file that implements these classes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "certificate/bound.hpp"
#include "device/device.hpp"
#include "learning/vectors.hpp"

namespace loopcert {

// One bound in a device's memory. Values that do not fit a double throw NumericsError.
class HeldBound {
 public:
  virtual ~HeldBound() = default;

  // Between computer and device: the start and the end of a minimization.
  virtual BoundValue evaluate(const Posterior& posterior, MomentGradient* gradient = nullptr) = 0;

  // Brings variances near stationary, given everything else: a few cheap steps save many
  // iterations. `of_prior`: the variances with the smallest KL; `weight`: weight_of (bound.hpp).
  virtual void refine_variance(const CausalPattern& pattern, double weight, const Matrix& of_prior,
                               Posterior& posterior, int steps);

  // Sets the optimizer's coordinates (scaling.hpp, 2p of them) around a posterior, for bound /
  // unit, and writes those of the posterior.
  virtual void start_at(const Posterior& posterior, const BoundValue& bound, double unit,
                        HeldVector& x) = 0;
  // In these coordinates; the gradient is that of bound / unit.
  virtual BoundValue evaluate(const HeldVector& x, HeldVector& gradient) = 0;
  virtual Posterior posterior(const HeldVector& x) = 0;

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

// A device that a plugin brought; bounds in a frame, or under a prior that is not isotropic, are
// computed by the processor. Throws DeviceError.
std::unique_ptr<Backend> gpu_backend(std::shared_ptr<Device> device, int threads);
// What the device must hold to learn with so many entries: the bound and the optimizer's vectors.
double gpu_memory(const CausalPattern& pattern, bool two_sides);

// Where to learn a problem of this size: what the thread may use (DeviceScope), where it is there
// and fits; chosen automatically only where it pays. Throws InputError: a GPU was asked for, and
// there is none or the problem does not fit.
struct ChosenBackend {
  std::unique_ptr<Backend> backend;
  bool gpu = false;
};
ChosenBackend choose_backend(const CausalPattern& pattern);

// The same for work that needs so many bytes there; null: the processor.
std::unique_ptr<Backend> choose_gpu(const CausalPattern& pattern, double needed);

}  // namespace loopcert
