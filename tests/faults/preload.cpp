// Loaded with LD_PRELOAD: the N-th call of a family fails, or the process dies there.
//
//   FAULT_FAMILY  write  calls that change files, on descriptors opened for writing
//                 read   opening for reading, reading
//                 memory malloc and its relatives, from the program's own start on
//                 clock  looking at the time of day
//   FAULT_AT      N, from 1 on; 0 only counts
//   FAULT_HOW     an errno, "short" (half of a write), "kill", "slow" (waits, then goes on); for
//                 clock the seconds of the jump
//   FAULT_STAYS   not empty: every call from the N-th on fails
//   FAULT_LOG     file that gets one line per counted call; for memory and clock the count alone
//
// A child gets none of it: its calls are not those of the command.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {

enum class Family { none, write, read, memory, clock };

constexpr int shortened = -1, killed = -2, slowed = -3;
constexpr int most_files = 1024;

Family family = Family::none;
long at = 0;
long how = EIO;
bool stays = false;
int log_file = -1;
std::atomic<long> calls{0};
std::atomic<bool> opened_to_write[most_files];

const char* setting(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
}

// No function that this library replaces.
void say(const char* text, size_t size) { ::syscall(SYS_write, log_file, text, size); }

__attribute__((constructor)) void read_settings() {
  const char* name = setting("FAULT_FAMILY");
  at = std::atol(setting("FAULT_AT"));
  stays = *setting("FAULT_STAYS") != 0;
  const char* text = setting("FAULT_HOW");
  how = std::atol(text);
  if (!std::strcmp(text, "short")) how = shortened;
  if (!std::strcmp(text, "kill")) how = killed;
  if (!std::strcmp(text, "slow")) how = slowed;
  if (*setting("FAULT_LOG"))
    log_file = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, setting("FAULT_LOG"),
                                          O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  Family found = Family::none;
  if (!std::strcmp(name, "write")) found = Family::write;
  if (!std::strcmp(name, "read")) found = Family::read;
  if (!std::strcmp(name, "memory")) found = Family::memory;
  if (!std::strcmp(name, "clock")) found = Family::clock;
  for (const char* variable : {"LD_PRELOAD", "FAULT_FAMILY"}) ::unsetenv(variable);
  family = found;  // last: from here on calls count
}

__attribute__((destructor)) void write_count() {
  if (log_file < 0 || (family != Family::memory && family != Family::clock)) return;
  char line[32];
  const int size = std::snprintf(line, sizeof line, "%ld\n", calls.load());
  say(line, static_cast<size_t>(size));
}

// Whether this call is the one, or comes after it.
bool count(Family which) {
  if (which != family) return false;
  const long now = ++calls;
  return at > 0 && (now == at || (stays && now > at));
}

// The same for files, with a line in the log. True with errno set: fail now.
bool fails(Family which, const char* name, const char* what, bool shortens = false) {
  if (which != family) return false;
  if (log_file >= 0) {
    char line[512];
    const int size = std::snprintf(line, sizeof line, "%s %s\n", name, what);
    say(line, std::min<size_t>(static_cast<size_t>(size), sizeof line - 1));
  }
  if (!count(which)) return false;
  if (how == killed) ::kill(::getpid(), SIGKILL);
  if (how == shortened) return shortens;
  if (how == slowed) {
    ::usleep(static_cast<useconds_t>(500 + calls * ::getpid() % 4000));
    return false;
  }
  errno = static_cast<int>(how);
  return true;
}

bool ours(int fd) {
  return fd > STDERR_FILENO && fd < most_files && fd != log_file && opened_to_write[fd];
}

void remember(int fd, bool to_write) {
  if (fd >= 0 && fd < most_files) opened_to_write[fd] = to_write;
}

bool writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0; }

bool is_device(const char* path) {
  for (const char* start : {"/dev/", "/proc/", "/sys/"})
    if (!std::strncmp(path, start, std::strlen(start))) return true;
  return false;
}

bool open_fails(const char* path, int flags) {
  return !is_device(path) && fails(writes(flags) ? Family::write : Family::read, "open", path);
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

mode_t mode_of(int flags, va_list arguments) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

bool write_fails(int fd, const char* name, size_t size, size_t& allowed) {
  allowed = size;
  if (!ours(fd) || !fails(Family::write, name, "", size > 1)) return false;
  if (how != shortened) return true;
  allowed = size / 2;
  return false;
}

bool memory_fails() {
  if (!count(Family::memory)) return false;
  errno = ENOMEM;
  return true;
}

timespec jumped(clockid_t clock, timespec time) {
  if (clock == CLOCK_REALTIME && family == Family::clock && calls >= at && at > 0)
    time.tv_sec += how;
  return time;
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
#define ON_FILE(name, parameters, values)                       \
  int name parameters {                                         \
    if (ours(fd) && fails(Family::write, #name, "")) return -1; \
    return next<int parameters>(#name) values;                  \
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
  const bool failed = ours(fd) && fails(Family::write, "close", "");
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
    if (ours(fd) && fails(Family::write, #name, "")) return MAP_FAILED;                           \
    return next<void*(void*, size_t, int, int, int, offset_type)>(#name)(place, size, protection, \
                                                                         flags, fd, offset);      \
  }
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

#define LOCK(name)                                                                    \
  int name(int fd, int command, ...) {                                                \
    va_list arguments;                                                                \
    va_start(arguments, command);                                                     \
    void* argument = va_arg(arguments, void*);                                        \
    va_end(arguments);                                                                \
    if (command == F_SETLK && ours(fd) && fails(Family::write, #name, "")) return -1; \
    return next<int(int, int, ...)>(#name)(fd, command, argument);                    \
  }
LOCK(fcntl)
LOCK(fcntl64)

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

int clock_gettime(clockid_t clock, timespec* time) {
  count(Family::clock);
  const auto result = static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
  *time = jumped(clock, *time);
  return result;
}

int gettimeofday(timeval* time, void*) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t* place) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (place) *place = now.tv_sec;
  return now.tv_sec;
}

}  // extern "C"
