// NumPy's .npy and .npz (a zip of .npy members, stored or deflated).
#include <zlib.h>

#include <bit>
#include <cstdint>

#include "files.hpp"

namespace verify {
namespace {

constexpr size_t largest = size_t{1} << 30;

// Little-endian unsigned number of `size` bytes at `at`.
std::uint64_t number(const std::string& bytes, size_t at, size_t size, const std::string& file) {
  if (at > bytes.size() || size > bytes.size() - at) bad(file, "content", "its end", "more bytes");
  std::uint64_t value = 0;
  for (size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

// The text after 'key': in the header, up to `stop`.
std::string entry(const std::string& header, const std::string& key, char stop,
                  const std::string& file) {
  const size_t at = header.find("'" + key + "':");
  const size_t end = at == header.npos ? at : header.find(stop, at + key.size() + 3);
  if (end == header.npos) bad(file, "header", "no '" + key + "'", "that of a .npy file");
  return header.substr(at + key.size() + 3, end - at - key.size() - 3);
}

std::string inflate_member(const std::string& packed, size_t size, const std::string& file) {
  std::string bytes(size, '\0');
  z_stream stream{};
  inflateInit2(&stream, -MAX_WBITS);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(size);
  const int status = inflate(&stream, Z_FINISH);
  const bool whole = status == Z_STREAM_END && stream.total_out == size;
  inflateEnd(&stream);
  if (!whole) bad(file, "member", "damaged bytes", "a deflated array");
  return bytes;
}

std::string member(const std::string& bytes, size_t entry_at, const std::string& file) {
  const auto field = [&](size_t at, size_t size) {
    return number(bytes, entry_at + at, size, file);
  };
  const size_t method = field(10, 2), packed = field(20, 4), size = field(24, 4);
  const size_t local = field(42, 4);
  if (number(bytes, local, 4, file) != 0x04034b50) bad(file, "zip", "no member", "a member");
  const size_t at =
      local + 30 + number(bytes, local + 26, 2, file) + number(bytes, local + 28, 2, file);
  if (packed > bytes.size() || at > bytes.size() - packed || size > largest)
    bad(file, "zip", "a member that ends beyond the file", "a whole one");
  const std::string content = bytes.substr(at, packed);
  if (method != 0 && method != 8) bad(file, "zip", "another method", "stored or deflated");
  const std::string plain = method == 8 ? inflate_member(content, size, file) : content;
  const uLong sum =
      crc32(0, reinterpret_cast<const Bytef*>(plain.data()), static_cast<uInt>(plain.size()));
  if (plain.size() != size || sum != field(16, 4)) bad(file, "zip", "another checksum", "its own");
  return plain;
}

}  // namespace

Table parse_npy(const std::string& bytes, const std::string& file) {
  if (bytes.compare(0, 6, "\x93NUMPY") != 0) bad(file, "start", "other bytes", "a .npy file");
  const size_t width = number(bytes, 6, 1, file) == 1 ? 2 : 4;
  const size_t length = number(bytes, 8, width, file), begin = 8 + width + length;
  if (begin > bytes.size()) bad(file, "header", "its end", "a whole one");
  const std::string header = bytes.substr(8 + width, length);
  if (entry(header, "descr", ',', file).find("'<f8'") == header.npos)
    bad(file, "descr", entry(header, "descr", ',', file), "'<f8'");
  const bool by_columns = entry(header, "fortran_order", ',', file).find("True") != header.npos;
  const std::string shape = entry(header, "shape", ')', file);
  long sizes[2] = {0, 1}, count = 0;
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] >= '0' && shape[i] <= '9') {
      size_t digits = 0;
      const unsigned long long size = std::stoull(shape.substr(i, 12), &digits);
      if (count == 2 || size > largest) bad(file, "shape", shape + ")", "one or two small numbers");
      sizes[count++] = static_cast<long>(size);
      i += digits;
    }
  Table table{sizes[0], sizes[1], {}};
  const size_t total = static_cast<size_t>(sizes[0]) * static_cast<size_t>(sizes[1]);
  if (count == 0 || bytes.size() - begin != total * 8)
    bad(file, "content", std::to_string(bytes.size() - begin) + " bytes", "8 for each number");
  table.values.resize(total);
  for (long i = 0; i < table.rows; ++i)
    for (long j = 0; j < table.cols; ++j) {
      const long from = by_columns ? j * table.rows + i : i * table.cols + j;
      table.values[static_cast<size_t>(i * table.cols + j)] =
          std::bit_cast<double>(number(bytes, begin + 8 * static_cast<size_t>(from), 8, file));
    }
  return table;
}

std::map<std::string, Table> parse_npz(const std::string& bytes, const std::string& file) {
  const size_t end = bytes.rfind("PK\x05\x06");
  if (end == bytes.npos) bad(file, "content", "no directory", "a zip file");
  size_t at = number(bytes, end + 16, 4, file);
  std::map<std::string, Table> arrays;
  for (size_t left = number(bytes, end + 10, 2, file); left > 0; --left) {
    if (number(bytes, at, 4, file) != 0x02014b50) bad(file, "zip", "no entry", "an entry");
    const size_t length = number(bytes, at + 28, 2, file);
    std::string name = bytes.substr(at + 46, length);
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    const std::string content = member(bytes, at, file);
    if (!arrays.emplace(name, parse_npy(content, file + "/" + name)).second)
      bad(file, name, "this array twice", "once");
    at += 46 + length + number(bytes, at + 30, 2, file) + number(bytes, at + 32, 2, file);
  }
  return arrays;
}

}  // namespace verify
