#include "../../apps/importer/formats.hpp"
#include "../targets.hpp"

namespace loopcert::fuzz {

void mat(Bytes bytes) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 26;
  const auto path = scratch_file("log.mat", bytes);
  accepted([&] { importer::read_variables(path.string(), {"w", "x", "u"}, limit); });
}

}  // namespace loopcert::fuzz
