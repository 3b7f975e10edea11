// The importer reads files that may be hostile: whatever becomes of it, the caller gets one line.
#include "data/importer.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "input_error.hpp"
#include "temp_folder.hpp"

namespace loopcert {
namespace {

using testing::contains;
using testing::input_error;

const std::vector<std::string> wanted = {"x", "u"};

std::string archive(const std::string& name) { return format_npz({{name, {{2}, {1, 2}, {}}}}); }

TEST(ImporterAnswer, IsNamedByTheRequest) {
  const NamedArrays arrays =
      arrays_of_answer(format_npz({{"0", {{2}, {1, 2}, {}}}, {"1", {{1}, {3}, {}}}}), wanted);
  EXPECT_EQ(arrays.size(), 2u);
  EXPECT_EQ(arrays.at("x").values, (std::vector<double>{1, 2}));
  EXPECT_EQ(arrays.at("u").values, std::vector<double>{3});
}

TEST(ImporterAnswer, IsNotTrusted) {
  for (const char* name : {"2", "w", "00", "-1", "99999999999999999999", "0x", "0.npy"})
    EXPECT_TRUE(contains(input_error([&] { arrays_of_answer(archive(name), wanted); }),
                         "which was not requested"))
        << name;
  EXPECT_TRUE(contains(input_error([&] { arrays_of_answer(format_npz({}), wanted); }),
                       "the importer gave no arrays"));
  EXPECT_TRUE(contains(input_error([&] { arrays_of_answer("nonsense", wanted); }), "zip end"));
}

// A stand-in for the importer, for as long as one test.
class Importer : public ::testing::Test {
 protected:
  Importer() {
    if (const char* value = std::getenv("LOOPCERT_IMPORTER")) before = value;
    ::setenv("LOOPCERT_IMPORTER", (folder / "importer").c_str(), 1);
    folder.write("log.mat", "");
  }
  ~Importer() override { ::setenv("LOOPCERT_IMPORTER", before.c_str(), 1); }

  std::string says(const std::string& script, int seconds) {
    namespace fs = std::filesystem;
    fs::permissions(folder.write("importer", "#!/bin/sh\n" + script + "\n"), fs::perms::owner_all);
    return input_error([&] { import_arrays(folder / "log.mat", wanted, seconds); });
  }

  testing::TempFolder folder;
  std::string before;
};

TEST_F(Importer, ThatHangsIsStopped) {
  EXPECT_TRUE(contains(says("exec sleep 1000", 0), "did not end within 0 seconds"));
}

TEST_F(Importer, ThatDiesIsNamedByItsSignal) {
  EXPECT_TRUE(contains(says("kill -SEGV $$", 60), "signal 11"));
  EXPECT_TRUE(contains(says("kill -KILL $$", 60), "signal 9"));
}

}  // namespace
}  // namespace loopcert
