// Log files with names: one row per step, one row per episode, states and inputs apart.
#include <gtest/gtest.h>

#include "data/npz.hpp"
#include "input_error.hpp"
#include "loopcert/data/trajectory_files.hpp"
#include "temp_folder.hpp"

namespace loopcert {
namespace {

using testing::contains;
using testing::input_error;
using testing::TempFolder;

// One state, one input, two steps.
Plant small_plant() {
  Plant plant;
  plant.T = 2;
  plant.A = {Matrix::Identity(1, 1)};
  plant.B = {Matrix::Ones(1, 1)};
  return plant;
}

DataLayout long_layout() {
  DataLayout layout;
  layout.long_rows = true;
  layout.step = {"k", "", 1};
  return layout;
}

class Episodes : public ::testing::Test {
 protected:
  Rollouts rollouts(const std::string& text, const DataLayout& layout) {
    return read_rollouts({folder.write("a.csv", text)}, layout, plant);
  }
  std::string rollouts_error(const std::string& text, const DataLayout& layout) {
    return input_error([&] { rollouts(text, layout); });
  }
  std::string disturbances_error(const std::string& text, const DataLayout& layout) {
    return input_error(
        [&] { read_disturbances(Paths{folder.write("w.csv", text)}, layout, plant.sizes()); });
  }
  TempFolder folder;
  Plant plant = small_plant();
};

TEST_F(Episodes, ALongFileWithoutLabelsIsOneEpisode) {
  const Rollouts found = rollouts("k,x0,u0\n0,1,4\n1,2,5\n2,3,\n", long_layout());
  EXPECT_EQ(found.x, (Matrix(1, 3) << 1, 2, 3).finished());
  EXPECT_EQ(found.u, (Matrix(1, 2) << 4, 5).finished());
  EXPECT_TRUE(contains(rollouts_error("k,x0,u0\n", long_layout()), "rows: found 0"));
}

TEST_F(Episodes, ALongFileNeedsAClock) {
  DataLayout layout = long_layout();
  layout.step = {};
  EXPECT_TRUE(contains(rollouts_error("k,x0,u0\n0,1,4\n", layout), "data.step: found nothing"));
  layout.time = {"t", "", 1};
  layout.period = 0.5;
  EXPECT_TRUE(contains(rollouts_error("k,x0,u0\n0,1,4\n", layout), "no column 't'"));
  EXPECT_EQ(rollouts_error("t,x0,u0\n0,1,4\n0.5,2,5\n1.04,3,\n", layout), "");  // jitter
  EXPECT_TRUE(contains(rollouts_error("t,x0,u0\n0,1,4\n0.5,2,5\n1.06,3,\n", layout),
                       "row 4, column 1 (t): found 1.06 after 0.5, expected a step of 0.5"));
}

TEST_F(Episodes, AUnitCountsOnlyWhereBothSidesSayOne) {
  DataLayout layout = long_layout();
  layout.states = {{"pos", "m", 1}};
  EXPECT_EQ(rollouts_error("k,pos,u0\n0,1,4\n1,2,5\n2,3,\n", layout), "");
  EXPECT_EQ(rollouts_error("k,pos [m],u0\n0,1,4\n1,2,5\n2,3,\n", layout), "");
  EXPECT_TRUE(contains(rollouts_error("k,pos [mm],u0\n0,1,4\n1,2,5\n2,3,\n", layout),
                       "row 1, column 2 (pos): found the unit 'mm', expected m"));
  layout.states = {{"pos", "", 1}};
  EXPECT_EQ(rollouts_error("k,pos [mm],u0\n0,1,4\n1,2,5\n2,3,\n", layout), "");
}

TEST_F(Episodes, AMessageListsAFewNamesOfTheHeader) {
  const std::string message =
      rollouts_error("k,a,b,c,d,e,f,g,h,i\n0,1,2,3,4,5,6,7,8,9\n", long_layout());
  EXPECT_TRUE(
      contains(message, "no column 'x0' among 'k', 'a', 'b', 'c', 'd', 'e', 'f', 'g', ..."));
}

TEST_F(Episodes, AWideFileMayBeLongerWhereTheLayoutSaysSo) {
  const std::string text = "x0_0,x1_0,x2_0,x3_0,u0_0,u1_0,u2_0\n1,2,3,4,5,6,7\n";
  EXPECT_TRUE(contains(rollouts_error(text, {}), "row 1: found 4 steps of x, expected 3 (or"));
  DataLayout layout;
  layout.longer = Longer::first;
  EXPECT_EQ(rollouts(text, layout).x, (Matrix(1, 3) << 1, 2, 3).finished());
  EXPECT_TRUE(
      contains(rollouts_error("x0_0,x1_0,x2_0,x3_0,x4_0,u0_0,u1_0\n1,2,3,4,5,6,7\n", layout),
               "episode 1: found 2 inputs to 5 states, expected 4"));
  EXPECT_TRUE(contains(rollouts_error("x0_0,x2_0,u0_0,u1_0\n1,2,3,4\n", {}), "no column 'x1_0'"));
  EXPECT_TRUE(contains(rollouts_error("x0_0,x1_0,x2_0,u0_0,u1_0\n", {}), "rows: found 0"));
}

TEST_F(Episodes, NamesOfTheLayoutMustBeInTheFile) {
  const std::string text = "a,b,c\n1,2,3\n";
  DataLayout layout;
  layout.states = {{"pos", "", 1}};
  EXPECT_TRUE(contains(rollouts_error(text, layout), "no column of data.states or data.inputs"));
  layout.states.clear();
  layout.inputs = {{"force", "", 1}};
  EXPECT_TRUE(contains(rollouts_error(text, layout), "no column of data.states or data.inputs"));
  layout.inputs.clear();
  layout.disturbances = {{"gust", "", 1}};
  EXPECT_TRUE(contains(disturbances_error(text, layout), "no column of data.disturbances"));
  EXPECT_EQ(disturbances_error("gust_0,gust_1,gust_2\n1,2,3\n", layout), "");
}

TEST_F(Episodes, StatesAndInputsComeInPairs) {
  const Array x{{1, 3}, {1, 2, 3}, {}}, u{{1, 2}, {4, 5}, {}};
  write_npz(folder / "x.npz", {{"x", x}});
  write_npz(folder / "u.npz", {{"u", u}});
  const auto message = [&](const std::vector<std::string>& names) {
    Paths paths;
    for (const std::string& name : names) paths.push_back(folder / name);
    return input_error([&] { read_rollouts(paths, {}, plant); });
  };
  EXPECT_EQ(message({"x.npz", "u.npz"}), "");
  EXPECT_TRUE(contains(message({"x.npz", "x.npz"}), "x.npz are still missing"));
  EXPECT_TRUE(
      contains(message({"u.npz"}), "u.npz: inputs alone, with no file of states before it"));
  EXPECT_TRUE(contains(
      message({"x.npz"}),
      "x.npz: states alone, with no file of inputs after it (inputs are the variable 'u'"));
  EXPECT_TRUE(contains(rollouts_error("u0_0,u1_0\n4,5\n", {}), "a.csv: inputs alone"));
}

// Pieces of one log start at other steps than 0.
TEST_F(Episodes, WindowsNeedAPlantThatDoesNotVary) {
  DataLayout layout;
  layout.longer = Longer::windows;
  const std::string text = "x0_0,x1_0,x2_0,x3_0,x4_0,u0_0,u1_0,u2_0,u3_0\n1,2,3,4,5,6,7,8,9\n";
  plant.d = Matrix::Ones(1, 2);
  EXPECT_EQ(rollouts(text, layout).x, (Matrix(2, 3) << 1, 2, 3, 3, 4, 5).finished());
  const std::string refusal = "data.longer: \"windows\" is not possible, because the system varies";
  plant.d(0, 1) = 2;
  EXPECT_TRUE(contains(rollouts_error(text, layout), refusal));
  plant.d.resize(0, 0);
  plant.B = {Matrix::Ones(1, 1), Matrix::Zero(1, 1)};
  EXPECT_TRUE(contains(rollouts_error(text, layout), refusal));
  plant.A = {Matrix::Ones(1, 1), Matrix::Zero(1, 1)};
  EXPECT_TRUE(contains(rollouts_error(text, layout), refusal));
}

}  // namespace
}  // namespace loopcert
