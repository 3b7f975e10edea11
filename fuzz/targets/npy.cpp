#include "data/npy.hpp"
#include "../targets.hpp"

namespace loopcert::fuzz {

void npy(Bytes bytes) {
  Array array;
  if (!accepted([&] { array = parse_npy(bytes); })) return;
  const Array again = parse_npy(format_npy(array));
  require(again.shape == array.shape && again.values == array.values,
          "an array reads back as itself");
}

}  // namespace loopcert::fuzz
