// .npy versions 1.0 to 3.0, little- or big-endian float64/float32 and integers, C or Fortran order.
#include "core/file.hpp"
#include "data/formats.hpp"
#include "data/npy.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

Array read_npy(const std::filesystem::path& path) {
  const std::string bytes = read_file(path, largest_file);
  return at_place(path.string(), [&] { return parse_npy(bytes); });
}

void write_npy(const std::filesystem::path& path, const Array& array) {
  write_file(path, at_place(path.string(), [&] { return format_npy(array); }));
}

ArrayFormat npy_format() { return {.extension = ".npy", .read = read_npy, .write = write_npy}; }

}  // namespace loopcert
