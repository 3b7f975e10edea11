// The vectorized form that the library writes out, against the one that the tests make from the
// paper's definitions alone (tests/support/vectorized.hpp).
#include <gtest/gtest.h>

#include <Eigen/QR>

#include "loopcert/core/error.hpp"
#include "loopcert/response/vectorized.hpp"
#include "random_system.hpp"
#include "response/response.hpp"
#include "response/space.hpp"
#include "vectorized.hpp"

namespace loopcert::testing {
namespace {

class WrittenOut : public ::testing::TestWithParam<int> {
 protected:
  WrittenOut() : seed(static_cast<std::uint64_t>(GetParam())), shape(random_shape(seed)) {
    shape.T = std::min<Index>(shape.T, 3);  // the dense decomposition is cubic
    shape.n_u = std::min<Index>(shape.n_u, 3);
    system = random_system(shape, seed);
    options.affine = shape.offset;
    form = loopcert::vectorized(system, options);
    space = make_response_space(system, options);
    scale = form.theta_0.norm();
  }
  Matrix random_Z(std::uint64_t more) const {
    return random_coordinates(space.coordinates.pattern, seed + more);
  }
  std::uint64_t seed;
  Shape shape;
  System system;
  ResponseOptions options;
  loopcert::Vectorized form;
  ResponseSpace space;
  double scale = 0;
};

TEST_P(WrittenOut, EveryResponseSolvesIt) {
  SCOPED_TRACE(shape_text(shape));
  const Matrix Z = random_Z(1);
  const Response response = response_at(system, space.coordinates, Z);
  const Vector theta = theta_of(form, response);
  EXPECT_LT((form.H * theta - form.h).norm(), 1e-9 * theta.norm());
  // Nothing is lost outside theta, and the way back ends at the same response.
  const Response back = response_of(form, theta);
  EXPECT_EQ(back.Phi_x, response.Phi_x);
  EXPECT_EQ(back.Phi_u, response.Phi_u);
  EXPECT_LT((back.phi_x - response.phi_x).norm(), 1e-12 * (1 + response.phi_x.norm()));
  EXPECT_LT((theta_of(form, alpha_of_Z(form, Z)) - theta).norm(), 1e-9 * theta.norm());
  EXPECT_LT((alpha_of_theta(form, theta) - alpha_of_Z(form, Z)).norm(), 1e-8 * (1 + Z.norm()));
  EXPECT_EQ(Z_of(form, alpha_of_Z(form, Z)), Z);
}

TEST_P(WrittenOut, KernelHasDimensionP) {
  SCOPED_TRACE(shape_text(shape));
  const Matrix H = form.H;
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
  decomposition.setThreshold(1e-9);
  decomposition.compute(H);
  EXPECT_EQ(H.cols() - decomposition.rank(), form.p());
  EXPECT_EQ(form.p(), space.coordinates.p());
  EXPECT_LT((H * Matrix(form.N)).norm(), 1e-9 * H.norm());
  EXPECT_LT((H * form.theta_0 - form.h).norm(), 1e-9 * scale);
}

TEST_P(WrittenOut, NIsOrthonormalAndTheStartTheShortest) {
  SCOPED_TRACE(shape_text(shape));
  const Matrix NtN = form.N.transpose() * form.N;
  EXPECT_LT((NtN - Matrix::Identity(form.p(), form.p())).norm(), 1e-9);
  EXPECT_LT((form.N.transpose() * form.theta_0).norm(), 1e-9 * scale);
}

// The same feasible set as of the form made by hand, whose theta has another order.
TEST_P(WrittenOut, SameSolutionsAsByHand) {
  SCOPED_TRACE(shape_text(shape));
  const VectorizedForm by_hand = vectorized_form(system, options.affine);
  EXPECT_EQ(by_hand.H.cols(), form.H.cols());
  EXPECT_EQ(by_hand.H.rows(), form.H.rows());
  EXPECT_EQ(by_hand.h, form.h);
  const Vector alpha = random_matrix(form.p(), 1, seed + 2);
  const Response response = response_of(form, theta_of(form, alpha));
  const Vector theta = theta_of(by_hand, response, options.affine);
  EXPECT_LT((by_hand.H * theta - by_hand.h).norm(), 1e-9 * theta.norm());
  // H itself, entry by entry: column k of one is the column of the other that has the same place.
  const Matrix mine = form.H * form.selection.transpose();
  const Sizes s = system.sizes();
  for (Index k = 0; k < by_hand.H.cols(); ++k) {
    Index place = 0;
    by_hand.S.col(k).maxCoeff(&place);
    const Index column = place / s.d_xu(), row = place % s.d_xu();
    const bool state = row < s.d_x();
    Index there =
        state ? column * s.d_x() + row : s.d_x() * s.d_w() + column * s.d_u() + (row - s.d_x());
    if (column == s.d_w()) there = place;  // the offsets come last in both
    EXPECT_EQ(by_hand.H.col(k), mine.col(there));
  }
}

// M_k by its definition, from the k-th column of N; M_G from the M_k.
TEST_P(WrittenOut, Directions) {
  SCOPED_TRACE(shape_text(shape));
  std::vector<Direction> directions;
  for (Index k = 0; k < form.p(); ++k) {
    directions.push_back(direction(form, k));
    Response change = response_of(form, Vector(form.N.col(k)));
    if (!form.affine) change.phi_x.setZero(), change.phi_u.setZero();
    const WeightedResponse y = weighted_response(system.cost, system.sizes(), change);
    EXPECT_LT((directions.back().M - y.M).norm() + (directions.back().m - y.m).norm(),
              1e-9 * (1 + y.M.norm() + y.m.norm()));
  }
  const Matrix M_G = form.M_G;
  for (Index k = 0; k < form.p(); ++k)
    for (Index l = 0; l < form.p(); ++l) {
      const Direction &a = directions[static_cast<size_t>(k)],
                      &b = directions[static_cast<size_t>(l)];
      EXPECT_NEAR(M_G(k, l), a.M.cwiseProduct(b.M).sum() + a.m.dot(b.m), 1e-9 * M_G.norm());
    }
  EXPECT_THROW(direction(form, form.p()), InputError);
  EXPECT_THROW(direction(form, -1), InputError);
}

// The mean of l over a few trajectories, by simulation of y = M w + m.
TEST_P(WrittenOut, LossInAlpha) {
  SCOPED_TRACE(shape_text(shape));
  const Index n = 5, d_w = system.sizes().d_w();
  const Matrix w = random_matrix(n, d_w, seed + 3);
  const LossInAlpha loss = loss_in_alpha(form, w.colwise().mean(), w.transpose() * w / n);
  const Vector alpha = random_matrix(form.p(), 1, seed + 4);
  const WeightedResponse y =
      weighted_response(system.cost, system.sizes(), response_of(form, theta_of(form, alpha)));
  double mean = 0;
  for (Index i = 0; i < n; ++i) mean += (y.M * w.row(i).transpose() + y.m).squaredNorm() / n;
  EXPECT_NEAR(alpha.dot(loss.G * alpha) + 2 * loss.g.dot(alpha) + loss.c, mean, 1e-9 * mean);
}

TEST_P(WrittenOut, OtherBasesAndStarts) {
  SCOPED_TRACE(shape_text(shape));
  for (const Basis basis : {Basis::input, Basis::cost})
    for (const Start start : {Start::lqr, Start::zero_input}) {
      const ResponseOptions other{options.affine, start, basis};
      const loopcert::Vectorized v = loopcert::vectorized(system, other);
      const Vector alpha = random_matrix(v.p(), 1, seed + 5);
      const Vector theta = theta_of(v, alpha);
      EXPECT_LT((v.H * theta - v.h).norm(), 1e-9 * theta.norm());
      EXPECT_LT((alpha_of_theta(v, theta) - alpha).norm(), 1e-7 * alpha.norm());
    }
}

INSTANTIATE_TEST_SUITE_P(Random, WrittenOut, ::testing::Range(1, 13));

// An offset that no response may change: phi stays that of the start, outside theta.
TEST(WrittenOutOffset, KnownAndNotFree) {
  System system = double_integrator();
  system.plant.d = Matrix::Constant(2, system.plant.T, 0.3);
  const loopcert::Vectorized form = loopcert::vectorized(system, {});
  EXPECT_EQ(form.p(), 110);
  const Response response = response_of(form, theta_of(form, Vector::Ones(110)));
  EXPECT_LT(achievability_residual(system.plant, response), 1e-12);
  EXPECT_GT(form.m_0.norm(), 0);
}

TEST(WrittenOutLimits, AreSaidInNumbers) {
  System system = double_integrator();
  EXPECT_EQ(loopcert::vectorized(system, {}).p(), 110);
  system.plant.T = 63;  // p = 63 * 64 = 4032
  try {
    loopcert::vectorized(system, {});
    FAIL() << "p = 4032 must be refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("p = 4032"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("4000"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace loopcert::testing
