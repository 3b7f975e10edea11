#include "data/importer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/memory.hpp"
#include "core/process.hpp"
#include "data/formats.hpp"
#include "excerpt.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t gib = std::uint64_t{1} << 30;
constexpr int usual_seconds = 300;

// Its size in bytes.
std::uintmax_t checked_size(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status))
    throw InputError(error ? error.message() : std::string("No such file or directory"));
  if (!fs::is_regular_file(status)) throw InputError("not a regular file");
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) throw InputError(error.message());
  if (size > largest_file)
    throw InputError(fmt::format("found {} bytes, expected at most {}", size, largest_file));
  return size;
}

// Room for what a file of this size can hold, and an end to what it can claim. Deflate unpacks to
// at most 1032 times as much, and a byte may become a double; without values, which HDF5 allows, a
// small file is still given something.
std::uint64_t byte_limit(std::uintmax_t size) {
  constexpr std::uint64_t least = gib / 16, most = 4 * gib;
  const std::uint64_t held = least + 8 * 1032 * std::min<std::uint64_t>(size, most);
  return std::min({held, most, memory_limit() / 2});
}

// The first line that the importer wrote, made printable.
std::string first_line(const std::string& text) {
  std::string line = text.substr(0, std::min<size_t>(text.find('\n'), 300));
  for (char& c : line)
    if (c < ' ' || c > '~') c = '?';
  return line;
}

[[noreturn]] void throw_failed(const ProcessResult& result, int seconds_limit) {
  if (result.too_much)
    throw InputError("content: the file claims more than a file of its size can hold");
  if (result.too_long)
    throw InputError(
        fmt::format("content: reading it did not end within {} seconds", seconds_limit));
  if (result.signal != 0)
    throw InputError(fmt::format(
        "content: reading it ended with signal {} ({}): the file is damaged or hostile, "
        "or too large",
        result.signal, strsignal(result.signal)));
  const std::string line = first_line(result.errors);
  if (result.status == 3 && !line.empty()) throw InputError(line);
  throw InputError(fmt::format("content: reading it failed with status {}: {}", result.status,
                               excerpt(result.errors)));
}

// The name that was asked for under this number.
std::optional<std::string> name_of(std::string_view number,
                                   const std::vector<std::string>& wanted) {
  for (size_t i = 0; i < wanted.size(); ++i)
    if (number == std::to_string(i)) return wanted[i];
  return std::nullopt;
}

}  // namespace

NamedArrays arrays_of_answer(std::string_view bytes, const std::vector<std::string>& wanted) {
  NamedArrays numbered;
  try {
    numbered = parse_npz(bytes);
  } catch (const InputError& error) {  // NaN is refused there: name the variable
    const std::string text = error.what();
    const size_t end = text.find(".npy: ");
    const auto name = name_of(std::string_view(text).substr(0, end), wanted);
    if (end == text.npos || !name) throw;
    throw InputError(*name + text.substr(end + 4));
  }
  NamedArrays arrays;
  for (auto& [number, array] : numbered) {
    const auto name = name_of(number, wanted);
    if (!name)
      throw InputError("content: the importer gave " + excerpt(number) +
                       ", which was not requested");
    arrays.emplace(*name, std::move(array));
  }
  if (arrays.empty()) throw InputError("content: the importer gave no arrays");
  return arrays;
}

std::optional<fs::path> find_importer() {
  std::vector<fs::path> places;
  if (const char* named = std::getenv("LOOPCERT_IMPORTER")) places.emplace_back(named);
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (!error) {
    places.push_back(self / "loopcert-importer");
    places.push_back(self / "../libexec/loopcert/loopcert-importer");
  }
  places.emplace_back(LOOPCERT_INSTALLED_IMPORTER);
  for (const fs::path& place : places)
    if (fs::is_regular_file(place, error)) return place.lexically_normal();
  return std::nullopt;
}

NamedArrays import_arrays(const fs::path& path, const std::vector<std::string>& wanted) {
  return import_arrays(path, wanted, usual_seconds);
}

NamedArrays import_arrays(const fs::path& path, const std::vector<std::string>& wanted,
                          int seconds_limit) {
  return at_place(path.string(), [&] {
    const std::uint64_t limit = byte_limit(checked_size(path));
    const auto importer = find_importer();
    if (!importer)
      throw InputError(
          "loopcert-importer, which reads " + path.extension().string() +
          " files, was not found: put it next to loopcert, or set LOOPCERT_IMPORTER to its path");
    std::vector<std::string> command = {importer->string(), std::to_string(limit), path.string()};
    command.insert(command.end(), wanted.begin(), wanted.end());
    const ProcessResult result = run_process(command, limit, seconds_limit);
    if (result.status != 0 || result.signal != 0 || result.too_much || result.too_long)
      throw_failed(result, seconds_limit);
    return arrays_of_answer(result.output, wanted);
  });
}

ArrayFormat h5_format() { return {.extension = ".h5", .read_named = import_arrays}; }

ArrayFormat hdf5_format() { return {.extension = ".hdf5", .read_named = import_arrays}; }

}  // namespace loopcert
