#include "certificate/record_arrays.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "data/npz.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

namespace {

// How variances become the posterior's covariance (docs/problem-file.md, posterior.npz).
void add_frame(const Frame& frame, NamedArrays& arrays) {
  if (frame.is_full()) arrays["full"] = array_from_matrix(frame.full);
  if (frame.mix.size() > 0) arrays["mix"] = array_from_matrix(frame.mix);
  if (frame.turns.empty()) return;
  const Index size = frame.turns[0].rows(), count = static_cast<Index>(frame.turns.size());
  Matrix turn(count * size, size), of(1, static_cast<Index>(frame.turn_of.size()));
  for (Index k = 0; k < count; ++k)
    turn.middleRows(k * size, size) = frame.turns[static_cast<size_t>(k)];
  for (Index j = 0; j < of.cols(); ++j)
    of(0, j) = static_cast<double>(frame.turn_of[static_cast<size_t>(j)]);
  arrays["turn"] = array_from_matrix(turn);
  arrays["turn_of"] = array_from_matrix(of);
}

// The pattern whose free entries are those of the variances: a first free row for each step.
CausalPattern pattern_of(const Matrix& variance) {
  std::set<Index> first_rows;
  Index free_columns = 0;
  for (Index j = 0; j < variance.cols(); ++j) {
    Index i = 0;
    while (i < variance.rows() && variance(i, j) == 0) ++i;
    if (i < variance.rows()) first_rows.insert(i);
    free_columns += i < variance.rows();
  }
  const Index T = std::max<Index>(1, static_cast<Index>(first_rows.size()));
  const bool constant = variance.cols() % (T + 1) == 1;
  const bool affine = constant && variance.rows() > 0 && variance(0, 0) != 0;
  const Index n_w = variance.cols() / (T + 1), n_y = (free_columns - affine) / T;
  return {{n_w, n_w, n_y, variance.rows() / T, T}, constant, affine};
}

SharedFrame frame_from(const NamedArrays& arrays, const Matrix& variance) {
  const CausalPattern pattern = pattern_of(variance);
  Frame frame{pattern, {}, {}, {}, {}};
  const auto take = [&](const char* name, Matrix& into) {
    if (arrays.contains(name)) into = matrix_from_array(arrays.at(name));
  };
  Matrix turn, of;
  take("full", frame.full);
  take("mix", frame.mix);
  take("turn", turn);
  take("turn_of", of);
  const Index size = std::max<Index>(1, pattern.rows());
  if (turn.size() > 0 && (turn.cols() != size || turn.rows() % size != 0 || of.rows() != 1))
    throw InputError("turn, turn_of: their sizes are not those of the problem");
  for (Index k = 0; k < turn.rows() / size; ++k)
    frame.turns.push_back(turn.middleRows(k * size, size));
  for (Index j = 0; j < of.size(); ++j) {
    if (!(of(0, j) >= 0 && of(0, j) < static_cast<double>(frame.turns.size())) ||
        of(0, j) != std::floor(of(0, j)))
      throw InputError("turn_of: an entry is not the number of a matrix in turn");
    frame.turn_of.push_back(static_cast<Index>(of(0, j)));
  }
  if (!frame.is_full() && frame.turns.empty() && frame.mix.size() == 0) return nullptr;
  return std::make_shared<const Frame>(std::move(frame));
}

}  // namespace

std::string format_posterior(const Posterior& posterior, const Matrix& prior_center) {
  NamedArrays arrays{{"mean", array_from_matrix(posterior.mean)},
                     {"variance", array_from_matrix(posterior.variance)}};
  if (posterior.frame) add_frame(*posterior.frame, arrays);
  if (prior_center.size() > 0) arrays["center"] = array_from_matrix(prior_center);
  return format_npz(arrays);
}

Posterior parse_posterior(std::string_view bytes) {
  const NamedArrays arrays = parse_npz(bytes);
  for (const char* name : {"mean", "variance"})
    if (!arrays.contains(name)) throw_input_error(name, "nothing", "an array of this name");
  const Matrix variance = matrix_from_array(arrays.at("variance"));
  return {matrix_from_array(arrays.at("mean")), variance, frame_from(arrays, variance)};
}

std::string format_responses(const Deployment& deployment) {
  NamedArrays arrays;
  for (size_t k = 0; k < deployment.responses.size(); ++k) {
    arrays["Phi_u_" + std::to_string(k)] = array_from_matrix(deployment.responses[k].Phi_u);
    arrays["phi_u_" + std::to_string(k)] = array_from_matrix(deployment.responses[k].phi_u);
  }
  for (size_t j = 0; j < deployment.path.size(); ++j) {
    const std::string number = "path_" + std::to_string(j + 1);
    arrays["Phi_u_" + number] = array_from_matrix(deployment.path[j].Phi_u);
    arrays["phi_u_" + number] = array_from_matrix(deployment.path[j].phi_u);
  }
  return format_npz(arrays);
}

static Response response_named(const System& system, const NamedArrays& arrays,
                               const std::string& number) {
  const Sizes sizes = system.sizes();
  const auto Phi = arrays.find("Phi_u_" + number), phi = arrays.find("phi_u_" + number);
  if (Phi == arrays.end() || phi == arrays.end())
    throw_input_error("response " + number, "nothing", "arrays Phi_u and phi_u of this number");
  Matrix Phi_u = matrix_from_array(Phi->second);
  const Matrix phi_u = matrix_from_array(phi->second);
  if (Phi_u.rows() != sizes.d_u() || Phi_u.cols() != sizes.d_w() || phi_u.rows() != sizes.d_u() ||
      phi_u.cols() != 1)
    throw InputError("response " + number + ": its size is not that of the problem");
  CausalPattern causal{sizes, false, false};
  Matrix projected = Phi_u;
  project_causal(causal, projected);
  if (projected != Phi_u) throw InputError("response " + number + ": an input is not causal");
  return complete_response(system, std::move(Phi_u), phi_u.col(0));
}

// "0", "1", … or "path_1", "path_2", …: as many as there are.
static std::vector<Response> responses_named(const System& system, const NamedArrays& arrays,
                                             const std::string& prefix, size_t number) {
  std::vector<Response> responses;
  for (; arrays.contains("Phi_u_" + prefix + std::to_string(number)); ++number)
    responses.push_back(response_named(system, arrays, prefix + std::to_string(number)));
  return responses;
}

std::vector<Response> parse_responses(const System& system, std::string_view bytes) {
  const NamedArrays arrays = parse_npz(bytes);
  std::vector<Response> responses = responses_named(system, arrays, "", 0);
  const size_t of_path = responses_named(system, arrays, "path_", 1).size();
  if (responses.empty() || 2 * (responses.size() + of_path) != arrays.size())
    throw_input_error("responses", std::to_string(arrays.size()) + " arrays",
                      "Phi_u_0, phi_u_0 and so on without a gap");
  return responses;
}

std::vector<Response> parse_path(const System& system, std::string_view bytes) {
  return responses_named(system, parse_npz(bytes), "path_", 1);
}

}  // namespace loopcert
