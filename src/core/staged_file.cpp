#include "staged_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

namespace fs = std::filesystem;

// True when the file has the lock, or is on a filesystem that has none.
bool lock(int fd) {
  int result = 0;
  do {
    result = ::flock(fd, LOCK_EX);
  } while (result != 0 && errno == EINTR);
  return result == 0 || errno == ENOSYS || errno == EOPNOTSUPP;
}

// Whoever had the lock before may have renamed the file: then the name is another file, or none.
bool still_there(int fd, const fs::path& path) {
  struct stat opened {
  }, named{};
  return ::fstat(fd, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

bool is_own_file(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid();
}

// A device, a pipe or a folder is not replaced by a file.
void check_target(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) fail_to_write(path, "it is a folder");
  if (fs::exists(status) && !fs::is_regular_file(status))
    fail_to_write(path, "it is not a regular file");
}

}  // namespace

fs::path beside(const fs::path& path, const std::string& ending) {
  return path.parent_path() / ("." + path.filename().string() + ending);
}

void fail_to_write(const fs::path& path, const std::string& reason) {
  throw OutputError(path.string() + ": could not be written: " + reason);
}

void fail_to_write(const fs::path& path, int code) {
  fail_to_write(path, std::generic_category().message(code));
}

StagedFile::StagedFile(fs::path path) : path_(std::move(path)), staged_(beside(path_, ".new")) {
  check_target(path_);
  for (;;) {
    fd_ = ::open(staged_.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd_ < 0) fail_to_write(path_, errno);
    if (!lock(fd_)) {
      const int code = errno;
      ::close(fd_);
      fail_to_write(path_, code);
    }
    if (still_there(fd_, staged_)) break;
    ::close(fd_);
  }
  if (is_own_file(fd_)) return;
  ::close(fd_);
  fail_to_write(path_, staged_.string() + " belongs to another user");
}

StagedFile::~StagedFile() {
  if (!published_) ::unlink(staged_.c_str());
  ::close(fd_);
}

void StagedFile::write(std::string_view content) {
  if (::ftruncate(fd_, 0) != 0) fail_to_write(path_, errno);
  while (!content.empty()) {
    const ssize_t written = ::write(fd_, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_to_write(path_, errno);
    content.remove_prefix(static_cast<size_t>(written));
  }
  if (::fchmod(fd_, 0644) != 0) fail_to_write(path_, errno);
  if (::fsync(fd_) != 0 && errno != EINVAL) fail_to_write(path_, errno);
}

void StagedFile::publish() {
  if (::rename(staged_.c_str(), path_.c_str()) != 0) fail_to_write(path_, errno);
  published_ = true;
}

void flush_folder(const fs::path& folder) {
  const fs::path named = folder.empty() ? fs::path(".") : folder;
  const int fd = ::open(named.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;  // a folder may be written that may not be read
  const int result = ::fsync(fd);
  const int code = errno;
  ::close(fd);
  if (result != 0 && code != EINVAL) fail_to_write(named, code);
}

}  // namespace loopcert
