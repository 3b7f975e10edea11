// Taking memory. glibc's own names, because dlsym takes memory too.
#include <cerrno>
#include <cstdlib>

#include "fault_plan.hpp"

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {

bool memory_fails() {
  if (!faults::count(faults::Family::memory)) return false;
  errno = ENOMEM;
  return true;
}

}  // namespace

extern "C" {

void* malloc(size_t size) { return memory_fails() ? nullptr : __libc_malloc(size); }
void* calloc(size_t n, size_t size) { return memory_fails() ? nullptr : __libc_calloc(n, size); }
void* realloc(void* old, size_t size) {
  return memory_fails() ? nullptr : __libc_realloc(old, size);
}
void* memalign(size_t align, size_t size) {
  return memory_fails() ? nullptr : __libc_memalign(align, size);
}
void* aligned_alloc(size_t align, size_t size) { return memalign(align, size); }
int posix_memalign(void** place, size_t align, size_t size) {
  *place = memalign(align, size);
  return *place ? 0 : ENOMEM;
}

}  // extern "C"
