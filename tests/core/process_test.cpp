#include "core/process.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "input_error.hpp"

namespace loopcert {
namespace {

ProcessResult shell(const std::string& script, std::uint64_t limit = 1 << 20, int seconds = 60) {
  return run_process({"/bin/sh", "-c", script}, limit, seconds);
}

TEST(RunProcess, GivesOutputErrorsAndStatus) {
  const ProcessResult result = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.errors, "err\n");
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.signal, 0);
}

TEST(RunProcess, StandardInputIsEmpty) { EXPECT_EQ(shell("wc -c").output, "0\n"); }

TEST(RunProcess, TellsWhatEndedIt) { EXPECT_EQ(shell("kill -SEGV $$").signal, SIGSEGV); }

TEST(RunProcess, StopsWhatWritesTooMuch) {
  const ProcessResult result = shell("while :; do echo again; done", 100000);
  EXPECT_TRUE(result.too_much);
  EXPECT_EQ(result.signal, SIGKILL);
}

TEST(RunProcess, StopsWhatTakesTooLong) {
  const ProcessResult result = shell("exec sleep 1000", 1000, 0);
  EXPECT_TRUE(result.too_long);
  EXPECT_EQ(result.signal, SIGKILL);
}

TEST(RunProcess, KeepsOnlyTheBeginningOfLongErrors) {
  const ProcessResult result = shell(
      "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890 >&2; i=$((i+1)); "
      "done; echo end");
  EXPECT_EQ(result.errors.size(), 65536u);
  EXPECT_EQ(result.output, "end\n");
}

TEST(RunProcess, SaysWhatCannotBeStarted) {
  EXPECT_TRUE(
      testing::contains(testing::input_error([] { run_process({"/no/such/program"}, 10, 10); }),
                        "/no/such/program: could not be started"));
}

}  // namespace
}  // namespace loopcert
