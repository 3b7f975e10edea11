// Data that a learner or a prior may see, and data that only certify. Two types, so that mixing
// them up does not compile.
#pragma once

#include <vector>

#include "loopcert/data/disturbances.hpp"

namespace loopcert {

// Row i belongs to fold i % folds. The one place that says so.
struct FoldRows {
  std::vector<Index> inside, outside;
};
FoldRows fold_rows(Index n, Index folds, Index fold);

struct LearningPart {
  Disturbances data;
};

struct CertifyingPart {
  Disturbances data;
};

// Every trajectory is in exactly one of the two. Which one depends on n alone.
struct Split {
  LearningPart learning;
  CertifyingPart certifying;
};

// The first `fraction` of the rows (rounded down) to learn from, the rest to certify. Throws
// InputError when a part would be empty.
Split split_first(const Disturbances& data, double fraction);

// `folds` splits: split k certifies on the rows i with i % folds == k and learns from the others.
// Throws InputError when there are fewer than 2 rows to a fold.
std::vector<Split> split_folds(const Disturbances& data, Index folds);

}  // namespace loopcert
