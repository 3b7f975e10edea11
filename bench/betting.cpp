// The bound of a bettor for costs of any law, beside what else is done with as many numbers: the
// bound of a coin with the same mean, which reads them once, and sorting them. Table on stdout,
// JSON to the path given.
#include "measurement/betting.hpp"

#include <algorithm>

#include "certificate/bernoulli.hpp"
#include "loopcert/core/random.hpp"
#include "table.hpp"

namespace loopcert::bench {
namespace {

constexpr double delta = 0.05;

// Costs of four Gaussian numbers, none above the largest.
Vector costs_up_to_one(Index n) {
  constexpr double largest = 20;
  const Matrix g = standard_normal_rows({1, 2}, 0, n, 4);
  return (g.rowwise().squaredNorm() / largest).cwiseMin(1.0);
}

Json measure(Index n) {
  const Vector costs = costs_up_to_one(n);
  double betting = 0, coin = 0, smallest = 0;
  const auto times = take_turns(
      {[&] { betting = betting_upper(costs, delta); },
       [&] { coin = kl_upper(costs.mean(), std::log(1 / delta) / static_cast<double>(n)); },
       [&] {
         Vector sorted = costs;
         std::sort(sorted.begin(), sorted.end());
         smallest = sorted(0);
       }});
  if (!(betting > costs.mean() && coin > costs.mean() && smallest >= 0))
    throw std::runtime_error("a bound below the mean");
  const auto count = static_cast<double>(n);
  const double margins = (betting - costs.mean()) / (coin - costs.mean());
  fmt::print("{:>8}{:>14.3g}{:>14.3g}{:>10.3g}{:>11.2f}{:>14.2f}\n", n, times[0].cpu,
             count / times[0].cpu, times[0].cpu / times[1].cpu, times[0].cpu / times[2].cpu,
             margins);
  std::fflush(stdout);
  return {{"n", n},
          {"cpu_seconds", times[0].cpu},
          {"costs_per_second", count / times[0].cpu},
          {"over_coin", times[0].cpu / times[1].cpu},
          {"over_sorting", times[0].cpu / times[2].cpu},
          {"margin_over_coin", margins}};
}

Json run(bool quick) {
  Json json;
  fmt::print("{:>8}{:>14}{:>14}{:>10}{:>11}{:>14}\n", "costs", "s of CPU", "costs/s", "/ coin",
             "/ sorting", "margin / coin");
  for (const Index n : {1'000, 10'000, 100'000}) json["betting"].push_back(measure(n));
  if (!quick) json["betting"].push_back(measure(1'000'000));
  return json;
}

}  // namespace
}  // namespace loopcert::bench

int main(int argc, char** argv) {
  return loopcert::bench::run_program(argc, argv, "betting", loopcert::bench::run);
}
