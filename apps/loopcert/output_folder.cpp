#include "loopcert/core/error.hpp"
#include "loopcert/core/file.hpp"
#include "output.hpp"

namespace loopcert::app {
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

fs::path staged(const fs::path& path) {
  return path.parent_path() / ("." + path.filename().string() + ".new");
}

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
  throw OutputError(path.string() + ": could not be written: " + reason);
}

}  // namespace

// Everything that may fail for want of space or rights happens on staged files; the renames come
// last.
void write_together(const std::vector<OutputFile>& files) {
  std::error_code code;
  try {
    for (const OutputFile& file : files) {
      if (fs::is_directory(file.path, code)) fail(file.path, "it is a folder");
      write_file(staged(file.path), file.content);
    }
    for (const OutputFile& file : files) {
      fs::rename(staged(file.path), file.path, code);
      if (code) fail(file.path, code.message());
    }
  } catch (...) {
    for (const OutputFile& file : files) fs::remove(staged(file.path), code);
    throw;
  }
}

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
    write_together(files_);
    std::error_code ignored;
    for (const fs::path& path : stale_) fs::remove(path, ignored);
  } catch (...) {
    std::error_code ignored;
    for (const fs::path& folder : created) fs::remove(folder, ignored);  // only when empty
    throw;
  }
}

}  // namespace loopcert::app
