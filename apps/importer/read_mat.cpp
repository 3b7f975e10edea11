// MATLAB 5 to 7 files, by libmatio.
#include <fmt/format.h>
#include <matio.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>

#include "formats.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert::importer {
namespace {

struct CloseFile {
  void operator()(mat_t* file) const { Mat_Close(file); }
};
struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using File = std::unique_ptr<mat_t, CloseFile>;
using Variable = std::unique_ptr<matvar_t, FreeVariable>;

std::vector<std::string> names_in(mat_t* file) {
  size_t count = 0;
  char** names = Mat_GetDir(file, &count);
  if (!names) return {};
  std::vector<std::string> found;
  for (size_t i = 0; i < count; ++i)
    if (names[i]) found.emplace_back(names[i]);
  return found;
}

const char* class_text(matio_classes type) {
  switch (type) {
    case MAT_C_CELL:
      return "a cell array";
    case MAT_C_STRUCT:
      return "a struct";
    case MAT_C_OBJECT:
    case MAT_C_OPAQUE:
      return "an object";
    case MAT_C_CHAR:
      return "text";
    case MAT_C_SPARSE:
      return "a sparse matrix";
    case MAT_C_FUNCTION:
      return "a function";
    default:
      return "something else";
  }
}

template <class Number>
std::vector<double> numbers(const matvar_t& variable, size_t count) {
  const auto* data = static_cast<const Number*>(variable.data);
  std::vector<double> values(count);
  std::transform(data, data + count, values.begin(),
                 [](Number value) { return static_cast<double>(value); });
  return values;
}

std::vector<double> values_of(const matvar_t& variable, const std::string& name, size_t count) {
  switch (variable.class_type) {
    case MAT_C_DOUBLE:
      return numbers<double>(variable, count);
    case MAT_C_SINGLE:
      return numbers<float>(variable, count);
    case MAT_C_INT8:
      return numbers<std::int8_t>(variable, count);
    case MAT_C_UINT8:
      return numbers<std::uint8_t>(variable, count);
    case MAT_C_INT16:
      return numbers<std::int16_t>(variable, count);
    case MAT_C_UINT16:
      return numbers<std::uint16_t>(variable, count);
    case MAT_C_INT32:
      return numbers<std::int32_t>(variable, count);
    case MAT_C_UINT32:
      return numbers<std::uint32_t>(variable, count);
    case MAT_C_INT64:
      return numbers<std::int64_t>(variable, count);
    case MAT_C_UINT64:
      return numbers<std::uint64_t>(variable, count);
    default:  // refused before its values were read
      throw_input_error(name, class_text(variable.class_type), "an array of real numbers");
  }
}

Array read_variable(mat_t* file, const std::string& name, std::uint64_t bytes) {
  const Variable info(Mat_VarReadInfo(file, name.c_str()));
  if (!info) throw InputError(name + ": the variable is damaged");
  if (info->isComplex) throw_input_error(name, "complex numbers", "real ones");
  if (info->isLogical) throw_input_error(name, "logical values", "numbers");
  if (info->class_type < MAT_C_DOUBLE || info->class_type > MAT_C_UINT64)
    throw_input_error(name, class_text(info->class_type), "an array of real numbers");
  if (info->rank < 1 || !info->dims)
    throw_input_error(name, fmt::format("{} axes", info->rank), "1 to 3");
  const std::vector<std::uint64_t> shape(info->dims, info->dims + info->rank);
  check_shape(name, shape, bytes);
  size_t count = 1;
  for (const std::uint64_t extent : shape) count *= extent;
  if (count == 0) return from_column_major(shape, {});
  if (Mat_VarReadDataAll(file, info.get()) != 0 || !info->data ||
      info->nbytes < count * static_cast<size_t>(info->data_size))
    throw InputError(fmt::format("{}: its {} values are damaged or missing", name, count));
  return from_column_major(shape, values_of(*info, name, count));
}

// libmatio reads a truncated file as if the rest were zeros. So the elements are walked first: they
// must fill the file to its last byte.
void check_elements(const std::string& path) {
  constexpr std::uint64_t matrix = 14, compressed = 15, header = 128;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::uint64_t>(file.tellg());
  const auto number = [&](std::uint64_t at, size_t count, bool swapped) {
    std::array<unsigned char, 4> bytes{};
    file.seekg(static_cast<std::streamoff>(at));
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(count));
    std::uint64_t value = 0;
    for (size_t i = 0; i < count; ++i) value = 256 * value + bytes[swapped ? i : count - 1 - i];
    return value;
  };
  if (size < header)
    throw InputError(fmt::format("the file is truncated: {} bytes, less than its header", size));
  const std::uint64_t mark = number(126, 2, false);  // "IM" lowest byte first, "MI" highest first
  if (mark != 0x4d49 && mark != 0x494d)
    throw InputError("header: the byte order mark is missing: damaged, or not written by MATLAB");
  std::uint64_t at = header;
  while (at < size) {
    const std::string place = fmt::format("byte {}", at);
    if (size - at < 8) throw InputError(place + ": the file is truncated, inside an element");
    const std::uint64_t type = number(at, 4, mark == 0x494d);
    const std::uint64_t length = number(at + 4, 4, mark == 0x494d);
    if (type != matrix && type != compressed)
      throw_input_error(place, fmt::format("an element of type {}", type), "14 or 15");
    if (length > size - at - 8)
      throw InputError(fmt::format("{}: the file is truncated: {} bytes left of an element of {}",
                                   place, size - at - 8, length));
    at += 8 + length;
  }
}

}  // namespace

NamedArrays read_mat(const std::string& path, const std::vector<std::string>& wanted,
                     std::uint64_t bytes) {
  check_elements(path);
  const File file(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
  if (!file) throw InputError("the header is damaged");
  const std::vector<std::string> found = names_in(file.get());
  NamedArrays arrays;
  for (const std::string& name : wanted)
    if (std::find(found.begin(), found.end(), name) != found.end())
      arrays.emplace(name, read_variable(file.get(), name, bytes));
  if (arrays.empty()) throw_none(wanted, found);
  return arrays;
}

}  // namespace loopcert::importer
