// A watch on a plant as a file: claim and all that it remembers.
#pragma once

#include <filesystem>

#include "watch/plant_watch.hpp"

namespace loopcert {

struct PlantWatchFile {
  PlantClaim claim;
  PlantWatchState state;
  Index bytes = 0;  // of the log, up to the end of the last line that counts
  std::optional<StepColumns> columns = std::nullopt;
};
void write_plant_watch(const std::filesystem::path& path, const PlantWatchFile& file);
PlantWatchFile read_plant_watch(const std::filesystem::path& path);  // throws InputError

}  // namespace loopcert
