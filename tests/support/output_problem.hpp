// Problems whose plant is seen through outputs.
#pragma once

#include <nlohmann/json.hpp>

#include "problem/problem_json.hpp"
#include "random_system.hpp"

namespace loopcert::testing {

using Json = nlohmann::json;

inline Json rows_of(const Matrix& A) {
  Json rows = Json::array();
  for (Index i = 0; i < A.rows(); ++i)
    rows.push_back(std::vector<double>(A.row(i).begin(), A.row(i).end()));
  return rows;
}

inline Json list_of(const std::vector<Matrix>& list) {
  Json all = Json::array();
  for (const Matrix& A : list) all.push_back(rows_of(A));
  return all;
}

struct OutputPlant {
  std::vector<Matrix> A, B, C;
  Index delay = 0;
};

inline OutputPlant random_plant(Index n, Index n_u, Index n_y, Index T, std::uint64_t seed) {
  OutputPlant p;
  for (Index t = 0; t <= T; ++t) {
    const auto k = static_cast<std::uint64_t>(t);
    if (t < T) p.A.push_back(0.6 * random_matrix(n, n, 100 * seed + k));
    if (t < T) p.B.push_back(random_matrix(n, n_u, 100 * seed + 30 + k));
    p.C.push_back(random_matrix(n_y, n, 100 * seed + 60 + k));
  }
  p.delay = static_cast<Index>(seed % 3);
  return p;
}

inline Problem problem_of(const Json& system, Index T, Index n_y, Index n_u,
                          const Json& more = {}) {
  Json tree = {{"horizon", T},
               {"system", system},
               {"cost",
                {{"Q", rows_of(Matrix::Identity(n_y, n_y))},
                 {"R", rows_of(0.5 * Matrix::Identity(n_u, n_u))},
                 {"P", rows_of(2 * Matrix::Identity(n_y, n_y))}}}};
  if (more.is_object()) tree.update(more);
  return problem_from_json(tree);
}

}  // namespace loopcert::testing
