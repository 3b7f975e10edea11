#include <fmt/format.h>

#include "formats.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert::importer {

void check_shape(const std::string& name, const std::vector<std::uint64_t>& shape,
                 std::uint64_t bytes) {
  if (shape.size() > 3) throw_input_error(name, fmt::format("{} axes", shape.size()), "1 to 3");
  double size = sizeof(double);
  for (const std::uint64_t extent : shape) size *= static_cast<double>(extent);
  if (!(size <= static_cast<double>(bytes)))
    throw_input_error(name, fmt::format("{} numbers", fmt::join(shape, " x ")),
                      fmt::format("at most {} in all", bytes / sizeof(double)));
}

void throw_none(const std::vector<std::string>& wanted, const std::vector<std::string>& found) {
  throw InputError(missing_variables_text(wanted, found));
}

Array from_column_major(const std::vector<std::uint64_t>& shape,
                        const std::vector<double>& values) {
  Array array;
  array.shape.assign(shape.begin(), shape.end());
  array.values.resize(values.size());
  std::vector<std::uint64_t> at(shape.size(), 0);
  for (double& value : array.values) {
    std::uint64_t source = 0;
    for (size_t axis = shape.size(); axis-- > 0;) source = source * shape[axis] + at[axis];
    value = values[source];
    for (size_t axis = shape.size(); axis-- > 0;) {
      if (++at[axis] < shape[axis]) break;
      at[axis] = 0;
    }
  }
  return array;
}

}  // namespace loopcert::importer
