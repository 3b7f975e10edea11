// .csv: one header row of names, then one row of numbers per trajectory.
#include "core/file.hpp"
#include "data/csv.hpp"
#include "data/formats.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

Array read_csv(const std::filesystem::path& path) {
  const std::string text = read_file(path, largest_file);
  return at_place(path.string(), [&] { return parse_csv(text); });
}

void write_csv(const std::filesystem::path& path, const Array& array) {
  write_file(path, at_place(path.string(), [&] { return format_csv(array); }));
}

ArrayFormat csv_format() { return {.extension = ".csv", .read = read_csv, .write = write_csv}; }

}  // namespace loopcert
