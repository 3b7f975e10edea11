// Fixed-order parallel loops: jobs are claimed dynamically, results land at their own index, so
// nothing a caller sees depends on the number of threads.
#pragma once

#include <functional>

#include "loopcert/core/types.hpp"

namespace loopcert {

// Calls job(0) … job(count - 1), each once, on up to `threads` threads (the caller's included).
// The exception of the smallest failing index is rethrown after all threads have stopped.
void parallel_for(Index count, int threads, const std::function<void(Index)>& job);

// Threads to use when the user says nothing.
int default_threads();

}  // namespace loopcert
