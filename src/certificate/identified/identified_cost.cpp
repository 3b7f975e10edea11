#include "certificate/identified_cost.hpp"

#include <cmath>

#include "certificate/bound.hpp"

namespace loopcert {
namespace {

// Larger loops are not expanded: the matrices grow with the square of the steps.
constexpr Index most_entries = 3000;

std::optional<Expansion> expansion_of(const IdentifiedPlant& plant, const Gains& gains,
                                      double enough) {
  const EstimatedLoop& loop = plant.loop;
  if (loop.T * (loop.model.n_v() + loop.model.n_r()) > most_entries) return std::nullopt;
  try {
    return expand(interconnection_of(loop, gains, plant.set.U_v, plant.U_0), plant.set, enough);
  } catch (const NotProved&) {
    return std::nullopt;
  }
}

std::optional<IdentifiedBound> finite_bound(const IdentifiedPlant& plant, const Gains& gains,
                                            std::optional<double> tau) {
  std::optional<RiccatiBound> riccati;
  if (!tau)
    riccati = riccati_bound(plant.loop, gains, plant.set, plant.U_0);
  else if (const auto value = riccati_cost(plant.loop, gains, plant.set, plant.U_0, *tau))
    riccati = RiccatiBound{*value, *tau};
  const std::optional<Expansion> expansion =
      expansion_of(plant, gains, riccati ? riccati->value : INFINITY);
  if (!riccati && !expansion) return std::nullopt;
  IdentifiedBound bound;
  bound.gains = gains;
  bound.nominal = nominal_cost(plant.loop, gains, plant.set.U_v, plant.U_0);
  if (!expansion || (riccati && riccati->value <= expansion->value())) {
    bound.bound = "riccati";
    bound.value = riccati->value;
    bound.tau = riccati->tau;
  } else {
    bound.bound = "expansion";
    bound.value = expansion->value();
    bound.nu = expansion->nu;
  }
  return std::isfinite(bound.value) ? std::optional(bound) : std::nullopt;
}

IdentifiedBound of_average(const IdentifiedPlant& plant, const Matrix& K, AverageBound average) {
  IdentifiedBound bound;
  bound.bound = "riccati";
  bound.value = average.value;
  // A loop that every plant of the set stabilizes is one of the estimate too.
  bound.nominal = nominal_average(plant.loop, K, plant.set.U_v).value_or(average.value);
  bound.tau = average.tau;
  bound.rise = average.rise;
  bound.P = std::move(average.P);
  bound.gains = {K};
  return bound;
}

IdentifiedBound of_expansion(const Matrix& K, AverageExpansion found) {
  IdentifiedBound bound;
  bound.bound = "expansion";
  bound.value = found.value();
  bound.nominal = found.nominal;
  bound.nu = found.nu;
  bound.reply = std::move(found.reply);
  bound.cost_gain = std::move(found.cost);
  bound.gains = {K};
  return bound;
}

std::optional<IdentifiedBound> infinite_bound(const IdentifiedPlant& plant, const Matrix& K) {
  std::optional<AverageBound> riccati = average_bound(plant.loop, K, plant.set);
  std::optional<AverageExpansion> expansion = expand_average(plant.loop, K, plant.set);
  if (expansion && !(riccati && riccati->value <= expansion->value()))
    return of_expansion(K, std::move(*expansion));
  if (riccati) return of_average(plant, K, std::move(*riccati));
  return std::nullopt;
}

}  // namespace

std::optional<IdentifiedBound> bound_identified(const IdentifiedPlant& plant, const Gains& gains) {
  if (plant.loop.T > 0) return finite_bound(plant, gains, std::nullopt);
  return infinite_bound(plant, gains.at(0));
}

std::optional<IdentifiedBound> bound_identified_at(const IdentifiedPlant& plant,
                                                   const IdentifiedBound& numbers) {
  const Matrix& K = numbers.gains.at(0);
  if (numbers.bound == "difference")
    return bound_difference_at(plant, numbers.gains, numbers.tau, numbers.below);
  if (plant.loop.T > 0)
    return finite_bound(plant, numbers.gains,
                        numbers.bound == "riccati" ? std::optional(numbers.tau) : std::nullopt);
  if (numbers.bound == "expansion") {
    auto found = expand_average_at(plant.loop, K, plant.set, numbers.reply, numbers.cost_gain);
    return found ? std::optional(of_expansion(K, std::move(*found))) : std::nullopt;
  }
  AverageBound average{0, numbers.tau, numbers.rise, numbers.P};
  const auto value = average_cost_at(plant.loop, K, plant.set, average);
  if (!value) return std::nullopt;
  average.value = *value;
  return of_average(plant, K, std::move(average));
}

Certificate identified_certificate(const Problem& problem, const IdentifiedPlant& plant,
                                   const IdentifiedBound& bound) {
  const ModelOptions& options = *problem.model;
  const auto count = [](Index value) { return static_cast<double>(value); };
  Certificate c;
  const bool difference = bound.bound == "difference";
  c.kind = difference ? improvement_kind : identified_kind_name(problem);
  c.functional = {difference ? "cost-difference" : options.infinite ? "average-cost" : "cost"};
  c.value = bound.value;
  c.terms = {{"nominal", bound.nominal}, {"model-error", bound.value - bound.nominal}};
  c.events = {
      {"model", plant.delta.at("model"), {"model-ellipsoid", {{"beta", plant.set.beta}}}},
      {"noise",
       plant.delta.at("noise"),
       {"noise-floor", {{"transitions", count(plant.set.transitions)}, {"q", plant.set.q}}}}};
  if (!options.infinite)
    c.events.push_back(
        {"start", plant.delta.at("start"), {"start-state-floor", {{"q", plant.start_floor}}}});
  if (difference) {
    c.events.push_back({"noise-upper",
                        plant.delta.at("noise-upper"),
                        {"noise-ceiling", {{"q", plant.noise_ceiling}}}});
    c.events.push_back({"start-upper",
                        plant.delta.at("start-upper"),
                        {"start-state-ceiling", {{"q", plant.start_ceiling}}}});
  }
  c.confidence = confidence_of(c.events);
  c.assumptions = {{options.lags == 1 ? "linear-plant" : "linear-outputs",
                    options.lags == 1
                        ? std::map<std::string, double>{}
                        : std::map<std::string, double>{{"lags", count(options.lags)}}}};
  if (!options.rows.empty())
    c.assumptions.push_back(
        {"known-rows", {{"known", count(plant.model.n_y - plant.model.n_v())}}});
  c.assumptions.push_back({"innovations"});
  c.assumptions.push_back({"inputs-causal"});
  if (!options.infinite) {
    c.assumptions.push_back({"starts"});
    c.assumptions.push_back({"episodes-apart"});
  }
  c.assumptions.push_back({"same-plant"});
  c.n = plant.n;
  check_certificate(c);
  return c;
}

}  // namespace loopcert
