// What `loopcert evaluate --json` prints.
#include "certificate/record_json.hpp"
#include "workflow/evaluate_run.hpp"

namespace loopcert {

nlohmann::json evaluation_to_json(const Evaluation& evaluation) {
  using nlohmann::json;
  const auto number = [](const std::optional<double>& x) { return x ? json(*x) : json(); };
  json bounds = json::array();
  for (const BoundAt& b : evaluation.bounds) {
    json row = {{"kind", b.kind}, {"missing", b.missing.empty() ? json() : json(b.missing)}};
    row["certificate"] = b.certificate ? certificate_to_json(*b.certificate) : json();
    if (b.certificate)
      row.update({{"rate", b.rate},
                  {"psi", b.psi},
                  {"prior_scale", b.prior_scale},
                  {"C", number(b.C)},
                  {"mean_term", number(b.mean_term)},
                  {"cumulant", number(b.cumulant)},
                  {"quadratic", number(b.quadratic)}});
    bounds.push_back(std::move(row));
  }
  json law;
  if (const auto& l = evaluation.law)
    law = {{"population_cost", l->risk},
           {"sensitivity", l->sensitivity},
           {"phi", number(l->phi)},
           {"lambda_end", number(l->end)},
           {"lambda_end_missing", l->end_missing.empty() ? json() : json(l->end_missing)},
           {"pointwise_radius", l->radius}};
  return {{"status", "done"},      {"n", evaluation.n},
          {"p", evaluation.p},     {"bounds", std::move(bounds)},
          {"law", std::move(law)}, {"warnings", warnings_to_json(evaluation.warnings)}};
}

}  // namespace loopcert
