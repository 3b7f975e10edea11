#include "files.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <set>
#include <sstream>

namespace verify {

void bad(const std::string& file, const std::string& place, const std::string& found,
         const std::string& expected) {
  std::string text = file + ": " + place + ": found " + found + ", expected " + expected;
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  throw BadInput{text};
}

std::string read_bytes(const std::filesystem::path& path) {
  constexpr std::uintmax_t limit = std::uintmax_t{1} << 30;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) bad(path, "file", "none", "a file");
  if (std::filesystem::file_size(path, error) > limit || error)
    bad(path, "file", "more than 1 GiB", "less");
  std::ifstream in(path, std::ios::binary);
  std::stringstream bytes;
  bytes << in.rdbuf();
  if (!in) bad(path, "file", "a read error", "bytes");
  return bytes.str();
}

json parse_json(const std::string& bytes, const std::string& file) {
  constexpr size_t deepest = 32;
  std::vector<std::set<std::string>> open;
  const auto guard = [&](int depth, json::parse_event_t event, json& value) {
    if (depth > static_cast<int>(deepest)) bad(file, "JSON", "deep nesting", "at most 32 levels");
    if (event == json::parse_event_t::object_start) open.emplace_back();
    if (event == json::parse_event_t::object_end) open.pop_back();
    if (event == json::parse_event_t::key && !open.back().insert(value.get<std::string>()).second)
      bad(file, value.get<std::string>(), "this key twice", "once");
    return true;
  };
  try {
    return json::parse(bytes, guard);
  } catch (const json::exception&) {
    bad(file, "content", "no valid JSON", "a JSON file of loopcert");
  }
}

std::string little_endian(const Table& table) {
  std::string bytes;
  bytes.reserve(table.values.size() * 8);
  for (const double value : table.values)
    for (int shift = 0; shift < 64; shift += 8)
      bytes += static_cast<char>(std::bit_cast<std::uint64_t>(value) >> shift & 0xff);
  return bytes;
}

namespace {

// A CSV line of numbers; nothing when some field is no number.
std::vector<double> numbers_of(const std::string& line) {
  std::vector<double> row;
  const char *at = line.data(), *end = at + line.size();
  while (true) {
    while (at < end && (*at == ' ' || *at == '+')) ++at;
    double value = 0;
    const auto [rest, error] = std::from_chars(at, end, value);
    if (error != std::errc()) return {};
    row.push_back(value);
    at = rest;
    while (at < end && (*at == ' ' || *at == '\r')) ++at;
    if (at == end) return row;
    if (*at++ != ',') return {};
  }
}

Table parse_csv(const std::string& bytes, const std::string& file) {
  Table table;
  std::istringstream lines(bytes);
  std::string line;
  for (long number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line[0] == '#' || line == "\r") continue;
    const std::vector<double> row = numbers_of(line);
    if (row.empty() && table.rows == 0 && table.cols == 0) {  // names of columns
      table.cols = -1;
      continue;
    }
    if (table.rows == 0) table.cols = static_cast<long>(row.size());
    if (row.empty() || static_cast<long>(row.size()) != table.cols)
      bad(file, "line " + std::to_string(number),
          "other than " + std::to_string(table.cols) + " numbers", "a trajectory in a row");
    table.values.insert(table.values.end(), row.begin(), row.end());
    ++table.rows;
  }
  if (table.rows == 0) bad(file, "content", "no numbers", "a trajectory in a row");
  return table;
}

}  // namespace

Table parse_npy(const std::string& bytes, const std::string& file);  // npy.cpp

Table read_table(const std::filesystem::path& path) {
  const std::string bytes = read_bytes(path);
  Table table;
  if (path.extension() == ".npy") {
    table = parse_npy(bytes, path);
  } else if (path.extension() == ".npz") {
    const std::map<std::string, Table> arrays = parse_npz(bytes, path);
    const auto named = arrays.find("w");
    if (named == arrays.end() && arrays.size() != 1)
      bad(path, "arrays", std::to_string(arrays.size()), "one, or one named w");
    table = named == arrays.end() ? arrays.begin()->second : named->second;
  } else if (path.extension() == ".csv") {
    table = parse_csv(bytes, path);
  } else {
    bad(path, "name", "'" + path.extension().string() + "'",
        ".npy, .npz or .csv (loopcert import writes them)");
  }
  for (const double value : table.values)
    if (!std::isfinite(value)) bad(path, "content", "a number that is not finite", "finite ones");
  return table;
}

}  // namespace verify
