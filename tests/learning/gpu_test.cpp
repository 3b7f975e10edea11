// The steps of the GPU (plugins/steps), by the plugin that runs them on this computer's processor
// in memory full of NaN: every number is the CPU backend's. Another plugin that LOOPCERT_GPU_PLUGIN
// names is tested instead, where its GPU is there: ctest's learning_on_gpu, and bench/gpu/run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "learning/large_products.hpp"
#include "learning/minimizers.hpp"
#include "learning/pac_bayes.hpp"
#include "loopcert/core/error.hpp"
#include "paper_problem.hpp"
#include "random_bound.hpp"

namespace loopcert::testing {
namespace {

// Without the GPU of a plugin that is named, nothing is tested.
struct NamedPlugin : ::testing::Environment {
  void SetUp() override {
    std::string why;
    if (std::getenv("LOOPCERT_GPU_PLUGIN") && !take_device(&why)) GTEST_SKIP() << "no GPU: " << why;
  }
};
const auto* const named_plugin = ::testing::AddGlobalTestEnvironment(new NamedPlugin);

std::unique_ptr<Backend> posing_backend() {
  ::setenv("LOOPCERT_GPU_PLUGIN", LOOPCERT_HOST_DEVICE_PLUGIN, 0);
  std::string why;
  std::shared_ptr<Device> device = take_device(&why);
  EXPECT_TRUE(device) << why;
  return gpu_backend(std::move(device), 1);
}

void expect_near(const Matrix& found, const Matrix& expected, double tolerance = 1e-10) {
  ASSERT_EQ(found.rows(), expected.rows());
  ASSERT_EQ(found.cols(), expected.cols());
  EXPECT_LE((found - expected).cwiseAbs().maxCoeff(),
            tolerance * std::max(expected.cwiseAbs().maxCoeff(), 1e-300));
}
void expect_near(const BoundValue& found, const BoundValue& expected) {
  const auto near = [&](double a, double b) { EXPECT_NEAR(a, b, 1e-11 * std::abs(b)); };
  near(found.value, expected.value);
  near(found.empirical, expected.empirical);
  near(found.spread, expected.spread);
  near(found.mean_event, expected.mean_event);
  near(found.complexity.value, expected.complexity.value);
  near(found.kl, expected.kl);
  near(found.C, expected.C);
  near(found.mean_term, expected.mean_term);
}

// Value, gradient, coordinates, the gradient in them, and what they are of.
void compare(Backend& cpu, Backend& gpu, const QuadraticForm& form, const BoundInputs& inputs,
             const Prior& prior, const Posterior& at) {
  const auto near = cpu.hold(form, inputs, prior, nullptr);
  const auto far = gpu.hold(form, inputs, prior, nullptr);
  MomentGradient expected, found;
  const BoundValue bound = near->evaluate(at, &expected);
  expect_near(far->evaluate(at, &found), bound);
  expect_near(found.d_mean, expected.d_mean);
  expect_near(found.d_variance, expected.d_variance);
  expect_near(far->evaluate(at), bound);

  Posterior here = at, there = at;
  const Matrix of_prior =
      unpack(form.pattern, Vector::Constant(form.p(), prior.scale * prior.scale));
  near->refine_variance(form.pattern, weight_of(inputs), of_prior, here, 3);
  far->refine_variance(form.pattern, weight_of(inputs), of_prior, there, 3);
  expect_near(there.variance, here.variance);
  EXPECT_EQ(there.mean, at.mean);

  const Index size = 2 * form.p();
  const Held x = cpu.vectors().make(size), g = cpu.vectors().make(size);
  const Held y = gpu.vectors().make(size), h = gpu.vectors().make(size);
  near->start_at(here, bound, bound.value, *x);
  far->start_at(here, bound, bound.value, *y);
  expect_near(gpu.vectors().read(*y), cpu.vectors().read(*x));
  const Vector away = cpu.vectors().read(*x) + 0.1 * Vector::LinSpaced(size, -1, 1);
  cpu.vectors().write(away, *x);
  gpu.vectors().write(away, *y);
  expect_near(far->evaluate(*y, *h), near->evaluate(*x, *g));
  expect_near(gpu.vectors().read(*h), cpu.vectors().read(*g), 1e-9);
  expect_near(far->posterior(*y).mean, near->posterior(*x).mean);
  expect_near(far->posterior(*y).variance, near->posterior(*x).variance);
}

class Gpu : public RandomBound {
 protected:
  Gpu() : RandomBound(9) {}

  Matrix covariance(std::uint64_t stream, bool with_constant) const {
    const Index z = space.cost.pattern.cols();
    const Matrix R = random_matrix(z, z, seed + stream);
    Matrix A = R * R.transpose() + 0.1 * Matrix::Identity(z, z);
    if (space.cost.pattern.constant && !with_constant) {
      A.row(0).setZero();
      A.col(0).setZero();
    }
    return A;
  }
};

// All terms at once: a side B, a mean event, an envelope that is not affine in the moment.
TEST_P(Gpu, ABoundIsThatOfTheCpu) {
  const std::unique_ptr<Backend> cpu = cpu_backend(1), gpu = posing_backend();
  const Index z = space.cost.pattern.cols();
  BoundInputs inputs;
  inputs.n = 9;
  inputs.delta = 0.05;
  inputs.Sigma_hat = covariance(20, true);
  inputs.U = covariance(21, false);
  inputs.spread = covariance(22, false).diagonal();
  for (const bool affine : {false, true})
    for (const bool with_mean : {false, true})
      for (const Psi psi : {Psi::quadratic, Psi::rank_aware, Psi::cross}) {
        if (psi == Psi::cross && !with_mean) continue;
        BoundInputs these = inputs;
        these.psi = psi;
        these.rank = 3;
        these.scale = 0.7;
        if (affine) these.U = 1.3 * inputs.Sigma_hat + 0.2 * Matrix::Identity(z, z);
        if (with_mean) {
          these.B = covariance(23, psi == Psi::cross);
          these.mean_radius = 0.4;
          these.mean_hat = covariance(24, false).diagonal();
        }
        SCOPED_TRACE(
            fmt::format("affine {}, mean {}, psi {}", affine, with_mean, static_cast<int>(psi)));
        compare(*cpu, *gpu, space.cost, these, prior, posterior);
      }
}

bool is_refused(Backend& backend, const QuadraticForm& form, const BoundInputs& inputs,
                const Prior& prior, const Posterior& at) {
  try {
    backend.hold(form, inputs, prior, nullptr)->evaluate(at);
  } catch (const NumericsError&) {
    return true;
  }
  return false;
}

// The same responses seen from starts that cost more and more: both refuse from the same one on.
TEST_P(Gpu, ABoundLostInRoundingIsRefusedWhereTheCpuRefuses) {
  const std::unique_ptr<Backend> cpu = cpu_backend(1), gpu = posing_backend();
  BoundInputs inputs;
  inputs.n = 9;
  inputs.delta = 0.05;
  inputs.Sigma_hat = covariance(20, true);
  inputs.U = covariance(21, false);
  inputs.spread = Vector::Zero(inputs.U.cols());
  const QuadraticForm& near = space.cost;
  const Matrix direction = random_coordinates(near.pattern, seed + 30);
  for (const std::optional<double> lambda : {std::optional<double>(), {1e3}}) {
    inputs.lambda = lambda;
    int refused = 0, steps = 0;
    for (double far = 1; far < 1e7; far *= 1.5, ++steps) {
      const Matrix move = far * direction, P_move = near.P * move,
                   cross = near.N_0.transpose() * move;
      QuadraticForm farther = near;
      farther.N_0 -= P_move;
      farther.K_0 += move.transpose() * P_move - cross - cross.transpose();
      const Prior there{prior.center + move, prior.scale};
      const Posterior at{posterior.mean + move, posterior.variance};
      const bool here = is_refused(*cpu, farther, inputs, there, at);
      EXPECT_EQ(is_refused(*gpu, farther, inputs, there, at), here) << far;
      refused += here;
    }
    EXPECT_GT(refused, 0);
    EXPECT_LT(refused, steps);
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, Gpu, ::testing::Range(0, 8));

TEST(GpuLearning, EndsWhereTheCpuEnds) {
  const PaperProblem problem;
  const std::unique_ptr<Backend> gpu = posing_backend();
  for (const char* kind : {"data-driven", "data-driven-rank-aware", "oracle"}) {
    SCOPED_TRACE(kind);
    const BoundSetup setup = problem.setup(kind, problem.evidence(5, 20));
    PacBayesOptions options;
    options.gradient_tolerance = 1e-8;
    const PacBayesResult here =
        minimize_bound(problem.space.cost, setup.inputs, problem.prior, options);
    options.backend = gpu.get();
    const PacBayesResult there =
        minimize_bound(problem.space.cost, setup.inputs, problem.prior, options);
    EXPECT_EQ(there.status, SolverStatus::converged);
    EXPECT_NEAR(there.bound.value, here.bound.value, 1e-10 * here.bound.value);
    EXPECT_NEAR(there.iterations, here.iterations, 2);
  }
}

// Frames, and priors of another shape, are the processor's, with vectors on the device.
TEST(GpuLearning, TakesBoundsThatOnlyTheProcessorKnows) {
  const PaperProblem problem;
  const BoundSetup setup = problem.setup("data-driven", problem.evidence(5, 20));
  const std::unique_ptr<Backend> gpu = posing_backend();
  PacBayesOptions options;
  options.frame = std::make_shared<const Frame>(Frame{problem.space.cost.pattern,
                                                      {Matrix(Matrix::Identity(10, 10))},
                                                      std::vector<Index>(22, 0),
                                                      {},
                                                      {}});
  const double here =
      minimize_bound(problem.space.cost, setup.inputs, problem.prior, options).bound.value;
  options.backend = gpu.get();
  EXPECT_NEAR(minimize_bound(problem.space.cost, setup.inputs, problem.prior, options).bound.value,
              here, 1e-10 * here);
}

TEST(GpuLearning, MultipliesAndKeepsVectors) {
  const std::unique_ptr<Backend> gpu = posing_backend();
  const Matrix A = random_matrix(7, 5, 1), B = random_matrix(5, 3, 2);
  Matrix C;
  gpu->multiply(A, B, C);
  expect_near(C, A * B, 1e-14);
  Vectors& vectors = gpu->vectors();
  const auto hold = [&](const Vector& values) {
    Held x = vectors.make(values.size());
    vectors.write(values, *x);
    return x;
  };
  const Vector a = random_matrix(99, 1, 3), b = random_matrix(99, 1, 4),
               c = random_matrix(99, 1, 5);
  const Held x = hold(a), y = hold(b), u = hold(c), d = hold(a), e = hold(a);
  EXPECT_NEAR(vectors.dot(*x, *y), a.dot(b), 1e-12);
  vectors.negate(*x, *d);
  EXPECT_EQ(vectors.read(*d), Vector(-a));
  vectors.step(*x, 0.25, *y, *d);
  expect_near(vectors.read(*d), a + 0.25 * b, 1e-14);
  EXPECT_NEAR(vectors.differences(*x, *y, *d, *u, *x, *e), (a - b).dot(c - a), 1e-12);
  EXPECT_NEAR(vectors.add_and_dot(-3, 0.5, *x, *d, *u), (-3 * (a - b + 0.5 * a)).dot(c), 1e-11);
  expect_near(vectors.read(*d), -3 * (a - b + 0.5 * a), 1e-14);
}

// ERM and ridge by a device's products, of a factor that is cut in two: the equations' solution as
// the processor finds it, also where the device fails on the way.
TEST(GpuLearning, MinimizersAreThoseOfTheProcessor) {
  posing_backend();
  const System system = random_system({.n_x = 6, .n_u = 2, .T = 60}, 3);
  const ResponseSpace space = make_response_space(system, {});
  const Index z = space.cost.pattern.cols();
  const Matrix R = random_matrix(z, 2 * z, 4);
  const Matrix Sigma = R * R.transpose() / static_cast<double>(z);
  const double gamma = 0.02;
  const Matrix erm = minimize_risk(space.cost, Sigma).Z;
  const Matrix kept = ridge(space.cost, Sigma, gamma).Z;
  const DeviceScope gpu(DeviceChoice::gpu);
  ASSERT_TRUE(LargeProducts(space.cost.pattern).on_device());
  const Minimizer there = minimize_risk(space.cost, Sigma);
  EXPECT_EQ(there.left_device, "");
  EXPECT_TRUE(there.determined);
  EXPECT_LE((there.Z - erm).norm(), 1e-10 * erm.norm());
  const RidgeResult found = ridge(space.cost, Sigma, gamma);
  EXPECT_TRUE(found.converged);
  EXPECT_LE((found.Z - kept).norm(), 1e-10 * kept.norm());
  // What the processor alone knows: fewer directions than entries.
  const Matrix flat = R.leftCols(5) * R.leftCols(5).transpose();
  const Minimizer singular = minimize_risk(space.cost, flat);
  EXPECT_FALSE(singular.determined);

  const std::shared_ptr<Device> one = take_device();  // so that the next one is opened now
  if (one->name() != "a processor that poses as another device") return;
  ::setenv("LOOPCERT_HOST_DEVICE", "lost=50", 1);
  const RidgeResult left = ridge(space.cost, Sigma, gamma);
  const Minimizer left_too = minimize_risk(space.cost, Sigma);
  ::unsetenv("LOOPCERT_HOST_DEVICE");
  EXPECT_NE(left.left_device.find("the processor went on"), std::string::npos) << left.left_device;
  EXPECT_TRUE(left.converged);
  EXPECT_LE((left.Z - kept).norm(), 1e-10 * kept.norm());
  EXPECT_NE(left_too.left_device, "");
  EXPECT_LE((left_too.Z - erm).norm(), 1e-10 * erm.norm());
}

TEST(GpuLearning, NamesAreChecked) {
  for (const DeviceChoice choice : {DeviceChoice::automatic, DeviceChoice::cpu, DeviceChoice::gpu})
    EXPECT_EQ(device_choice_from(device_choice_name(choice), "device"), choice);
  EXPECT_THROW(device_choice_from("tpu", "device"), InputError);
  {
    const DeviceScope scope(DeviceChoice::gpu);
    EXPECT_EQ(device_choice(), DeviceChoice::gpu);
  }
  EXPECT_EQ(device_choice(), DeviceChoice::automatic);
}

}  // namespace
}  // namespace loopcert::testing
