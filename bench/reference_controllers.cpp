// How the reference controllers scale: response space, LQR, ERM and ridge, from p = 110 to
// p = 984,000 free entries. Table on stdout, JSON to the path given.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "loopcert/core/file.hpp"
#include "loopcert/response/lqr.hpp"
#include "loopcert/risk/minimizers.hpp"
#include "measure.hpp"
#include "random_problem.hpp"

namespace loopcert::bench {
namespace {

constexpr double gamma = 0.01;
constexpr double MiB = 1 << 20;

struct Case {
  std::string method;
  std::function<double()> work;
};

struct Row {
  std::string method;
  Sizes sizes;
  Index p = 0;
  double rate = 0;  // of the machine, just before
  Measured<> measured;

  double d_w() const { return static_cast<double>(sizes.d_w()); }
  double products() const { return measured.seconds / (2 * d_w() * d_w() * d_w() / rate); }
  double memory_multiple() const { return measured.peak_bytes / (8 * d_w() * d_w()); }
  // Below that the pages of the program itself are all one sees.
  bool memory_shows() const { return 8 * d_w() * d_w() > MiB; }
};

std::vector<Row> measure_size(const Sizes& sizes) {
  const System system = random_system(sizes, 1);
  const ResponseSpace space = make_response_space(system, {});
  const Matrix Sigma = white_sample_moment(sizes, 1);
  const std::vector<Case> cases = {
      {"space", [&] { return make_response_space(system, {}).P(0, 0); }},
      {"lqr", [&] { return lqr_response(system, lqr_gains(system)).Phi_u(0, 0); }},
      {"erm", [&] { return minimize_risk(space, Sigma).Z(0, 0); }},
      {"ridge",
       [&] {
         const RidgeResult result = ridge(space, Sigma, gamma);
         if (!result.converged) throw std::runtime_error("ridge did not converge");
         return static_cast<double>(result.iterations);
       }},
  };
  const double rate = product_rate();
  std::vector<Row> rows;
  for (const Case& c : cases) rows.push_back({c.method, sizes, space.p(), rate, measure(c.work)});
  return rows;
}

void print_row(const Row& row) {
  const bool iterative = row.method == "ridge";
  fmt::print("{:<7}{:>4}{:>4}{:>4}{:>8}{:>6}{:>11.3g}{:>10.3g}{:>9.1f}{:>9}{:>6}\n", row.method,
             row.sizes.n_x, row.sizes.n_u, row.sizes.T, row.p, row.sizes.d_w(),
             row.measured.seconds, row.products(), row.measured.peak_bytes / MiB,
             row.memory_shows() ? fmt::format("{:.1f}", row.memory_multiple()) : "-",
             iterative ? fmt::format("{:.0f}", row.measured.answer) : "-");
  std::fflush(stdout);
}

nlohmann::json row_to_json(const Row& row) {
  nlohmann::json json = {{"method", row.method},
                         {"n_x", row.sizes.n_x},
                         {"n_u", row.sizes.n_u},
                         {"T", row.sizes.T},
                         {"p", row.p},
                         {"d_w", row.sizes.d_w()},
                         {"seconds", row.measured.seconds},
                         {"repeats", row.measured.repeats},
                         {"matrix_products", row.products()},
                         {"product_gflops", row.rate / 1e9},
                         {"peak_mib", row.measured.peak_bytes / MiB},
                         {"peak_over_d_w_squared", nullptr}};
  if (row.memory_shows()) json["peak_over_d_w_squared"] = row.memory_multiple();
  if (row.method == "ridge") json["iterations"] = row.measured.answer;
  return json;
}

// Least-squares slope of log seconds over log p.
double growth_exponent(const std::vector<Row>& rows) {
  Matrix X(static_cast<Index>(rows.size()), 2);
  Vector y(X.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    const Row& row = rows[static_cast<size_t>(i)];
    X.row(i) << 1, std::log(static_cast<double>(row.p));
    y(i) = std::log(row.measured.seconds);
  }
  const Matrix normal = X.transpose() * X;
  return (normal.inverse() * X.transpose() * y)(1);
}

void run(const std::filesystem::path& output) {
  nlohmann::json json = {{"gamma", gamma}, {"rows", nlohmann::json::array()}};
  std::map<std::string, std::vector<Row>> by_method;
  double slowest = INFINITY, fastest = 0;
  fmt::print("{:<7}{:>4}{:>4}{:>4}{:>8}{:>6}{:>11}{:>10}{:>9}{:>9}{:>6}\n", "method", "n_x", "n_u",
             "T", "p", "d_w", "seconds", "products", "MiB", "x d_w^2", "iter");
  for (const Sizes& sizes : {Sizes{2, 1, 10}, {4, 2, 20}, {12, 4, 50}, {60, 20, 40}})
    for (const Row& row : measure_size(sizes)) {
      print_row(row);
      json["rows"].push_back(row_to_json(row));
      by_method[row.method].push_back(row);
      slowest = std::min(slowest, row.rate);
      fastest = std::max(fastest, row.rate);
    }
  fmt::print("\nmatrix product (n = 1500, one thread): {:.1f} to {:.1f} Gflop/s\n", slowest / 1e9,
             fastest / 1e9);
  fmt::print("\nseconds ~ p^e      e over all sizes    e over the last two\n");
  for (const auto& [method, rows] : by_method) {
    const double all = growth_exponent(rows);
    const double last = growth_exponent({rows.end() - 2, rows.end()});
    fmt::print("{:<13}{:>22.2f}{:>23.2f}\n", method, all, last);
    json["growth_exponents"][method] = {{"all_sizes", all}, {"last_two", last}};
  }
  make_directory(output.parent_path().empty() ? "." : output.parent_path());
  write_file(output, json.dump(2) + "\n");
}

}  // namespace
}  // namespace loopcert::bench

int main(int argc, char** argv) {
  try {
    loopcert::bench::run(argc > 1 ? argv[1] : "build/bench/reference_controllers.json");
  } catch (const std::exception& error) {
    fmt::print(stderr, "reference_controllers: {}\n", error.what());
    return 1;
  }
}
