#include "watch/watch_trace.hpp"

#include <algorithm>

namespace loopcert {
namespace {

constexpr size_t most_blocks = 1000;

void append(WatchTrace::Block& block, const WatchTrace::Block& next) {
  block.last = next.last;
  block.count += next.count;
  block.sum += next.sum;
  block.most = std::max(block.most, next.most);
  block.evidence = next.evidence;
  block.largest = std::max(block.largest, next.largest);
}

}  // namespace

void WatchTrace::add(Index number, double cost, double evidence) {
  const Block one{number, 1, cost, cost, evidence, evidence};
  if (!blocks_.empty() && blocks_.back().count < width_) return append(blocks_.back(), one);
  if (blocks_.size() == most_blocks) {  // two by two
    for (size_t k = 0; 2 * k < blocks_.size(); ++k) {
      Block pair = blocks_[2 * k];
      append(pair, blocks_[2 * k + 1]);
      blocks_[k] = pair;
    }
    blocks_.resize(most_blocks / 2);
    width_ *= 2;
  }
  blocks_.push_back(one);
}

}  // namespace loopcert
