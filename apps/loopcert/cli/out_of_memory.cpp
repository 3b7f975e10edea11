#include "cli/out_of_memory.hpp"

#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "cli/failure.hpp"

namespace loopcert::app {
namespace {

[[noreturn]] void end_out_of_memory() {
  say_out_of_memory();
  ::_exit(exit_numerics);
}

// Where memory ends in a destructor, or before or after main, nobody can catch it. With no
// exception at all there was no room for one.
[[noreturn]] void on_terminate() {
  const std::exception_ptr current = std::current_exception();
  try {
    if (current) std::rethrow_exception(current);
  } catch (const std::bad_alloc&) {
  } catch (...) {
    std::abort();  // a bug
  }
  end_out_of_memory();
}

// First of all initializations: the tables of other files take memory too.
[[gnu::constructor(101)]] void set_on_terminate() { std::set_terminate(on_terminate); }

}  // namespace

void say_out_of_memory() {
  static std::atomic<bool> said{false};
  constexpr std::string_view line = "loopcert: out of memory\n";
  if (said.exchange(true)) return;
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace loopcert::app

#ifdef LOOPCERT_WRAPS_MALLOC  // not every linker can; then such a run ends with abort
// The linker (--wrap=malloc) puts this in the place of malloc in our own objects, which is where
// Eigen takes memory; operator new is elsewhere. A matrix that changes its size frees the old
// memory first, and when there is none for the new one throws with the old pointer still in place,
// to be freed again by the destructor. So the program ends before anybody cleans up.
extern "C" {

void* __real_malloc(std::size_t size);

void* __wrap_malloc(std::size_t size) {
  void* memory = __real_malloc(size);
  if (memory == nullptr && size > 0) loopcert::app::end_out_of_memory();
  return memory;
}

}  // extern "C"
#endif
