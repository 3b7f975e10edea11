#include "data/mat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "bytes.hpp"
#include "core/file.hpp"
#include "data/formats.hpp"
#include "data/importer.hpp"
#include "loopcert/core/error.hpp"
#include "npy/npy_items.hpp"

namespace loopcert {
namespace {

// Types and classes of the format's first level.
constexpr std::uint64_t mi_int8 = 1, mi_int32 = 5, mi_uint32 = 6, mi_double = 9, mi_matrix = 14;
constexpr std::uint64_t class_double = 6;
constexpr double largest = 2147483647;

void pad(std::string& bytes) { bytes.append((8 - bytes.size() % 8) % 8, '\0'); }

void append_element(std::string& bytes, std::uint64_t type, const std::string& content) {
  append_number(bytes, 4, type);
  append_number(bytes, 4, content.size());
  bytes += content;
  pad(bytes);
}

void check_name(const std::string& name) {
  const auto letter = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  if (name.empty() || name.size() > 31 || std::isalpha(static_cast<unsigned char>(name[0])) == 0 ||
      !std::all_of(name.begin(), name.end(), letter))
    throw_input_error("array name", "'" + name + "'", "a MATLAB name of at most 31 letters");
}

// First axis fastest.
std::string column_major(const std::vector<Index>& shape, const std::vector<double>& values) {
  std::string bytes(values.size() * sizeof(double), '\0');
  std::vector<Index> at(shape.size(), 0);
  for (size_t i = 0; i < values.size(); ++i) {
    Index source = 0;
    for (size_t axis = 0; axis < shape.size(); ++axis) source = source * shape[axis] + at[axis];
    store_little_endian(values[static_cast<size_t>(source)], bytes.data() + i * sizeof(double));
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      if (++at[axis] < shape[axis]) break;
      at[axis] = 0;
    }
  }
  return bytes;
}

std::string matrix_element(const std::string& name, const Array& array) {
  check_name(name);
  std::vector<Index> shape = array.shape;
  while (shape.size() < 2) shape.push_back(1);
  if (static_cast<double>(array.values.size()) * sizeof(double) + 256 > largest)
    throw_input_error(name, fmt::format("{} numbers", array.values.size()),
                      "less than 2 GiB, the limit of MATLAB 5");
  std::string flags, dimensions, content;
  append_number(flags, 8, class_double);
  for (const Index extent : shape) append_number(dimensions, 4, static_cast<std::uint64_t>(extent));
  append_element(content, mi_uint32, flags);
  append_element(content, mi_int32, dimensions);
  append_element(content, mi_int8, name);
  append_element(content, mi_double, column_major(shape, array.values));
  std::string element;
  append_element(element, mi_matrix, content);
  return element;
}

}  // namespace

std::string format_mat(const NamedArrays& arrays) {
  std::string bytes = "MATLAB 5.0 MAT-file, written by loopcert";
  bytes.resize(124, ' ');
  append_number(bytes, 2, 0x0100);  // version
  bytes += "IM";                    // lowest byte first
  for (const auto& [name, array] : arrays) bytes += matrix_element(name, array);
  return bytes;
}

void write_mat(const std::filesystem::path& path, const NamedArrays& arrays) {
  write_file(path, at_place(path.string(), [&] { return format_mat(arrays); }));
}

ArrayFormat mat_format() {
  return {.extension = ".mat", .read_named = import_arrays, .write_named = write_mat};
}

}  // namespace loopcert
