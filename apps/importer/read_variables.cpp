#include <fstream>

#include "formats.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert::importer {
namespace {

std::string first_bytes(const std::string& path) {
  std::string bytes(520, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError("cannot be opened");
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(file.gcount()));
  return bytes;
}

}  // namespace

// MATLAB 7.3 puts 512 bytes of its own in front of HDF5.
NamedArrays read_variables(const std::string& path, const std::vector<std::string>& wanted,
                           std::uint64_t bytes) {
  constexpr std::string_view hdf5 = "\x89HDF\r\n\x1a\n";
  const std::string start = first_bytes(path);
  const std::string_view view = start;
  const bool matlab73 = view.size() >= 520 && view.substr(512).starts_with(hdf5);
  if (view.starts_with(hdf5) || matlab73) return read_hdf5(path, wanted, bytes, matlab73);
  if (view.starts_with("MATLAB 5.0 MAT-file")) return read_mat(path, wanted, bytes);
  throw InputError(view.empty() ? "the file is empty"
                                : "neither MATLAB (5.0 to 7.3) nor HDF5: its mark is missing");
}

}  // namespace loopcert::importer
