#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <set>

#include "loopcert/core/file.hpp"
#include "staged_file.hpp"

namespace loopcert {
namespace {

namespace fs = std::filesystem;

// Old versions that are out of the way, as .NAME.old, until the new ones are all there.
class ParkedFiles {
 public:
  ~ParkedFiles() {
    for (const fs::path& path : paths_) ::rename(beside(path, ".old").c_str(), path.c_str());
  }

  // Where nothing is, a process that was killed may have left an old version parked: it is put back
  // with the others when this one fails too.
  void park(const fs::path& path) {
    const int result = ::rename(path.c_str(), beside(path, ".old").c_str());
    if (result != 0 && errno != ENOENT) fail_to_write(path, errno);
    paths_.push_back(path);
  }

  // The new ones are there. What cannot be removed now is used up by the next run.
  void drop() {
    for (const fs::path& path : paths_) ::unlink(beside(path, ".old").c_str());
    paths_.clear();
  }

 private:
  std::vector<fs::path> paths_;
};

using StagedFiles = std::vector<std::unique_ptr<StagedFile>>;

// In the order of their names: two processes that want the same ones do not wait for each other.
StagedFiles stage(const std::vector<OutputFile>& files) {
  std::vector<const OutputFile*> sorted;
  for (const OutputFile& file : files) sorted.push_back(&file);
  std::sort(sorted.begin(), sorted.end(),
            [](const OutputFile* a, const OutputFile* b) { return a->path < b->path; });
  StagedFiles staged;
  for (const OutputFile* file : sorted) {
    staged.push_back(std::make_unique<StagedFile>(file->path));
    staged.back()->write(file->content);
  }
  return staged;
}

void withdraw(const StagedFiles& staged) {
  for (const auto& file : staged)
    if (file->published()) ::unlink(file->path().c_str());
}

void flush_folders(const std::vector<OutputFile>& files) {
  std::set<fs::path> folders;
  for (const OutputFile& file : files) folders.insert(file.path.parent_path());
  for (const fs::path& folder : folders) flush_folder(folder);
}

}  // namespace

void write_file(const fs::path& path, std::string_view content) {
  StagedFile file(path);
  file.write(content);
  file.publish();
  flush_folder(path.parent_path());
}

// What may fail for want of space or rights happens on staged files; the renames come last.
void write_together(const std::vector<OutputFile>& files, const std::vector<fs::path>& stale) {
  const StagedFiles staged = stage(files);
  ParkedFiles parked;
  try {
    for (const auto& file : staged) parked.park(file->path());
    for (const fs::path& path : stale) parked.park(path);
    for (const auto& file : staged) file->publish();
    flush_folders(files);
  } catch (...) {
    withdraw(staged);
    throw;
  }
  parked.drop();
}

}  // namespace loopcert
