// MATLAB 5 files, written (reading is the importer's). Plain arrays of doubles, not compressed.
#pragma once

#include <filesystem>
#include <string>

#include "data/npz.hpp"

namespace loopcert {

// The same arrays give the same bytes. Names must be MATLAB identifiers of at most 31 letters; an
// array of one axis becomes a column. Throws InputError where MATLAB 5 cannot hold an array (2
// GiB).
std::string format_mat(const NamedArrays& arrays);
void write_mat(const std::filesystem::path& path, const NamedArrays& arrays);

}  // namespace loopcert
