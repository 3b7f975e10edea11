// Trajectories from and to files: disturbances, or logged episodes from which they follow.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "loopcert/data/disturbances.hpp"
#include "loopcert/data/layout.hpp"

namespace loopcert {

using Paths = std::vector<std::filesystem::path>;

// Disturbance trajectories (x_0, w_0, …), all files one after the other.
Disturbances read_disturbances(const Paths& paths, const DataLayout& layout, const Sizes& sizes);
Disturbances read_disturbances(const std::filesystem::path& path, const Sizes& sizes);

// Logged episodes. A file holds states and inputs, or states alone and the next file their inputs.
Rollouts read_rollouts(const Paths& paths, const DataLayout& layout, const Plant& plant);

// A file that read_disturbances reads back as the same numbers, by the same layout: arrays are n x
// d_w, or n x (T+1) x n_x where that could be confused with another order, under the name of the
// layout. Throws InputError where both could. A .csv file has its own names and is always possible.
void write_disturbances(const std::filesystem::path& path, const Disturbances& data,
                        const Sizes& sizes, const DataLayout& layout = {});

// States and inputs in one file: rows (x_0, …, x_T, u_0, …), or arrays x and u; y of outputs.
void write_rollouts(const std::filesystem::path& path, const Rollouts& rollouts, const Sizes& sizes,
                    const DataLayout& layout = {});

// Header names of what write_rollouts writes: x0_0, …, x{T}_{n_x-1}, u0_0, ….
std::vector<std::string> rollout_column_names(const Sizes& sizes, const DataLayout& layout = {});

// Header names of a trajectory file: x0_0 … x0_{n_x-1}, w0_0, …, w{T-1}_{n_x-1}.
std::vector<std::string> trajectory_column_names(const Sizes& sizes);

}  // namespace loopcert
