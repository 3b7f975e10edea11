// The number types a .npy file may hold, read as doubles.
#pragma once

#include <cstddef>
#include <string>

namespace loopcert {

struct NpyItem {
  size_t size = 0;       // bytes
  bool swapped = false;  // stored in the other byte order
  double (*load)(const char* bytes, bool swapped) = nullptr;
};

// From a type text such as "<f8". Throws InputError that lists what is known.
NpyItem npy_item(const std::string& descr);

// The bytes of a double, lowest first, whatever this machine does.
void store_little_endian(double value, char* bytes);

}  // namespace loopcert
