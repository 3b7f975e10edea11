#include "tails/tail_list.hpp"

namespace loopcert {

const std::vector<Tail>& tails() {
  static const std::vector<Tail> table = {
#define ADD(maker) maker(),
#include "tails/tails.inc"
  };
  return table;
}

}  // namespace loopcert
