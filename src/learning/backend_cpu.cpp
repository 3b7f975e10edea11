#include <optional>

#include "core/product.hpp"
#include "learning/backend.hpp"
#include "loopcert/core/error.hpp"
#include "scaling.hpp"

namespace loopcert {
namespace {

class CpuBound : public HeldBound {
 public:
  CpuBound(const QuadraticForm& form, const BoundInputs& inputs, const Prior& prior, Team& team)
      : form_(form),
        inputs_(inputs),
        prior_(prior),
        team_(team),
        evaluator_(form, inputs, prior, team) {}

  BoundValue evaluate(const Posterior& posterior, MomentGradient* gradient) override {
    return evaluator_.evaluate(posterior, gradient);
  }

  Vector start_at(const Posterior& posterior, const BoundValue& bound, double unit) override {
    unit_ = unit;
    scaling_.emplace(form_, inputs_, prior_, posterior, bound, unit, team_);
    return scaling_->start(posterior);
  }

  BoundValue evaluate(const HeldVector& x, HeldVector& gradient) override {
    scaling_->posterior(on_host(x), at_);
    if (!at_.variance.allFinite() || !at_.mean.allFinite())
      throw NumericsError("the step was too long for double precision");
    const BoundValue bound = evaluator_.evaluate(at_, &slopes_);
    scaling_->gradient(at_, slopes_, on_host(gradient));
    on_host(gradient) /= unit_;
    return bound;
  }

  Posterior posterior(const Vector& x) override {
    Posterior result;
    scaling_->posterior(x, result);
    return result;
  }

 private:
  const QuadraticForm& form_;
  const BoundInputs& inputs_;
  const Prior& prior_;
  Team& team_;
  BoundEvaluator evaluator_;
  std::optional<Scaling> scaling_;
  double unit_ = 1;
  Posterior at_;
  MomentGradient slopes_;
};

class CpuBackend : public Backend {
 public:
  explicit CpuBackend(int threads) : team_(threads), vectors_(host_vectors(team_)) {}

  std::string name() const override { return "cpu"; }
  void multiply(const Matrix& A, const Matrix& B, Matrix& C) override {
    loopcert::multiply(A, B, C, team_);
  }
  Vectors& vectors() override { return *vectors_; }
  std::unique_ptr<HeldBound> hold(const QuadraticForm& form, const BoundInputs& inputs,
                                  const Prior& prior) override {
    return std::make_unique<CpuBound>(form, inputs, prior, team_);
  }

 private:
  Team team_;
  std::unique_ptr<Vectors> vectors_;
};

}  // namespace

std::unique_ptr<Backend> cpu_backend(int threads) { return std::make_unique<CpuBackend>(threads); }

}  // namespace loopcert
