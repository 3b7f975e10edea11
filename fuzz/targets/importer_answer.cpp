#include "../targets.hpp"
#include "data/importer.hpp"

namespace loopcert::fuzz {

void importer_answer(Bytes bytes) {
  accepted([&] { arrays_of_answer(bytes, {"x", "u", "w"}); });
}

}  // namespace loopcert::fuzz
