#include <fmt/format.h>
#include <zlib.h>

#include "bytes.hpp"
#include "loopcert/core/error.hpp"
#include "npy/zip.hpp"

namespace loopcert {
namespace {

constexpr std::uint64_t version = 20;                // PKZIP 2.0
constexpr std::uint64_t date = 0 << 9 | 1 << 5 | 1;  // 1980-01-01, the first day that zip knows

// From the version to the length of the extra field: the same in local headers and entries.
void append_common(std::string& bytes, const std::string& name, std::string_view content,
                   std::uint64_t crc) {
  append_number(bytes, 2, version);
  append_number(bytes, 2, 0);  // flags
  append_number(bytes, 2, 0);  // stored
  append_number(bytes, 2, 0);  // time
  append_number(bytes, 2, date);
  append_number(bytes, 4, crc);
  append_number(bytes, 4, content.size());
  append_number(bytes, 4, content.size());
  append_number(bytes, 2, name.size());
  append_number(bytes, 2, 0);  // extra field
}

}  // namespace

void ZipWriter::add(const std::string& name, std::string_view bytes) {
  check_member_name(name);
  constexpr size_t overhead = 512;  // more than the headers of any member
  if (bytes.size() >= largest_zip ||
      archive_.size() + directory_.size() + bytes.size() + overhead >= largest_zip)
    throw_input_error(name, fmt::format("{} bytes after {}", bytes.size(), archive_.size()),
                      fmt::format("at most {} in all", largest_zip));
  if (++count_ == 0xffff) throw_input_error(name, "member 65535", "at most 65534");
  const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());

  directory_ += "PK\1\2";
  append_number(directory_, 2, version);  // made by
  append_common(directory_, name, bytes, crc);
  append_number(directory_, 2, 0);  // comment
  append_number(directory_, 2, 0);  // disk
  append_number(directory_, 6, 0);  // attributes
  append_number(directory_, 4, archive_.size());
  directory_ += name;

  archive_ += "PK\3\4";
  append_common(archive_, name, bytes, crc);
  archive_ += name;
  archive_ += bytes;
}

std::string ZipWriter::finish() {
  const std::uint64_t begin = archive_.size();
  archive_ += directory_;
  archive_ += "PK\5\6";
  append_number(archive_, 4, 0);  // disks
  append_number(archive_, 2, count_);
  append_number(archive_, 2, count_);
  append_number(archive_, 4, directory_.size());
  append_number(archive_, 4, begin);
  append_number(archive_, 2, 0);  // comment
  std::string archive;
  archive.swap(archive_);
  *this = {};
  return archive;
}

}  // namespace loopcert
