// Reading.
#include <dirent.h>
#include <unistd.h>

#include "fault_plan.hpp"

using namespace faults;

extern "C" {

ssize_t read(int fd, void* bytes, size_t size) {
  if (fd > STDERR_FILENO && fails(Family::read, "read", "")) return -1;
  return next<ssize_t(int, void*, size_t)>("read")(fd, bytes, size);
}

#define PREAD(name, offset_type)                                                           \
  ssize_t name(int fd, void* bytes, size_t size, offset_type offset) {                     \
    if (fd > STDERR_FILENO && fails(Family::read, #name, "")) return -1;                   \
    return next<ssize_t(int, void*, size_t, offset_type)>(#name)(fd, bytes, size, offset); \
  }
PREAD(pread, off_t)
PREAD(pread64, off64_t)

DIR* opendir(const char* path) {
  if (fails(Family::read, "opendir", path)) return nullptr;
  return next<DIR*(const char*)>("opendir")(path);
}

}  // extern "C"
