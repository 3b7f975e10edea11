// .mat and .h5 files. Their libraries have a history of memory errors on hostile files, so they are
// linked into a program of their own, which runs with limits and hands the arrays over as .npz.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/npz.hpp"

namespace loopcert {

// Those of the variables `wanted` that the file has. Throws InputError when it has none of them,
// when one is not a real array of 1 to 3 axes, and when the importer crashes or meets a limit.
NamedArrays import_arrays(const std::filesystem::path& path,
                          const std::vector<std::string>& wanted);
// The same with another limit on its time than five minutes.
NamedArrays import_arrays(const std::filesystem::path& path, const std::vector<std::string>& wanted,
                          int seconds_limit);

// The arrays in what the importer wrote: 0.npy, 1.npy, … in the order of `wanted`. It met a file
// that may be hostile, so its answer is taken for one that may be too. Throws InputError.
NamedArrays arrays_of_answer(std::string_view bytes, const std::vector<std::string>& wanted);

// $LOOPCERT_IMPORTER, or loopcert-importer beside the running program, in ../libexec/loopcert from
// there, or where it was installed.
std::optional<std::filesystem::path> find_importer();

}  // namespace loopcert
