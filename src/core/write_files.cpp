#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <set>

#include "core/file.hpp"
#include "staged_file.hpp"

namespace loopcert {
namespace {

namespace fs = std::filesystem;

// Old versions that are out of the way, as .NAME.old, until the new ones are all there.
class ParkedFiles {
 public:
  // The names are made here: when memory ends later, putting back needs none.
  explicit ParkedFiles(const std::vector<fs::path>& paths) {
    for (const fs::path& path : paths) files_.push_back({path, beside(path, ".old"), false});
  }

  ~ParkedFiles() {
    for (const File& file : files_)
      if (file.parked) ::rename(file.old.c_str(), file.path.c_str());
  }

  // Where nothing is, a process that was killed may have left an old version parked: it is put back
  // with the others when this one fails too.
  void park() {
    for (File& file : files_) {
      const int result = ::rename(file.path.c_str(), file.old.c_str());
      if (result != 0 && errno != ENOENT) fail_to_write(file.path, errno);
      file.parked = true;
    }
  }

  // The new ones are there. What cannot be removed now is used up by the next run.
  void drop() {
    for (File& file : files_) {
      ::unlink(file.old.c_str());
      file.parked = false;
    }
  }

 private:
  struct File {
    fs::path path;
    fs::path old;
    bool parked;
  };
  std::vector<File> files_;
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
  std::vector<fs::path> replaced = stale;
  for (const auto& file : staged) replaced.push_back(file->path());
  ParkedFiles parked(replaced);
  try {
    parked.park();
    for (const auto& file : staged) file->publish();
    flush_folders(files);
  } catch (...) {
    withdraw(staged);
    throw;
  }
  parked.drop();
}

}  // namespace loopcert
