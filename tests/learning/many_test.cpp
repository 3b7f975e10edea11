// Many small problems on a device (plugins/steps/many*.hpp), by the plugin that runs them on this
// computer's processor, or by the one that LOOPCERT_GPU_PLUGIN names: every bound is that of
// minimize_bound.
#include <gtest/gtest.h>

#include <cstdlib>

#include "learning/learn_many.hpp"
#include "loopcert/core/error.hpp"
#include "random_bound.hpp"

namespace loopcert::testing {
namespace {

std::shared_ptr<Device> posing_device() {
  ::setenv("LOOPCERT_GPU_PLUGIN", LOOPCERT_HOST_DEVICE_PLUGIN, 0);
  std::string why;
  std::shared_ptr<Device> device = take_device(&why);
  EXPECT_TRUE(device) << why;
  return device;
}

class Many : public RandomBound {
 protected:
  Many() : RandomBound(9) {}

  Matrix covariance(std::uint64_t stream, bool with_constant) const {
    const CausalPattern& pattern = space.cost.pattern;
    const Matrix R = random_matrix(pattern.cols(), pattern.cols(), seed + stream);
    Matrix A = R * R.transpose() + 0.1 * Matrix::Identity(pattern.cols(), pattern.cols());
    if (pattern.constant && !with_constant) {
      A.row(0).setZero();
      A.col(0).setZero();
    }
    return A;
  }

  // All kinds of terms: a side B, a mean event, spread weights of both signs, fixed lambda.
  std::vector<BoundInputs> all_kinds() const {
    std::vector<BoundInputs> list;
    for (const Psi psi : {Psi::quadratic, Psi::rank_aware, Psi::cross})
      for (const bool with_mean : {false, true})
        for (const int extra : {0, 1, 2, 3}) {
          if (psi == Psi::cross && !with_mean) continue;
          BoundInputs in;
          in.n = 9 + 3 * extra;
          in.delta = 0.05;
          const auto stream = 40 + 10 * static_cast<std::uint64_t>(extra);
          in.Sigma_hat = covariance(stream, true);
          in.U = extra == 1 ? Matrix(2 * in.Sigma_hat) : covariance(stream + 1, false);
          in.spread = covariance(stream + 2, false).diagonal();
          if (extra == 0) in.spread.setZero();
          if (extra == 3) in.spread *= -1e-3;
          if (extra == 2) in.lambda = 0.01;
          in.psi = psi;
          in.rank = 3;
          in.scale = 0.5;
          if (with_mean) {
            in.B = covariance(stream + 3, false);
            in.mean_radius = extra == 1 ? 0.0 : 0.3;
            in.mean_hat = covariance(stream + 4, false).diagonal();
          }
          list.push_back(in);
        }
    return list;
  }
};

std::vector<const BoundInputs*> places(const std::vector<BoundInputs>& all) {
  std::vector<const BoundInputs*> list;
  for (const BoundInputs& one : all) list.push_back(&one);
  return list;
}

TEST_P(Many, EveryBoundIsThatOfTheCpu) {
  const std::vector<BoundInputs> all = all_kinds();
  const std::shared_ptr<Device> device = posing_device();
  PacBayesOptions options;
  options.gradient_tolerance = 1e-7;
  const auto found = learn_on_device(*device, space.cost, places(all), prior, options);
  for (size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(i);
    const PacBayesResult expected = minimize_bound(space.cost, all[i], prior, options);
    ASSERT_TRUE(found[i]);
    EXPECT_NEAR(found[i]->bound.value, expected.bound.value, 1e-10 * expected.bound.value);
    EXPECT_NEAR(found[i]->bound.value,
                evaluate_bound(space.cost, all[i], prior, found[i]->posterior).value,
                1e-12 * expected.bound.value);
    EXPECT_LE((found[i]->posterior.mean - expected.posterior.mean).norm(),
              1e-4 * expected.posterior.mean.norm());
    EXPECT_EQ(found[i]->status, expected.status);
  }
}

TEST_P(Many, NeitherOrderNorBatchMatters) {
  std::vector<BoundInputs> all = all_kinds();
  const std::shared_ptr<Device> device = posing_device();
  const auto found = learn_on_device(*device, space.cost, places(all), prior, {});
  std::reverse(all.begin(), all.end());
  const auto turned = learn_on_device(*device, space.cost, places(all), prior, {});
  for (size_t i = 0; i < all.size(); ++i) {
    const auto& other = found[all.size() - 1 - i];
    const auto alone = learn_on_device(*device, space.cost, {&all[i]}, prior, {}).front();
    for (const auto& one : {turned[i], alone}) {
      ASSERT_TRUE(one && other);
      EXPECT_EQ(one->bound.value, other->bound.value);
      EXPECT_EQ(one->posterior.mean, other->posterior.mean);
      EXPECT_EQ(one->posterior.variance, other->posterior.variance);
      EXPECT_EQ(one->iterations, other->iterations);
    }
  }
}

// Threads that pose as the lanes of a device: sums in another order, all else alike. Of a problem
// with a side B, for barriers are slow.
TEST(ManyLanes, DoTheWorkOfOne) {
  const std::shared_ptr<Device> one = posing_device();
  if (one->name() != "a processor that poses as another device") GTEST_SKIP() << one->name();
  ::setenv("LOOPCERT_HOST_DEVICE", "lanes=3", 1);
  const std::shared_ptr<Device> three = take_device();
  ::unsetenv("LOOPCERT_HOST_DEVICE");
  const Index d_w = 3;
  const System system = random_system({.n_x = 1, .n_u = 1, .T = 2}, 1);
  const ResponseSpace space = make_response_space(system, {});
  BoundInputs in;
  in.n = 9;
  in.delta = 0.05;
  in.Sigma_hat = in.U = in.B = Matrix::Identity(d_w, d_w);
  in.U(0, 1) = in.U(1, 0) = 0.3;
  in.spread = Vector::Zero(d_w);
  const Prior prior{Matrix::Zero(space.cost.pattern.rows(), d_w), 1.0};
  const auto found = learn_on_device(*three, space.cost, {&in}, prior, {}).front(),
             expected = learn_on_device(*one, space.cost, {&in}, prior, {}).front();
  ASSERT_TRUE(found && expected);
  EXPECT_NEAR(found->bound.value, expected->bound.value, 1e-12 * expected->bound.value);
  EXPECT_NE(found->bound.value, 0);
}

// What it leaves to the processor, and a processor alone.
TEST_P(Many, TheProcessorDoesTheRest) {
  const std::vector<BoundInputs> all = all_kinds();
  const std::shared_ptr<Device> device = posing_device();
  PacBayesOptions stops_early;
  stops_early.max_iterations = 3;
  for (Device* on : {device.get(), static_cast<Device*>(nullptr)}) {
    const auto results = learn_many(space.cost, places(all), prior, stops_early, on, 2);
    for (size_t i = 0; i < all.size(); ++i) {
      const PacBayesResult expected = minimize_bound(space.cost, all[i], prior, stops_early);
      EXPECT_NEAR(results[i].bound.value, expected.bound.value, 1e-9 * expected.bound.value);
      EXPECT_EQ(results[i].iterations, expected.iterations);
      EXPECT_EQ(results[i].evaluations, expected.evaluations);
      EXPECT_EQ(results[i].status, expected.status);
    }
  }
  BoundInputs lost = all.front();
  lost.U *= 1e200;  // squares overflow
  EXPECT_FALSE(learn_on_device(*device, space.cost, {&lost}, prior, {}).front());
  EXPECT_THROW(learn_many(space.cost, {&lost}, prior, {}, device.get(), 1), NumericsError);
  PacBayesOptions watched;
  watched.on_step = [](const LearningStep&) { return true; };
  EXPECT_FALSE(learn_on_device(*device, space.cost, {&all.front()}, prior, watched).front());
}

INSTANTIATE_TEST_SUITE_P(Seeds, Many, ::testing::Range(0, 6));

}  // namespace
}  // namespace loopcert::testing
