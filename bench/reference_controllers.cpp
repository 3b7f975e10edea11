// How the reference controllers scale: response space, LQR, ERM and ridge. Table on stdout, JSON to
// the path given.
#include "exponent.hpp"
#include "learning/minimizers.hpp"
#include "random_problem.hpp"
#include "response/lqr.hpp"
#include "response/space.hpp"
#include "table.hpp"

namespace loopcert::bench {
namespace {

constexpr double gamma = 0.01;

const std::vector<std::string> methods = {"space", "lqr", "erm", "ridge"};

// Of every method at one size.
struct Row {
  Sizes sizes;
  std::map<std::string, Measured<double>> measured{};
};

Row measure_size(const Sizes& sizes) {
  const System system = random_system(sizes, 1);
  const ResponseSpace space = make_response_space(system, {});
  const Matrix Sigma = white_sample_moment(sizes, 1);
  Row row{sizes};
  row.measured["space"] = measure([&] { return make_response_space(system, {}).cost.P(0, 0); });
  row.measured["lqr"] =
      measure([&] { return lqr_response(system, lqr_gains(system)).Phi_u(0, 0); });
  row.measured["erm"] = measure([&] { return minimize_risk(space.cost, Sigma).Z(0, 0); });
  row.measured["ridge"] = measure([&] {
    const RidgeResult result = ridge(space.cost, Sigma, gamma);
    if (!result.converged) throw std::runtime_error("ridge did not converge");
    return static_cast<double>(result.iterations);
  });
  return row;
}

// --- tables -------------------------------------------------------------------------------------

void print_header(const std::vector<std::string>& groups, const std::string& end = "") {
  fmt::print("{:27}", "");
  for (const std::string& group : groups) fmt::print("{:<9}{:27}", "", group);
  fmt::print("\n{}", size_header());
  for (size_t i = 0; i < groups.size(); ++i)
    for (const std::string& method : methods) fmt::print("{:>9}", method);
  fmt::print("{}\n", end);
}

void print_times(const Row& row) {
  fmt::print("{}", size_columns(row.sizes));
  for (const std::string& method : methods)
    fmt::print("{:>9.2g}", row.measured.at(method).time.cpu);
  for (const std::string& method : methods)
    fmt::print("{:>9.3g}", in_products(row.sizes, row.measured.at(method)));
  fmt::print("{:>6.0f}\n", row.measured.at("ridge").answer);
  std::fflush(stdout);
}

void print_memory(const Row& row) {
  fmt::print("{}", size_columns(row.sizes));
  const auto memory = [&](const std::string& method) {
    return Memory{row.measured.at(method).peak_bytes, row.sizes};
  };
  for (const std::string& method : methods) fmt::print("{:>9.1f}", memory(method).bytes / MiB);
  for (const std::string& method : methods) fmt::print("{:>9}", memory(method).multiple_text());
  for (const std::string& method : methods) fmt::print("{:>9}", memory(method).of_both_text());
  fmt::print("\n");
}

Json row_json(const Row& row, const std::string& method) {
  const Measured<double>& m = row.measured.at(method);
  Json json = measured_json(row.sizes, m);
  json["method"] = method;
  json["matrix_products"] = in_products(row.sizes, m);
  if (method == "ridge") json["iterations"] = m.answer;
  return json;
}

Json run(bool quick) {
  Json json = {{"gamma", gamma}};
  std::vector<Row> rows;
  std::map<std::string, std::vector<Timing>> timings;
  RateRange rates;
  print_header({"CPU seconds", "products"}, "  iter");
  for (const Sizes& sizes : sizes_to_measure(quick)) {
    rows.push_back(measure_size(sizes));
    print_times(rows.back());
  }
  fmt::print("\n");
  print_header({"MiB", "x ww", "x ww+uw"});
  for (const Row& row : rows) {
    print_memory(row);
    for (const std::string& method : methods) {
      timings[method].push_back({row.sizes, row.measured.at(method).time.cpu});
      rates.add(row.measured.at(method));
      json["rows"].push_back(row_json(row, method));
    }
  }
  rates.print();
  json["growth"] = print_growth(timings);
  return json;
}

}  // namespace
}  // namespace loopcert::bench

int main(int argc, char** argv) {
  return loopcert::bench::run_program(argc, argv, "reference_controllers", loopcert::bench::run);
}
