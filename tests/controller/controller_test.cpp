#include "loopcert/controller/controller.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "controller/closed_loop.hpp"
#include "controller/controller_trees.hpp"
#include "loopcert/controller/controller_file.hpp"
#include "loopcert/core/error.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"
#include "response/space.hpp"

namespace loopcert::testing {
namespace {

class RandomController : public ::testing::TestWithParam<int> {
 protected:
  RandomController() : seed(static_cast<std::uint64_t>(GetParam())), shape(random_shape(seed)) {
    system = random_system(shape, seed);
    const ResponseSpace space = make_response_space(system, {.affine = (seed % 2) == 0});
    response =
        response_at(system, space.coordinates, random_coordinates(space.coordinates.pattern, seed));
    controller = recover_controller(response, system.sizes());
  }
  std::uint64_t seed;
  Shape shape;
  System system;
  Response response;
  Controller controller;
};

TEST_P(RandomController, IsPhiUTimesTheInverseOfPhiX) {
  SCOPED_TRACE(shape_text(shape));
  const Matrix K = response.Phi_u * response.Phi_x.inverse();
  EXPECT_LT((controller.K - K).norm(), 1e-9 * (1 + K.norm()));
  EXPECT_LT((controller.k - (response.phi_u - K * response.phi_x)).norm(),
            1e-9 * (1 + K.norm()) * (1 + response.phi_x.norm()));
}

TEST_P(RandomController, IsBlockLowerTriangularExactly) { check_controller(controller); }

TEST_P(RandomController, ProducesItsResponse) {
  SCOPED_TRACE(shape_text(shape));
  const Response back = closed_loop_response(system, controller);
  EXPECT_LT((back.Phi_x - response.Phi_x).norm(), 1e-9 * response.Phi_x.norm());
  EXPECT_LT((back.Phi_u - response.Phi_u).norm(), 1e-9 * (1 + response.Phi_u.norm()));
  EXPECT_LT((back.phi_x - response.phi_x).norm(), 1e-9 * (1 + response.phi_x.norm()));
  EXPECT_LT((back.phi_u - response.phi_u).norm(), 1e-9 * (1 + response.phi_u.norm()));
}

TEST_P(RandomController, FileKeepsEveryBit) {
  controller.provenance = {{"method", "random"}, {"note", "quotes \" and <markup>"}};
  const auto path = std::filesystem::temp_directory_path() /
                    ("loopcert_controller_" + std::to_string(::getpid()) + ".json");
  write_controller(path, controller);
  const Controller back = read_controller(path);
  std::filesystem::remove(path);
  EXPECT_EQ(back.K, controller.K);
  EXPECT_EQ(back.k, controller.k);
  EXPECT_EQ(back.provenance, controller.provenance);
}

INSTANTIATE_TEST_SUITE_P(Random, RandomController, ::testing::Range(1, 25));

// The mean response's controller is not the mean of the controllers.
TEST(MeanResponse, HasItsOwnController) {
  const System system = double_integrator();
  const ResponseSpace space = make_response_space(system, {});
  const Matrix Z_1 = random_coordinates(space.coordinates.pattern, 1);
  const Matrix Z_2 = random_coordinates(space.coordinates.pattern, 2);
  const auto controller = [&](const Matrix& Z) {
    return recover_controller(response_at(system, space.coordinates, Z), system.sizes());
  };
  const Matrix mean_K = 0.5 * (controller(Z_1).K + controller(Z_2).K);
  const Matrix K = controller(0.5 * (Z_1 + Z_2)).K;
  EXPECT_GT((K - mean_K).norm(), 0.1 * K.norm());
  // while responses do average: the mean response is achieved by K and not by mean_K.
  const Response mean = response_at(system, space.coordinates, 0.5 * (Z_1 + Z_2));
  Controller averaged{system.sizes(), mean_K, Vector::Zero(10), {}, {}};
  EXPECT_GT((closed_loop_response(system, averaged).Phi_x - mean.Phi_x).norm(),
            0.05 * mean.Phi_x.norm());
}

TEST(Lqr, ControllerIsTheStaticGains) {
  const System system = double_integrator();
  const LqrGains gains = lqr_gains(system);
  const Controller controller = recover_controller(lqr_response(system, gains), system.sizes());
  Matrix K = Matrix::Zero(10, 22);
  for (Index t = 0; t < 10; ++t) K.block(t, 2 * t, 1, 2) = gains.K[static_cast<size_t>(t)];
  EXPECT_LT((controller.K - K).norm(), 1e-12);
}

TEST(ControllerRun, RefusesAStepAfterTheHorizonAndAWrongState) {
  const System system = double_integrator();
  const Controller controller = recover_controller(lqr_response(system), system.sizes());
  ControllerRun run(controller);
  EXPECT_THROW(run.step(Vector::Zero(3)), InputError);
  for (int t = 0; t < 10; ++t) run.step(Vector::Ones(2));
  EXPECT_THROW(run.step(Vector::Ones(2)), InputError);
}

TEST(ControllerFile, BadFilesAreNamed) {
  const System system = double_integrator();
  const nlohmann::json good =
      controller_to_json(recover_controller(lqr_response(system), system.sizes()));
  const auto expect_message = [](const nlohmann::json& tree, const std::string& fragment) {
    try {
      controller_from_json(tree);
      ADD_FAILURE() << "accepted: expected " << fragment;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(fragment), std::string::npos) << error.what();
    }
  };
  for (const char* key : {"format", "horizon", "n_x", "n_u", "K", "k"}) {
    nlohmann::json tree = good;
    tree.erase(key);
    expect_message(tree, key);
  }
  nlohmann::json tree = good;
  tree["K"][0][5] = 1.0;
  expect_message(tree, "later state");
  tree = good;
  tree["K"][3].erase(0);
  expect_message(tree, "K[3]");
  tree = good;
  tree["K"][3][0] = "1";
  expect_message(tree, "K[3][0]");
  tree = good;
  tree["horizon"] = 1e9;
  expect_message(tree, "horizon");
  tree = good;
  tree["n_x"] = -2;
  expect_message(tree, "n_x");
  expect_message(nlohmann::json::array(), "object");
  EXPECT_THROW(read_controller("no such file"), InputError);
}

}  // namespace
}  // namespace loopcert::testing
