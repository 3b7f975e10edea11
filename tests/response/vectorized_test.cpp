// The matrix coordinates against the paper's vectorized null-space form.
#include "vectorized.hpp"

#include <gtest/gtest.h>

#include "random_system.hpp"
#include "response/space.hpp"
#include "risk/risk.hpp"

namespace loopcert::testing {
namespace {

class Vectorized : public ::testing::TestWithParam<int> {
 protected:
  Vectorized() : seed(static_cast<std::uint64_t>(GetParam())), shape(random_shape(seed)) {
    shape.T = std::min<Index>(shape.T, 3);  // the dense SVD is cubic in hundreds of unknowns
    shape.n_u = std::min<Index>(shape.n_u, 3);
    system = random_system(shape, seed);
    affine = shape.offset;  // an offset makes (phi_x, phi_u) unknowns of the paper's form
  }
  std::uint64_t seed;
  Shape shape;
  System system;
  bool affine = false;
};

TEST_P(Vectorized, SameDimension) {
  SCOPED_TRACE(shape_text(shape));
  const ResponseSpace space = make_response_space(system, {.affine = affine});
  EXPECT_EQ(vectorized_form(system, affine).N.cols(), space.coordinates.p());
}

TEST_P(Vectorized, SameMinimumNormStart) {
  SCOPED_TRACE(shape_text(shape));
  const ResponseSpace space = make_response_space(system, {.affine = affine});
  const VectorizedForm form = vectorized_form(system, affine);
  const Matrix zero =
      Matrix::Zero(space.coordinates.pattern.rows(), space.coordinates.pattern.cols());
  const Vector theta = theta_of(form, response_at(system, space.coordinates, zero), affine);
  EXPECT_LT((theta - form.theta_0).norm(), 1e-9 * form.theta_0.norm());
}

// Both ways: a random Z satisfies H theta = h, and a random theta_0 + N a is response_at of its own
// coordinates.
TEST_P(Vectorized, SameFeasibleSet) {
  SCOPED_TRACE(shape_text(shape));
  const VectorizedForm form = vectorized_form(system, affine);
  for (const Basis basis : {Basis::orthonormal, Basis::input, Basis::cost}) {
    for (const Start start : {Start::min_norm, Start::lqr, Start::zero_input}) {
      const ResponseSpace space =
          make_response_space(system, {.affine = affine, .start = start, .basis = basis});
      const Matrix Z = random_coordinates(space.coordinates.pattern, seed + 5);
      const Vector theta = theta_of(form, response_at(system, space.coordinates, Z), affine);
      EXPECT_LT((form.H * theta - form.h).norm(), 1e-9 * theta.norm());

      const Vector other = form.theta_0 + form.N * random_matrix(form.N.cols(), 1, seed + 6);
      const Response response = response_of(system, form, other);
      const Matrix back = coordinates_of(space.coordinates, response);
      EXPECT_LT(
          (theta_of(form, response_at(system, space.coordinates, back), affine) - other).norm(),
          1e-8 * other.norm());
    }
  }
}

// In the orthonormal basis ||Z|| is the distance between responses: the paper's N is orthonormal.
TEST_P(Vectorized, OrthonormalBasisKeepsDistances) {
  SCOPED_TRACE(shape_text(shape));
  const ResponseSpace space = make_response_space(system, {.affine = affine});
  const VectorizedForm form = vectorized_form(system, affine);
  const Matrix Z = random_coordinates(space.coordinates.pattern, seed + 7);
  const Vector theta = theta_of(form, response_at(system, space.coordinates, Z), affine);
  EXPECT_NEAR((theta - form.theta_0).norm(), Z.norm(), 1e-9 * Z.norm());
}

// M_k = S e_i e_j' entry by entry, from the paper's definition with a finite step in alpha.
TEST_P(Vectorized, DirectionsOfM) {
  SCOPED_TRACE(shape_text(shape));
  const ResponseSpace space = make_response_space(system, {.affine = affine});
  const Matrix zero =
      Matrix::Zero(space.coordinates.pattern.rows(), space.coordinates.pattern.cols());
  const auto y_0 =
      weighted_response(system.cost, system.sizes(), response_at(system, space.coordinates, zero));
  for (Index k = 0; k < space.coordinates.p(); ++k) {
    const Matrix Z = unpack(space.coordinates.pattern, Vector::Unit(space.coordinates.p(), k));
    const auto y =
        weighted_response(system.cost, system.sizes(), response_at(system, space.coordinates, Z));
    const double size = (y.M - y_0.M).squaredNorm() + (y.m - y_0.m).squaredNorm();
    Index i = 0, j = 0;
    Z.maxCoeff(&i, &j);
    EXPECT_NEAR(size, space.cost.P(i, i), 1e-9 * (1 + size));
  }
}

INSTANTIATE_TEST_SUITE_P(Random, Vectorized, ::testing::Range(1, 13));

TEST(PaperPlant, HasOneHundredAndTenCoordinates) {
  const System system = double_integrator();
  EXPECT_EQ(make_response_space(system, {}).coordinates.p(), 110);
  EXPECT_EQ(make_response_space(system, {.affine = true}).coordinates.p(), 120);
}

}  // namespace
}  // namespace loopcert::testing
