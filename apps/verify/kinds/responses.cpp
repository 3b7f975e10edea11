// What learn deploys, beside PAC-Bayes: the inputs of one response, or of one for each fold.
#include <algorithm>
#include <cmath>

#include "formats/outputs.hpp"
#include "kinds/kinds.hpp"

namespace verify {
namespace {

using Arrays = std::map<std::string, Table>;

// Causal inputs Phi_u_NAME and phi_u_NAME.
Mat response_of(const Arrays& arrays, const Problem& p, const std::string& name) {
  const auto Phi = arrays.find("Phi_u_" + name), phi = arrays.find("phi_u_" + name);
  if (Phi == arrays.end() || phi == arrays.end() || Phi->second.rows != p.d_u() ||
      Phi->second.cols != p.d_w() || phi->second.rows != p.d_u() || phi->second.cols != 1)
    bad("responses", "other arrays", "Phi_u and phi_u of the problem's size");
  for (long i = 0; i < p.d_u(); ++i)
    for (long j = (i / p.n_u + 1) * seen_in_step(p); j < p.d_w(); ++j)
      if (Phi->second(i, j) != 0) throw Refuted{"responses: an input that is not causal"};
  Mat U(p.d_u(), 1 + p.d_w());
  set_block(U, 0, 0, Mat(phi->second));
  set_block(U, 0, 1, Mat(Phi->second));
  return U;
}

std::string on_path(long i) { return "path_" + std::to_string(i); }

long path_in(const Arrays& arrays) {
  long count = 0;
  while (arrays.contains("Phi_u_" + on_path(count + 1))) ++count;
  return count;
}

void require_allowed(const Mat& inputs, const Problem& p) {
  if (!arb_mat_is_finite(inputs.m)) throw Refuted{"responses: a number that is not finite"};
  if (!p.constant() && size_of(block(inputs, 0, 0, p.d_u(), 1)) > 0)
    throw Refuted{"responses: a constant input, which the problem does not allow"};
}

// Those beside a path; the last of it stands for them where there are none.
std::vector<Mat> read_responses(const Record& record) {
  const Problem& p = record.problem;
  const Arrays arrays = read_beside(record, "responses", parse_npz);
  const auto path = static_cast<size_t>(path_in(arrays));
  if (path > 0 && !has_path(record)) bad("responses", "a path", "none to test");
  if (path > 0 && std::ssize(arrays) > 2 * path_of(record).length + 2)
    throw Refuted{"responses: more controllers than the path has"};
  std::vector<Mat> responses;
  for (size_t k = 0; 2 * (k + path) < arrays.size(); ++k)
    responses.push_back(response_of(arrays, p, std::to_string(k)));
  if (responses.empty() && path > 0)
    responses.push_back(response_of(arrays, p, on_path(static_cast<long>(path))));
  if (responses.empty()) bad("responses", "none", "at least one");
  return responses;
}

}  // namespace

// Row by row, for inputs may have units of their own: to 1e-6 of their size.
void require_equal(const Mat& found, const Mat& expected, const std::string& role) {
  const Mat gap = found - expected;
  const double all = size_of(expected);
  bool certain = std::isfinite(all);
  for (long i = 0; i < found.rows(); ++i) {
    const double row = size_of(block(expected, i, 0, 1, expected.cols()));
    const double room = 1e-6 * std::max(row, 1e-5 * all);
    for (long j = 0; j < found.cols(); ++j)
      if (lower(gap(i, j)) > room || upper(gap(i, j)) < -room)
        throw Refuted{"controller: its response is not that of " + role};
    certain = certain && size_of(block(gap, i, 0, 1, gap.cols())) <= room;
  }
  if (!certain) throw TooWide{"a response"};
}

Mat mean_of(const std::vector<Mat>& all) {
  Mat sum = all[0];
  for (size_t k = 1; k < all.size(); ++k) sum = sum + all[k];
  return 1 / Ball(all.size()) * sum;
}

long auto_candidates(const Problem& problem) {
  return std::ssize(colours) + (problem.falls_back() ? 1 : 0);
}

long compared_choices(const Problem& problem) {
  return std::ssize(colours) + (problem.baseline ? 1 : 0);
}

double colour_of(const Record& record) {
  if (record.input("/deployment/method") != "auto" || record.use_of_data() != "fixed") return 0;
  for (const double a : colours)
    if (record.inputs.at("deployment").value("colour", json()) == json(a)) return a;
  throw Refuted{"inputs.deployment.colour: none that auto chooses among"};
}

std::vector<Mat> path_responses(const Record& record, long count) {
  const Problem& p = record.problem;
  const Arrays arrays = read_beside(record, "responses", parse_npz);
  if (path_in(arrays) != count) throw Refuted{"responses: not one for each place on the path"};
  std::vector<Mat> responses;
  for (long i = 1; i <= count; ++i) {
    responses.push_back(response_of(arrays, p, on_path(i)));
    require_allowed(responses.back(), p);
  }
  return responses;
}

std::vector<Mat> deployed_responses(const Record& record, const Response& deployed) {
  std::vector<Mat> responses = read_responses(record);
  require_equal(deployed.U, mean_of(responses), "the file of responses");
  if (record.use_of_data() == "fixed")
    require_equal(deployed.U, response_of_problem(record).U, "the problem alone");
  return responses;
}

Response response_of_problem(const Record& record) {
  const std::string method = record.input("/deployment/method");
  const bool paid = method == "auto" && !record.chosen.empty();  // it looks at the data first
  const bool fell_back = paid && record.inputs.at("deployment").value("baseline", false);
  if (fell_back && !record.problem.falls_back())
    throw Refuted{"inputs.deployment.baseline: auto may not fall back to it"};
  if (method == "baseline" || fell_back) {
    if (!record.problem.baseline) throw Refuted{"inputs.deployment: the problem has no baseline"};
    return baseline_response(record.problem);
  }
  if (method == "lqr" || paid) return lqr_response(record.problem, colour_of(record));
  if (method == "optimum") {  // by the law that the problem states: found by no rule of the checker
    if (!record.problem.law().contains("covariance"))
      throw Refuted{"inputs.deployment: method 'optimum' needs the law"};
    const Mat inputs = read_responses(record).at(0);
    require_allowed(inputs, record.problem);
    return open_loop(record.problem, inputs);
  }
  if (method != "start") throw Refuted{"inputs.deployment: method " + word(method) + " uses data"};
  return Space(record.problem).start;
}

}  // namespace verify
