// What libFuzzer calls; compiled once per target.
#include <cstddef>
#include <cstdint>

#include "targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  loopcert::fuzz::LOOPCERT_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
