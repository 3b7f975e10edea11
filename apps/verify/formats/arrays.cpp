// Tables of numbers: .csv, .npy and .npz.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <sstream>

#include "formats/files.hpp"

namespace verify {
namespace {

constexpr long largest = 1L << 30;

// Little-endian unsigned number of `size` bytes at `at`.
std::uint64_t number(const std::string& bytes, size_t at, size_t size) {
  if (at > bytes.size() || size > bytes.size() - at) bad("content", "its end", "more bytes");
  std::uint64_t value = 0;
  for (size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

// The text after 'key': in the header of a .npy file, up to `stop`.
std::string entry(const std::string& header, const std::string& key, char stop) {
  const size_t at = header.find("'" + key + "':");
  if (at != header.npos && header.find("'" + key + "'", at + 1) != header.npos)
    bad("header", "'" + key + "' twice", "once");
  const size_t end = at == header.npos ? at : header.find(stop, at + key.size() + 3);
  if (end == header.npos) bad("header", "no '" + key + "'", "that of a .npy file");
  return header.substr(at + key.size() + 3, end - at - key.size() - 3);
}

// The rows of a table whose numbers stand by columns, the first axis fastest.
Table transposed(const Table& by_columns) {
  Table table = by_columns;
  const long last = std::max(1L, table.inner), middle = table.cols / last;
  for (long i = 0; i < table.rows; ++i)
    for (long j = 0; j < table.cols; ++j) {
      const long column = j / last + middle * (j % last);
      table(i, j) = by_columns.values[static_cast<size_t>(column * table.rows + i)];
    }
  return table;
}

// A CSV line of numbers; nothing when some field is no number.
std::vector<double> numbers_of(const std::string& line) {
  std::vector<double> row;
  const char *at = line.data(), *end = at + line.size();
  for (;;) {
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

// Names as loopcert writes them, x0_0 to w9_1, say which number is which: they must be in order.
// Others say nothing.
void check_names(const std::string& line) {
  std::vector<std::pair<long, long>> places;
  std::istringstream fields(line);
  for (std::string field; std::getline(fields, field, ',');) {
    std::erase_if(field, [](char c) { return c == ' ' || c == '\r' || c == '"'; });
    long step = 0, entry = 0, used = 0;
    char kind = 0;
    if (std::sscanf(field.c_str(), "%c%4ld_%4ld%ln", &kind, &step, &entry, &used) != 3 ||
        used != static_cast<long>(field.size()) || (kind != 'x' && kind != 'w'))
      continue;
    places.emplace_back(kind == 'x' ? -1 : step, entry);
  }
  if (!std::is_sorted(places.begin(), places.end()))
    bad("column names", "another order", "x0_0, x0_1, ..., w0_0, w0_1, ...");
}

}  // namespace

Table parse_csv(const std::string& bytes) {
  Table table;
  std::istringstream lines(bytes);
  std::string line;
  for (long number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line[0] == '#' || line == "\r") continue;
    const std::vector<double> row = numbers_of(line);
    if (row.empty() && table.cols == 0) {
      check_names(line);
      table.cols = -1;
      continue;
    }
    if (table.rows == 0) table.cols = static_cast<long>(row.size());
    if (row.empty() || static_cast<long>(row.size()) != table.cols)
      bad("line " + std::to_string(number), "other than numbers in each column",
          "a trajectory in a row");
    table.values.insert(table.values.end(), row.begin(), row.end());
    ++table.rows;
  }
  if (table.rows == 0) bad("content", "no numbers", "a trajectory in a row");
  return table;
}

Table parse_npy(const std::string& bytes) {
  if (bytes.compare(0, 6, "\x93NUMPY") != 0) bad("start", "other bytes", "a .npy file");
  const std::uint64_t version = number(bytes, 6, 1);
  if (version < 1 || version > 3) bad("version", std::to_string(version), "1, 2 or 3");
  const size_t width = version == 1 ? 2 : 4;
  const size_t length = number(bytes, 8, width), begin = 8 + width + length;
  if (begin > bytes.size()) bad("header", "its end", "a whole one");
  const std::string header = bytes.substr(8 + width, length);
  const std::string type = entry(header, "descr", ',');
  const size_t bytes_each = type.find("'<f4'") == type.npos ? 8 : 4;
  if (bytes_each == 8 && type.find("'<f8'") == type.npos)
    bad("descr", word(type), "'<f8' or '<f4'");
  const bool by_columns = entry(header, "fortran_order", ',').find("True") != header.npos;
  std::string shape = entry(header, "shape", ')');
  long sizes[3] = {0, 1, 1}, count = 0;  // a trajectory may be T + 1 rows of its own
  if (shape.find('-') != shape.npos) bad("shape", word(shape), "numbers from zero on");
  std::replace_if(
      shape.begin(), shape.end(), [](char c) { return c < '0' || c > '9'; }, ' ');
  std::istringstream numbers(shape);
  for (std::string text; numbers >> text;) {
    const long size = whole_number(text).value_or(largest + 1);
    if (count == 3 || size > largest) bad("shape", "others", "one to three small numbers");
    sizes[count++] = size;
  }
  if (sizes[1] > 0 && sizes[2] > largest / sizes[1]) bad("shape", "others", "small numbers");
  Table table{sizes[0], sizes[1] * sizes[2], {}, count == 3 ? sizes[2] : 0};
  const size_t total = static_cast<size_t>(table.rows) * static_cast<size_t>(table.cols);
  if (count == 0 || bytes.size() - begin != total * bytes_each)
    bad("content", std::to_string(bytes.size() - begin) + " bytes",
        std::to_string(bytes_each) + " for each number");
  for (size_t at = begin; at < bytes.size(); at += bytes_each) {
    const std::uint64_t word = number(bytes, at, bytes_each);
    table.values.push_back(bytes_each == 8
                               ? std::bit_cast<double>(word)
                               : std::bit_cast<float>(static_cast<std::uint32_t>(word)));
  }
  return by_columns && total > 0 ? transposed(table) : table;
}

// A zip of .npy members, stored as loopcert and numpy.savez do; their SHA-256 is in the record.
std::map<std::string, Table> parse_npz(const std::string& bytes) {
  const size_t end = bytes.rfind("PK\x05\x06");
  if (end == bytes.npos) bad("content", "no directory", "a zip file");
  size_t at = number(bytes, end + 16, 4);
  std::map<std::string, Table> arrays;
  size_t total = 0;
  for (size_t left = number(bytes, end + 10, 2); left > 0; --left) {
    const auto field = [&](size_t offset, size_t size) { return number(bytes, at + offset, size); };
    const size_t packed = field(20, 4), length = field(28, 2), local = field(42, 4);
    if (field(0, 4) != 0x02014b50 || number(bytes, local, 4) != 0x04034b50 || field(10, 2) != 0 ||
        packed != field(24, 4))
      bad("zip", "another member", "one that is stored");
    const size_t begin = local + 30 + number(bytes, local + 26, 2) + number(bytes, local + 28, 2);
    if (packed > bytes.size() || begin > bytes.size() - packed)
      bad("zip", "a member that ends beyond the file", "a whole one");
    if ((total += packed) > bytes.size()) bad("zip", "members that overlap", "one after another");
    std::string name = bytes.substr(at + 46, length);
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    const auto read = [&] { return parse_npy(bytes.substr(begin, packed)); };
    if (!arrays.emplace(name, in_file(Word{name}, read)).second)
      bad(word(name), "this array twice", "once");
    at += 46 + length + field(30, 2) + field(32, 2);
  }
  return arrays;
}

Table read_table(const std::filesystem::path& path) {
  const bool csv = path.extension() == ".csv";
  if (!csv && path.extension() != ".npy")
    bad("name", word(path.extension().string()), ".npy or .csv (loopcert import writes them)");
  const std::string bytes = read_bytes(path);
  Table table = csv ? parse_csv(bytes) : parse_npy(bytes);
  for (const double value : table.values)
    if (!std::isfinite(value)) bad("content", "a number that is not finite", "finite ones");
  return table;
}

}  // namespace verify
