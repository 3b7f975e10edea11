#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "bytes.hpp"
#include "excerpt.hpp"
#include "loopcert/core/error.hpp"
#include "npy/zip.hpp"
#include "npy/zip_records.hpp"

namespace loopcert {
namespace {

constexpr std::uint64_t stored = 0, deflated = 8;

void check_kind(const std::string& name, const ZipHeader& entry) {
  constexpr std::uint64_t encryption = 1 << 0 | 1 << 6 | 1 << 13;
  constexpr std::uint64_t harmless = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 11;  // speed, stream, UTF-8
  if (entry.flags & encryption) throw InputError(name + ": is encrypted");
  if (entry.flags & ~harmless)
    throw_input_error(name, fmt::format("flags {:#06x}", entry.flags), "an ordinary member");
  if (entry.method != stored && entry.method != deflated)
    throw_input_error(name, fmt::format("method {}", entry.method), "0 (stored) or 8 (deflated)");
}

void check_sizes(const std::string& name, const ZipHeader& entry) {
  if (entry.method == stored && entry.size != entry.packed_size)
    throw_input_error(name, fmt::format("{} stored bytes", entry.packed_size),
                      std::to_string(entry.size));
  // Deflate spends at least two bits on 258 bytes: nothing unpacks to more than that.
  if (entry.method == deflated && entry.size / 1032 > entry.packed_size)
    throw_input_error(name, fmt::format("{} deflated bytes", entry.packed_size),
                      fmt::format("enough for {}", entry.size));
}

// The packed bytes of a member, which must lie, with their header, in bytes begin to end.
std::string_view packed_bytes(std::string_view archive, const std::string& name,
                              const ZipHeader& entry, std::uint64_t begin, std::uint64_t end) {
  if (entry.offset < begin || entry.offset > end)
    throw_input_error(name, fmt::format("a start at byte {}", entry.offset),
                      fmt::format("{} to {}", begin, end));
  std::string_view rest = archive.substr(entry.offset, end - entry.offset);
  const ZipHeader local = take_zip_local(rest, name);
  if (local.name != entry.name)
    throw InputError(name + ": the archive is damaged: it is called " + excerpt(local.name) +
                     " before the data");
  if (local.method != entry.method || local.flags != entry.flags)
    throw InputError(name +
                     ": the archive is damaged: another method or other flags before the "
                     "data than in the directory");
  return take_bytes(rest, entry.packed_size, name);
}

}  // namespace

void check_member_name(const std::string& name) {
  const auto refuse = [&](const std::string& found) {
    throw_input_error(excerpt(name), found, "a plain name");
  };
  if (name.empty()) refuse("no name");
  if (name.size() > 200) refuse(fmt::format("a name of {} characters", name.size()));
  if (!std::all_of(name.begin(), name.end(), [](char c) { return c >= 0x20 && c < 0x7f; }))
    refuse("characters that are not printable ASCII");
  for (const char* part : {"/", "\\", ".."})
    if (name.find(part) != name.npos) refuse(fmt::format("'{}' in the name", part));
}

std::vector<ZipMember> zip_directory(std::string_view archive) {
  ZipDirectory directory = find_zip_directory(archive);
  std::vector<ZipMember> members;
  std::set<std::string_view> names;
  std::uint64_t total = 0;
  std::uint64_t behind = 0;  // where the member before ends
  for (std::uint64_t i = 1; i <= directory.count; ++i) {
    const ZipHeader entry = take_zip_entry(
        directory.bytes, fmt::format("zip directory entry {} of {}", i, directory.count));
    const std::string name(entry.name);
    check_member_name(name);
    if (!names.insert(entry.name).second) throw InputError(name + ": the name occurs twice");
    check_kind(name, entry);
    check_sizes(name, entry);
    if (entry.size > largest_zip - total)
      throw_input_error(name, fmt::format("{} bytes after {}", entry.size, total),
                        fmt::format("at most {} in all", largest_zip));
    total += entry.size;
    const std::string_view packed = packed_bytes(archive, name, entry, behind, directory.begin);
    behind = static_cast<std::uint64_t>(packed.data() + packed.size() - archive.data());
    members.push_back({name, packed, entry.method == deflated, entry.size,
                       static_cast<std::uint32_t>(entry.crc)});
  }
  if (!directory.bytes.empty())
    throw InputError(fmt::format("zip directory: damaged: {} bytes more than its {} entries have",
                                 directory.bytes.size(), directory.count));
  return members;
}

}  // namespace loopcert
