// One column of numbers, whatever the file.
#include "measurement/read_costs.hpp"

#include <gtest/gtest.h>

#include "data/formats.hpp"
#include "input_error.hpp"
#include "temp_folder.hpp"

namespace loopcert::testing {
namespace {

const Vector three = (Vector(3) << 1.5, 2, 0.25).finished();

TEST(ReadCosts, Text) {
  EXPECT_EQ(parse_costs_csv("cost\n1.5\n2\n0.25\n"), three);
  EXPECT_EQ(parse_costs_csv("1.5\n2\n0.25\n"), three);
  EXPECT_EQ(parse_costs_csv("J [kJ]\n1.5\n2\n0.25\n"), three);
  EXPECT_EQ(parse_costs_csv("run;cost\nmon;1,5\ntue;2\nwed;0,25\n"), three);
  EXPECT_EQ(parse_costs_csv("J,other\n1.5,a\n2,b\n0.25,c\n", "J"), three);
  EXPECT_EQ(parse_costs_json("[1.5, 2, 0.25]"), three);
  EXPECT_EQ(parse_costs_json(R"({"cost": [1.5, 2, 0.25], "day": "monday"})"), three);
  EXPECT_EQ(parse_costs_json(R"({"J": [1.5, 2, 0.25]})", "J"), three);
}

TEST(ReadCosts, Arrays) {
  const TempFolder folder;
  write_array(folder / "c.npy", array_from_matrix(three));
  EXPECT_EQ(read_costs(folder / "c.npy"), three);
  write_array(folder / "r.npy", array_from_matrix(three.transpose()));
  EXPECT_EQ(read_costs(folder / "r.npy"), three);
  write_array(folder / "c.npz", array_from_matrix(three), "cost");
  EXPECT_EQ(read_costs(folder / "c.npz"), three);
  write_array(folder / "j.npz", array_from_matrix(three), "J");
  EXPECT_EQ(read_costs(folder / "j.npz", "J"), three);
  EXPECT_TRUE(contains(input_error([&] { read_costs(folder / "j.npz"); }), "cost"));
  EXPECT_EQ(read_costs(folder.write("c.txt", "1.5\n2\n0.25\n")), three);
  EXPECT_EQ(read_costs(folder.write("c.json", "[1.5, 2, 0.25]")), three);
  write_array(folder / "m.npy", array_from_matrix(Matrix::Ones(2, 3)));
  EXPECT_TRUE(contains(input_error([&] { read_costs(folder / "m.npy"); }), "2 x 3"));
}

TEST(ReadCosts, Refusals) {
  const auto csv = [](const std::string& text, const std::string& column = "") {
    return input_error([&] { parse_costs_csv(text, column); });
  };
  EXPECT_TRUE(contains(csv("a,b\n1,2\n"), "--column"));
  EXPECT_TRUE(contains(csv("cost,cost\n1,2\n"), "2 columns"));
  EXPECT_TRUE(contains(csv("a,b\n1,2\n", "c"), "among a, b"));
  EXPECT_TRUE(contains(csv("cost\n1\nx\n"), "row 3"));
  EXPECT_TRUE(contains(csv("1\nx\n"), "row"));
  EXPECT_TRUE(contains(csv("1\nnan\n"), "row"));
  const auto json = [](const std::string& text) {
    return input_error([&] { parse_costs_json(text); });
  };
  EXPECT_TRUE(contains(json("{}"), "cost"));
  EXPECT_TRUE(contains(json("[1, \"x\"]"), "costs"));
  EXPECT_TRUE(contains(json("3"), "list"));
}

}  // namespace
}  // namespace loopcert::testing
