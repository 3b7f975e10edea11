#include "npy/zip_records.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bytes.hpp"
#include "excerpt.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

constexpr size_t end_size = 22, zip64_end_size = 56 + 20;  // the latter: record and locator
constexpr std::uint64_t in_zip64 = 0xffffffff;             // the number is in the zip64 field

void take_mark(std::string_view& bytes, std::string_view mark, const std::string& place) {
  const std::string_view found = take_bytes(bytes, mark.size(), place);
  if (found != mark)
    throw InputError(place + ": the file is truncated or damaged, or no .npz file: " +
                     excerpt(found) + " where " + excerpt(mark) + " belongs");
}

// Numbers of 0xffffffff stand for 8-byte ones in extra field 1, in this order.
void take_zip64(ZipHeader& header, std::string_view extra, const std::string& place) {
  while (!extra.empty()) {
    const std::uint64_t id = take_number(extra, 2, place + ": extra field");
    const std::uint64_t length = take_number(extra, 2, place + ": extra field");
    std::string_view field = take_bytes(extra, length, place + ": extra field");
    if (id != 1) continue;
    for (std::uint64_t* number : {&header.size, &header.packed_size, &header.offset})
      if (*number == in_zip64) *number = take_number(field, 8, place + ": zip64 field");
    return;
  }
}

}  // namespace

ZipDirectory find_zip_directory(std::string_view archive) {
  const std::string place = "zip end";
  std::string_view end = archive.substr(archive.size() - std::min(archive.size(), end_size));
  take_mark(end, "PK\5\6", place);
  const std::uint64_t disks = take_number(end, 4, place);  // this one and the directory's
  const std::uint64_t count_here = take_number(end, 2, place);
  const std::uint64_t count = take_number(end, 2, place);
  const std::uint64_t size = take_number(end, 4, place);
  const std::uint64_t begin = take_number(end, 4, place);
  const std::uint64_t comment = take_number(end, 2, place);
  if (disks != 0 || count_here != count)
    throw InputError(place + ": a part of an archive on several disks");
  if (comment != 0)
    throw_input_error(place, fmt::format("a comment of {} bytes", comment), "no comment");
  if (count == 0xffff || size == in_zip64 || begin == in_zip64)
    throw InputError(place + ": more than 4 GiB or 65534 members, which is not supported");
  // Python puts the zip64 twin of this record in between already at 2 GiB.
  const std::uint64_t stop = archive.size() - end_size;
  const bool twin =
      begin + size + zip64_end_size == stop && archive.substr(begin + size).starts_with("PK\6\6");
  if (begin + size != stop && !twin)
    throw_input_error(place, fmt::format("a directory of bytes {} to {}", begin, begin + size),
                      fmt::format("its end at {}", stop));
  return {count, begin, archive.substr(begin, size)};
}

ZipHeader take_zip_entry(std::string_view& directory, const std::string& place) {
  ZipHeader header;
  take_mark(directory, "PK\1\2", place);
  take_bytes(directory, 4, place);  // versions
  header.flags = take_number(directory, 2, place);
  header.method = take_number(directory, 2, place);
  take_bytes(directory, 4, place);  // time and date
  header.crc = take_number(directory, 4, place);
  header.packed_size = take_number(directory, 4, place);
  header.size = take_number(directory, 4, place);
  const std::uint64_t name = take_number(directory, 2, place);
  const std::uint64_t extra = take_number(directory, 2, place);
  const std::uint64_t comment = take_number(directory, 2, place);
  const std::uint64_t disk = take_number(directory, 2, place);
  if (disk != 0) throw InputError(place + ": a part of an archive on several disks");
  take_bytes(directory, 6, place);  // attributes
  header.offset = take_number(directory, 4, place);
  header.name = take_bytes(directory, name, place);
  take_zip64(header, take_bytes(directory, extra, place), place);
  take_bytes(directory, comment, place);
  return header;
}

ZipHeader take_zip_local(std::string_view& bytes, const std::string& place) {
  ZipHeader header;
  take_mark(bytes, "PK\3\4", place);
  take_bytes(bytes, 2, place);  // version
  header.flags = take_number(bytes, 2, place);
  header.method = take_number(bytes, 2, place);
  take_bytes(bytes, 16, place);  // time, date, crc and sizes
  const std::uint64_t name = take_number(bytes, 2, place);
  const std::uint64_t extra = take_number(bytes, 2, place);
  header.name = take_bytes(bytes, name, place);
  take_bytes(bytes, extra, place);
  return header;
}

}  // namespace loopcert
