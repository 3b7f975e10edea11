// Time and memory of one piece of work, taken in a child process: its peak memory starts at what
// the parent holds, and nothing it leaves behind disturbs the next measurement.
#pragma once

#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <Eigen/Core>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <vector>

namespace loopcert::bench {

struct Measured {
  double seconds = 0;     // median over the repeats
  double peak_bytes = 0;  // most memory at any time, above what was there at the start
  double number = 0;      // what the work returned, such as a count of iterations
  int repeats = 0;
};

inline double resident_bytes() {
  long total = 0, resident = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (!file || std::fscanf(file, "%ld %ld", &total, &resident) != 2) resident = 0;
  if (file) std::fclose(file);
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

// Repeats `work` (which returns a number) three times at least, and for a third of a second.
// Beyond 20 seconds one more repeat is not worth its time.
template <class Work>
Measured repeat(const Work& work) {
  using Clock = std::chrono::steady_clock;
  Measured result;
  std::vector<double> seconds;
  double total = 0;
  while ((seconds.size() < 3 && total < 20) || total < 0.33) {
    const auto start = Clock::now();
    result.number = work();
    seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    total += seconds.back();
  }
  std::sort(seconds.begin(), seconds.end());
  result.seconds = seconds[seconds.size() / 2];
  result.repeats = static_cast<int>(seconds.size());
  return result;
}

// repeat(work) in a child process.
template <class Work>
Measured measure(const Work& work) {
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
      Measured result = repeat(work);
      result.peak_bytes = -before;
      sent = ::write(pipe_ends[1], &result, sizeof result) == sizeof result;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    ::_exit(sent ? 0 : 1);
  }
  ::close(pipe_ends[1]);
  Measured result;
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
  const Measured product = measure([&] {
    C.noalias() = A * B;
    return C(0, 0);
  });
  return 2.0 * n * n * n / product.seconds;
}

}  // namespace loopcert::bench
