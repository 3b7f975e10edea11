// The time of day, which somebody sets while the program runs.
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <ctime>

#include "fault_plan.hpp"

using namespace faults;

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) {
  count(Family::clock);
  const auto result = static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
  if (clock == CLOCK_REALTIME && reached(Family::clock)) time->tv_sec += how();
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
