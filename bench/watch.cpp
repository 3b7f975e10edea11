// Costs that a watch takes in a second: alone, and from the lines of a file. Table on stdout, JSON
// to the path given.
#include <cmath>
#include <fstream>

#include "loopcert/core/random.hpp"
#include "loopcert/watch/watch.hpp"
#include "table.hpp"
#include "watch/watch_costs.hpp"

namespace loopcert::bench {
namespace {

constexpr Index count = 1'000'000;

std::vector<double> costs_of_mean_one() {
  const Matrix g = standard_normal_rows({1, 2}, 0, count, 4);
  std::vector<double> costs;
  for (Index i = 0; i < count; ++i) costs.push_back(g.row(i).squaredNorm() / 4);
  return costs;
}

Json run(bool) {
  const std::vector<double> costs = costs_of_mean_one();
  const auto path = std::filesystem::temp_directory_path() / "loopcert-bench-costs.csv";
  {
    std::ofstream file(path);
    file.precision(17);
    for (const double cost : costs) file << cost << '\n';
  }
  double evidence = 0;
  const auto alone = [&](double degrees) {
    Watch watch({1.1, 0.01, degrees});
    for (const double cost : costs) watch.update(cost);
    evidence += watch.state().evidence;
  };
  const auto times = take_turns({[&] { alone(0); }, [&] { alone(4); },
                                 [&] {
                                   Watch watch({1.1, 0.01});
                                   LineFeed lines(path);
                                   watch_costs(watch, lines, {});
                                   evidence += watch.state().evidence;
                                 }});
  std::filesystem::remove(path);
  Json rows = Json::array();
  const char* const names[] = {"any law", "with degrees", "from lines"};
  fmt::print("{:>14}{:>20}\n", "watch", "costs a second");
  for (size_t i = 0; i < times.size(); ++i) {
    const double rate = static_cast<double>(count) / times[i].cpu;
    fmt::print("{:>14}{:>20.3g}\n", names[i], rate);
    rows.push_back({{"watch", names[i]}, {"costs_per_second", rate}});
  }
  if (!(evidence >= 0)) throw std::runtime_error("no evidence");
  Json json;
  json["watch"] = rows;
  return json;
}

}  // namespace
}  // namespace loopcert::bench

int main(int argc, char** argv) {
  return loopcert::bench::run_program(argc, argv, "watch", loopcert::bench::run);
}
