// Where every random test gets its numbers from. A test names a stream; LOOPCERT_TEST_SEED in the
// environment gives all of them others, and a test that is right passes with any. Unset is 0: the
// streams as they are named.
#pragma once

#include <cstdint>

#include "loopcert/core/random.hpp"

namespace loopcert::testing {

// LOOPCERT_TEST_SEED, below 2^31.
std::uint64_t base_seed();

// For what takes a seed and not a stream. Different arguments below 2^32 give different seeds.
std::uint64_t test_seed(std::uint64_t seed);

Stream test_stream(std::uint64_t seed, std::uint64_t cell);

// How often a slow simulation is repeated: so often, and with other seeds, of which there are many,
// a twentieth of it, but not less than `least`.
Index test_count(Index count, Index least = 1);

}  // namespace loopcert::testing
