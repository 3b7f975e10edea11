// Time and memory of one piece of work, taken in a child process: its peak memory starts at what
// the parent holds, and nothing it leaves behind disturbs the next measurement.
#pragma once

#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>
#include <type_traits>

#include "measure.hpp"

namespace loopcert::bench {

inline double resident_bytes() {
  long total = 0, resident = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (!file || std::fscanf(file, "%ld %ld", &total, &resident) != 2) resident = 0;
  if (file) std::fclose(file);
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

// The most memory that this process has held at any time.
inline double peak_resident_bytes() {
  struct rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

// What `work` returns, from a child process.
template <class Work>
auto in_child(const Work& work) {
  using Result = std::invoke_result_t<Work>;
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
      const Result result = work();
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
  if (::waitpid(child, &status, 0) != child || status != 0 || !received)
    throw std::runtime_error("the measured work failed");
  return result;
}

// Most memory at any time during `work`, above what was there at the start. To be called once in a
// child: the peak of a process never falls.
template <class Work>
double peak_bytes_of(const Work& work) {
  const double before = resident_bytes();
  work();
  return peak_resident_bytes() - before;
}

// Work that took turns with the machine's product, or with two at once for work on two threads.
template <class Answer>
struct Measured {
  Answer answer{};  // of the last call, such as a count of iterations
  Time time, product;
  int threads = 1;
  double peak_bytes = 0;  // above what the program held at the start

  // Operations in a second of CPU time.
  double cpu_rate() const { return threads * product_flops / product.cpu; }
  // The work's rate over the machine's, by CPU time, and, on two threads, by when both are done.
  double cpu_fraction(double flops) const { return flops / time.cpu / cpu_rate(); }
  double wall_fraction(double flops) const {
    return flops / time.wall / (threads * product_flops / product.wall);
  }
  double fraction(double flops) const {
    return threads == 1 ? cpu_fraction(flops) : wall_fraction(flops);
  }
};

template <class Work>
auto measure(const Work& work, int threads = 1) {
  using Answer = std::invoke_result_t<Work>;
  const MachineProduct eigen(multiply_by_eigen, threads), tiles(multiply_by_tiles, threads);
  eigen();  // here, so that its matrices are not counted
  return in_child([&] {
    Measured<Answer> m;
    m.threads = threads;
    const auto call = [&] { m.answer = work(); };
    // The first call, before the product takes memory of its own.
    const auto call_and_look = [&] {
      if (m.peak_bytes == 0)
        m.peak_bytes = peak_bytes_of(call);
      else
        call();
    };
    const auto times = take_turns({call_and_look, eigen, tiles});
    m.time = times[0];
    m.product = faster(times[1], times[2]);
    return m;
  });
}

}  // namespace loopcert::bench
