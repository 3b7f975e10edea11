// Controller files that are one edit away from a good one, as JSON and as arrays.
#include "loopcert/controller/controller_file.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "controller/closed_loop.hpp"
#include "controller/controller_trees.hpp"
#include "input_error.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"

namespace loopcert::testing {
namespace {

using nlohmann::json;

Controller good_controller() {
  const System system = double_integrator();
  Controller controller = recover_controller(lqr_response(system), system.sizes());
  controller.learned_from = {"0123456789abcdef", "ffffffff00000000"};
  const Disturbances seen{random_matrix(2, system.sizes().d_w(), 1)};
  controller.recordings["disturbances"] = disturbance_traces(seen, system.plant);
  return controller;
}

TEST(ControllerJson, NamesWhatIsWrong) {
  const json good = controller_to_json(good_controller());
  EXPECT_EQ(controller_from_json(good).learned_from, good_controller().learned_from);
  EXPECT_EQ(controller_to_json(controller_from_json(good)), good);
  const std::vector<std::tuple<std::string, json, std::string>> cases = {
      {"horizon", 0, "horizon: found 0, expected a whole number from 1 to 1000000"},
      {"horizon", 1000001, "horizon: found 1000001"},
      {"horizon", std::uint64_t{1} << 63, "horizon: found 9223372036854775808"},
      {"K", 3, "K: found 0 rows, expected 10"},
      {"K", std::vector<int>(10), "K[0]: found 0 entries, expected 22"},
      {"k", 3, "k: found number, expected a list of numbers"},
      {"learned_from", {5}, "learned_from[0]: found 5, expected 16 hexadecimal digits"},
      {"learned_from", {"0123456789abcdeg"}, "learned_from[0]: found \"0123456789abcdeg\""},
      {"learned_from", {"0123456789abcdef", "01"}, "learned_from[1]: found \"01\""},
      {"recordings", 7, "recordings: found number, expected an object"},
      {"recordings", {{"waves", 1}}, "recordings: found 'waves', expected disturbances or logs"},
      {"recordings", {{"logs", 1}}, "recordings.logs: content: found number, expected an object"},
      {"recordings", {{"logs", {{"first", 1}}}}, "recordings.logs: first: found number"},
  };
  for (const auto& [key, value, message] : cases) {
    json tree = good;
    tree[key] = value;
    EXPECT_TRUE(contains(input_error([&, &t = tree] { controller_from_json(t); }), message));
  }
}

TEST(ControllerJson, KeepsProvenanceThatIsNoText) {
  json tree = controller_to_json(good_controller());
  tree["provenance"] = {{"method", "lqr"}, {"seed", 7}};
  const Controller controller = controller_from_json(tree);
  EXPECT_EQ(controller.provenance.at("method"), "lqr");
  EXPECT_EQ(controller.provenance.at("seed"), "7");
  tree.erase("provenance");
  tree.erase("learned_from");
  EXPECT_TRUE(controller_from_json(tree).provenance.empty());
}

TEST(ControllerArrays, ReadBackToTheLastBit) {
  Controller controller = good_controller();
  const Controller back = controller_from_arrays(controller_to_arrays(controller));
  EXPECT_EQ(back.K, controller.K);
  EXPECT_EQ(back.k, controller.k);
  EXPECT_EQ(back.learned_from, controller.learned_from);
  EXPECT_EQ(controller_to_json(back)["recordings"], controller_to_json(controller)["recordings"]);
  controller.provenance = {{"method", "auto"},
                           {"states",
                            "T [\xc2\xb0"
                            "C], \"v\"\n"}};
  EXPECT_EQ(controller_from_arrays(controller_to_arrays(controller)).provenance,
            controller.provenance);
  controller.provenance.clear();
  EXPECT_FALSE(controller_to_arrays(controller).contains("provenance"));
  controller.learned_from.clear();
  EXPECT_FALSE(controller_to_arrays(controller).contains("learned_from"));
  EXPECT_TRUE(controller_from_arrays(controller_to_arrays(controller)).learned_from.empty());
}

TEST(ControllerArrays, NameWhatIsWrong) {
  const NamedArrays good = controller_to_arrays(good_controller());
  const std::vector<std::tuple<std::string, Array, std::string>> cases = {
      {"horizon", {{2}, {5, 5}, {}}, "horizon: found 2 (1 axis), expected one whole number"},
      {"horizon", {{1}, {0}, {}}, "horizon: found 0, expected one whole number"},
      {"horizon", {{1}, {1e7}, {}}, "horizon: found 10000000"},
      {"horizon", {{1}, {2.5}, {}}, "horizon: found 2.5"},
      {"K", {{220}, std::vector<double>(220), {}}, "K: "},
      {"learned_from", {{2}, {1, 2}, {}}, "learned_from: found 2 (1 axis), expected n x 2"},
      {"learned_from", {{1, 3}, {1, 2, 3}, {}}, "learned_from: found 1 x 3"},
      {"learned_from", {{1, 2}, {1, -1}, {}}, "learned_from: found -1, expected whole numbers"},
      {"learned_from", {{1, 2}, {4294967296, 1}, {}}, "learned_from: found 4294967296"},
      {"learned_from", {{1, 2}, {0.5, 1}, {}}, "learned_from: found 0.5"},
      {"disturbances_rows", {{2}, {1, 2}, {}}, "disturbances_rows: found 2 (1 axis)"},
      {"disturbances_rows", {{1, 11}, std::vector<double>(11, 0.5), {}}, "_rows: found 0.5"},
      {"disturbances_rows", {{1, 2}, {1, 2}, {}}, "disturbances_bits: found 2 x 11"},
      {"disturbances_bits", {{2, 11}, std::vector<double>(22, 65), {}}, "_bits: found 65"},
      {"disturbances_bits", {{2, 11}, std::vector<double>(22, -1), {}}, "_bits: found -1"},
      {"disturbances_first", {{1, 2}, {0, 1}, {}}, "disturbances_sizes: found 0"},
      {"disturbances_later", {{1, 1}, {1}, {}}, "disturbances_later: found 1 numbers"},
      {"provenance", {{1}, {300}, {}}, "provenance: found 300, expected the codes of ASCII"},
      {"provenance", {{1}, {0.5}, {}}, "provenance: found 0.5"},
      {"provenance", {{2}, {'[', ']'}, {}}, "provenance: found array, expected an object"},
      {"provenance", {{1}, {'x'}, {}}, "provenance: not valid JSON"},
  };
  for (const auto& [name, array, message] : cases) {
    NamedArrays arrays = good;
    arrays[name] = array;
    EXPECT_TRUE(contains(input_error([&, &a = arrays] { controller_from_arrays(a); }), message));
  }
  for (const char* name : {"K", "k", "horizon", "n_x", "n_u"}) {
    NamedArrays arrays = good;
    arrays.erase(name);
    EXPECT_EQ(input_error([&] { controller_from_arrays(arrays); }),
              std::string(name) + ": found nothing, expected an array of this name");
  }
}

}  // namespace
}  // namespace loopcert::testing
