#include "loopcert/data/formats.hpp"

#include <algorithm>
#include <cctype>

#include "loopcert/core/error.hpp"
#include "loopcert/core/file.hpp"
#include "loopcert/core/text.hpp"
#include "loopcert/data/csv.hpp"
#include "loopcert/data/npy.hpp"

namespace loopcert {
namespace {

constexpr std::uintmax_t largest_file = std::uintmax_t{4} << 30;

const ArrayFormat& format_of(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::vector<std::string> known;
  for (const ArrayFormat& format : array_formats()) {
    if (format.extension == extension) return format;
    known.push_back(format.extension);
  }
  throw_input_error(path.string(),
                    extension.empty() ? "no extension" : "the extension " + extension, join(known));
}

}  // namespace

const std::vector<ArrayFormat>& array_formats() {
  static const std::vector<ArrayFormat> formats = {
      {".csv", read_csv, write_csv},
      {".npy", read_npy, write_npy},
  };
  return formats;
}

Array read_array(const std::filesystem::path& path) { return format_of(path).read(path); }

void write_array(const std::filesystem::path& path, const Array& array) {
  format_of(path).write(path, array);
}

Array read_csv(const std::filesystem::path& path) {
  const std::string text = read_file(path, largest_file);
  return at_place(path.string(), [&] { return parse_csv(text); });
}

void write_csv(const std::filesystem::path& path, const Array& array) {
  write_file(path, at_place(path.string(), [&] { return format_csv(array); }));
}

Array read_npy(const std::filesystem::path& path) {
  const std::string bytes = read_file(path, largest_file);
  return at_place(path.string(), [&] { return parse_npy(bytes); });
}

void write_npy(const std::filesystem::path& path, const Array& array) {
  write_file(path, at_place(path.string(), [&] { return format_npy(array); }));
}

}  // namespace loopcert
