#include "tails/quartic_parts.hpp"

#include "core/parts.hpp"
#include "response/causal_product.hpp"

namespace loopcert {
namespace {

// tr(X Y) = sum_ij X_ij Y_ji, in blocks that fit the cache both ways; half of them when X is Y.
double trace_of_product(const Matrix& X, const Matrix& Y, Team& team) {
  constexpr Index block = 32;
  const Index size = X.rows();
  const bool same = &X == &Y;
  return sum_parts(
      team, by_columns(X.size(), (size + block - 1) / block), [&](const Part& columns) {
        double sum = 0;
        for (Index j = columns.first * block;
             j < std::min((columns.first + columns.count) * block, size); j += block) {
          const Index width = std::min(block, size - j);
          for (Index i = 0; i < (same ? j + 1 : size); i += block) {
            const Index height = std::min(block, size - i);
            const double part = X.block(i, j, height, width)
                                    .cwiseProduct(Y.block(j, i, width, height).transpose())
                                    .sum();
            sum += same && i < j ? 2 * part : part;
          }
        }
        return sum;
      });
}

// diag(X Y') without the product.
Vector row_dots(const Matrix& X, const Matrix& Y, Team& team) {
  Matrix parts = Matrix::Zero(X.rows(), by_columns(X).parts());
  for_parts(team, by_columns(X), [&](const Part& columns) {
    for (Index j = columns.first; j < columns.first + columns.count; ++j)
      parts.col(columns.number) += X.col(j).cwiseProduct(Y.col(j));
  });
  return parts.rowwise().sum();
}

}  // namespace

QuarticSpace::QuarticSpace(const QuadraticForm& quadratic_form)
    : form(quadratic_form), diag_P(form.P.diagonal()), PP(form.P.cwiseAbs2()) {}

void set_point(const QuarticSpace& form, const Posterior& posterior, QuarticPoint& point,
               Team& team) {
  const Matrix& Z = posterior.mean;
  point.posterior = &posterior;
  multiply(form.form.pattern, full(form.form.P), causal(Z), point.H, team);
  for_parts(team, by_columns(Z), [&](const Part& columns) {
    entries(point.H, columns) += entries(form.form.N_0, columns);
  });
  point.a.noalias() = posterior.variance.transpose() * form.diag_P;
}

QuarticSide::QuarticSide(const QuarticSpace& form, const Matrix& matrix, Team& team)
    : A(matrix), diag_A(A.diagonal()) {
  multiply(form.form.N_0, A, N_0A, team);
  multiply(form.form.K_0, A, K_0A, team);
}

void apply_mean(const QuarticSpace& form, const QuarticPoint& point, QuarticSide& side,
                Team& team) {
  const CausalPattern& pattern = form.form.pattern;
  multiply(pattern, causal(point.posterior->mean), full(side.A), side.ZA, team);
  side.HA = side.N_0A;
  add_product(pattern, full(form.form.P), full(side.ZA), side.HA, team);
}

void finish_side(const QuarticSpace& form, const QuarticPoint& point, QuarticSide& side,
                 Team& team) {
  const CausalPattern& pattern = form.form.pattern;
  // K~ A = K_0 A + diag(a) A + N_0'(Z A) + Z'(H A)
  side.KA.resize(side.A.rows(), side.A.cols());
  for_parts(team, by_columns(side.A), [&](const Part& columns) {
    for (Index j = columns.first; j < columns.first + columns.count; ++j)
      side.KA.col(j) = side.K_0A.col(j) + point.a.cwiseProduct(side.A.col(j));
  });
  add_product(pattern, transposed(full(form.form.N_0)), full(side.ZA), side.KA, team);
  add_product(pattern, transposed(causal(point.posterior->mean)), full(side.HA), side.KA, team);
  side.d.noalias() = point.posterior->variance * side.diag_A;
  side.h = row_dots(side.HA, point.H, team);
}

QuarticPair::QuarticPair(const QuarticSide& A, const QuarticSide& B)
    : left(A), right(B), AB(A.A.cwiseProduct(B.A)) {}

double value_and_slope(const QuarticSpace& form, const QuarticPoint& point, QuarticPair& pair,
                       Matrix& slope, Team& team) {
  const CausalPattern& pattern = form.form.pattern;
  const Matrix& V = point.posterior->variance;
  const QuarticSide &A = pair.left, &B = pair.right;
  multiply(pattern, causal(V), full(pair.AB), pair.work, team);
  multiply_to_causal(pattern, full(form.PP), full(pair.work), slope, team);  // (P.^2) V (A.*B)

  const Vector PP_dA = form.PP * A.d;
  const Vector PP_dB = pair.same() ? PP_dA : Vector(form.PP * B.d);
  const Vector per_B = A.h + PP_dA, per_A = B.h + PP_dB;  // multiply diag(B)', diag(A)'
  // slope = 2 diag(P) diag(A K~ B)' + 2 (H A).*(H B) + 2 (P.^2) V (A.*B) + per_B diag(B)' + …
  const double spread = sum_parts(team, by_columns(V), [&](const Part& columns) {
    double sum = 0;
    for (Index j = columns.first; j < columns.first + columns.count; ++j) {
      const Index first = std::min(pattern.first_row(j), V.rows()), free = V.rows() - first;
      slope.col(j).head(first).setZero();
      if (free == 0) continue;
      auto s = slope.col(j).tail(free).array();
      const auto HA = A.HA.col(j).tail(free).array(), HB = B.HA.col(j).tail(free).array();
      sum += (V.col(j).tail(free).array() * (2 * HA * HB + s)).sum();
      s = 2 * (HA * HB + s) + (2 * A.A.col(j).dot(B.KA.col(j))) * form.diag_P.tail(free).array() +
          B.diag_A(j) * per_B.tail(free).array() + A.diag_A(j) * per_A.tail(free).array();
    }
    return sum;
  });
  return trace_of_product(A.KA, B.KA, team) + spread + B.d.dot(per_B) + A.d.dot(B.h);
}

double mean_slope(const QuarticSpace& form, const QuarticPoint& point, QuarticPair& pair,
                  Matrix& slope, Team& team) {
  const CausalPattern& pattern = form.form.pattern;
  const Matrix& V = point.posterior->variance;
  const QuarticSide &A = pair.left, &B = pair.right;
  // P of: (V.*HB) A + diag(d_B) HA, and the same with A and B exchanged
  const auto add_half = [&](const QuarticSide& one, const QuarticSide& other, bool first) {
    pair.work.resize(V.rows(), V.cols());
    pair.sum.resize(V.rows(), V.cols());
    for_parts(team, by_columns(V), [&](const Part& columns) {
      entries(pair.work, columns) = entries(V, columns) * entries(other.HA, columns);
      for (Index j = columns.first; j < columns.first + columns.count; ++j) {
        if (first)
          pair.sum.col(j) = other.d.cwiseProduct(one.HA.col(j));
        else
          pair.sum.col(j) += other.d.cwiseProduct(one.HA.col(j));
      }
    });
    add_product(pattern, causal(pair.work), full(one.A), pair.sum, team);
  };
  add_half(A, B, true);
  if (!pair.same()) add_half(B, A, false);
  multiply_to_causal(pattern, full(A.HA), full(B.KA), slope, team);
  if (!pair.same()) add_to_causal(pattern, full(B.HA), full(A.KA), slope, team);
  add_to_causal(pattern, full(form.form.P), full(pair.sum), slope, team);
  return pair.same() ? 4 : 2;
}

}  // namespace loopcert
