// File formats for arrays. Adding one is one file with a read and a write function, and one line in
// the table in formats.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "loopcert/data/array.hpp"
#include "loopcert/data/disturbances.hpp"

namespace loopcert {

struct ArrayFormat {
  std::string extension;  // with the dot, lower case
  Array (*read)(const std::filesystem::path& path);
  void (*write)(const std::filesystem::path& path, const Array& array);
};

const std::vector<ArrayFormat>& array_formats();

// By extension. Throws InputError naming the known extensions when it is unknown.
Array read_array(const std::filesystem::path& path);
void write_array(const std::filesystem::path& path, const Array& array);

// .csv: one header row of names, then one row of numbers per trajectory.
Array read_csv(const std::filesystem::path& path);
void write_csv(const std::filesystem::path& path, const Array& array);

// .npy versions 1.0 to 3.0, little- or big-endian float64/float32 and integers, C or Fortran order.
Array read_npy(const std::filesystem::path& path);
void write_npy(const std::filesystem::path& path, const Array& array);

// Trajectories from one file: n x d_w.
Disturbances read_disturbances(const std::filesystem::path& path, const Sizes& sizes);
void write_disturbances(const std::filesystem::path& path, const Disturbances& data,
                        const Sizes& sizes);

// Logged episodes from two files (x: n x (T+1) n_x or n x (T+1) x n_x, u likewise).
Rollouts read_rollouts(const std::filesystem::path& x_path, const std::filesystem::path& u_path,
                       const Sizes& sizes);

// Header names of a trajectory file: x0_0 … x0_{n_x-1}, w0_0, …, w{T-1}_{n_x-1}.
std::vector<std::string> trajectory_column_names(const Sizes& sizes);

}  // namespace loopcert
