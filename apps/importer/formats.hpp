// The readers of the importer. Each returns those of the wanted variables that the file has; sizes
// are checked against `bytes` before memory is taken.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/npz.hpp"

namespace loopcert::importer {

// By what the file says it is, not by its name.
NamedArrays read_variables(const std::string& path, const std::vector<std::string>& wanted,
                           std::uint64_t bytes);

// MATLAB up to version 7.
NamedArrays read_mat(const std::string& path, const std::vector<std::string>& wanted,
                     std::uint64_t bytes);

// HDF5; `matlab`: MATLAB 7.3, which turns the order of the axes around.
NamedArrays read_hdf5(const std::string& path, const std::vector<std::string>& wanted,
                      std::uint64_t bytes, bool matlab);

// Throws InputError unless an array of this shape has 1 to 3 axes and fits.
void check_shape(const std::string& name, const std::vector<std::uint64_t>& shape,
                 std::uint64_t bytes);

// Throws InputError: the file has none of the wanted variables, but these.
[[noreturn]] void throw_none(const std::vector<std::string>& wanted,
                             const std::vector<std::string>& found);

// Column-major values in row-major order.
Array from_column_major(const std::vector<std::uint64_t>& shape, const std::vector<double>& values);

}  // namespace loopcert::importer
