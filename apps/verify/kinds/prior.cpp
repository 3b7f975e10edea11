#include "kinds/prior.hpp"

#include <algorithm>

namespace verify {

// What the user gave is in the problem, whatever else the file holds.
static void add_given(const json& named, Arrays& arrays) {
  for (const auto& [key, name] : {std::pair{"mean", "center"},
                                  {"deviation", "prior_deviation"},
                                  {"rows", "prior_rows"},
                                  {"columns", "prior_columns"},
                                  {"full", "prior_full"}})
    if (const auto found = named.find(key); found != named.end()) {
      const long rows = std::ssize(*found), cols = rows > 0 ? std::ssize((*found)[0]) : 0;
      arrays[name] = matrix_of(*found, rows, cols, std::string("learning.prior.") + key);
    } else if (std::string(name) != "center") {
      arrays.erase(name);
    }
}

Learned read_posterior(const Record& record, const Space& space, const Response& deployed) {
  const json& named = record.problem.option("/learning/prior");
  const json& used = record.inputs.at("prior");
  Arrays arrays = read_beside(record, "posterior", parse_npz);
  add_given(named, arrays);
  const Mat mean = read_array(arrays, "mean", space), free = space.free_entries();
  require_equal(deployed.U, space.inputs(mean), "the posterior's mean");
  const double scale = used.at("scale").get<double>();
  Learned learned{mean,
                  Mat(mean.rows(), mean.cols()),
                  {free, read_array(arrays, "variance", space)},
                  {free, Ball(scale) * scale * free}};
  const std::string center = used.at("center").get<std::string>();
  const std::string covariance = used.value("covariance", "isotropic");
  if (center != named.at("center") || covariance != named.value("covariance", "isotropic"))
    throw Refuted{"prior: its center or covariance is not the one that the problem names"};
  if (center == "given" && !named.contains("mean")) throw Refuted{"prior: no mean is given"};
  if (center == "split" || center == "given")  // from data that do not certify, or from none
    learned.center = read_array(arrays, "center", space);
  else if (center == "lqr")
    learned.center = space.coordinates(lqr_response(record.problem).U - space.start.U);
  else if (center != "start")
    throw Refuted{"prior: center " + word(center) + " is unknown to the checker"};
  learned.from_grid = named.at("scale") == "grid" && used.value("grid", json()) == json(grid) &&
                      std::find(grid.begin(), grid.end(), scale) != grid.end();
  if (!learned.from_grid && (named["scale"] != used["scale"] || used.contains("grid")))
    throw Refuted{"prior: its scale is not the one that the problem names"};
  if (!(scale > 0)) throw Refuted{"prior: its scale is not positive"};
  learned.given = center == "given" || (covariance != "isotropic" && covariance != "cost");
  if (arrays.contains("turn") || arrays.contains("mix") || arrays.contains("full"))
    read_correlation(arrays, space, learned.posterior);
  if (covariance != "isotropic") read_correlation(arrays, space, covariance, learned.prior);
  return learned;
}

// The posterior is around what is deployed, and both are of one scale of the grid. A unit is
// sqrt(tr K/d_w/d_u), K the cost of LQR, and sigma_bar of it for the constant. Any will do; the
// recorded KL tells which.
Learned portfolio_posterior(const Record& record, const Space& space, const Mat& mean) {
  const Problem& p = record.problem;
  const Mat gram = cost_gram(p, space.start), free = space.free_entries();
  Gaussian around{free, (trace(gram) - gram(0, 0)) / p.d_w() / p.d_u() * free};
  set_block(around.V, 0, 0, scale_of(record) * block(around.V, 0, 0, p.d_u(), 1));
  const double distance = upper(gaussian_kl(free, mean, around.V, around.V)),
               kl = record.kl.value_or(0);
  double scale = grid[0];  // the smallest that the KL allows: for LQR itself it is zero for all
  for (const double s : grid)
    if (distance / (s * s) <= kl + 1e-9 * std::max(1.0, kl)) scale = s;
  around.V = Ball(scale) * scale * around.V;
  return {mean, Mat(mean.rows(), mean.cols()), around, around, true};
}

}  // namespace verify
