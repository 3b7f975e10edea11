#include "folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw OutputError(path.string() + ": " + what + ": " + std::generic_category().message(errno));
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& path)
    : path_(path), fd_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (fd_ < 0) fail(path_, "could not be written");
}

FolderLock::~FolderLock() { ::close(fd_); }

bool FolderLock::take(LockMode mode) {
  const int operation = mode == LockMode::shared ? LOCK_SH : LOCK_EX;
  if (::flock(fd_, operation | LOCK_NB) == 0) return true;
  if (errno != EWOULDBLOCK && errno != EINTR) fail(path_, "could not be locked");
  return false;
}

}  // namespace loopcert
