#include "data/csv.hpp"
#include "../targets.hpp"

namespace loopcert::fuzz {

void csv(Bytes bytes) {
  Array array;
  if (!accepted([&] { array = parse_csv(bytes); })) return;
  // Names may hold quotes, which are read but not written.
  array.columns.clear();
  const Array again = parse_csv(format_csv(array));
  require(again.shape == array.shape && again.values == array.values,
          "a table reads back as itself");
}

}  // namespace loopcert::fuzz
