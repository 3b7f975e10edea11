// Plants that are identified: what a certificate costs beside the cost of the estimate alone, and
// what identification from many transitions costs beside one Gram matrix of the same numbers and
// beside a least-squares solver. Tables on stdout, JSON to the path given.
#include <Eigen/QR>

#include "core/product.hpp"
#include "learning/identified_design.hpp"
#include "problem/problem_json.hpp"
#include "random_problem.hpp"
#include "table.hpp"

namespace loopcert::bench {
namespace {

std::vector<double> diagonal(const Matrix& weight) {
  const Vector values = weight.diagonal();
  return {values.begin(), values.end()};
}

// Nothing is known of the plant but its sizes; T = 0: for ever.
Problem unknown_plant(const System& system, Index T) {
  const Plant& plant = system.plant;
  Json tree = {{"system",
                {{"identify", true}, {"states", plant.A[0].rows()}, {"inputs", plant.B[0].cols()}}},
               {"cost", {{"Q", diagonal(system.cost.Q[0])}, {"R", diagonal(system.cost.R[0])}}}};
  tree["horizon"] = T == 0 ? Json("infinite") : Json(T);
  return problem_from_json(tree);
}

// White inputs and innovations of variance 1, from rest.
Logs white_logs(const Plant& plant, Index episodes, Index steps) {
  Logs logs;
  for (Index i = 0; i < episodes; ++i) {
    const auto stream = static_cast<std::uint64_t>(i);
    LogEpisode log{Matrix::Zero(steps + 1, plant.A[0].rows()), {}};
    log.u = standard_normal_rows({2 * stream, 7}, 0, steps, plant.B[0].cols());
    const Matrix v = standard_normal_rows({2 * stream + 1, 7}, 0, steps + 1, plant.A[0].rows());
    log.y.row(0) = v.row(steps);
    for (Index t = 0; t < steps; ++t)
      log.y.row(t + 1) =
          log.y.row(t) * plant.A[0].transpose() + log.u.row(t) * plant.B[0].transpose() + v.row(t);
    logs.push_back(std::move(log));
  }
  return logs;
}

std::string text_of(const std::optional<IdentifiedBound>& bound) {
  return bound ? fmt::format("{:.2f} {}", bound->value / bound->nominal, bound->bound) : "none";
}

// --- one certificate ----------------------------------------------------------------------------

Json measure_certificate(const Sizes& sizes, Index episodes) {
  const System system = random_system(sizes, 1);
  const Problem problem = unknown_plant(system, sizes.T);
  const Logs logs = white_logs(system.plant, episodes, sizes.T);
  const IdentifiedPlant plant = identify_plant(problem, logs);  // from now on its floors are known
  const Gains gains = certainty_equivalence(plant.loop);
  std::optional<IdentifiedBound> bound;
  double cost = 0;
  const auto times = take_turns(
      {[&] { cost += nominal_cost(plant.loop, gains, plant.set.U_v, plant.U_0); },
       [&] { bound = bound_identified(plant, gains); },
       [&] { cost += riccati_bound(plant.loop, gains, plant.set, plant.U_0).has_value(); },
       [&] { cost += static_cast<double>(guaranteed_gains(plant).has_value()); },
       [&] { cost += identify_plant(problem, logs).set.beta; }});
  const double nominal = times[0].cpu;
  fmt::print("{:>4}{:>4}{:>4}{:>8}{:>11.3g}{:>11.3g}{:>8.0f}{:>11.3g}{:>11.3g}{:>11.3g}  {}\n",
             sizes.n_x, sizes.n_u, sizes.T, episodes, nominal, times[1].cpu, times[1].cpu / nominal,
             times[2].cpu, times[3].cpu, times[4].cpu, text_of(bound));
  std::fflush(stdout);
  return {{"n_x", sizes.n_x},        {"n_u", sizes.n_u},           {"T", sizes.T},
          {"episodes", episodes},    {"nominal", nominal},         {"certificate", times[1].cpu},
          {"riccati", times[2].cpu}, {"guaranteed", times[3].cpu}, {"identify", times[4].cpu}};
}

// --- many transitions ---------------------------------------------------------------------------

// r and y side by side, a column for each transition.
Matrix stacked(const LogEpisode& log) {
  const Index N = log.steps(), n_y = log.y.cols(), n_u = log.u.cols();
  Matrix all(2 * n_y + n_u, N);
  all << log.y.topRows(N).transpose(), log.u.transpose(), log.y.bottomRows(N).transpose();
  return all;
}

struct Long {
  Time gram, solver, sums, identify, certificate, guaranteed;
  bool certified = false;
  double peak_bytes = 0;  // of identify
};

Json measure_long(Index n_x, Index n_u, Index N) {
  const System system = random_system(state_feedback(n_x, n_u, 1), 1);
  const Problem problem = unknown_plant(system, 0);
  const Logs logs = white_logs(system.plant, 1, N);
  const Matrix all = stacked(logs[0]);
  const Long found = in_child([&] {
    Long out;
    IdentifiedPlant plant;
    out.peak_bytes = peak_bytes_of([&] { plant = identify_plant(problem, logs); });
    const Gains gains = guaranteed_gains(plant).value_or(certainty_equivalence(plant.loop));
    double sum = 0;
    Team alone(1);
    Matrix gram, solved;
    const auto by_tiles = [&] {
      product({all}, {all, true}, gram, false, TileRule{}, alone);
      sum += gram(0, 0);
    };
    const auto by_eigen = [&] { gram.noalias() = all * all.transpose(); };
    const auto by_solver = [&] {
      solved = Eigen::HouseholderQR<Matrix>(all.topRows(n_x + n_u).transpose())
                   .solve(Matrix(all.bottomRows(n_x).transpose()));
    };
    const auto times =
        take_turns({by_tiles, by_eigen, by_solver,
                    [&] { sum += sums_of(plant.model, logs, plant.pilot).rr(0, 0); },
                    [&] { sum += identify_plant(problem, logs).set.beta; },
                    [&] { out.certified = bound_identified(plant, gains).has_value(); },
                    [&] { sum += guaranteed_gains(plant).has_value() ? 1 : 0; }},
                   20);
    out.gram = faster(times[0], times[1]);
    out.solver = times[2];
    out.sums = times[3];
    out.identify = times[4];
    out.certificate = times[5];
    out.guaranteed = times[6];
    return out;
  });
  const double gram = found.gram.cpu;
  fmt::print("{:>4}{:>4}{:>8}{:>10.3g}{:>9.1f}{:>9.1f}{:>10.1f}{:>12.1f}{:>12.1f}{:>7}{:>8.0f}\n",
             n_x, n_u, N, gram, found.solver.cpu / gram, found.sums.cpu / gram,
             found.identify.cpu / gram, found.certificate.cpu / gram, found.guaranteed.cpu / gram,
             found.certified ? "yes" : "no", found.peak_bytes / MiB);
  std::fflush(stdout);
  return {{"n_x", n_x},
          {"n_u", n_u},
          {"N", N},
          {"gram", gram},
          {"solver", found.solver.cpu},
          {"sums", found.sums.cpu},
          {"identify", found.identify.cpu},
          {"certificate", found.certificate.cpu},
          {"guaranteed", found.guaranteed.cpu},
          {"certified", found.certified},
          {"peak_mib", found.peak_bytes / MiB}};
}

Json run(bool quick) {
  Json json;
  fmt::print("one certificate, finite horizon: CPU seconds\n");
  fmt::print("{:>4}{:>4}{:>4}{:>8}{:>11}{:>11}{:>8}{:>11}{:>11}{:>11}  {}\n", "n_x", "n_u", "T",
             "n", "nominal", "certified", "ratio", "riccati", "guarant.", "identify",
             "value / nominal");
  std::vector<std::pair<Sizes, Index>> sizes = {{state_feedback(2, 1, 10), 100},
                                                {state_feedback(4, 2, 25), 200},
                                                {state_feedback(8, 3, 25), 400},
                                                {state_feedback(12, 4, 25), 800}};
  if (!quick) sizes.emplace_back(state_feedback(50, 10, 25), 4000);
  for (const auto& [size, n] : sizes) json["certificate"].push_back(measure_certificate(size, n));
  fmt::print("\nmany transitions, for ever: Gram matrix in CPU seconds, the others in its units\n");
  fmt::print("{:>4}{:>4}{:>8}{:>10}{:>9}{:>9}{:>10}{:>12}{:>12}{:>7}{:>8}\n", "n_x", "n_u", "N",
             "gram", "QR", "sums", "identify", "certified", "guarant.", "bound", "MiB");
  for (const Index N : quick ? std::vector<Index>{10'000} : std::vector<Index>{10'000, 100'000})
    json["long"].push_back(measure_long(50, 10, N));
  return json;
}

}  // namespace
}  // namespace loopcert::bench

int main(int argc, char** argv) {
  return loopcert::bench::run_program(argc, argv, "identified", loopcert::bench::run);
}
