#include "data/formats.hpp"

#include <algorithm>
#include <cctype>

#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

std::string lower_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

const ArrayFormat& format_of(const std::filesystem::path& path) {
  const std::string extension = lower_extension(path);
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
#define ADD(maker) maker(),
#include "data/formats.inc"
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

}  // namespace loopcert
