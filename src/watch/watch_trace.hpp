// What a watch saw, for a picture: in bounded memory, however long it lasts.
#pragma once

#include <vector>

#include "loopcert/core/types.hpp"

namespace loopcert {

class WatchTrace {
 public:
  // Some numbers one after the other, as one.
  struct Block {
    Index last = 0;       // number of the last of them, from 1
    Index count = 0;      // how many
    double sum = 0;       // of the costs
    double most = 0;      // the largest cost
    double evidence = 0;  // after the last
    double largest = 0;   // evidence within
  };

  void add(Index number, double cost, double evidence);
  const std::vector<Block>& blocks() const { return blocks_; }

 private:
  std::vector<Block> blocks_;
  Index width_ = 1;  // numbers in a block that is full
};

}  // namespace loopcert
