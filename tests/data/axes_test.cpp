#include "data/axes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "input_error.hpp"
#include "random_system.hpp"

namespace loopcert {
namespace {

using testing::contains;
using testing::input_error;

constexpr Axis E = Axis::episode, S = Axis::step, C = Axis::component;
const Quantity states{"x", 4, 2, false};

// values(e, s, c) = 100 e + 10 s + c, laid out in the given order of axes.
Array array_of(const std::vector<Axis>& order, Index episodes, Index steps, Index components) {
  const auto extent = [&](Axis axis) {
    return axis == E ? episodes : axis == S ? steps : components;
  };
  Array array;
  for (const Axis axis : order) array.shape.push_back(extent(axis));
  std::vector<Index> at(order.size(), 0);
  for (Index i = 0; i < episodes * steps * components; ++i) {
    double value = 0;
    for (size_t a = 0; a < order.size(); ++a)
      value += static_cast<double>(at[a]) * (order[a] == E ? 100 : order[a] == S ? 10 : 1);
    array.values.push_back(value);
    for (size_t a = order.size(); a-- > 0;) {
      if (++at[a] < array.shape[a]) break;
      at[a] = 0;
    }
  }
  return array;
}

void expect_values(const Episodes& episodes, Index n, Index steps, Index components) {
  ASSERT_EQ(static_cast<Index>(episodes.size()), n);
  for (Index e = 0; e < n; ++e) {
    const Matrix& episode = episodes[static_cast<size_t>(e)];
    ASSERT_EQ(episode.rows(), steps);
    ASSERT_EQ(episode.cols(), components);
    for (Index s = 0; s < steps; ++s)
      for (Index c = 0; c < components; ++c)
        EXPECT_EQ(episode(s, c), static_cast<double>(100 * e + 10 * s + c));
  }
}

TEST(Axes, EveryNamedOrderOfThreeAxes) {
  std::vector<Axis> order = {E, S, C};
  do {
    expect_values(episodes_from_array(array_of(order, 3, 4, 2), order, states), 3, 4, 2);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Axes, MergedAxesOfATable) {
  for (const std::vector<Axis>& order :
       std::vector<std::vector<Axis>>{{E, S, C}, {E, C, S}, {S, C, E}, {C, S, E}}) {
    Array array = array_of(order, 3, 4, 2);
    array.shape = order[0] == E ? std::vector<Index>{3, 8} : std::vector<Index>{8, 3};
    expect_values(episodes_from_array(array, order, states), 3, 4, 2);
  }
  Array odd = array_of({E, S, C}, 3, 3, 3);
  odd.shape = {3, 9};
  EXPECT_TRUE(contains(input_error([&] { episodes_from_array(odd, {E, S, C}, states); }), "3 x 9"));
  odd.shape = {3, 3, 3};
  EXPECT_TRUE(contains(input_error([&] { episodes_from_array(odd, {S, C}, states); }), "3 x 3"));
  Array middle = array_of({S, E, C}, 3, 4, 2);
  middle.shape = {12, 2};
  EXPECT_TRUE(contains(input_error([&] {
                         episodes_from_array(middle, {S, E, C}, states);
                       }),
                       "found 12 x 2 (2 axes), expected step x episode x component as data.axes"));
}

TEST(Axes, OneEpisode) {
  expect_values(episodes_from_array(array_of({S, C}, 1, 4, 2), {S, C}, states), 1, 4, 2);
  expect_values(episodes_from_array(array_of({C, S}, 1, 4, 2), {C, S}, states), 1, 4, 2);
  const Quantity input{"u", 4, 1, false};
  Array vector = array_of({S, C}, 1, 4, 1);
  vector.shape = {4};
  expect_values(episodes_from_array(vector, {S, C}, input), 1, 4, 1);
  expect_values(episodes_from_array(vector, {C, S}, input), 1, 4, 1);
  const auto message = [&](const std::vector<Axis>& axes, const Quantity& quantity) {
    return input_error([&] { episodes_from_array(vector, axes, quantity); });
  };
  EXPECT_TRUE(contains(message({E, S, C}, input), "with 4 steps and 1 component"));
  EXPECT_TRUE(contains(message({S, C}, {"u", 2, 2, false}), "with 2 steps and 2 components"));
  vector.shape = {2, 2};
  EXPECT_TRUE(contains(message({S}, input), "found 2 x 2 (2 axes), expected step as data.axes"));
}

TEST(Axes, WithoutNamesOnlyTheUsualOrderIfNoOtherFits) {
  expect_values(episodes_from_array(array_of({E, S, C}, 3, 4, 2), {}, states), 3, 4, 2);
  expect_values(episodes_from_array(array_of({E, S, C}, 1, 4, 2), {}, states), 1, 4, 2);
  Array flat = array_of({E, S, C}, 3, 4, 2);
  flat.shape = {3, 8};
  expect_values(episodes_from_array(flat, {}, states), 3, 4, 2);

  const auto message = [&](const std::vector<Index>& shape) {
    Array array;
    array.shape = shape;
    size_t count = 1;
    for (const Index extent : shape) count *= static_cast<size_t>(extent);
    array.values.resize(count);
    return input_error([&] { episodes_from_array(array, {}, states); });
  };
  EXPECT_TRUE(contains(message({4, 4, 2}),
                       "axes: found 4 x 4 x 2 (3 axes), which reads as episode x step x component "
                       "or as step x episode x component, expected data.axes to say which"));
  EXPECT_TRUE(contains(message({8, 8}), "or as step x component x episode"));
  EXPECT_TRUE(contains(message({2, 4, 3}), "which reads as component x step x episode, expected"));
  EXPECT_TRUE(contains(message({8, 3}), "which reads as step x component x episode, expected"));
  EXPECT_TRUE(contains(message({4, 2}), "which reads as step x component, expected"));
  EXPECT_EQ(message({3, 5, 2}), "shape: found 3 x 5 x 2 (3 axes), expected n x 8 or n x 4 x 2");
  EXPECT_TRUE(contains(message({8}), "shape: found 8 (1 axis)"));
  EXPECT_TRUE(contains(message({0, 4, 2}), "rows: found 0"));
}

TEST(Axes, LongerEpisodes) {
  const Quantity longer{"x", 4, 2, true};
  expect_values(episodes_from_array(array_of({E, S, C}, 3, 7, 2), {E, S, C}, longer), 3, 7, 2);
  EXPECT_TRUE(contains(input_error([&] {
                         episodes_from_array(array_of({E, S, C}, 3, 3, 2), {E, S, C}, longer);
                       }),
                       "4 or more steps"));
  EXPECT_TRUE(contains(input_error([&] {
                         episodes_from_array(array_of({E, S, C}, 3, 3, 2), {}, longer);
                       }),
                       "expected n x 8 or more or n x 4 or more x 2"));
  // Now the number of episodes could be a number of steps too.
  EXPECT_TRUE(contains(input_error([&] {
                         episodes_from_array(array_of({E, S, C}, 9, 7, 2), {}, longer);
                       }),
                       "or as step x episode x component"));
}

}  // namespace
}  // namespace loopcert
