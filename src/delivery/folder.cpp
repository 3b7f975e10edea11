#include "delivery/folder.hpp"

namespace loopcert {
namespace {

namespace fs = std::filesystem;

// The folders on the way to `folder`, itself included, that are not there yet; deepest first.
std::vector<fs::path> missing_folders(fs::path folder) {
  std::vector<fs::path> missing;
  std::error_code ignored;
  while (!folder.empty() && !fs::exists(folder, ignored)) {
    missing.push_back(folder);
    folder = folder.parent_path();
  }
  return missing;
}

}  // namespace

void OutputFolder::add(const std::string& name, std::string content) {
  files_.push_back({path(name), std::move(content)});
}

std::vector<std::string> OutputFolder::names() const {
  std::vector<std::string> names;
  for (const OutputFile& file : files_) names.push_back(file.path.filename().string());
  return names;
}

void OutputFolder::commit() const {
  const std::vector<fs::path> created = missing_folders(folder_);
  try {
    make_directory(folder_);
    write_together(files_, stale_);
  } catch (...) {
    std::error_code ignored;
    for (const fs::path& folder : created) fs::remove(folder, ignored);  // only when empty
    throw;
  }
}

}  // namespace loopcert
