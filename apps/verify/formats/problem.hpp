// The problem in a record, in the form of a problem file (docs/problem-file.md).
#pragma once

#include <optional>

#include "formats/baseline.hpp"
#include "formats/limits.hpp"

namespace verify {

// What of a plant is estimated from logs: system.identify.
struct Unknown {
  std::vector<long> rows;  // that are unknown, from 0 on
  bool listed = false;     // row by row; the others hold exactly
  bool offset = false;     // of the unknown rows, unknown too
  bool infinite = false;   // the horizon
  long lags = 1;           // measurements that the next one follows from
};

struct Problem {
  long n_x = 0, n_u = 0, T = 0;
  long lags = 0;  // of disturbances that follow from so many before them, or zero
  std::optional<Unknown> unknown;
  std::vector<Table> A, B;  // one for each step; of a plant that is estimated one, or none
  std::vector<Mat> Q, R;    // the same; balls that hold the matrix and one that is semidefinite
  Mat P{0, 0};
  Table d;          // T x n_x, zero when the problem has none
  Table reference;  // (T + 1) x n_x, zero when the problem has none
  // These are what n_x counts, and there are no A, B and d: formats/outputs.hpp
  bool outputs = false;
  bool has_offset = false, affine = false;  // an offset of the plant, or a reference
  double total_delta = 0;
  std::optional<Limits> limits;
  std::optional<Baseline> baseline;
  json tree;

  long d_w() const { return (T + 1) * n_x; }
  long d_u() const { return T * n_u; }
  // Method auto may deploy the baseline in place of what it learns.
  bool falls_back() const { return baseline && baseline->fallback; }
  bool constant() const { return affine || has_offset; }
  long first() const { return constant() ? 0 : 1; }  // of the columns for (1, w) that files have
  const json& law() const { return tree.at("disturbance"); }  // of the disturbances
  // What the tree has at a JSON pointer, as /certificate/folds.
  const json& option(const char* path) const { return tree.at(json::json_pointer(path)); }
};

// Keys that a file may have, after the tables that they are in; what another one means, nobody here
// knows.
void check_keys(const json& table, const std::string& known, const std::string& place,
                const std::string& file, const std::string& prefix = "");
extern const std::string problem_keys;  // every one that loopcert writes
Problem parse_problem(const json& tree);

// A whole number from the least up to the largest.
long whole(const json& value, long largest, const std::string& place, long least = 0);
// Finite numbers; BadInput when there are others, or more or fewer.
Table matrix_of(const json& value, long rows, long cols, const std::string& place);
// disturbance.key: a number times I, a diagonal or a symmetric matrix. Refuted unless its balls
// hold one that is semidefinite, with up to 1e-12 more in each diagonal entry.
Mat covariance_of(const Problem& problem, const std::string& key);

}  // namespace verify
