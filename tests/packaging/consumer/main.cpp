// Uses the installed library as a stranger would. Compiled without the library's vector flags, so
// that matrices passing between the two show any disagreement about their memory.
#include <cstdint>
#include <cstdio>

#include "loopcert/core/types.hpp"
#include "loopcert/core/version.hpp"

int main() {
  static_assert(EIGEN_MAX_ALIGN_BYTES == 64, "the library's alignment must reach its consumers");

  const loopcert::Matrix a = loopcert::Matrix::Identity(7, 7);
  const loopcert::Vector b = loopcert::Vector::Ones(7);
  const loopcert::Vector c = a * b;
  if (reinterpret_cast<std::uintptr_t>(c.data()) % 64 != 0) {
    std::puts("memory is not aligned as the library expects it");
    return 1;
  }
  std::printf("loopcert %s: %g\n", loopcert::version, c.sum());
  return c.sum() == 7.0 ? 0 : 1;
}
