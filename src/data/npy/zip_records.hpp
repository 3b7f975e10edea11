// The records of a zip archive, taken from its bytes and not yet judged.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace loopcert {

// One member, as the directory or the local header in front of its data describes it.
struct ZipHeader {
  std::uint64_t flags = 0, method = 0, crc = 0, packed_size = 0, size = 0, offset = 0;
  std::string_view name;
};

struct ZipDirectory {
  std::uint64_t count = 0;
  std::uint64_t begin = 0;
  std::string_view bytes;
};

// From the end record, which must be the last 22 bytes: without a comment there is one place to
// look.
ZipDirectory find_zip_directory(std::string_view archive);

// The next entry of the directory, 64-bit sizes resolved.
ZipHeader take_zip_entry(std::string_view& directory, const std::string& place);

// A local header: what follows is the data. Its sizes and crc may be missing (a stream did not know
// them yet), so they are not taken: the directory has them.
ZipHeader take_zip_local(std::string_view& bytes, const std::string& place);

}  // namespace loopcert
