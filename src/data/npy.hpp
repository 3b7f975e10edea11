// The bytes of a NumPy .npy file. Nothing a file says about itself is believed before it is checked
// against the bytes that are there.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "data/array.hpp"

namespace loopcert {

// Versions 1.0 to 3.0; float64, float32 and integers of either byte order; C or Fortran order;
// 1 to 3 axes. Throws InputError on anything else, on NaN or Inf, and on missing or extra bytes.
Array parse_npy(std::string_view bytes);

// Version 1.0, '<f8', C order, data aligned to 64 bytes.
std::string format_npy(const Array& array);

Array read_npy(const std::filesystem::path& path);
void write_npy(const std::filesystem::path& path, const Array& array);

}  // namespace loopcert
