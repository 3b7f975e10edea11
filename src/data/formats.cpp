#include "data/formats.hpp"

#include <algorithm>
#include <cctype>

#include "core/file.hpp"
#include "core/text.hpp"
#include "data/csv.hpp"
#include "data/importer.hpp"
#include "data/mat.hpp"
#include "data/npy.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

constexpr std::uintmax_t largest_file = std::uintmax_t{4} << 30;

}  // namespace

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

const std::vector<ArrayFormat>& array_formats() {
  static const std::vector<ArrayFormat> formats = {
      {".csv", read_csv, write_csv, nullptr, nullptr},
      {".npy", read_npy, write_npy, nullptr, nullptr},
      {".npz", nullptr, nullptr, read_npz, write_npz},
      {".mat", nullptr, nullptr, import_arrays, write_mat},
      {".h5", nullptr, nullptr, import_arrays, nullptr},
      {".hdf5", nullptr, nullptr, import_arrays, nullptr},
  };
  return formats;
}

std::vector<std::string> written_extensions() {
  std::vector<std::string> extensions;
  for (const ArrayFormat& format : array_formats())
    if (format.writes()) extensions.push_back(format.extension);
  return extensions;
}

Array read_array(const std::filesystem::path& path, const std::string& name) {
  const ArrayFormat& format = format_of(path);
  return format.read ? format.read(path) : format.read_named(path, {name}).at(name);
}

void write_array(const std::filesystem::path& path, const Array& array, const std::string& name) {
  const ArrayFormat& format = format_of(path);
  if (!format.writes())
    throw_input_error(path.string(), "the extension " + format.extension + ", which is only read",
                      join(written_extensions()));
  if (format.write)
    format.write(path, array);
  else
    format.write_named(path, {{name, array}});
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
