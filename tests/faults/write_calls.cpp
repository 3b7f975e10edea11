// What changes files that are open, and their names.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>

#include "fault_plan.hpp"

using namespace faults;

namespace {

bool write_fails(int fd, const char* name, size_t size, size_t& allowed) {
  allowed = size;
  if (!opened_to_write(fd) || !fails(Family::write, name, "", size > 1)) return false;
  if (how() != shortened) return true;
  allowed = size / 2;
  return false;
}

}  // namespace

extern "C" {

ssize_t write(int fd, const void* bytes, size_t size) {
  size_t allowed = 0;
  if (write_fails(fd, "write", size, allowed)) return -1;
  return next<ssize_t(int, const void*, size_t)>("write")(fd, bytes, allowed);
}

#define PWRITE(name, offset_type)                                                          \
  ssize_t name(int fd, const void* bytes, size_t size, offset_type offset) {               \
    size_t allowed = 0;                                                                    \
    if (write_fails(fd, #name, size, allowed)) return -1;                                  \
    return next<ssize_t(int, const void*, size_t, offset_type)>(#name)(fd, bytes, allowed, \
                                                                       offset);            \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

// What takes a descriptor opened for writing and fails with -1.
#define ON_FILE(name, parameters, values)                                  \
  int name parameters {                                                    \
    if (opened_to_write(fd) && fails(Family::write, #name, "")) return -1; \
    return next<int parameters>(#name) values;                             \
  }
ON_FILE(fchmod, (int fd, mode_t mode), (fd, mode))
ON_FILE(ftruncate, (int fd, off_t size), (fd, size))
ON_FILE(ftruncate64, (int fd, off64_t size), (fd, size))
ON_FILE(flock, (int fd, int operation), (fd, operation))

// A folder is flushed through a descriptor that only reads.
#define FLUSH(name)                                                       \
  int name(int fd) {                                                      \
    if (fd > STDERR_FILENO && fails(Family::write, #name, "")) return -1; \
    return next<int(int)>(#name)(fd);                                     \
  }
FLUSH(fsync)
FLUSH(fdatasync)

// The descriptor is gone also when close says that something went wrong.
int close(int fd) {
  const bool failed = opened_to_write(fd) && fails(Family::write, "close", "");
  const int code = errno;
  remember(fd, false);
  const int result = next<int(int)>("close")(fd);
  if (!failed) return result;
  errno = code;
  return -1;
}

#define ON_PATH(name, parameters, values)             \
  int name parameters {                               \
    if (fails(Family::write, #name, path)) return -1; \
    return next<int parameters>(#name) values;        \
  }
ON_PATH(rename, (const char* path, const char* to), (path, to))
ON_PATH(link, (const char* path, const char* to), (path, to))
ON_PATH(unlink, (const char* path), (path))
ON_PATH(remove, (const char* path), (path))
ON_PATH(rmdir, (const char* path), (path))
ON_PATH(mkdir, (const char* path, mode_t mode), (path, mode))

#define MMAP(name, offset_type)                                                                   \
  void* name(void* place, size_t size, int protection, int flags, int fd, offset_type offset) {   \
    if (opened_to_write(fd) && fails(Family::write, #name, "")) return MAP_FAILED;                \
    return next<void*(void*, size_t, int, int, int, offset_type)>(#name)(place, size, protection, \
                                                                         flags, fd, offset);      \
  }
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

#define LOCK(name)                                                                               \
  int name(int fd, int command, ...) {                                                           \
    va_list arguments;                                                                           \
    va_start(arguments, command);                                                                \
    void* argument = va_arg(arguments, void*);                                                   \
    va_end(arguments);                                                                           \
    if (command == F_SETLK && opened_to_write(fd) && fails(Family::write, #name, "")) return -1; \
    return next<int(int, int, ...)>(#name)(fd, command, argument);                               \
  }
LOCK(fcntl)
LOCK(fcntl64)

}  // extern "C"
