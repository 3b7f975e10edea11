// The code that learns must not look inside a vector: another device may hold it.
#include "learning/backend.hpp"

#include <gtest/gtest.h>

#include "learning/pac_bayes.hpp"
#include "paper_problem.hpp"

namespace loopcert::testing {
namespace {

// A device far away: its vectors are kept backwards and negated, out of the reach of on_host.
struct FarVector : HeldVector {
  explicit FarVector(Index size) : store(-Vector::Constant(size, NAN)) {}
  Vector store;
};

Vector near(const HeldVector& x) { return -static_cast<const FarVector&>(x).store.reverse(); }
void send(const Vector& x, HeldVector& to) { static_cast<FarVector&>(to).store = -x.reverse(); }

class FarVectors : public Vectors {
 public:
  int made = 0;

  Held make(Index size) override {
    ++made;
    return std::make_unique<FarVector>(size);
  }
  void write(const Vector& values, HeldVector& x) override { send(values, x); }
  Vector read(const HeldVector& x) override { return near(x); }
  double dot(const HeldVector& x, const HeldVector& y) override { return near(x).dot(near(y)); }
  void negate(const HeldVector& x, HeldVector& d) override { send(-near(x), d); }
  void step(const HeldVector& x, double t, const HeldVector& y, HeldVector& d) override {
    send(near(x) + t * near(y), d);
  }
  double differences(const HeldVector& x, const HeldVector& y, HeldVector& d, const HeldVector& u,
                     const HeldVector& v, HeldVector& e) override {
    send(near(x) - near(y), d);
    send(near(u) - near(v), e);
    return dot(d, e);
  }
  double add_and_dot(double factor, double t, const HeldVector& x, HeldVector& d,
                     const HeldVector& y) override {
    send(factor * (near(d) + t * near(x)), d);
    return dot(d, y);
  }
};

class FarBound : public HeldBound {
 public:
  FarBound(Backend& cpu, const QuadraticForm& form, const BoundInputs& inputs, const Prior& prior,
           const SharedFrame& frame)
      : cpu_(cpu), bound_(cpu.hold(form, inputs, prior, frame)) {}

  BoundValue evaluate(const Posterior& posterior, MomentGradient* gradient) override {
    return bound_->evaluate(posterior, gradient);
  }
  void start_at(const Posterior& posterior, const BoundValue& bound, double unit,
                HeldVector& x) override {
    const Index size = near(x).size();
    x_ = cpu_.vectors().make(size);
    gradient_ = cpu_.vectors().make(size);
    bound_->start_at(posterior, bound, unit, *x_);
    send(cpu_.vectors().read(*x_), x);
  }
  BoundValue evaluate(const HeldVector& x, HeldVector& gradient) override {
    cpu_.vectors().write(near(x), *x_);
    const BoundValue value = bound_->evaluate(*x_, *gradient_);
    send(cpu_.vectors().read(*gradient_), gradient);
    return value;
  }
  Posterior posterior(const HeldVector& x) override {
    cpu_.vectors().write(near(x), *x_);
    return bound_->posterior(*x_);
  }
  std::vector<Matrix> stationary_precision(const Posterior& posterior) override {
    return bound_->stationary_precision(posterior);
  }

 private:
  Backend& cpu_;
  std::unique_ptr<HeldBound> bound_;
  Held x_, gradient_;
};

class FarBackend : public Backend {
 public:
  std::string name() const override { return "far"; }
  void multiply(const Matrix& A, const Matrix& B, Matrix& C) override { C = A * B; }
  FarVectors& vectors() override { return vectors_; }
  std::unique_ptr<HeldBound> hold(const QuadraticForm& form, const BoundInputs& inputs,
                                  const Prior& prior, const SharedFrame& frame) override {
    return std::make_unique<FarBound>(*cpu_, form, inputs, prior, frame);
  }

 private:
  std::unique_ptr<Backend> cpu_ = cpu_backend(1);
  FarVectors vectors_;
};

TEST(Backend, LearningIsTheSameWhereverTheVectorsAre) {
  const PaperProblem problem;
  const BoundSetup setup = problem.setup("data-driven", problem.evidence(5, 20));
  PacBayesOptions options;
  options.gradient_tolerance = 1e-8;
  const PacBayesResult here =
      minimize_bound(problem.space.cost, setup.inputs, problem.prior, options);
  FarBackend far;
  options.backend = &far;
  const PacBayesResult there =
      minimize_bound(problem.space.cost, setup.inputs, problem.prior, options);
  EXPECT_EQ(there.status, SolverStatus::converged);
  EXPECT_NEAR(there.bound.value, here.bound.value, 1e-12 * here.bound.value);
  // Two points of x and gradient, the direction, and the pairs that the optimizer remembers.
  EXPECT_GE(far.vectors().made, 2 * 2 + 1 + 2 * OptimizerOptions().memory);
}

// Every operation by its formula, in vectors of several parts.
TEST(Vectors, AreTheirFormulas) {
  Team team(2);
  const std::unique_ptr<Vectors> vectors = host_vectors(team);
  const Index size = 40'001;
  const auto hold = [&](const Vector& values) {
    Held x = vectors->make(size);
    vectors->write(values, *x);
    return x;
  };
  const Vector a = Vector::LinSpaced(size, -1, 2), b = Vector::LinSpaced(size, 3, -1).array().sin();
  const Vector c = Vector::LinSpaced(size, 0, 9).array().cos(), e = a.cwiseProduct(b);
  const Held x = hold(a), y = hold(b), u = hold(c), v = hold(e), d = hold(a), f = hold(a);
  const auto near = [&](double found, double expected) {
    EXPECT_NEAR(found, expected, 1e-9 * static_cast<double>(size));
  };
  near(vectors->dot(*x, *y), a.dot(b));
  vectors->negate(*x, *d);
  EXPECT_EQ(vectors->read(*d), Vector(-a));
  vectors->step(*x, 0.25, *y, *d);
  EXPECT_TRUE(vectors->read(*d).isApprox(a + 0.25 * b, 1e-15));
  near(vectors->differences(*x, *y, *d, *u, *v, *f), (a - b).dot(c - e));
  EXPECT_EQ(vectors->read(*d), Vector(a - b));
  EXPECT_EQ(vectors->read(*f), Vector(c - e));
  near(vectors->add_and_dot(-3, 0.5, *x, *d, *u), (-3 * (a - b + 0.5 * a)).dot(c));
  EXPECT_TRUE(vectors->read(*d).isApprox(-3 * (a - b + 0.5 * a), 1e-14));
}

}  // namespace
}  // namespace loopcert::testing
