// Ctrl-C, SIGTERM and SIGHUP ask a running computation to stop with the best it has; a second one
// ends the program.
#pragma once

namespace loopcert::app {

class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
};

bool interrupted();

}  // namespace loopcert::app
