// Optimizers on our own objective: how many evaluations each needs to come within 1e-8 of the
// smallest bound that any of them found. Table on stdout, JSON to the path given.
#include "candidates.hpp"
#include "learning/pac_bayes.hpp"
#include "table.hpp"

namespace loopcert::bench {
namespace {

constexpr double accuracy = 1e-8;  // relative, of the bound

struct Case {
  std::string name;
  Sizes sizes;  // the paper's plant, or a random one
  Index n;
  std::uint64_t seeds;
};

const std::vector<Case> cases = {{"double integrator", state_feedback(2, 1, 10), 10, 20},
                                 {"double integrator", state_feedback(2, 1, 10), 20, 20},
                                 {"double integrator", state_feedback(2, 1, 10), 40, 20},
                                 {"double integrator", state_feedback(2, 1, 10), 100, 20},
                                 {"double integrator", state_feedback(2, 1, 10), 400, 20},
                                 {"random plant", state_feedback(4, 2, 20), 60, 5}};

LearningProblem make_problem(const Case& c, std::uint64_t seed) {
  const bool paper = c.sizes.T == 10;
  return learning_problem(paper ? double_integrator() : random_system(c.sizes, seed), c.n, seed);
}

// Of one candidate on one case.
struct Score {
  Candidate candidate;
  std::vector<double> to_reach{}, total{}, time_ratio{};
  int failures = 0;   // never came that close
  int undefined = 0;  // evaluations where the bound was not finite
  std::string end{};  // of the last seed
};

double median(std::vector<double> values) {
  if (values.empty()) return NAN;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double largest(const std::vector<double>& values) {
  return values.empty() ? NAN : *std::max_element(values.begin(), values.end());
}

// Where minimize_bound starts.
Posterior starting_posterior(const LearningProblem& problem) {
  PacBayesOptions options;
  options.max_iterations = 0;
  return minimize_bound(problem.space.cost, problem.inputs, problem.prior, options).posterior;
}

double best_value(const LearningProblem& problem, const std::vector<Trace>& traces) {
  PacBayesOptions exact;
  exact.gradient_tolerance = 1e-11;
  double best =
      minimize_bound(problem.space.cost, problem.inputs, problem.prior, exact).bound.value;
  for (const Trace& trace : traces)
    for (const double value : trace.values) best = std::min(best, value);
  return best;
}

void run_seed(const Case& c, std::uint64_t seed, std::vector<Score>& scores) {
  const LearningProblem problem = make_problem(c, seed);
  const Posterior start = starting_posterior(problem);
  std::vector<Trace> traces;
  for (const Score& score : scores)
    traces.push_back(run_candidate(score.candidate, problem, start));
  const double goal = best_value(problem, traces) * (1 + accuracy);

  double ours = NAN;  // seconds to the goal
  for (size_t i = 0; i < scores.size(); ++i) {
    const Trace& trace = traces[i];
    Score& score = scores[i];
    score.total.push_back(static_cast<double>(trace.values.size()));
    score.undefined += trace.undefined;
    score.end = trace.end;
    const auto reached = std::find_if(trace.values.begin(), trace.values.end(),
                                      [&](double value) { return value <= goal; });
    if (reached == trace.values.end()) {
      ++score.failures;
      continue;
    }
    const auto at = reached - trace.values.begin();
    const double seconds = trace.seconds[static_cast<size_t>(at)];
    if (i == 0) ours = seconds;
    score.to_reach.push_back(static_cast<double>(at + 1));
    score.time_ratio.push_back(seconds / ours);
  }
}

std::vector<Score> run_case(const Case& c) {
  std::vector<Score> scores;
  const Index p = parameters(c.sizes);
  for (const Candidate& candidate : candidates())
    if (p <= candidate.largest_p) scores.push_back({candidate});
  for (std::uint64_t seed = 0; seed < c.seeds; ++seed) run_seed(c, seed, scores);
  return scores;
}

std::string number(double value, int digits = 0) {
  return std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, digits);
}

std::string coordinates_name(const Score& score) {
  return score.candidate.coordinates == Coordinates::scaled ? "scaled" : "plain";
}

void print_case(const Case& c, const std::vector<Score>& scores) {
  fmt::print("\n{}, p = {}, n = {}, {} seeds\n", c.name, parameters(c.sizes), c.n, c.seeds);
  fmt::print("{:<15}{:<12}{:>8}{:>8}{:>9}{:>9}{:>9}\n", "optimizer", "coordinates", "reach",
             "(max)", "total", "failed", "time");
  for (const Score& score : scores)
    fmt::print("{:<15}{:<12}{:>8}{:>8}{:>9}{:>9}{:>9}\n", score.candidate.name,
               coordinates_name(score), number(median(score.to_reach)),
               number(largest(score.to_reach)), number(median(score.total)), score.failures,
               number(median(score.time_ratio), 2));
  std::fflush(stdout);
}

Json case_to_json(const Case& c, const std::vector<Score>& scores) {
  Json rows = Json::array();
  for (const Score& score : scores)
    rows.push_back({{"optimizer", score.candidate.name},
                    {"coordinates", coordinates_name(score)},
                    {"evaluations_to_reach", score.to_reach},
                    {"evaluations_total", score.total},
                    {"time_over_ours", score.time_ratio},
                    {"failures", score.failures},
                    {"undefined_evaluations", score.undefined},
                    {"last_end", score.end}});
  Json json = size_json(c.sizes);
  json.update({{"name", c.name},
               {"n", c.n},
               {"seeds", c.seeds},
               {"accuracy", accuracy},
               {"optimizers", rows}});
  return json;
}

Json run(bool quick) {
  Json json;
  for (Case c : cases) {
    if (quick) c.seeds = std::min<std::uint64_t>(c.seeds, 3);
    const std::vector<Score> scores = run_case(c);
    print_case(c, scores);
    json["cases"].push_back(case_to_json(c, scores));
  }
  return json;
}

}  // namespace
}  // namespace loopcert::bench

int main(int argc, char** argv) {
  return loopcert::bench::run_program(argc, argv, "optimizers", loopcert::bench::run);
}
