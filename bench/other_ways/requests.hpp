// Matrices and problems as JSON, and the time of one piece of work: what the requests share.
#pragma once

#include <nlohmann/json.hpp>

#include "../learning_problem.hpp"
#include "../measure.hpp"

namespace loopcert::bench {

using Json = nlohmann::json;

inline Json rows_of(const Matrix& matrix) {
  Json rows = Json::array();
  for (Index i = 0; i < matrix.rows(); ++i) {
    const Vector row = matrix.row(i);
    rows.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return rows;
}

inline std::vector<double> list_of(const Vector& vector) { return {vector.begin(), vector.end()}; }

inline Vector vector_of(const Json& list) {
  const auto values = list.get<std::vector<double>>();
  return Vector::Map(values.data(), static_cast<Index>(values.size()));
}

// (2, 1, 10) is the paper's double integrator; any other size is a random plant.
inline System system_of(const Json& request) {
  const Sizes sizes = state_feedback(request.at("n_x"), request.at("n_u"), request.at("T"));
  if (sizes.n_x == 2 && sizes.n_u == 1 && sizes.T == 10) return double_integrator();
  return random_system(sizes, 1);
}

inline LearningProblem problem_of(const Json& request) {
  return learning_problem(system_of(request), request.at("n"), request.at("seed"));
}

inline Json system_json(const System& system) {
  return {{"A", rows_of(system.plant.A[0])}, {"B", rows_of(system.plant.B[0])},
          {"Q", rows_of(system.cost.Q[0])},  {"R", rows_of(system.cost.R[0])},
          {"P", rows_of(system.cost.P)},     {"T", system.plant.T}};
}

// CPU seconds of one call: the mean over at least 20 milliseconds of calls.
template <class Work>
double cpu_seconds_of(const Work& work) {
  const double start = cpu_seconds();
  int calls = 0;
  double spent = 0;
  while (spent < 0.02) {
    work();
    ++calls;
    spent = cpu_seconds() - start;
  }
  return spent / calls;
}

}  // namespace loopcert::bench
