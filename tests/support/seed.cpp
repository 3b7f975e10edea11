#include "seed.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace loopcert::testing {
namespace {

std::uint64_t read_base_seed() {
  const char* text = std::getenv("LOOPCERT_TEST_SEED");
  if (text == nullptr) return 0;
  std::uint32_t seed = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, seed);
  // Below 2^31: test_seed() then fits into the signed numbers of a data base, too.
  if (error != std::errc() || stop != end || seed >> 31 != 0)
    throw std::runtime_error(std::string("LOOPCERT_TEST_SEED: found ") + text +
                             ", expected a whole number below 2^31");
  return seed;
}

}  // namespace

std::uint64_t base_seed() {
  static const std::uint64_t seed = read_base_seed();
  return seed;
}

std::uint64_t test_seed(std::uint64_t seed) { return seed + (base_seed() << 32); }

Stream test_stream(std::uint64_t seed, std::uint64_t cell) { return {test_seed(seed), cell}; }

Index test_count(Index count, Index least) {
  return base_seed() == 0 ? count : std::max(count / 20, least);
}

}  // namespace loopcert::testing
