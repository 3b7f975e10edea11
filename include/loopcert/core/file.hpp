// Files: read whole with a size limit; written beside the target and renamed, so that a
// half-written file never stands under its final name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace loopcert {

// The whole file. Throws InputError when it is missing, not a regular file, unreadable, or larger
// than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::uintmax_t limit);

// Writes a temporary file in the same folder, flushes it to disk and renames it over `path`.
// Throws OutputError, and removes the temporary file, when any step fails.
void write_file(const std::filesystem::path& path, std::string_view content);

// Creates `path` and its parents. Throws OutputError when that fails.
void make_directory(const std::filesystem::path& path);

}  // namespace loopcert
