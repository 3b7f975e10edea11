#include "sweep_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "loopcert/core/error.hpp"
#include "sweeps/sweep_store.hpp"

namespace loopcert {

namespace fs = std::filesystem;

fs::path shard_path(const fs::path& folder, const Shard& shard, const char* extension) {
  return folder / fmt::format("shard-{}-of-{}.{}", shard.index, shard.count, extension);
}

fs::path store_path(const fs::path& folder) { return folder / "sweep.sqlite"; }

std::vector<fs::path> shard_stores(const fs::path& folder, Index count) {
  static const std::regex pattern("shard-[0-9]+-of-([0-9]+)\\.sqlite");
  std::vector<fs::path> found;
  std::smatch match;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (std::regex_match(name, match, pattern) && match[1] != std::to_string(count))
      found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool has_results(const fs::path& path) {
  std::error_code ignored;
  const auto size = fs::file_size(path, ignored);
  return !ignored && size > 0 && SweepStore(path).count() > 0;
}

void refuse_results(const fs::path& path) {
  if (has_results(path))
    throw InputError(path.string() +
                     ": holds results of an earlier run: --resume keeps them and computes what is "
                     "missing");
}

}  // namespace loopcert
