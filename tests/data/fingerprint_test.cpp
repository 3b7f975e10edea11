#include "data/fingerprint.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"
#include "random_system.hpp"

namespace loopcert {
namespace {

TEST(Fingerprints, AreOfTheNumbersAndOfNothingElse) {
  Disturbances data{testing::random_matrix(5, 4, 1)};
  const auto before = row_fingerprints(data);
  ASSERT_EQ(before.size(), 5u);
  for (const std::string& text : before) EXPECT_EQ(text.size(), 16u);
  EXPECT_FALSE(first_repeated(data));
  EXPECT_EQ(row_fingerprints(select_rows(data, {3, 1})),
            (std::vector<std::string>{before[3], before[1]}));
  data.w(2, 1) = std::nextafter(data.w(2, 1), 1e9);  // the last bit counts
  const auto after = row_fingerprints(data);
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(before[i] == after[i], i != 2);
}

TEST(Fingerprints, DoNotTellTheZerosApart) {
  EXPECT_EQ(row_fingerprints({Matrix::Constant(1, 3, 0.0)}),
            row_fingerprints({Matrix::Constant(1, 3, -0.0)}));
  Disturbances zeros{Matrix::Zero(2, 3)};
  zeros.w(1, 2) = -0.0;
  EXPECT_TRUE(first_repeated(zeros));
}

TEST(Fingerprints, FindRepeatedAndSharedRows) {
  const Disturbances data{testing::random_matrix(6, 3, 2)};
  const auto pair = first_repeated(select_rows(data, {0, 1, 2, 1, 0, 1}));
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->first, 1);
  EXPECT_EQ(pair->second, 3);
  EXPECT_EQ(shared_rows(row_fingerprints(data), row_fingerprints(select_rows(data, {5, 2}))),
            (std::vector<Index>{2, 5}));
  EXPECT_TRUE(shared_rows(row_fingerprints(data), {}).empty());
}

TEST(Fingerprints, RefuseARecordingThatIsThereTwice) {
  const Sizes sizes = state_feedback(2, 1, 4);
  const Plant plant = testing::random_system({.n_x = 2, .n_u = 1, .T = 4}, 1).plant;
  Disturbances data{testing::random_matrix(7, sizes.d_w(), 3)};
  EXPECT_EQ(testing::input_error([&] { check_repeated(data, plant); }), "");
  data.w.row(5) = data.w.row(2).cast<float>().cast<double>();
  EXPECT_TRUE(testing::contains(testing::input_error([&] { check_repeated(data, plant); }),
                                "trajectories 3 and 6 equal up to rounding"));
  data.w.row(5) = data.w.row(2);
  EXPECT_TRUE(testing::contains(testing::input_error([&] { check_repeated(data, plant); }),
                                "trajectories 3 and 6 equal in every number"));
  // Another model, other disturbances: the logs are the same, but for rounding.
  Rollouts logs{testing::random_matrix(9, sizes.d_w(), 1), testing::random_matrix(9, 4, 2)};
  logs.x.array() += 10;
  logs.x.row(8) = logs.x.row(0).cast<float>().cast<double>();
  logs.u.row(8) = logs.u.row(0);
  const Disturbances logged = reconstruct_disturbances(plant, logs);
  EXPECT_TRUE(testing::contains(testing::input_error([&] { check_repeated(logged, plant); }),
                                "trajectories 1 and 9"));
}

}  // namespace
}  // namespace loopcert
