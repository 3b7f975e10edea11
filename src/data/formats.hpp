// File formats for arrays. Adding one is one file with a read and a write function and a maker, and
// one line in formats.inc.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "data/array.hpp"
#include "data/npz.hpp"

namespace loopcert {

// Larger files are not read.
constexpr std::uintmax_t largest_file = std::uintmax_t{4} << 30;

// A format holds one array (read, write), or several by name (read_named, write_named). A format
// that is only read has no write function.
struct ArrayFormat {
  std::string extension;  // with the dot, lower case
  Array (*read)(const std::filesystem::path& path) = nullptr;
  void (*write)(const std::filesystem::path& path, const Array& array) = nullptr;
  NamedArrays (*read_named)(const std::filesystem::path& path,
                            const std::vector<std::string>& wanted) = nullptr;
  void (*write_named)(const std::filesystem::path& path, const NamedArrays& arrays) = nullptr;

  bool writes() const { return write != nullptr || write_named != nullptr; }
};

const std::vector<ArrayFormat>& array_formats();

// ".csv" of "W.CSV".
std::string lower_extension(const std::filesystem::path& path);

// By extension. Throws InputError naming the known extensions when it is unknown.
const ArrayFormat& format_of(const std::filesystem::path& path);

// The extensions that are written, as ".csv", ….
std::vector<std::string> written_extensions();

// One array; in a format with names the one called `name`.
Array read_array(const std::filesystem::path& path, const std::string& name = "w");
void write_array(const std::filesystem::path& path, const Array& array,
                 const std::string& name = "w");

#define ADD(maker) ArrayFormat maker();
#include "data/formats.inc"

}  // namespace loopcert
