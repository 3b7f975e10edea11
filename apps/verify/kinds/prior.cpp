#include "kinds/prior.hpp"

#include <algorithm>
#include <cmath>

namespace verify {
namespace {

// An array of posterior.npz with the constant's column in front, zero where Z is not free.
Mat read_array(const std::map<std::string, Table>& arrays, const std::string& name,
               const Record& record, const Space& space) {
  const Problem& p = record.problem;
  const long shift = p.constant() ? 0 : 1;  // without a constant the file has no column for it
  const auto found = arrays.find(name);
  if (found == arrays.end() || found->second.rows != p.d_u() ||
      found->second.cols != 1 + p.d_w() - shift)
    bad("posterior: " + name, "no array of this size", "one");
  Mat whole(p.d_u(), 1 + p.d_w());
  for (long i = 0; i < p.d_u(); ++i)
    for (long j = shift; j < 1 + p.d_w(); ++j) {
      const double value = found->second(i, j - shift);
      const bool free = space.is_free(i, j);
      if (!std::isfinite(value) || (!free && value != 0) ||
          (free && name == "variance" && !(value > 0)))
        throw Refuted{"posterior: " + name + " has an entry that it may not have"};
      whole.set(i, j, value);
    }
  return whole;
}

}  // namespace

Learned read_posterior(const Record& record, const Space& space, const Response& deployed) {
  const json& named = record.problem.option("/learning/prior");
  const json& used = record.inputs.at("prior");
  const std::map<std::string, Table> arrays = read_beside(record, "posterior", parse_npz);
  const Mat mean = read_array(arrays, "mean", record, space);
  require_equal(deployed.U, space.inputs(mean), "the posterior's mean");
  Learned learned{mean, Mat(mean.rows(), mean.cols()),
                  read_array(arrays, "variance", record, space), used.at("scale").get<double>(),
                  ones(1 + record.problem.d_w(), 1)};
  const std::string center = used.at("center").get<std::string>();
  if (used["center"] != named.at("center"))
    throw Refuted{"prior: its center is not the one that the problem names"};
  if (center == "split")  // from the part of the data that does not certify
    learned.center = read_array(arrays, "center", record, space);
  else if (center == "lqr")
    learned.center = space.coordinates(lqr_response(record.problem).U - space.start.U);
  else if (center != "start")
    throw Refuted{"prior: center " + word(center) + " is unknown to the checker"};
  learned.from_grid = named.at("scale") == "grid" && used.value("grid", json()) == json(grid) &&
                      std::find(grid.begin(), grid.end(), learned.scale) != grid.end();
  if (!learned.from_grid && (named["scale"] != used["scale"] || used.contains("grid")))
    throw Refuted{"prior: its scale is not the one that the problem names"};
  if (!(learned.scale > 0)) throw Refuted{"prior: its scale is not positive"};
  return learned;
}

// The posterior is around what is deployed, and both are of one scale of the grid. A unit is
// sqrt(tr K/d_w/d_u), K the cost of LQR, and sigma_bar of it for the constant. Any will do; the
// recorded KL tells which.
Learned portfolio_posterior(const Record& record, const Space& space, const Mat& mean) {
  const Problem& p = record.problem;
  Learned learned{mean, Mat(mean.rows(), mean.cols())};
  const Mat gram = cost_gram(p, space.start);
  const Ball unit = sqrt((trace(gram) - gram(0, 0)) / p.d_w() / p.d_u());
  learned.unit = unit * ones(1 + p.d_w(), 1);
  learned.unit.set(0, 0, unit * sqrt(Ball(scale_of(record))));
  Mat inverse(1 + p.d_w(), 1);
  for (long j = 0; j <= p.d_w(); ++j) inverse.set(j, 0, 1 / learned.unit(j, 0));
  const Mat step = entrywise(space.free_entries(), mean) * diagonal_matrix(inverse);
  const double distance = upper(dot(step, step)) / 2, kl = record.kl.value_or(0);
  learned.scale = grid[0];  // the smallest that the KL allows: for LQR itself it is zero for all
  for (const double s : grid)
    if (distance / (s * s) <= kl + 1e-9 * std::max(1.0, kl)) learned.scale = s;
  learned.from_grid = true;
  const Mat sizes = learned.scale * (space.free_entries() * diagonal_matrix(learned.unit));
  learned.V = entrywise(sizes, sizes);
  return learned;
}

}  // namespace verify
