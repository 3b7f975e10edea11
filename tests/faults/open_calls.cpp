// Opening and making files.
#include <fcntl.h>
#include <sys/stat.h>

#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "fault_plan.hpp"

using namespace faults;

namespace {

bool writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0; }

bool is_device(const char* path) {
  for (const char* start : {"/dev/", "/proc/", "/sys/"})
    if (!std::strncmp(path, start, std::strlen(start))) return true;
  return false;
}

bool open_fails(const char* path, int flags) {
  return !is_device(path) && fails(writes(flags) ? Family::write : Family::read, "open", path);
}

mode_t mode_of(int flags, va_list arguments) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

extern "C" {

#define OPEN(name)                                                             \
  int name(const char* path, int flags, ...) {                                 \
    va_list arguments;                                                         \
    va_start(arguments, flags);                                                \
    const mode_t mode = mode_of(flags, arguments);                             \
    va_end(arguments);                                                         \
    if (open_fails(path, flags)) return -1;                                    \
    const int fd = next<int(const char*, int, ...)>(#name)(path, flags, mode); \
    remember(fd, writes(flags));                                               \
    return fd;                                                                 \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                        \
  int name(int folder, const char* path, int flags, ...) {                                  \
    va_list arguments;                                                                      \
    va_start(arguments, flags);                                                             \
    const mode_t mode = mode_of(flags, arguments);                                          \
    va_end(arguments);                                                                      \
    if (open_fails(path, flags)) return -1;                                                 \
    const int fd = next<int(int, const char*, int, ...)>(#name)(folder, path, flags, mode); \
    remember(fd, writes(flags));                                                            \
    return fd;                                                                              \
  }
OPENAT(openat)
OPENAT(openat64)

int mkostemp(char* path, int flags) {
  if (fails(Family::write, "mkostemp", path)) return -1;
  const int fd = next<int(char*, int)>("mkostemp")(path, flags);
  remember(fd, true);
  return fd;
}

}  // extern "C"
