#include <gtest/gtest.h>

#include <algorithm>

#include "core/file.hpp"
#include "loopcert/core/error.hpp"
#include "temp_folder.hpp"

namespace loopcert {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::string content(const fs::path& path) { return read_file(path, 1000); }

TEST(WriteFile, UsesUpWhatADeadProcessLeft) {
  const testing::TempFolder folder;
  folder.write(".a.new", "much longer than the new version");
  write_file(folder / "a", "new");
  EXPECT_EQ(content(folder / "a"), "new");
  EXPECT_EQ(names_in(folder / ""), (std::vector<std::string>{"a"}));
}

TEST(WriteFile, ReplacesNoDevice) {
  EXPECT_THROW(write_file("/dev/null", "x"), OutputError);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(WriteTogether, RemovesWhatIsStale) {
  const testing::TempFolder folder;
  folder.write("a", "old");
  folder.write("b", "stale");
  write_together({{folder / "a", "new"}, {folder / "c", "new"}}, {folder / "b", folder / "none"});
  EXPECT_EQ(names_in(folder / ""), (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(content(folder / "a"), "new");
}

TEST(WriteTogether, LeavesTheOldFilesAfterAFailure) {
  const testing::TempFolder folder;
  folder.write("a", "old");
  folder.write("stale", "old");
  make_directory(folder / ".a.old" / "in the way");  // the old version cannot be parked
  EXPECT_THROW(write_together({{folder / "a", "new"}, {folder / "b", "new"}}, {folder / "stale"}),
               OutputError);
  EXPECT_EQ(names_in(folder / ""), (std::vector<std::string>{".a.old", "a", "stale"}));
  EXPECT_EQ(content(folder / "a"), "old");
}

TEST(WriteTogether, PutsBackWhatADeadProcessParked) {
  const testing::TempFolder folder;
  folder.write(".a.old", "old");
  folder.write("b", "old");
  make_directory(folder / ".b.old" / "in the way");
  EXPECT_THROW(write_together({{folder / "a", "new"}, {folder / "b", "new"}}), OutputError);
  EXPECT_EQ(content(folder / "a"), "old");
  EXPECT_EQ(content(folder / "b"), "old");
}

}  // namespace
}  // namespace loopcert
