// Files: read whole with a size limit; written beside the target and renamed, so that a
// half-written file never stands under its final name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace loopcert {

inline constexpr std::uintmax_t largest_record = std::uintmax_t{1} << 30;  // of ours that is read

// The whole file. Throws InputError when it is missing, not a regular file, unreadable, or larger
// than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::uintmax_t limit);

// Writes the new version beside `path`, as .NAME.new, flushes it to the disk and renames it. Of two
// processes that write one file the second waits for the first; what a killed one left behind is
// used up by the next. Throws OutputError, and removes the new version, when any step fails.
void write_file(const std::filesystem::path& path, std::string_view content);

struct OutputFile {
  std::filesystem::path path;
  std::string content;
};

// Files that belong together: all of them, or after a failure (OutputError) what was there before,
// `stale` files included, which are removed. A process that is killed while files are renamed
// leaves some of the new ones, and never new ones beside old ones.
void write_together(const std::vector<OutputFile>& files,
                    const std::vector<std::filesystem::path>& stale = {});

// Creates `path` and its parents. Throws OutputError when that fails.
void make_directory(const std::filesystem::path& path);

}  // namespace loopcert
