// docs/theory/identified-cost.md: the largest cost over an ellipsoid of models, against loops that
// are run with an error of the model.
#include "lemmas/lemmas.hpp"
#include "numbers.hpp"

namespace verify::testing {
namespace {

using Matrix = std::vector<std::vector<double>>;

Matrix zeros(long rows, long cols) {
  return Matrix(static_cast<size_t>(rows), std::vector<double>(static_cast<size_t>(cols)));
}

Matrix drawn(Normal& normal, long rows, long cols, double size) {
  Matrix A = zeros(rows, cols);
  for (auto& row : A)
    for (double& entry : row) entry = size * normal();
  return A;
}

Matrix times(const Matrix& A, const Matrix& B) {
  Matrix C = zeros(std::ssize(A), std::ssize(B[0]));
  for (size_t i = 0; i < A.size(); ++i)
    for (size_t k = 0; k < B.size(); ++k)
      for (size_t j = 0; j < B[0].size(); ++j) C[i][j] += A[i][k] * B[k][j];
  return C;
}

Matrix turned(const Matrix& A) {
  Matrix B = zeros(std::ssize(A[0]), std::ssize(A));
  for (size_t i = 0; i < A.size(); ++i)
    for (size_t j = 0; j < A[0].size(); ++j) B[j][i] = A[i][j];
  return B;
}

double squares(const Matrix& A) {
  double sum = 0;
  for (const auto& row : A)
    for (const double entry : row) sum += entry * entry;
  return sum;
}

Mat mat_of(const Matrix& A) {
  Mat M(std::ssize(A), std::ssize(A[0]));
  for (long i = 0; i < M.rows(); ++i)
    for (long j = 0; j < M.cols(); ++j)
      M.set(i, j, A[static_cast<size_t>(i)][static_cast<size_t>(j)]);
  return M;
}

Matrix part(const Matrix& A, long row, long col, long rows, long cols) {
  Matrix B = zeros(rows, cols);
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j < cols; ++j)
      B[static_cast<size_t>(i)][static_cast<size_t>(j)] =
          A[static_cast<size_t>(row + i)][static_cast<size_t>(col + j)];
  return B;
}

// z = H (s, e + F r), r = R (s, e + F r): s of two standard numbers, R strictly causal in e.
struct Drawn {
  static constexpr long d_s = 2;
  long steps, n_v, n_r;
  Matrix H, R;

  Drawn(unsigned long seed, long T, long v, long r) : steps(T), n_v(v), n_r(r) {
    Normal normal(seed);
    H = drawn(normal, 4, d_s + T * v, 1);
    R = drawn(normal, T * r, d_s + T * v, 0.5);
    for (long t = 0; t < T; ++t)
      for (long i = 0; i < r; ++i)
        for (long j = d_s + t * v; j < d_s + T * v; ++j)
          R[static_cast<size_t>(t * r + i)][static_cast<size_t>(j)] = 0;
  }

  Interconnection loop() const {
    const long all = d_s + steps * n_v, e = steps * n_v;
    const Matrix gram = times(turned(H), H);
    const Matrix in = part(gram, d_s, 0, e, all);
    return {steps,
            n_v,
            n_r,
            squares(H),
            mat_of(times(in, turned(R))),
            mat_of(part(gram, d_s, d_s, e, e)),
            mat_of(times(R, turned(R))),
            mat_of(part(R, 0, d_s, steps * n_r, e))};
  }

  // z from (s, e) with this error, step by step.
  Matrix run(const Matrix& F) const {
    const long all = d_s + steps * n_v;
    Matrix inputs = zeros(all, all);
    for (size_t i = 0; i < inputs.size(); ++i) inputs[i][i] = 1;
    for (long t = 0; t < steps; ++t) {
      const Matrix d = times(F, times(part(R, t * n_r, 0, n_r, all), inputs));
      for (long i = 0; i < n_v; ++i)
        for (long j = 0; j < all; ++j)
          inputs[static_cast<size_t>(d_s + t * n_v + i)][static_cast<size_t>(j)] +=
              d[static_cast<size_t>(i)][static_cast<size_t>(j)];
    }
    return times(H, inputs);
  }
};

// Errors on the sphere of radius beta.
Matrix on_sphere(Normal& normal, long rows, long cols, double beta) {
  Matrix F = drawn(normal, rows, cols, 1);
  const double size = beta / std::sqrt(squares(F));
  for (auto& row : F)
    for (double& entry : row) entry *= size;
  return F;
}

// The bound at the best of many multipliers.
double error_of(const Interconnection& loop, double beta) {
  double least = INFINITY;
  for (double nu = 1e-3; nu < 1e9; nu *= 1.05) {
    const double value = upper(largest_error(loop, beta, nu));
    if (value < least) least = value;
  }
  return least;
}

TEST(Expansion, HoldsForEveryErrorAndIsCloseForSmallOnes) {
  Normal normal(3);
  for (const auto& [T, v, r] : {std::tuple(4L, 1L, 1L), {3L, 2L, 3L}, {5L, 1L, 2L}, {1L, 2L, 2L}}) {
    const Drawn plant(static_cast<unsigned long>(T), T, v, r);
    const Interconnection loop = plant.loop();
    const double nominal = squares(plant.H);
    for (const double beta : {1e-4, 0.01, 0.3}) {
      const double bound = error_of(loop, beta);
      double largest = 0;
      for (int k = 0; k < 2000; ++k) {
        const Matrix z = plant.run(on_sphere(normal, v, r, beta));
        largest = std::max(largest, squares(z) - nominal);
      }
      EXPECT_LE(largest, bound * (1 + 1e-9)) << T << " " << beta;
      if (beta < 1e-3) {  // found among drawn directions
        EXPECT_GE(largest, 0.5 * bound) << T;
      }
    }
  }
}

// One coefficient: the sup is at an end of an interval, and orders one and two are all there is for
// one step.
TEST(Expansion, IsExactForOneStep) {
  const Drawn plant(8, 1, 1, 1);
  const Interconnection loop = plant.loop();
  const double beta = 0.4;
  const double plus = squares(plant.run({{beta}})), minus = squares(plant.run({{-beta}}));
  const double exact = std::max(plus, minus) - squares(plant.H);
  EXPECT_GE(error_of(loop, beta), exact * (1 - 1e-12));
  EXPECT_LE(error_of(loop, beta), exact * 1.01);  // of a grid of multipliers
}

TEST(Expansion, AnyMultiplierIsValid) {
  const Drawn plant(5, 4, 2, 2);
  const double least = error_of(plant.loop(), 0.2);
  for (const double nu : {1e-30, 1e-3, 1.0, 1e6})
    EXPECT_GE(upper(largest_error(plant.loop(), 0.2, nu)), least * (1 - 1e-12));
}

// More than 256 coefficients: by norms, whatever the multiplier is.
TEST(Expansion, ManyCoefficients) {
  Normal normal(4);
  const Drawn plant(6, 2, 17, 17);
  const Interconnection loop = plant.loop();
  const double beta = 0.01, bound = upper(largest_error(loop, beta, 0));
  EXPECT_EQ(bound, upper(largest_error(loop, beta, 7)));
  for (int k = 0; k < 20; ++k)
    EXPECT_LE(squares(plant.run(on_sphere(normal, 17, 17, beta))) - squares(plant.H), bound);
}

// The root mean square of what an error adds to z.
TEST(Expansion, SizeOfTheError) {
  Normal normal(9);
  for (const auto& [T, v, r] : {std::tuple(4L, 1L, 1L), {3L, 2L, 2L}}) {
    const Drawn plant(static_cast<unsigned long>(T), T, v, r);
    for (const double beta : {1e-4, 0.01, 0.2}) {
      const double size = upper(error_size(plant.loop(), beta));
      double largest = 0;
      for (int k = 0; k < 1000; ++k) {
        Matrix more = plant.run(on_sphere(normal, v, r, beta));
        for (size_t i = 0; i < more.size(); ++i)
          for (size_t j = 0; j < more[0].size(); ++j) more[i][j] -= plant.H[i][j];
        largest = std::max(largest, std::sqrt(squares(more)));
      }
      EXPECT_LE(largest, size * (1 + 1e-9)) << beta;
      if (beta < 1e-3) {  // the first order is exact
        EXPECT_GE(largest, 0.9 * size);
      }
    }
  }
}

// Of a product of two semidefinite matrices, which is not symmetric; of zero; of equal ones.
TEST(Expansion, LargestEigenvalueOfAProduct) {
  const double found = upper(largest_eigenvalue(matrix(2, 2, {3, 5, 0, 2})));
  EXPECT_GE(found, 3);
  EXPECT_LE(found, 3 * (1 + 1.1e-11));
  EXPECT_EQ(upper(largest_eigenvalue(Mat(3, 3))), 0);
  EXPECT_NEAR(upper(largest_eigenvalue(identity(3))), 1, 1.1e-11);
}

}  // namespace
}  // namespace verify::testing
