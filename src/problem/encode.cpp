#include "arrays.hpp"
#include "core/sha256.hpp"
#include "loopcert/problem/problem.hpp"
#include "problem/problem_json.hpp"
#include "sections.hpp"
#include "system/sound_cost.hpp"
#include "system/unseen.hpp"

namespace loopcert {
namespace {

using Json = nlohmann::json;

Json matrices(const std::vector<Matrix>& sequence) {
  if (sequence.size() == 1) return rows_from_matrix(sequence[0]);
  Json list = Json::array();
  for (const Matrix& matrix : sequence) list.push_back(rows_from_matrix(matrix));
  return list;
}

// The shortest of the forms a file may use, exact in each.
// Its symmetric part, as it is read back.
Json covariance(const Matrix& given) {
  const Matrix value = 0.5 * given + 0.5 * given.transpose();
  const Vector diagonal = value.diagonal();
  if (value != Matrix(diagonal.asDiagonal())) return rows_from_matrix(value);
  if ((diagonal.array() == diagonal(0)).all()) return diagonal(0);
  return list_from_vector(diagonal);
}

Json mean(const Vector& value) {
  if ((value.array() == value(0)).all()) return value(0);
  return list_from_vector(value);
}

// Outputs: the form of the file, so that a checker can derive G from it.
Json system_section(const Plant& plant) {
  if (!plant.form.empty()) return Json::parse(plant.form);
  const Index unseen = unseen_outputs(plant);
  Json section;
  if (plant.has_state())
    section = {{"A", matrices(plant.A)}, {"B", matrices(plant.B)}};
  else
    section["G"] = rows_from_matrix(unseen > 0 ? plant.G_x : plant.G);
  if (unseen > 0) section["test_only"] = unseen;
  if (plant.d.size() > 0) section["d"] = rows_from_matrix(plant.d.transpose());
  return section;
}

// As it is read back, so that a problem and its file have one hash.
Json cost_section(const Cost& given, const Plant& plant) {
  const Cost cost = sound_cost(given);
  Json section = {
      {"Q", matrices(cost.Q)}, {"R", matrices(cost.R)}, {"P", rows_from_matrix(cost.P)}};
  if (plant.G_x.size() > 0 && unseen_outputs(plant) == 0) section["of"] = "states";
  // Only where there is one: the hash of other problems stays what it was.
  if (cost.reference.size() > 0)
    section["reference"] = rows_from_matrix(cost.reference.transpose());
  return section;
}

// A plant that is identified says so.
void write_model(Json& tree, const Problem& problem) {
  if (!problem.model) return;
  tree["system"] = model_section(problem, tree["system"]);
  if (problem.limits) tree["limits"].erase("delta");
  if (!problem.model->infinite) return;
  tree["horizon"] = "infinite";
  tree["cost"].erase("P");
  if (problem.limits)
    for (Json& row : tree["limits"]["rows"]) row.erase("steps");
}

}  // namespace

Json response_section(const ResponseOptions& options) {
  Json section = {{"affine", options.affine},
                  {"start", start_name(options.start)},
                  {"basis", basis_name(options.basis)}};
  if (options.basis == Basis::given)
    section["basis_matrix"] = rows_from_matrix(options.basis_matrix);
  return section;
}

Json disturbance_section(const Assumptions& options) {
  Json section = {{"model", options.model},
                  {"white", options.white},
                  {"stationary", options.stationary},
                  {"zero_mean", options.zero_mean}};
  if (options.scale_bound) section["scale_bound"] = *options.scale_bound;
  if (options.covariance_bound) section["covariance_bound"] = covariance(*options.covariance_bound);
  if (options.covariance_radius) {
    section["covariance_radius"] = *options.covariance_radius;
    section["covariance_radius_delta"] = *options.covariance_radius_delta;
  }
  if (options.autoregressive) section["autoregressive"] = *options.autoregressive;
  if (options.radius) section["radius"] = *options.radius;
  if (options.kurtosis) section["kurtosis"] = *options.kurtosis;
  if (options.noise) section["measurement"] = covariance(options.noise->measurement);
  if (options.law) {
    const Law& stated = options.noise ? options.noise->states : *options.law;
    section["covariance"] = covariance(stated.covariance);
    section["mean"] = mean(stated.mean);
    // Only when it differs from the default: the hash of a Gaussian problem stays what it was.
    if (options.law->shape != LawShape::gaussian)
      section["distribution"] = law_shape_name(options.law->shape);
  }
  return section;
}

Json learning_section(const LearningOptions& options) {
  const Json gamma = options.gamma ? Json(*options.gamma) : Json("cv");
  const Json scale = options.prior_scale ? Json(*options.prior_scale) : Json("grid");
  Json prior = {{"center", options.prior_center},
                {"scale", scale},
                {"fraction", options.prior_fraction},
                {"method", options.prior_method}};
  // Only what differs from the default: the hash of other problems stays what it was.
  if (options.prior_covariance != "isotropic") prior["covariance"] = options.prior_covariance;
  const GivenPrior& given = options.prior_given;
  const std::pair<const char*, const Matrix&> matrices[] = {{"mean", given.mean},
                                                            {"deviation", given.deviation},
                                                            {"rows", given.rows},
                                                            {"columns", given.columns},
                                                            {"full", given.full}};
  for (const auto& [key, value] : matrices)
    if (value.size() > 0) prior[key] = rows_from_matrix(value);
  Json section = {{"method", options.method}, {"gamma", gamma}, {"prior", prior}};
  if (!options.posterior.empty()) section["posterior"] = options.posterior;
  return section;
}

Json certificate_section(const CertificateOptions& options) {
  Json section = {{"kind", options.kind}, {"fraction", options.fraction}, {"folds", options.folds}};
  if (options.delta) section["delta"] = *options.delta;
  for (const auto& [event, delta] : options.parts) section["delta"][event] = delta;
  return section;
}

Json problem_to_json(const Problem& problem) {
  Json tree = {{"name", problem.name},
               {"horizon", problem.system.plant.T},
               {"system", system_section(problem.system.plant)},
               {"cost", cost_section(problem.system.cost, problem.system.plant)},
               {"response", response_section(problem.response)},
               {"disturbance", disturbance_section(problem.disturbance)},
               {"learning", learning_section(problem.learning)},
               {"certificate", certificate_section(problem.certificate)}};
  if (problem.limits) tree["limits"] = limits_section(*problem.limits);
  if (problem.baseline) tree["baseline"] = baseline_section(*problem.baseline);
  write_model(tree, problem);
  // How files were read does not change a problem: the hash of one without [data] stays what it
  // was.
  if (!problem.data.is_default()) tree["data"] = data_section(problem.data);
  return tree;
}

std::string problem_hash(const Problem& problem) {
  return sha256_hex(problem_to_json(problem).dump());
}

}  // namespace loopcert
