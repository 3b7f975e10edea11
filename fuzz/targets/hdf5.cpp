#include <hdf5.h>

#include "../../apps/importer/formats.hpp"
#include "../targets.hpp"

namespace loopcert::fuzz {

void hdf5(Bytes bytes) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 26;
  // There are files that libhdf5 cannot close: it keeps them, and crashes on them at the end of the
  // process. So each gets a name of its own here, and the end is left out.
  static const bool no_end = H5dont_atexit() >= 0;
  static size_t count = 0;
  require(no_end, "libhdf5 agrees");
  const auto path = scratch_file("log-" + std::to_string(count++) + ".h5", bytes);
  accepted([&] { importer::read_variables(path.string(), {"w", "x", "u"}, limit); });
  std::filesystem::remove(path);
}

}  // namespace loopcert::fuzz
