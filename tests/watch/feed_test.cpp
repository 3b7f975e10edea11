// Lines of files and pipes, however they come in.
#include <gtest/gtest.h>

#include <fstream>

#include "input_error.hpp"
#include "temp_folder.hpp"
#include "watch/watch_costs.hpp"

namespace loopcert::testing {
namespace {

Watch read_all(const std::filesystem::path& path, Index from = 0, const Watch* before = nullptr,
               Index* bytes = nullptr) {
  Watch watch = before ? *before : Watch({10, 0.01});
  LineFeed lines(path, from);
  CostFeed feed;
  feed.whole_lines = bytes != nullptr;
  feed.save = [&](const WatchState&, Index at) {
    if (bytes) *bytes = at;
  };
  watch_costs(watch, lines, feed);
  return watch;
}

TEST(CostFeed, NamesCommentsAndEnds) {
  const TempFolder folder;
  const WatchState plain = read_all(folder.write("a", "1\n2\n3.5\n")).state();
  EXPECT_EQ(plain.n, 3);
  for (const char* text : {"cost\n1\n2\n3.5\n", "1\r\n2\r\n3.5\r\n", "# a note\n\n1\n  2 \n3.5",
                           "cost [J]\n1\n2\n3.5"})
    EXPECT_EQ(read_all(folder.write("b", text)).state(), plain) << text;
}

TEST(CostFeed, WhatIsNoCost) {
  const TempFolder folder;
  for (const char* text : {"1\n2\nx\n", "1\n2\n-3\n", "1\n2\nnan\n", "1\n2\n3,4\n", "1\n2\n0x10\n"})
    EXPECT_TRUE(contains(input_error([&] { read_all(folder.write("a", text)); }), "cost 3"))
        << text;
  EXPECT_TRUE(contains(input_error([&] { read_all(folder.write("a", "a,b\n1,2\n")); }), "cost 1"));
  EXPECT_NE(input_error([&] { read_all(folder / "none"); }), "");
  EXPECT_NE(input_error([&] { read_all("/"); }), "");
}

// Saved after each piece, resumed at its place, cut at every byte: nothing counts twice, no number
// is taken in two halves.
TEST(CostFeed, AFileThatGrows) {
  const TempFolder folder;
  const std::string text = "cost\n12.5\n3\n\n7.25\n100\n0.125\n";
  const WatchState whole = read_all(folder.write("whole", text)).state();
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    Index bytes = 0;
    const auto path = folder.write("growing", text.substr(0, cut));
    const Watch first = read_all(path, 0, nullptr, &bytes);
    folder.write("growing", text);
    EXPECT_EQ(read_all(path, bytes, &first, &bytes).state(), whole) << cut;
    EXPECT_EQ(bytes, static_cast<Index>(text.size()));
  }
  EXPECT_TRUE(contains(input_error([&] { read_all(folder.write("short", "1\n"), 5); }), "2 bytes"));
  EXPECT_TRUE(contains(input_error([&] { read_all(folder.write("other", "12345678\n"), 5); }),
                       "another file"));
}

TEST(CostFeed, Follow) {
  const TempFolder folder;
  const auto path = folder.write("a", "1\n2\n3");  // 3 may go on
  Watch watch({10, 0.01});
  LineFeed lines(path);
  int waited = 0;
  CostFeed feed;
  feed.go_on = [&] {
    ++waited;
    if (waited == 1) std::ofstream(path, std::ios::app) << "0\n4\n";
    return waited < 3;
  };
  watch_costs(watch, lines, feed);
  Watch expected({10, 0.01});
  for (const double cost : {1, 2, 30, 4}) expected.update(cost);
  EXPECT_EQ(watch.state(), expected.state());
}

TEST(CostFeed, StopsAtTheAlarm) {
  const TempFolder folder;
  EXPECT_EQ(read_all(folder.write("a", "1\n1e9\n1\n1\n")).state().n, 2);
}

TEST(CostFeed, LongFiles) {
  const TempFolder folder;
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i % 17) + ".0625\n";
  EXPECT_EQ(read_all(folder.write("a", text)).state().n, 100'000);
  EXPECT_TRUE(contains(input_error([&] { read_all(folder.write("b", std::string(2 << 20, '1'))); }),
                       "a line of more"));
}

// As long as more is there, a state is written once a second, not after every piece.
TEST(CostFeed, SavesWhenThereIsNothingElseToDo) {
  const TempFolder folder;
  std::string text;
  for (int i = 0; i < 400'000; ++i) text += "1.0625\n";
  Watch watch({10, 0.01});
  LineFeed lines(folder.write("a", text));
  CostFeed feed;
  std::vector<Index> saved;
  feed.save = [&](const WatchState& state, Index at) {
    EXPECT_EQ(at, 7 * state.n);
    saved.push_back(at);
  };
  watch_costs(watch, lines, feed);
  ASSERT_FALSE(saved.empty());
  EXPECT_EQ(saved.back(), static_cast<Index>(text.size()));
  for (size_t i = 1; i < saved.size(); ++i) EXPECT_GT(saved[i], saved[i - 1]);
}

}  // namespace
}  // namespace loopcert::testing
