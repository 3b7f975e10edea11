#include "tails/tail_list.hpp"

namespace loopcert {

const std::vector<Tail>& tails() {
  static const std::vector<Tail> table = {scale_free_tail(), chi_square_tail(), bounded_tail(),
                                          fourth_moment_tail()};
  return table;
}

}  // namespace loopcert
