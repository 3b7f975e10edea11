// The main function of every test program. It sets what the tests need, so that a program started
// by hand does what ctest does.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdio>
#include <string>

#include "seed.hpp"

int main(int argc, char** argv) {
  using loopcert::testing::base_seed;
  ::testing::InitGoogleTest(&argc, argv);
  // RapidCheck draws its own seed unless told one.
  ::setenv("RC_PARAMS", ("seed=" + std::to_string(20260101 + base_seed())).c_str(), 0);
  // The library looks for the importer beside the program that runs, and this one lives elsewhere.
  ::setenv("LOOPCERT_IMPORTER", LOOPCERT_BUILT_IMPORTER, 0);
  const int status = RUN_ALL_TESTS();
  if (status != 0 && base_seed() != 0)
    std::printf("LOOPCERT_TEST_SEED=%llu\n", static_cast<unsigned long long>(base_seed()));
  return status;
}
