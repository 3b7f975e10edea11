// Costs that a watch takes in a second: alone, and from the lines of a file, beside a CUSUM that
// knows the law before and after, and beside reading the lines. Table on stdout, JSON to the path
// given.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

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

// What a test costs that knows both laws, here costs that become half as large again: one sum.
double cusum(const std::vector<double>& costs) {
  double sum = 0, largest = 0;
  const double slope = 2 * (1 - 1 / 1.5), constant = -2 * std::log(1.5);
  for (const double cost : costs) {
    sum = std::max(sum, 0.0) + constant + slope * cost;
    largest = std::max(largest, sum);
  }
  return largest;
}

// Lines of a file as numbers, and no more.
double sum_of_lines(const std::filesystem::path& path) {
  std::ifstream file(path);
  double sum = 0;
  for (std::string line; std::getline(file, line);) sum += std::strtod(line.c_str(), nullptr);
  return sum;
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
  const auto lines = [&] {
    Watch watch({1.1, 0.01});
    LineFeed feed(path);
    watch_costs(watch, feed, {});
    evidence += watch.state().evidence;
  };
  const auto times =
      take_turns({[&] { alone(0); }, [&] { alone(4); }, lines, [&] { evidence += cusum(costs); },
                  [&] { evidence += sum_of_lines(path); }});
  std::filesystem::remove(path);
  Json rows = Json::array();
  const char* const names[] = {"any law", "with degrees", "from lines", "CUSUM", "getline, strtod"};
  const double cusum_cpu = times[3].cpu, reading_cpu = times[4].cpu;
  fmt::print("{:>16}{:>16}{:>10}{:>18}\n", "watch", "costs a second", "/ CUSUM", "/ reading lines");
  for (size_t i = 0; i < times.size(); ++i) {
    const double cpu = times[i].cpu, rate = static_cast<double>(count) / cpu;
    fmt::print("{:>16}{:>16.3g}{:>10.2f}{:>18.2f}\n", names[i], rate, cpu / cusum_cpu,
               cpu / reading_cpu);
    rows.push_back({{"watch", names[i]},
                    {"costs_per_second", rate},
                    {"over_cusum", cpu / cusum_cpu},
                    {"over_reading_lines", cpu / reading_cpu}});
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
