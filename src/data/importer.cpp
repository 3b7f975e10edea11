#include "loopcert/data/importer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "excerpt.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/memory.hpp"
#include "loopcert/core/process.hpp"

namespace loopcert {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_file = std::uintmax_t{4} << 30;
constexpr std::uint64_t gib = std::uint64_t{1} << 30;
constexpr int seconds_limit = 300;

void check_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status))
    throw InputError(error ? error.message() : std::string("No such file or directory"));
  if (!fs::is_regular_file(status)) throw InputError("not a regular file");
  const std::uintmax_t size = fs::file_size(path, error);
  if (!error && size > largest_file)
    throw InputError(fmt::format("found {} bytes, expected at most {}", size, largest_file));
}

// The first line that the importer wrote, made printable.
std::string first_line(const std::string& text) {
  std::string line = text.substr(0, std::min<size_t>(text.find('\n'), 300));
  for (char& c : line)
    if (c < ' ' || c > '~') c = '?';
  return line;
}

[[noreturn]] void throw_failed(const ProcessResult& result) {
  const std::string expected = "a file that MATLAB or HDF5 wrote";
  if (result.too_much) throw_input_error("content", "more than fits into memory", "less");
  if (result.too_long)
    throw_input_error("content", fmt::format("no end after {} seconds", seconds_limit), expected);
  if (result.signal != 0)
    throw_input_error("content",
                      fmt::format("that reading it ends with signal {} ({}): a damaged or hostile "
                                  "file, or too large",
                                  result.signal, strsignal(result.signal)),
                      expected);
  const std::string line = first_line(result.errors);
  if (result.status == 3 && !line.empty()) throw InputError(line);
  throw_input_error("content",
                    fmt::format("that reading it fails with status {}: {}", result.status,
                                excerpt(result.errors)),
                    expected);
}

// The answer holds arrays 0, 1, … of the request. NaN is refused there: name the variable.
NamedArrays parse_answer(const std::string& bytes, const std::vector<std::string>& wanted) {
  try {
    return parse_npz(bytes);
  } catch (const InputError& error) {
    const std::string text = error.what();
    const size_t number = text.find(".npy: ");
    if (number != 1 || text[0] < '0' || static_cast<size_t>(text[0] - '0') >= wanted.size()) throw;
    throw InputError(wanted[static_cast<size_t>(text[0] - '0')] + text.substr(5));
  }
}

}  // namespace

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
  return at_place(path.string(), [&] {
    check_file(path);
    const auto importer = find_importer();
    if (!importer)
      throw_input_error("format", path.extension().string() + " and no loopcert-importer",
                        "that program beside loopcert, or its path in LOOPCERT_IMPORTER");
    // Room for what the file can hold, and an end to what it can claim.
    const std::uint64_t limit = std::min<std::uint64_t>(memory_limit() / 2, 4 * gib);
    std::vector<std::string> command = {importer->string(), std::to_string(limit), path.string()};
    command.insert(command.end(), wanted.begin(), wanted.end());
    const ProcessResult result = run_process(command, limit, seconds_limit);
    if (result.status != 0 || result.signal != 0 || result.too_much || result.too_long)
      throw_failed(result);
    NamedArrays arrays;
    for (auto& [number, array] : parse_answer(result.output, wanted))
      arrays.emplace(wanted.at(std::stoul(number)), std::move(array));
    return arrays;
  });
}

}  // namespace loopcert
