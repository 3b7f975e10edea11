// The smallest cost under limits on inputs and states, beside the smallest cost without: what the
// limits take in evaluations, in seconds and in solutions of the problem without limits. Table on
// stdout, JSON to the path given.
#include "core/product.hpp"
#include "learning/limited_design.hpp"
#include "learning/minimizers.hpp"
#include "random_problem.hpp"
#include "table.hpp"

namespace loopcert::bench {
namespace {

struct Case {
  Sizes sizes;
  Index states = 0;  // that have limits; one more than there are: their sum, too
  bool white = true;
};

// Inputs may be as large as `tight` times what they are without limits, states a little larger.
Limits limits_of(const Case& c, const ResponseSpace& space, const System& system,
                 const Matrix& Sigma, double tight) {
  const Sizes& s = c.sizes;
  Limits limits;
  limits.each = true;
  for (Index i = 0; i < s.n_u; ++i)
    limits.rows.push_back(
        {fmt::format("u{}", i), Vector::Zero(s.n_x), Vector::Unit(s.n_u, i), -1, 1, 0, s.T - 1});
  for (Index i = 0; i < c.states; ++i)
    limits.rows.push_back({fmt::format("x{}", i),
                           i < s.n_x ? Vector(Vector::Unit(s.n_x, i)) : Vector::Ones(s.n_x),
                           Vector::Zero(s.n_u), -1, 1, 1, s.T});
  const Matrix Z = minimize_risk(space.cost, Sigma).Z;
  const RowResponses rows = row_responses(limits, s, response_at(system, space.coordinates, Z));
  const Vector deviation = (rows.a * Sigma).cwiseProduct(rows.a).rowwise().sum().cwiseSqrt();
  const double per_limit = largest_deviation(-1, 1, 0, limits.probability);
  for (Index i = 0; i < std::ssize(limits.rows); ++i) {
    LimitRow& row = limits.rows[static_cast<size_t>(i)];
    const double share = i < s.n_u ? tight : 1.05;
    row.high = share * deviation.segment(i * s.T, s.T).maxCoeff() / per_limit;
    row.low = -row.high;
  }
  return limits;
}

Json measure(const Case& c) {
  const System system = random_system(c.sizes, 1);
  const ResponseSpace space = make_response_space(system, around_lqr(false));
  const Index d_w = c.sizes.d_w();
  const Matrix Sigma =
      c.white ? Matrix(Matrix::Identity(d_w, d_w)) : white_sample_moment(c.sizes, 1);
  const Limits limits = limits_of(c, space, system, Sigma, 0.85);
  const Matrix A = Matrix::Constant(d_w, d_w, 0.5);
  Matrix C;
  Team alone(1);
  LimitedMinimizer found;
  double cost = 0;
  const auto times = take_turns({[&] { found = design_under_limits(space, limits, {Sigma}, 1); },
                                 [&] { cost += minimize_risk(space.cost, Sigma).Z(0, 0); },
                                 [&] { multiply(A, A, C, alone); }});
  const double gap = (found.cost - found.lower) / found.cost;
  fmt::print("{:>8}{:>6}{:>9}{:>13.3g}{:>11.3g}{:>13}{:>10.1f}{:>11.1f}{:>12.1e}\n",
             space.coordinates.p(), limits.count(), c.white ? "white" : "sample", times[0].cpu,
             times[0].wall, found.evaluations, times[0].cpu / times[1].cpu,
             times[0].cpu / times[2].cpu, gap);
  std::fflush(stdout);
  return {{"p", space.coordinates.p()},
          {"rows", limits.count()},
          {"white", c.white},
          {"cpu_seconds", times[0].cpu},
          {"wall_seconds", times[0].wall},
          {"evaluations", found.evaluations},
          {"over_free", times[0].cpu / times[1].cpu},
          {"over_product", times[0].cpu / times[2].cpu},
          {"gap", gap},
          {"feasible", found.feasible}};
}

Json run(bool quick) {
  Json json;
  fmt::print("inputs limited to 0.85 of what they are without limits, states to 1.05\n");
  fmt::print("{:>8}{:>6}{:>9}{:>13}{:>11}{:>13}{:>10}{:>11}{:>12}\n", "p", "rows", "moment",
             "s of CPU", "s", "evaluations", "/ free", "/ product", "gap / cost");
  for (const bool white : {true, false}) {
    json["limits"].push_back(measure({state_feedback(2, 1, 10), 3, white}));
    json["limits"].push_back(measure({state_feedback(4, 2, 20), 4, white}));
    if (!quick) json["limits"].push_back(measure({state_feedback(12, 4, 50), 4, white}));
  }
  return json;
}

}  // namespace
}  // namespace loopcert::bench

int main(int argc, char** argv) {
  return loopcert::bench::run_program(argc, argv, "limits", loopcert::bench::run);
}
