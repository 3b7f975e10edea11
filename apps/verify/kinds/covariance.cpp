// The arrays of posterior.npz: those of every posterior, and those that say how entries are
// correlated (docs/trust.md).
#include <cmath>

#include "kinds/prior.hpp"

namespace verify {
namespace {

constexpr double most = 5e9;  // products in tr(P C P C') for all pairs of columns

// Finite numbers, so many.
Mat sized(const Arrays& arrays, const std::string& name, long rows, long cols) {
  const auto found = arrays.find(name);
  if (found == arrays.end() || found->second.rows != rows || found->second.cols != cols)
    bad("posterior: " + name, "no array of this size", "one");
  const Mat A(found->second);
  if (!arb_mat_is_finite(A.m)) throw Refuted{"posterior: " + name + " is not finite"};
  return A;
}

Mat square(const Arrays& arrays, const std::string& name, const Gaussian& of) {
  const long size = std::ssize(free_places(of.free));
  if (size > 1000) throw Undecided{"a full covariance of more than 1000 coordinates"};
  return sized(arrays, name, size, size);
}

// Lower triangular with a positive diagonal, behind the identity for what is skipped. A constant
// that is not free takes no part.
Mat triangular(const Arrays& arrays, const std::string& name, long skip, long size, bool linked) {
  Mat L = identity(size);
  set_block(L, skip, skip, sized(arrays, name, size - skip, size - skip));
  for (long i = 0; i < size; ++i)
    for (long j = 0; j < size; ++j)
      if (i == j ? !arb_is_positive(L.at(i, j))
                 : (j > i || (j == 0 && !linked)) && !arb_is_zero(L.at(i, j)))
        throw Refuted{"posterior: " + name + " is not lower triangular with a positive diagonal"};
  return L;
}

}  // namespace

Mat read_array(const Arrays& arrays, const std::string& name, const Space& space) {
  const Problem& p = space.problem;
  const Mat free = space.free_entries();
  Mat whole(p.d_u(), 1 + p.d_w());
  set_block(whole, 0, p.first(), sized(arrays, name, p.d_u(), 1 + p.d_w() - p.first()));
  bool sound = arb_mat_equal(whole.m, entrywise(free, whole).m);
  for (const auto& [i, j] : free_places(free))
    sound = sound && (name == "mean" || name == "center" || arb_is_positive(whole.at(i, j)));
  if (!sound) throw Refuted{"posterior: " + name + " has an entry that it may not have"};
  return whole;
}

void read_correlation(const Arrays& arrays, const Space& space, Gaussian& posterior) {
  const long n = posterior.V.rows(), d = posterior.V.cols(), first = space.problem.first();
  const bool turned = arrays.contains("turn"), full = arrays.contains("full");
  if (arrays.contains("mix"))
    posterior.mix = triangular(arrays, "mix", first, d, space.problem.affine);
  if (full) posterior.full = square(arrays, "full", posterior);
  if (full && (turned || posterior.mix.rows() > 0)) throw Refuted{"posterior: full is not alone"};
  const double pairs = static_cast<double>(full ? d * d : d), entries = static_cast<double>(n * n);
  if ((full || turned) && pairs * pairs * entries > most)
    throw Undecided{"a posterior of this size whose entries are correlated"};
  if (!turned) return;
  const long count = arrays.at("turn").rows / n;
  const Mat turns = sized(arrays, "turn", count * n, n);
  for (long k = 0; k < count; ++k) posterior.turns.push_back(block(turns, k * n, 0, n, n));
  posterior.turn_of.assign(static_cast<size_t>(first), 0);
  sized(arrays, "turn_of", 1, d - first);
  for (const double k : arrays.at("turn_of").values) {
    if (!(k >= 0 && k < static_cast<double>(count) && k == std::floor(k)))
      throw Refuted{"posterior: turn_of names a turn that is none"};
    posterior.turn_of.push_back(static_cast<long>(k));
  }
}

void read_correlation(const Arrays& arrays, const Space& space, const std::string& covariance,
                      Gaussian& prior) {
  const long n = prior.V.rows(), d = prior.V.cols();
  prior.turn_of.assign(static_cast<size_t>(d), 0);
  if (covariance == "cost") {  // precision P in each column, P = U U'
    prior.turns = {solve(transpose(upper_factor(space.P)), identity(n))};
  } else if (covariance == "diagonal") {
    const Mat deviation = read_array(arrays, "prior_deviation", space);
    prior.V = entrywise(prior.V, entrywise(deviation, deviation));
  } else if (covariance == "kronecker") {
    prior.turns = {triangular(arrays, "prior_rows", 0, n, true)};
    if (arrays.contains("prior_columns"))
      prior.mix =
          triangular(arrays, "prior_columns", space.problem.first(), d, space.problem.affine);
  } else if (covariance == "full") {
    prior.full = square(arrays, "prior_full", prior);
  } else {
    throw Refuted{"prior: covariance " + word(covariance) + " is unknown to the checker"};
  }
}

}  // namespace verify
