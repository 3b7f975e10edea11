// Time and memory of one piece of work, taken in a child process: its peak memory starts at what
// the parent holds, and nothing it leaves behind disturbs the next measurement.
#pragma once

#include <malloc.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <Eigen/Core>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace loopcert::bench {

// `Answer` is what the work returns, such as a count of iterations.
template <class Answer = double>
struct Measured {
  double seconds = 0;     // median over the repeats
  double peak_bytes = 0;  // most memory at any time, above what was there at the start
  Answer answer{};
  int repeats = 0;
};

// CPU time of all threads of this process: unlike the clock on the wall it does not run while
// another program has the processor.
inline double cpu_seconds() {
  struct timespec time {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

inline double wall_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

// Programs that want a processor, averaged over the last minute.
inline double load_average() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? load : NAN;
}

inline double resident_bytes() {
  long total = 0, resident = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (!file || std::fscanf(file, "%ld %ld", &total, &resident) != 2) resident = 0;
  if (file) std::fclose(file);
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

// Repeats `work` three times at least, and for a third of a second. Beyond 20 seconds one more
// repeat is not worth its time.
template <class Work>
auto repeat(const Work& work) {
  Measured<std::invoke_result_t<Work>> result;
  std::vector<double> seconds;
  double total = 0;
  while ((seconds.size() < 3 && total < 20) || total < 0.33) {
    const double start = wall_seconds();
    result.answer = work();
    seconds.push_back(wall_seconds() - start);
    total += seconds.back();
  }
  std::sort(seconds.begin(), seconds.end());
  result.seconds = seconds[seconds.size() / 2];
  result.repeats = static_cast<int>(seconds.size());
  return result;
}

// repeat(work) in a child process.
template <class Work>
auto measure(const Work& work) {
  using Result = Measured<std::invoke_result_t<Work>>;
  static_assert(std::is_trivially_copyable_v<Result>, "it travels through a pipe");
  int pipe_ends[2];
  if (::pipe(pipe_ends) != 0) throw std::runtime_error("no pipe");
  ::malloc_trim(0);  // freed memory would be reused without being seen
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no child process");
  if (child == 0) {
    bool sent = false;
    try {
      const double before = resident_bytes();
      Result result = repeat(work);
      result.peak_bytes = -before;
      sent = ::write(pipe_ends[1], &result, sizeof result) == sizeof result;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    ::_exit(sent ? 0 : 1);
  }
  ::close(pipe_ends[1]);
  Result result;
  const bool received = ::read(pipe_ends[0], &result, sizeof result) == sizeof result;
  ::close(pipe_ends[0]);
  int status = 0;
  struct rusage usage {};
  if (::wait4(child, &status, 0, &usage) != child || status != 0 || !received)
    throw std::runtime_error("the measured work failed");
  result.peak_bytes += 1024.0 * static_cast<double>(usage.ru_maxrss);
  return result;
}

// Floating-point operations per second of a matrix product, on one thread, now.
inline double product_rate() {
  constexpr Eigen::Index n = 1500;
  const Eigen::MatrixXd A = Eigen::MatrixXd::Constant(n, n, 0.5);
  const Eigen::MatrixXd B = Eigen::MatrixXd::Constant(n, n, 0.25);
  Eigen::MatrixXd C(n, n);
  const Measured<> product = measure([&] {
    C.noalias() = A * B;
    return C(0, 0);
  });
  return 2.0 * n * n * n / product.seconds;
}

}  // namespace loopcert::bench
