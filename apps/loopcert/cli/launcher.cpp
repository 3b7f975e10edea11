#include "cli/launcher.hpp"

#include <cstdlib>

#include "core/number_from.hpp"

namespace loopcert::app {
namespace {

std::optional<Index> number_from_environment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? std::nullopt : number_from<Index>(text);
}

}  // namespace

std::optional<Shard> launched_shard() {
  // Open MPI, then what MPICH, Intel MPI and Slurm set.
  constexpr const char* names[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                      {"PMI_RANK", "PMI_SIZE"}};
  for (const auto& [rank_name, size_name] : names) {
    const auto rank = number_from_environment(rank_name);
    const auto size = number_from_environment(size_name);
    if (rank && size && *rank >= 0 && *rank<*size&& * size> 1) return Shard{*rank + 1, *size};
  }
  return std::nullopt;
}

}  // namespace loopcert::app
