#include "data/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bytes.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "excerpt.hpp"
#include "loopcert/core/error.hpp"
#include "npy/npy_header.hpp"
#include "npy/npy_items.hpp"

namespace loopcert {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr size_t longest_header = 65536;

// Everything before the data.
std::string_view take_header(std::string_view& bytes) {
  const std::string_view start = take_bytes(bytes, magic.size(), "npy start");
  if (start != magic) throw_input_error("npy start", excerpt(start), excerpt(magic));
  const std::string_view version = take_bytes(bytes, 2, "npy version");
  if (version[0] < 1 || version[0] > 3 || version[1] != 0)
    throw_input_error("npy version", fmt::format("{}.{}", int{version[0]}, int{version[1]}),
                      "1.0 to 3.0");
  const auto length = take_number(bytes, version[0] == 1 ? 2 : 4, "npy header length");
  if (length > longest_header)
    throw_input_error("npy header length", std::to_string(length),
                      fmt::format("at most {}", longest_header));
  return take_bytes(bytes, length, "npy header");
}

// The number of items; refuses a shape that the bytes cannot fill exactly.
size_t checked_count(const std::vector<Index>& shape, size_t item_size, size_t bytes) {
  if (shape.empty() || shape.size() > 3)
    throw_input_error("npy shape", shape_text(shape), "1 to 3 axes");
  const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  // Without entries the other axes may be of any length; their product must still be a number.
  const size_t room = empty ? std::numeric_limits<Index>::max() : bytes / item_size;
  size_t count = 1;
  for (const Index length : shape) {
    const auto axis = static_cast<size_t>(length);
    if (axis != 0 && count > room / axis)
      throw InputError(
          fmt::format("npy data: the file is truncated: {} bytes for {} numbers of {} bytes", bytes,
                      shape_text(shape), item_size));
    if (axis != 0) count *= axis;
  }
  if (empty) count = 0;
  if (count * item_size != bytes)
    throw_input_error("npy data", fmt::format("{} bytes", bytes),
                      std::to_string(count * item_size));
  return count;
}

// "[3][1]": the entry at row-major position `i`.
std::string entry_text(const std::vector<Index>& shape, size_t i) {
  std::string text;
  for (size_t axis = shape.size(); axis-- > 0;) {
    text = fmt::format("[{}]", i % static_cast<size_t>(shape[axis])) + text;
    i /= static_cast<size_t>(shape[axis]);
  }
  return text;
}

// Where the entry at row-major position `i` lies when the first axis is the fastest.
size_t fortran_position(const std::vector<Index>& shape, size_t i) {
  size_t position = 0;
  for (size_t axis = shape.size(); axis-- > 0;) {
    const auto length = static_cast<size_t>(shape[axis]);
    size_t stride = 1;
    for (size_t before = 0; before < axis; ++before) stride *= static_cast<size_t>(shape[before]);
    position += (i % length) * stride;
    i /= length;
  }
  return position;
}

}  // namespace

Array parse_npy(std::string_view bytes) {
  const NpyHeader header = parse_npy_header(take_header(bytes));
  const NpyItem item = npy_item(header.descr);
  const size_t count = checked_count(header.shape, item.size, bytes.size());
  check_memory("npy data", static_cast<double>(count) * sizeof(double), memory_limit());

  Array array{header.shape, std::vector<double>(count), {}};
  for (size_t i = 0; i < count; ++i) {
    const size_t at = header.fortran_order ? fortran_position(header.shape, i) : i;
    array.values[i] = item.load(bytes.data() + at * item.size, item.swapped);
    if (!std::isfinite(array.values[i]))
      throw_input_error("npy data " + entry_text(header.shape, i), number_text(array.values[i]),
                        "a finite number");
  }
  return array;
}

std::string format_npy(const Array& array) {
  std::string header =
      fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}{}), }}",
                  fmt::join(array.shape, ", "), array.shape.size() == 1 ? "," : "");
  // Magic, version and length take 10 bytes, the line end one; spaces align the data.
  header.append((64 - (header.size() + 11) % 64) % 64, ' ');
  header += '\n';

  std::string bytes(magic);
  bytes += '\x01';
  bytes += '\x00';
  bytes += static_cast<char>(header.size() % 256);
  bytes += static_cast<char>(header.size() / 256);
  bytes += header;
  const size_t start = bytes.size();
  bytes.resize(start + 8 * array.values.size());
  for (size_t i = 0; i < array.values.size(); ++i)
    store_little_endian(array.values[i], bytes.data() + start + 8 * i);
  return bytes;
}

}  // namespace loopcert
