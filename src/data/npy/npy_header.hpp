// The header of a .npy file: a Python dictionary in text, of which only one form is accepted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "loopcert/core/types.hpp"

namespace loopcert {

struct NpyHeader {
  std::string descr;           // e.g. "<f8"
  bool fortran_order = false;  // first axis fastest
  std::vector<Index> shape;
};

// Exactly the keys descr, fortran_order and shape, each once, in any order.
NpyHeader parse_npy_header(std::string_view text);

}  // namespace loopcert
