#include "arrays.hpp"
#include "core/text.hpp"
#include "data/law_of_outputs.hpp"
#include "loopcert/core/error.hpp"
#include "problem/names.hpp"
#include "sections.hpp"
#include "system/unseen.hpp"

namespace loopcert {

ResponseOptions decode_response(const Table& root) {
  const Table table = root.table("response", {"affine", "start", "basis", "basis_matrix"});
  ResponseOptions options;
  if (const auto node = table.find("affine")) options.affine = boolean(*node);
  if (const auto node = table.find("start"))
    options.start = start_from_name(choice(*node, {"min-norm", "lqr", "zero-input"}));
  if (const auto node = table.find("basis"))
    options.basis = basis_from_name(choice(*node, {"orthonormal", "input", "cost", "given"}));
  if (options.basis == Basis::given)
    options.basis_matrix = matrix_of(table.need("basis_matrix", "a lower triangular matrix"));
  else if (const auto node = table.find("basis_matrix"))
    refuse(*node, "nothing, or basis = \"given\"");
  return options;
}

void check_response(const Problem& problem) {
  const Plant& plant = problem.system.plant;
  const Assumptions& assumed = problem.disturbance;
  if (unseen_outputs(plant) > 0 && (assumed.white || assumed.stationary || assumed.autoregressive))
    throw InputError(
        "disturbance: white, stationary and autoregressive do not go together with "
        "system.test_only");
  if (unseen_outputs(plant) > 0 && problem.limits && problem.limits->robust)
    throw InputError("limits.robust: does not go together with system.test_only");
  if (plant.G_x.size() > 0 && unseen_outputs(plant) == 0 && !assumed.noise)
    throw InputError(
        "cost.of: the states are never measured, so no log says what they cost: it takes "
        "disturbance.covariance and disturbance.measurement, or a cost on the outputs");
  if (!problem.system.plant.has_state() && problem.response.start == Start::lqr)
    throw_input_error("response.start", "'lqr'",
                      "min-norm or zero-input: LQR needs the state, and only outputs are measured");
}

namespace {

// A smaller one would be lost in the confidence, which has twelve digits.
double failure_probability(const Node& node) {
  const double value = number(node);
  if (!(value >= 1e-10 && value < 1)) refuse(node, "a number between 1e-10 and 1");
  return value;
}

// At least one step must follow from those before it.
Index lags(const Node& node, const Sizes& sizes) {
  const Index value = integer(node);
  if (value < 1 || value >= sizes.T)
    refuse(node, "a number of steps, at least 1 and below the horizon");
  return value;
}

}  // namespace

Assumptions decode_disturbance(const Table& root, const Plant& plant) {
  const Sizes sizes = plant.sizes();
  const Table table =
      root.table("disturbance", {"model", "scale_bound", "covariance_bound", "covariance_radius",
                                 "covariance_radius_delta", "radius", "kurtosis", "white",
                                 "stationary", "zero_mean", "autoregressive", "covariance", "mean",
                                 "distribution", "measurement"});
  Assumptions options;
  if (const auto node = table.find("model"))
    options.model = choice(*node, {"gaussian", "bounded", "any"});
  if (const auto node = table.find("scale_bound")) options.scale_bound = positive_number(*node);
  if (const auto node = table.find("radius")) options.radius = positive_number(*node);
  if (const auto node = table.find("covariance_bound"))
    options.covariance_bound = decode_covariance_bound(*node, sizes);
  if (const auto node = table.find("covariance_radius")) {
    options.covariance_radius = positive_number(*node);
    table.need("covariance_radius_delta", "the probability that this radius fails");
  }
  if (const auto node = table.find("covariance_radius_delta")) {
    table.need("covariance_radius", "one in addition to its probability");
    options.covariance_radius_delta = failure_probability(*node);
  }
  if (const auto node = table.find("kurtosis")) {
    options.kurtosis = number(*node);
    if (!(*options.kurtosis >= 2))
      refuse(*node, "at least 2, the smallest possible for a law that varies");
  }
  if (const auto node = table.find("white")) options.white = boolean(*node);
  if (const auto node = table.find("stationary")) options.stationary = boolean(*node);
  if (const auto node = table.find("zero_mean")) options.zero_mean = boolean(*node);
  if (const auto node = table.find("autoregressive")) options.autoregressive = lags(*node, sizes);
  const std::optional<Node> mean = table.find("mean");
  const std::optional<Node> covariance = table.find("covariance");
  const std::optional<Node> measurement = table.find("measurement");
  if (measurement) {
    options.noise = decode_noise(*measurement, table, plant);
    options.law = law_of_outputs(plant, *options.noise);
  } else if (covariance) {
    if (unseen_outputs(plant) > 0 && covariance->value->is_object())
      refuse(*covariance,
             "a number, a list or a matrix: with system.test_only a trajectory has what the "
             "controller sees first");
    options.law = decode_law(*covariance, mean, sizes);
  } else if (mean) {
    table.need("covariance", "one in addition to the mean");
  }
  if (const auto node = table.find("distribution")) {
    const std::string shape = choice(*node, {"gaussian", "uniform"});
    table.need("covariance", "one in addition to the distribution");
    if (options.noise && shape == "uniform")
      refuse(*node, "\"gaussian\" beside disturbance.measurement");
    options.law->shape = shape == "uniform" ? LawShape::uniform : LawShape::gaussian;
  }
  return options;
}

namespace {

// A part of the data, with something left on either side.
double fraction(const Node& node) {
  const double value = number(node);
  if (!(value > 0 && value < 1)) refuse(node, "a number between 0 and 1");
  return value;
}

}  // namespace

namespace {

// Matrices of the user's own prior: each belongs to one choice of center or covariance.
void decode_given(const Table& prior, LearningOptions& options) {
  const auto take = [&](const char* key, bool wanted, bool optional, const char* choice,
                        Matrix& into) {
    const std::optional<Node> node = prior.find(key);
    if (node && !wanted) refuse(*node, std::string("nothing, or ") + choice);
    if (wanted && (node || !optional)) into = matrix_of(prior.need(key, "a matrix"));
  };
  GivenPrior& given = options.prior_given;
  const std::string& covariance = options.prior_covariance;
  take("mean", options.prior_center == "given", false, "center = \"given\"", given.mean);
  take("deviation", covariance == "diagonal", false, "covariance = \"diagonal\"", given.deviation);
  take("rows", covariance == "kronecker", false, "covariance = \"kronecker\"", given.rows);
  take("columns", covariance == "kronecker", true, "covariance = \"kronecker\"", given.columns);
  take("full", covariance == "full", false, "covariance = \"full\"", given.full);
}

}  // namespace

LearningOptions decode_learning(const Table& root) {
  const Table table = root.table("learning", {"method", "gamma", "posterior", "prior"});
  LearningOptions options;
  if (const auto node = table.find("method")) options.method = choice(*node, learning_methods());
  if (const auto node = table.find("gamma")) options.gamma = number_or_word(*node, "cv");
  if (const auto node = table.find("posterior"))
    options.posterior = choice(*node, posterior_family_names());
  const Table prior = table.table("prior", {"center", "scale", "fraction", "method", "covariance",
                                            "mean", "deviation", "rows", "columns", "full"});
  if (const auto node = prior.find("center"))
    options.prior_center = choice(*node, {"start", "lqr", "split", "given"});
  if (const auto node = prior.find("covariance"))
    options.prior_covariance =
        choice(*node, {"isotropic", "cost", "diagonal", "kronecker", "full"});
  decode_given(prior, options);
  if (const auto node = prior.find("scale")) options.prior_scale = number_or_word(*node, "grid");
  if (const auto node = prior.find("fraction")) options.prior_fraction = fraction(*node);
  if (const auto node = prior.find("method"))
    options.prior_method = choice(*node, learning_methods());
  return options;
}

CertificateOptions decode_certificate(const Table& root, const std::string& method) {
  const Table table = root.table("certificate", {"kind", "delta", "fraction", "folds"});
  CertificateOptions options;
  if (method == "auto") options.kind = "best";  // it chooses the controller, so let it choose
  if (const auto node = table.find("kind")) {
    options.kind = text(*node);
    if (options.kind.empty()) refuse(*node, "the name of a certificate");
  }
  if (const auto node = table.find("fraction")) options.fraction = fraction(*node);
  if (const auto node = table.find("folds")) {
    options.folds = integer(*node);
    if (options.folds < 2) refuse(*node, "at least 2");
  }
  const std::optional<Node> delta = table.find("delta");
  if (!delta) return options;
  if (delta->value->is_number()) {
    options.delta = failure_probability(*delta);
    return options;
  }
  const std::vector<std::string>& events = event_names();
  if (!delta->value->is_object()) refuse(*delta, "a number, or a table with " + join(events));
  const Table parts(*delta, events);
  double total = 0;
  for (const std::string& event : events) {
    const std::optional<Node> part = parts.find(event);
    if (!part) continue;
    options.parts.emplace_back(event, failure_probability(*part));
    total += options.parts.back().second;
  }
  if (options.parts.empty()) refuse(*delta, "some of " + join(events));
  if (!(total < 1)) throw_input_error(delta->path, "a sum of " + number_text(total), "less than 1");
  return options;
}

}  // namespace loopcert
