#include "cli/interrupt.hpp"

#include <array>
#include <csignal>

namespace loopcert::app {
namespace {

// Ctrl-C, what a batch system or a shutdown sends, and a terminal that goes away.
constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP};

// A signal handler can reach nothing but a global.
volatile std::sig_atomic_t stop_requested = 0;

extern "C" void on_interrupt(int) { stop_requested = 1; }

// A signal that somebody ignores for us (nohup, a shell's background job) stays ignored.
void set_handlers(void (*from)(int), void (*to)(int), int flags) {
  for (const int signal : signals) {
    struct sigaction found {};
    if (::sigaction(signal, nullptr, &found) != 0 || found.sa_handler != from) continue;
    struct sigaction wanted {};
    wanted.sa_handler = to;
    wanted.sa_flags = flags;
    ::sigaction(signal, &wanted, nullptr);
  }
}

}  // namespace

InterruptGuard::InterruptGuard() {
  stop_requested = 0;
  set_handlers(SIG_DFL, on_interrupt, SA_RESTART | SA_RESETHAND);  // a second one ends the program
}

InterruptGuard::~InterruptGuard() { set_handlers(on_interrupt, SIG_DFL, 0); }

bool interrupted() { return stop_requested != 0; }

}  // namespace loopcert::app
