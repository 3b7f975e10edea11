// The device of a plugin: it holds matrices and vectors and runs the products; what needs all of
// them together, the complexity, is computed here.
#include <algorithm>
#include <cmath>
#include <vector>

#include "learning/backend.hpp"
#include "learning/device_bound.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

struct GpuVector : HeldVector {
  GpuVector(Device& on, Index size) : device(on), length(size) {
    device.check(device.call().vector_make(device.handle(), size, &x));
  }
  ~GpuVector() override { device.call().vector_free(x); }
  GpuVector(const GpuVector&) = delete;
  GpuVector& operator=(const GpuVector&) = delete;

  Device& device;
  Index length;
  lc_vector* x = nullptr;
};

lc_vector* on_gpu(HeldVector& x) { return static_cast<GpuVector&>(x).x; }
const lc_vector* on_gpu(const HeldVector& x) { return static_cast<const GpuVector&>(x).x; }

class GpuVectors : public Vectors {
 public:
  explicit GpuVectors(Device& device) : device_(device) {}

  Held make(Index size) override { return std::make_unique<GpuVector>(device_, size); }
  void write(const Vector& values, HeldVector& x) override {
    device_.check(device_.call().vector_write(on_gpu(x), values.data()));
  }
  Vector read(const HeldVector& x) override {
    Vector values(static_cast<const GpuVector&>(x).length);
    device_.check(device_.call().vector_read(on_gpu(x), values.data()));
    return values;
  }
  double dot(const HeldVector& x, const HeldVector& y) override {
    double sum = 0;
    device_.check(device_.call().dot(on_gpu(x), on_gpu(y), &sum));
    return sum;
  }
  void negate(const HeldVector& x, HeldVector& d) override {
    device_.check(device_.call().negate(on_gpu(x), on_gpu(d)));
  }
  void step(const HeldVector& x, double t, const HeldVector& y, HeldVector& d) override {
    device_.check(device_.call().step(on_gpu(x), t, on_gpu(y), on_gpu(d)));
  }
  double differences(const HeldVector& x, const HeldVector& y, HeldVector& d, const HeldVector& u,
                     const HeldVector& v, HeldVector& e) override {
    double sum = 0;
    device_.check(device_.call().differences(on_gpu(x), on_gpu(y), on_gpu(d), on_gpu(u), on_gpu(v),
                                             on_gpu(e), &sum));
    return sum;
  }
  double add_and_dot(double factor, double t, const HeldVector& x, HeldVector& d,
                     const HeldVector& y) override {
    double sum = 0;
    device_.check(device_.call().add_and_dot(factor, t, on_gpu(x), on_gpu(d), on_gpu(y), &sum));
    return sum;
  }

 private:
  Device& device_;
};

class GpuBound : public HeldBound {
 public:
  GpuBound(Device& device, const QuadraticForm& form, const BoundInputs& inputs, const Prior& prior)
      : device_(device), form_(form), inputs_(inputs) {
    const CausalPattern& pattern = form.pattern;
    const PlainPattern plain(pattern);
    const Vector no_spread = Vector::Zero(pattern.cols());
    const lc_bound_inputs in = {plain.view(),
                                form.P.data(),
                                form.N_0.data(),
                                form.K_0.data(),
                                inputs.Sigma_hat.data(),
                                inputs.U.data(),
                                inputs.B.size() > 0 ? inputs.B.data() : nullptr,
                                inputs.spread.size() > 0 ? inputs.spread.data() : no_spread.data(),
                                inputs.mean_radius > 0 ? inputs.mean_hat.data() : nullptr,
                                prior.center.data(),
                                prior.scale};
    device_.check(device_.call().bound_make(device_.handle(), &in, &bound_));
  }
  ~GpuBound() override { device_.call().bound_free(bound_); }
  GpuBound(const GpuBound&) = delete;
  GpuBound& operator=(const GpuBound&) = delete;

  BoundValue evaluate(const Posterior& posterior, MomentGradient* gradient) override {
    set(posterior);
    const BoundValue bound = values();
    if (!gradient) return bound;
    slopes(bound);
    gradient->d_mean.resize(posterior.mean.rows(), posterior.mean.cols());
    gradient->d_variance.resize(posterior.mean.rows(), posterior.mean.cols());
    device_.check(device_.call().bound_read_slopes(bound_, gradient->d_mean.data(),
                                                   gradient->d_variance.data()));
    return bound;
  }

  void refine_variance(const CausalPattern&, double weight, const Matrix&, Posterior& posterior,
                       int steps) override {
    set(posterior);
    for (int step = 0; step < steps; ++step) {
      const BoundValue bound = values();
      slopes(bound);
      device_.check(device_.call().bound_refine(bound_, bound.complexity.d_rate / weight));
    }
    read(posterior);
  }

  void start_at(const Posterior& posterior, const BoundValue& bound, double unit,
                HeldVector& x) override {
    set(posterior);
    const double per_kl = per_kl_of(bound);
    const lc_scaling scaling = {bound.complexity.d_phi * inputs_.scale, per_kl, unit,
                                std::sqrt(2 * per_kl / unit)};
    device_.check(device_.call().bound_scale(bound_, &scaling));
    device_.check(device_.call().bound_start(bound_, on_gpu(x)));
  }

  BoundValue evaluate(const HeldVector& x, HeldVector& gradient) override {
    device_.check(device_.call().bound_set_coordinates(bound_, on_gpu(x)));
    const BoundValue bound = values();
    slopes(bound);
    device_.check(device_.call().bound_gradient(bound_, on_gpu(gradient)));
    return bound;
  }

  Posterior posterior(const HeldVector& x) override {
    device_.check(device_.call().bound_set_coordinates(bound_, on_gpu(x)));
    Posterior result;
    result.mean.resize(form_.pattern.rows(), form_.pattern.cols());
    result.variance.resize(form_.pattern.rows(), form_.pattern.cols());
    read(result);
    return result;
  }

  std::vector<Matrix> stationary_precision(const Posterior&) override { return {}; }

 private:
  void set(const Posterior& posterior) {
    device_.check(
        device_.call().bound_set(bound_, posterior.mean.data(), posterior.variance.data()));
  }
  void read(Posterior& posterior) {
    device_.check(
        device_.call().bound_read(bound_, posterior.mean.data(), posterior.variance.data()));
  }
  double per_kl_of(const BoundValue& bound) const {
    return bound.complexity.d_rate / weight_of(inputs_);
  }

  BoundValue values() {
    lc_values v = {};
    device_.check(device_.call().bound_values(bound_, &v));
    mean_norm_ = v.mean_norm;
    return bound_of(v, form_, inputs_);
  }

  void slopes(const BoundValue& bound) {
    const Complexity& c = bound.complexity;
    const lc_factors factors = {c.d_phi * inputs_.scale, 2 * c.d_mean * inputs_.scale,
                                per_kl_of(bound),
                                mean_norm_ > 0 ? 2 * inputs_.mean_radius / mean_norm_ : 0.0};
    device_.check(device_.call().bound_slopes(bound_, &factors));
  }

  Device& device_;
  const QuadraticForm& form_;
  const BoundInputs& inputs_;
  lc_bound* bound_ = nullptr;
  double mean_norm_ = 0;
};

// A bound that only the processor knows, for vectors on the device.
class ForeignBound : public HeldBound {
 public:
  ForeignBound(std::unique_ptr<HeldBound> bound, Vectors& near, Vectors& far)
      : bound_(std::move(bound)), near_(near), far_(far) {}

  BoundValue evaluate(const Posterior& posterior, MomentGradient* gradient) override {
    return bound_->evaluate(posterior, gradient);
  }
  void start_at(const Posterior& posterior, const BoundValue& bound, double unit,
                HeldVector& x) override {
    const Index size = static_cast<GpuVector&>(x).length;
    x_ = near_.make(size);
    gradient_ = near_.make(size);
    bound_->start_at(posterior, bound, unit, *x_);
    far_.write(on_host(*x_), x);
  }
  BoundValue evaluate(const HeldVector& x, HeldVector& gradient) override {
    on_host(*x_) = far_.read(x);
    const BoundValue bound = bound_->evaluate(*x_, *gradient_);
    far_.write(on_host(*gradient_), gradient);
    return bound;
  }
  Posterior posterior(const HeldVector& x) override {
    on_host(*x_) = far_.read(x);
    return bound_->posterior(*x_);
  }
  std::vector<Matrix> stationary_precision(const Posterior& posterior) override {
    return bound_->stationary_precision(posterior);
  }

 private:
  std::unique_ptr<HeldBound> bound_;
  Vectors &near_, &far_;
  Held x_, gradient_;
};

class GpuBackend : public Backend {
 public:
  GpuBackend(std::shared_ptr<Device> device, int threads)
      : device_(std::move(device)), vectors_(*device_), cpu_(cpu_backend(threads)) {}

  std::string name() const override { return device_->name(); }
  void multiply(const Matrix& A, const Matrix& B, Matrix& C) override {
    C.resize(A.rows(), B.cols());
    device_->check(device_->call().multiply(device_->handle(), A.rows(), B.cols(), A.cols(),
                                            A.data(), B.data(), C.data()));
  }
  Vectors& vectors() override { return vectors_; }
  std::unique_ptr<HeldBound> hold(const QuadraticForm& form, const BoundInputs& inputs,
                                  const Prior& prior, const SharedFrame& frame) override {
    if (frame || prior.shape)
      return std::make_unique<ForeignBound>(cpu_->hold(form, inputs, prior, frame), cpu_->vectors(),
                                            vectors_);
    return std::make_unique<GpuBound>(*device_, form, inputs, prior);
  }

 private:
  std::shared_ptr<Device> device_;
  GpuVectors vectors_;
  std::unique_ptr<Backend> cpu_;
};

}  // namespace

std::unique_ptr<Backend> gpu_backend(std::shared_ptr<Device> device, int threads) {
  return std::make_unique<GpuBackend>(std::move(device), threads);
}

// plugins/steps/bound.hpp and coordinates.hpp: so many matrices of each size.
double gpu_memory(const CausalPattern& pattern, bool two_sides) {
  const auto u = static_cast<double>(pattern.rows()), z = static_cast<double>(pattern.cols());
  const auto p = static_cast<double>(pattern.count());
  const double of_uz = two_sides ? 22 : 17, of_zz = two_sides ? 12 : 8, of_uu = 5;
  const double vectors = 2 * (5 + 2 * 12);  // OptimizerOptions::memory pairs, two points, a step
  constexpr double streams = 0x1p29;        // what products need to work
  return 8 * (of_uz * u * z + of_zz * z * z + of_uu * u * u + vectors * p) + streams;
}

}  // namespace loopcert
