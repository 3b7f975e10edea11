#include <optional>

#include "core/product.hpp"
#include "learning/backend.hpp"
#include "loopcert/core/error.hpp"
#include "scaling.hpp"

namespace loopcert {
namespace {

class CpuBound : public HeldBound {
 public:
  CpuBound(const QuadraticForm& form, const BoundInputs& inputs, const Prior& prior, Team& team,
           const SharedFrame& frame)
      : form_(form),
        inputs_(inputs),
        prior_(prior),
        team_(team),
        evaluation_(make_evaluation(form, inputs, prior, team, frame)) {
    at_.frame = frame;
  }

  BoundValue evaluate(const Posterior& posterior, MomentGradient* gradient) override {
    return evaluation_->evaluate(posterior, gradient);
  }

  void start_at(const Posterior& posterior, const BoundValue& bound, double unit,
                HeldVector& x) override {
    unit_ = unit;
    scaling_.emplace(form_, inputs_, prior_, posterior, bound, unit, team_);
    on_host(x) = scaling_->start(posterior);
  }

  BoundValue evaluate(const HeldVector& x, HeldVector& gradient) override {
    scaling_->posterior(on_host(x), at_);
    if (!at_.variance.allFinite() || !at_.mean.allFinite())
      throw NumericsError("the step was too long for double precision");
    const BoundValue bound = evaluation_->evaluate(at_, &slopes_);
    scaling_->gradient(at_, slopes_, on_host(gradient));
    on_host(gradient) /= unit_;
    return bound;
  }

  Posterior posterior(const HeldVector& x) override {
    Posterior result;
    result.frame = at_.frame;
    scaling_->posterior(on_host(x), result);
    return result;
  }

  std::vector<Matrix> stationary_precision(const Posterior& posterior) override {
    return evaluation_->stationary_precision(posterior);
  }

 private:
  const QuadraticForm& form_;
  const BoundInputs& inputs_;
  const Prior& prior_;
  Team& team_;
  std::unique_ptr<BoundEvaluation> evaluation_;
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
                                  const Prior& prior, const SharedFrame& frame) override {
    return std::make_unique<CpuBound>(form, inputs, prior, team_, frame);
  }

 private:
  Team team_;
  std::unique_ptr<Vectors> vectors_;
};

}  // namespace

std::unique_ptr<Backend> cpu_backend(int threads) { return std::make_unique<CpuBackend>(threads); }

}  // namespace loopcert
