// Any problem, written as JSON text and read back, is the same problem to the last bit.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "loopcert/problem/problem.hpp"
#include "problem/problem_json.hpp"
#include "random_system.hpp"
#include "system/sound_cost.hpp"

namespace loopcert {
namespace {

template <class T>
T one_of(const std::vector<T>& choices) {
  return *rc::gen::elementOf(choices);
}

std::optional<double> maybe_positive() {
  if (*rc::gen::arbitrary<bool>()) return std::nullopt;
  return *rc::gen::inRange(1, 1000000) / 7e4;
}

Law random_law(const Sizes& sizes, std::uint64_t seed) {
  const Index d = sizes.d_w();
  const Matrix factor = testing::random_matrix(d, d, seed);
  const Vector variances = testing::random_matrix(d, 1, seed + 1).cwiseAbs();
  const Matrix covariance = one_of<Matrix>(
      {factor * factor.transpose(), Matrix(variances.asDiagonal()), 0.1 * Matrix::Identity(d, d),
       Matrix::Zero(d, d), ar1_covariance(sizes, 0.8, 0.3)});
  const Vector mean = one_of<Vector>(
      {Vector::Zero(d), Vector::Constant(d, 0.1), testing::random_matrix(d, 1, seed + 2)});
  return {mean, 0.5 * (covariance + covariance.transpose()),
          one_of<LawShape>({LawShape::gaussian, LawShape::uniform})};
}

Problem random_problem() {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000000);
  Problem problem;
  problem.name = *rc::gen::string<std::string>();
  for (char& c : problem.name) c = static_cast<char>(c & 0x7f);  // any ASCII, control included
  problem.system = testing::random_system(testing::random_shape(seed), seed);
  problem.response.affine = *rc::gen::arbitrary<bool>();
  problem.response.start = one_of<Start>({Start::min_norm, Start::lqr, Start::zero_input});
  problem.response.basis = one_of<Basis>({Basis::orthonormal, Basis::input, Basis::cost});
  problem.disturbance.model = one_of<std::string>({"gaussian", "bounded"});
  problem.disturbance.scale_bound = maybe_positive();
  problem.disturbance.radius = maybe_positive();
  problem.disturbance.white = *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>()) problem.disturbance.law = random_law(problem.sizes(), seed);
  problem.learning.method = one_of(learning_methods());
  problem.learning.gamma = maybe_positive();
  problem.learning.prior_center = one_of<std::string>({"start", "lqr", "split"});
  problem.learning.prior_scale = maybe_positive();
  problem.certificate.kind = one_of<std::string>({"data-driven", "best", "anything else"});
  switch (*rc::gen::inRange(0, 3)) {
    case 1:
      problem.certificate.delta = 0.05;
      break;
    case 2:
      problem.certificate.parts = {{"pac_bayes", 0.1 / 3}, {"mean", 0.025}};
      break;
    default:
      break;
  }
  return problem;
}

void expect_same(const Problem& a, const Problem& b) {
  RC_ASSERT(a.name == b.name);
  const Plant &p = a.system.plant, &q = b.system.plant;
  RC_ASSERT(p.T == q.T);
  RC_ASSERT(p.A == q.A);
  RC_ASSERT(p.B == q.B);
  RC_ASSERT(p.d.size() == q.d.size());
  RC_ASSERT(p.d.size() == 0 || p.d == q.d);
  RC_ASSERT(a.system.cost.Q == b.system.cost.Q);
  RC_ASSERT(a.system.cost.R == b.system.cost.R);
  RC_ASSERT(a.system.cost.P == b.system.cost.P);
  RC_ASSERT(a.response.affine == b.response.affine);
  RC_ASSERT(a.response.start == b.response.start);
  RC_ASSERT(a.response.basis == b.response.basis);
  const Assumptions &v = a.disturbance, &w = b.disturbance;
  RC_ASSERT(v.model == w.model);
  RC_ASSERT(v.scale_bound == w.scale_bound);
  RC_ASSERT(v.radius == w.radius);
  RC_ASSERT(v.white == w.white);
  RC_ASSERT(v.law.has_value() == w.law.has_value());
  if (v.law) {
    RC_ASSERT(v.law->mean == w.law->mean);
    RC_ASSERT(v.law->covariance == w.law->covariance);
    RC_ASSERT(v.law->shape == w.law->shape);
  }
  RC_ASSERT(a.learning.method == b.learning.method);
  RC_ASSERT(a.learning.gamma == b.learning.gamma);
  RC_ASSERT(a.learning.prior_center == b.learning.prior_center);
  RC_ASSERT(a.learning.prior_scale == b.learning.prior_scale);
  RC_ASSERT(a.certificate.kind == b.certificate.kind);
  RC_ASSERT(a.certificate.delta == b.certificate.delta);
  RC_ASSERT(a.certificate.parts == b.certificate.parts);
}

RC_GTEST_PROP(ProblemToJson, ReadsBackAsTheSameProblem, ()) {
  Problem problem = random_problem();
  problem.system.cost = sound_cost(problem.system.cost);  // as every problem from a file is
  const std::string text = problem_to_json(problem).dump();
  const Problem back = problem_from_json(parse_json(text));
  expect_same(problem, back);
  RC_ASSERT(problem_to_json(back).dump() == text);
}

}  // namespace
}  // namespace loopcert
