// Several named arrays in one file: NumPy's .npz, a zip archive with one name.npy per array.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "data/array.hpp"

namespace loopcert {

using NamedArrays = std::map<std::string, Array>;

// Stored or deflated members. Throws InputError on a member that is not an array as parse_npy reads
// it, on anything unusual in the archive, and on more than 4 GiB when unpacked.
NamedArrays parse_npz(std::string_view bytes);
NamedArrays read_npz(const std::filesystem::path& path);

// Only those of the arrays `wanted` that the file has; other members are not unpacked.
NamedArrays read_npz(const std::filesystem::path& path, const std::vector<std::string>& wanted);

// What to say of a file that has none of the variables `wanted`, but those `found`.
std::string missing_variables_text(const std::vector<std::string>& wanted,
                                   std::vector<std::string> found);

// Not compressed. The same arrays give the same bytes on every machine and every day.
std::string format_npz(const NamedArrays& arrays);
void write_npz(const std::filesystem::path& path, const NamedArrays& arrays);

}  // namespace loopcert
