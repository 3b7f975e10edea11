#include "model/linear_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "identified_plant.hpp"
#include "input_error.hpp"
#include "model/transitions.hpp"

namespace loopcert::testing {
namespace {

// y_{t+1} = c + A1 y_t + A2 y_{t-1} + B2 u_{t-1} + B1 u_t + v_t, written out.
struct TwoLags {
  Matrix A1, A2, B1, B2;
  Vector c;
};

LogEpisode log_of(const TwoLags& plant, const Stream& stream, std::uint64_t episode, Index steps,
                  Matrix& noise) {
  const Matrix z = standard_normal_rows(stream, 2 * episode, 1, (steps + 1) * 3);
  noise = 0.1 * standard_normal_rows(stream, 2 * episode + 1, steps, 2);
  LogEpisode log{Matrix::Zero(steps + 1, 2), Matrix::Zero(steps, 1)};
  for (Index t = 0; t < steps; ++t) log.u(t, 0) = z(0, t);
  log.y.row(0) << z(0, steps), z(0, steps + 1);
  log.y.row(1) << z(0, steps + 2), z(0, steps + 3);
  for (Index t = 1; t < steps; ++t)
    log.y.row(t + 1) =
        (plant.c + plant.A1 * log.y.row(t).transpose() + plant.A2 * log.y.row(t - 1).transpose() +
         plant.B1 * log.u.row(t).transpose() + plant.B2 * log.u.row(t - 1).transpose() +
         noise.row(t).transpose())
            .transpose();
  return log;
}

TEST(LinearModel, TwoLagsWithAnOffset) {
  const Stream stream = test_stream(1, 0);
  const Matrix z = 0.3 * standard_normal_rows(stream, 1000, 1, 14);
  const TwoLags plant{z.row(0).segment(0, 4).reshaped(2, 2), z.row(0).segment(4, 4).reshaped(2, 2),
                      z.row(0).segment(8, 2).transpose(), z.row(0).segment(10, 2).transpose(),
                      z.row(0).segment(12, 2).transpose()};
  const Problem problem = identified_problem(
      "infinite",
      {{"identify", true}, {"states", 2}, {"inputs", 1}, {"lags", 2}, {"offset", true}});
  const LinearModel model = model_of(problem);
  EXPECT_EQ(model.n(), 1 + 4 + 1);
  EXPECT_EQ(model.n_r(), 7);
  Matrix Theta(2, 7);
  Theta << plant.c, plant.A1, plant.A2, plant.B2, plant.B1;

  Logs logs;
  std::vector<Matrix> noises(3);
  for (size_t i = 0; i < 3; ++i) logs.push_back(log_of(plant, stream, i, 40, noises[i]));
  // The model at the true coefficients steps from state to state.
  const EstimatedPlant truth = plant_at(model, Theta);
  const Matrix states = states_of_log(model, logs[0]);
  ASSERT_EQ(states.cols(), 40);
  for (Index k = 0; k + 1 < states.cols(); ++k) {
    const Vector next = truth.A * states.col(k) + truth.B * logs[0].u.row(k + 1).transpose() +
                        model.E * noises[0].row(k + 1).transpose();
    EXPECT_LT((next - states.col(k + 1)).norm(), 1e-12) << k;
  }
  // The sums after the pilot: what the true coefficients leave over is the noise.
  const Pilot pilot = pilot_of(model, logs, false);
  EXPECT_EQ(pilot.total, 3 * 39);
  EXPECT_EQ(pilot.transitions, 28);
  const TransitionSums sums = sums_of(model, logs, pilot);
  EXPECT_EQ(sums.N, 117 - 28);
  Matrix expected = Matrix::Zero(2, 2);
  Index seen = 0;
  for (const Matrix& noise : noises)
    for (Index t = 1; t < 40; ++t)
      if (seen++ >= 28) expected += noise.row(t).transpose() * noise.row(t);
  const Matrix rest = Theta - sums.reference;
  const Matrix left = sums.yy - rest * sums.yr.transpose() - sums.yr * rest.transpose() +
                      rest * sums.rr * rest.transpose();
  EXPECT_LT((left - expected).norm(), 1e-9 * expected.norm());
}

nlohmann::json known_position() {
  return {{"A", {{1, 1}, {0, 0.9}}}, {"B", {{0.0}, {1.0}}}, {"identify", {2}}};
}

TEST(LinearModel, ARowThatIsKnownMustHold) {
  TruePlant plant = paper_plant();
  plant.A(1, 1) = 0.8;  // another one than in the file: it is identified
  plant.B(0, 0) = 0;
  plant.noisy(0) = 0;
  Logs logs = draw_logs(plant, test_stream(2, 0), 20, 8);
  const Problem problem = identified_problem(8, known_position());
  const LinearModel model = model_of(problem);
  EXPECT_EQ(model.n_v(), 1);
  EXPECT_EQ(model.n_r(), 3);
  const TransitionSums sums = sums_of(model, logs, pilot_of(model, logs, true));
  EXPECT_EQ(sums.N, (20 - 2) * 8);
  logs[3].y(4, 0) += 1e-3;
  EXPECT_NE(input_error([&] {
              sums_of(model, logs, pilot_of(model, logs, true));
            }).find("episode 4, step 3: row 1"),
            std::string::npos);
}

TEST(LinearModel, PilotsAreWholeEpisodesOrFirstSteps) {
  const LinearModel model = model_of(unknown_plant(5));
  const Logs logs = draw_logs(paper_plant(), test_stream(3, 0), 100, 5);
  EXPECT_EQ(pilot_of(model, logs, true).transitions, 30);
  EXPECT_EQ(pilot_of(model, {logs.begin(), logs.begin() + 10}, true).transitions, 15);
  EXPECT_EQ(pilot_of(model, logs, false).transitions, 25);
  EXPECT_EQ(pilot_of(model, {logs.begin(), logs.begin() + 10}, false).transitions, 12);
}

// Which episodes are the pilot: their first measurements.
std::vector<double> pilot_starts(const LinearModel& model, const Logs& logs) {
  const Pilot pilot = pilot_of(model, logs, true);
  std::vector<double> starts;
  Index transitions = 0;
  for (size_t i = 0; i < logs.size(); ++i) {
    EXPECT_TRUE(pilot.of_log[i] == 0 || pilot.of_log[i] == logs[i].steps());
    if (pilot.of_log[i] > 0) starts.push_back(logs[i].y(0, 0));
    transitions += pilot.of_log[i];
  }
  EXPECT_EQ(transitions, pilot.transitions);
  std::sort(starts.begin(), starts.end());
  return starts;
}

TEST(LinearModel, NeitherNoiseNorTheOrderOfFilesChoosesThePilot) {
  const LinearModel model = model_of(unknown_plant(5));
  const Logs logs = draw_logs(paper_plant(), test_stream(4, 0), 97, 5);
  const std::vector<double> starts = pilot_starts(model, logs);
  EXPECT_EQ(starts.size(), 6u);
  // Evenly spaced in the order of the starts: middles of six equal parts.
  std::vector<double> all;
  for (const LogEpisode& log : logs) all.push_back(log.y(0, 0));
  std::sort(all.begin(), all.end());
  for (size_t k = 0; k < 6; ++k) EXPECT_EQ(starts[k], all[(2 * k + 1) * 97 / 12]) << k;

  Logs other(logs.rbegin(), logs.rend());
  std::swap(other[3], other[60]);
  EXPECT_EQ(pilot_starts(model, other), starts);
  const TransitionSums a = sums_of(model, logs, pilot_of(model, logs, true));
  const TransitionSums b = sums_of(model, other, pilot_of(model, other, true));
  EXPECT_LT((a.prior - b.prior).norm(), 1e-12 * a.prior.norm());
  EXPECT_LT((a.rr - b.rr).norm(), 1e-12 * a.rr.norm());
  for (LogEpisode& log : other) {  // all that noise touches
    log.y.bottomRows(5) *= -3;
    log.u.bottomRows(4) *= 2;
  }
  EXPECT_EQ(pilot_starts(model, other), starts);
}

TEST(LinearModel, LogsInTheOrderOfTheirStartsKnowTheirPlaces) {
  Logs logs = draw_logs(paper_plant(), test_stream(5, 0), 4, 2);
  const double first[] = {1, -2, 1, 1}, input[] = {3, 0, 2, 3};
  for (size_t i = 0; i < 4; ++i) {
    logs[i].y.row(0) << first[i], 7;
    logs[i].u(0, 0) = input[i];
  }
  const Logs sorted = by_starts(logs);
  const Index places[] = {2, 3, 1, 4};  // 1 and 4 are equal: as they were
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(sorted[i].place, places[i]);
    EXPECT_EQ(sorted[i].y, logs[static_cast<size_t>(places[i]) - 1].y);
    EXPECT_EQ(log_place(sorted, i), "episode " + std::to_string(places[i]));
  }
  EXPECT_EQ(log_place(logs, 2), "episode 3");
  EXPECT_EQ(logs_hash(by_starts(sorted)), logs_hash(sorted));
  EXPECT_NE(logs_hash(logs), logs_hash(sorted));
}

}  // namespace
}  // namespace loopcert::testing
