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
#pragma once

#include <dlfcn.h>

#include <cstddef>

namespace faults {

enum class Family { none, write, read, memory, clock };

constexpr int shortened = -1, killed = -2, slowed = -3;

// What the environment says: the errno or one of the above, or the seconds of the clock's jump.
long how();

// Counts a call. True when it is the one, or comes after it and the fault stays.
bool count(Family family);
// True from the chosen call on.
bool reached(Family family);
// The same as count for calls on files, with a line in the log. True with errno set: fail now.
bool fails(Family family, const char* name, const char* what, bool shortens = false);

// Descriptors that were opened for writing, and are neither standard streams nor the log.
bool opened_to_write(int fd);
void remember(int fd, bool to_write);

// The function that this library stands before.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace faults
