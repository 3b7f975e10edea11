// Linked into a program that was compiled with -finstrument-functions: writes every call of its
// first thread to the file that LOOPCERT_CALLS names, for tools/trace_rooms. An address above 0 is
// entered, its negative is left; the first number is where the program was loaded.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define PLAIN __attribute__((no_instrument_function))

extern "C" {
extern char __executable_start;

static std::FILE* calls = nullptr;
static thread_local bool first_thread = false;

PLAIN static void put(std::int64_t number) { std::fwrite(&number, sizeof number, 1, calls); }

PLAIN __attribute__((constructor)) static void start() {
  const char* name = std::getenv("LOOPCERT_CALLS");
  if (!name || !(calls = std::fopen(name, "wb"))) return;
  put(reinterpret_cast<std::int64_t>(&__executable_start));
  first_thread = true;
}

PLAIN void __cyg_profile_func_enter(void* function, void*) {
  if (first_thread) put(reinterpret_cast<std::int64_t>(function));
}

PLAIN void __cyg_profile_func_exit(void* function, void*) {
  if (first_thread) put(-reinterpret_cast<std::int64_t>(function));
}
}
