#include "interrupt.hpp"

#include <csignal>

namespace loopcert::app {
namespace {

// A signal handler can reach nothing but a global.
volatile std::sig_atomic_t stop_requested = 0;

extern "C" void on_interrupt(int) {
  stop_requested = 1;
  std::signal(SIGINT, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  stop_requested = 0;
  std::signal(SIGINT, on_interrupt);
}

InterruptGuard::~InterruptGuard() { std::signal(SIGINT, SIG_DFL); }

bool interrupted() { return stop_requested != 0; }

}  // namespace loopcert::app
