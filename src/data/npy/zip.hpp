// Zip archives with stored or deflated members. The directory at the end of the archive says what
// is in it; nothing it says is believed before it is checked against the bytes that are there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loopcert {

struct ZipMember {
  std::string name;
  std::string_view packed;  // into the archive
  bool deflated = false;    // else stored as it is
  std::uint64_t size = 0;   // when unpacked
  std::uint32_t crc = 0;
};

// Of an archive, and of everything in it when unpacked.
constexpr std::uint64_t largest_zip = std::uint64_t{4} << 30;

// The members in the order of the archive, which is the order of the directory: none overlaps
// another. Throws InputError on everything else: several disks, encryption, other methods, a
// comment at the end, bad or repeated names, sizes that the bytes cannot hold or that exceed
// `largest_zip`.
std::vector<ZipMember> zip_directory(std::string_view archive);

// The bytes of a member, in the archive or in `buffer`, checked against size and crc.
std::string_view unpack(const ZipMember& member, std::string& buffer);

// Throws InputError unless the name is plain: 1 to 200 printable ASCII characters, no '/', '\\' nor
// "..".
void check_member_name(const std::string& name);

// An archive written member by member, all of them stored, dated 1980-01-01: the same members give
// the same bytes. Throws InputError on bad names and where `largest_zip` is exceeded.
class ZipWriter {
 public:
  void add(const std::string& name, std::string_view bytes);
  std::string finish();  // the archive; leaves the writer empty

 private:
  std::string archive_;
  std::string directory_;
  std::uint64_t count_ = 0;
};

}  // namespace loopcert
