// A lock file: who holds it is the kernel's business, so that it is free again however a process
// ended.
#pragma once

#include <filesystem>

namespace loopcert {

enum class LockMode { shared, exclusive };

class FolderLock {
 public:
  // Makes the file when it is missing. Throws OutputError.
  explicit FolderLock(const std::filesystem::path& path);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // Takes the lock, or changes its mode, without waiting; false when somebody else's is in the way.
  bool take(LockMode mode);

 private:
  std::filesystem::path path_;
  int fd_ = -1;
};

}  // namespace loopcert
