#include "fault_plan.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace faults {
namespace {

constexpr int most_files = 1024;

Family family = Family::none;
long at = 0;
long chosen = EIO;
bool stays = false;
int log_file = -1;
std::atomic<long> calls{0};
std::atomic<bool> written[most_files];

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
  chosen = std::atol(text);
  if (!std::strcmp(text, "short")) chosen = shortened;
  if (!std::strcmp(text, "kill")) chosen = killed;
  if (!std::strcmp(text, "slow")) chosen = slowed;
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

}  // namespace

long how() { return chosen; }

bool reached(Family which) { return which == family && at > 0 && calls >= at; }

bool count(Family which) {
  if (which != family) return false;
  const long now = ++calls;
  return at > 0 && (now == at || (stays && now > at));
}

bool fails(Family which, const char* name, const char* what, bool shortens) {
  if (which != family) return false;
  if (log_file >= 0) {
    char line[512];
    const int size = std::snprintf(line, sizeof line, "%s %s\n", name, what);
    say(line, std::min<size_t>(static_cast<size_t>(size), sizeof line - 1));
  }
  if (!count(which)) return false;
  if (chosen == killed) ::kill(::getpid(), SIGKILL);
  if (chosen == shortened) return shortens;
  if (chosen == slowed) {
    ::usleep(static_cast<useconds_t>(500 + calls * ::getpid() % 4000));
    return false;
  }
  errno = static_cast<int>(chosen);
  return true;
}

bool opened_to_write(int fd) {
  return fd > STDERR_FILENO && fd < most_files && fd != log_file && written[fd];
}

void remember(int fd, bool to_write) {
  if (fd >= 0 && fd < most_files) written[fd] = to_write;
}

}  // namespace faults
