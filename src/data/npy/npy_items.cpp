#include "npy/npy_items.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "excerpt.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

constexpr bool little = std::endian::native == std::endian::little;

template <class T>
double load(const char* bytes, bool swapped) {
  char own[sizeof(T)];
  std::copy(bytes, bytes + sizeof(T), own);
  if (swapped) std::reverse(own, own + sizeof(T));
  T value;
  std::memcpy(&value, own, sizeof(T));
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    constexpr T exact = T{1} << 53;
    bool fits = value <= exact;
    if constexpr (std::is_signed_v<T>) fits = fits && value >= -exact;
    if (!fits)
      throw_input_error("npy data", "the integer " + std::to_string(value),
                        "integers up to 2^53, which a double represents exactly");
  }
  return static_cast<double>(value);
}

struct Known {
  const char* code;
  size_t size;
  double (*load)(const char*, bool);
};

constexpr Known known[] = {
    {"f8", 8, load<double>},        {"f4", 4, load<float>},         {"i8", 8, load<std::int64_t>},
    {"i4", 4, load<std::int32_t>},  {"i2", 2, load<std::int16_t>},  {"i1", 1, load<std::int8_t>},
    {"u8", 8, load<std::uint64_t>}, {"u4", 4, load<std::uint32_t>}, {"u2", 2, load<std::uint16_t>},
    {"u1", 1, load<std::uint8_t>},
};

}  // namespace

NpyItem npy_item(const std::string& descr) {
  const char order = descr.empty() ? '?' : descr[0];
  for (const Known& item : known) {
    if (descr.size() < 2 || descr.substr(1) != item.code) continue;
    if (order == '<') return {item.size, !little, item.load};
    if (order == '>') return {item.size, little, item.load};
    if (order == '|' && item.size == 1) return {item.size, false, item.load};
  }
  throw_input_error("npy header", "the number type " + excerpt(descr),
                    "f8, f4, i1 to i8 or u1 to u8 with '<' or '>' in front");
}

void store_little_endian(double value, char* bytes) {
  std::memcpy(bytes, &value, sizeof(double));
  if constexpr (!little) std::reverse(bytes, bytes + sizeof(double));
}

}  // namespace loopcert
