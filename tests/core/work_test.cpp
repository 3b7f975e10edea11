#include "core/work.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <thread>
#include <tuple>

#include "core/parallel.hpp"

namespace loopcert {
namespace {

struct Listener : WorkWatcher {
  std::mutex mutex;
  std::multiset<std::tuple<std::string, Index, Index>> said;

  void show(std::string_view what, Index done, Index total) override {
    const std::lock_guard lock(mutex);
    said.emplace(what, done, total);
  }
};

void work_on(Index count, int threads) {
  Work work("sum", count);
  parallel_for(count, threads, [&](Index) { work.add(); });
}

TEST(Work, TellsEveryStepOnceWhateverTheThreads) {
  for (const int threads : {1, 4}) {
    Listener listener;
    {
      const WatchWork watched(&listener);
      work_on(50, threads);
    }
    work_on(5, threads);                   // nobody asked
    ASSERT_EQ(listener.said.size(), 52u);  // and that it is over
    for (Index k = 0; k <= 50; ++k) EXPECT_EQ(listener.said.count({"sum", k, 50}), 1u);
  }
}

TEST(Work, MuchWorkTellsAThousandTimes) {
  Listener listener;
  const WatchWork watched(&listener);
  work_on(1'000'000, 1);
  EXPECT_EQ(listener.said.size(), 1002u);
  EXPECT_EQ(listener.said.count({"sum", 1'000'000, 1'000'000}), 1u);
}

TEST(Work, OneLevelAtATimeAndOnlyInThisThread) {
  Listener listener;
  const WatchWork watched(&listener);
  {
    Work outer("outer", 2);
    work_on(3, 1);
    std::thread([] { work_on(3, 1); }).join();
    outer.add();
  }
  work_on(1, 1);
  EXPECT_EQ(
      listener.said,
      (decltype(listener.said){
          {"outer", 0, 2}, {"outer", 1, 2}, {"", 0, 0}, {"sum", 0, 1}, {"sum", 1, 1}, {"", 0, 0}}));
}

TEST(Work, AnotherWatcherTakesOverAndGivesBack) {
  Listener first, second;
  const WatchWork watched(&first);
  {
    const WatchWork inner(&second);
    work_on(1, 1);
  }
  EXPECT_TRUE(first.said.empty());
  EXPECT_EQ(second.said.size(), 3u);
  work_on(1, 1);
  EXPECT_EQ(first.said.size(), 3u);
}

}  // namespace
}  // namespace loopcert
