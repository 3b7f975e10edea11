#include "loopcert/data/traces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "loopcert/core/random.hpp"
#include "random_system.hpp"

namespace loopcert {
namespace {

// Independent normal numbers in units that are up to 1e12 apart, step 0 larger than the others.
Disturbances in_mixed_units(Index n, const Sizes& s, std::uint64_t seed) {
  Disturbances data{standard_normal_rows({seed, 7}, 0, n, s.d_w())};
  for (Index j = 0; j < s.d_w(); ++j)
    data.w.col(j) *= std::pow(10.0, (j % s.n_x % 2 == 0 ? -6.0 : 6.0)) * (j < s.n_x ? 100 : 1);
  return data;
}

Plant plant_of(const Sizes& s) {
  return testing::random_system({.n_x = s.n_x, .n_u = s.n_u, .T = s.T}, 3).plant;
}

double to_digits(double x, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*e", digits - 1, x);
  return std::strtod(text, nullptr);
}

Matrix rounded(const Matrix& w, int how) {
  return w.unaryExpr([how](double x) -> double {
    if (how == 1) return static_cast<float>(x);
    return to_digits(x, how == 0 ? 12 : 6);
  });
}

Index count_known(const std::vector<Index>& known) {
  return std::count_if(known.begin(), known.end(), [](Index row) { return row >= 0; });
}

TEST(Traces, KnowACopyAfterRoundingInAnyUnits) {
  for (const Sizes s : {state_feedback(1, 1, 3), state_feedback(2, 1, 10), state_feedback(5, 2, 4),
                        state_feedback(3, 1, 40)})
    for (const Index n : {20, 101, 1000}) {
      const Disturbances data = in_mixed_units(n, s, 1);
      const Traces known = disturbance_traces(data, plant_of(s));
      for (int how = 0; how < 3; ++how) {
        // Few and short rows to six digits could agree by chance: needed are 20 + 2 log2 n bits.
        if (how == 2 && (s.T + 1) * 14 < 22 + 2 * std::log2(n)) continue;
        const Disturbances copy{rounded(data.w.colwise().reverse(), how)};
        const std::vector<Index> found = known_disturbances(known, copy);
        for (Index i = 0; i < n; ++i)
          EXPECT_EQ(found[static_cast<size_t>(i)], n - 1 - i) << how << " " << s.n_x << " " << s.T;
        Disturbances both = data;
        both.w.conservativeResize(n + 1, Eigen::NoChange);
        both.w.row(n) = copy.w.row(3);
        const auto pair = first_copy(both, plant_of(s));
        ASSERT_TRUE(pair);
        EXPECT_EQ(pair->second, n);
        EXPECT_EQ(pair->first, n - 4);
      }
      EXPECT_EQ(count_known(known_disturbances(known, in_mixed_units(n, s, 2))), 0);
      EXPECT_FALSE(first_copy(data, plant_of(s)));
    }
}

TEST(Traces, KnowBeginningsAndContinuations) {
  for (const Sizes s : {state_feedback(1, 1, 10), state_feedback(3, 1, 12)}) {
    const Disturbances data = in_mixed_units(60, s, 1);
    const Traces known = disturbance_traces(data, plant_of(s));
    for (Index T = 1; T <= s.T; ++T) {
      const Index columns = (T + 1) * s.n_x;
      EXPECT_EQ(count_known(known_disturbances(known, {data.w.leftCols(columns)})), 60) << T;
      const Traces shorter =
          disturbance_traces({data.w.leftCols(columns)}, plant_of(state_feedback(s.n_x, 1, T)));
      EXPECT_EQ(count_known(known_disturbances(shorter, data)), 60) << T;
      EXPECT_EQ(count_known(known_disturbances(shorter, in_mixed_units(60, s, 2))), 0) << T;
    }
  }
}

// One log, cut into pieces of T steps that begin elsewhere: at least half of each piece is shared
// with one of the known ones.
TEST(Traces, KnowPiecesOfOneLogThatWereCutElsewhere) {
  const Sizes s = state_feedback(2, 1, 10);
  const Plant plant = plant_of(s);
  const Index steps = 400;
  Matrix x = standard_normal_rows({1, 1}, 0, steps + 1, 2),
         u = standard_normal_rows({1, 2}, 0, steps, 1);
  for (Index t = 0; t < steps; ++t) x.row(t + 1) += 0.9 * x.row(t);
  const auto pieces = [&](Index phase) {
    Rollouts logs{Matrix((steps - phase) / s.T, s.d_w()), Matrix((steps - phase) / s.T, s.d_u())};
    for (Index i = 0; i < logs.x.rows(); ++i)
      for (Index t = 0; t <= s.T; ++t) {
        logs.x.block(i, 2 * t, 1, 2) = x.row(phase + i * s.T + t);
        if (t < s.T) logs.u(i, t) = u(phase + i * s.T + t, 0);
      }
    return reconstruct_disturbances(plant, logs);
  };
  const Disturbances data = pieces(0);
  for (Index phase = 1; phase < s.T; ++phase) {
    Disturbances other = pieces(phase);
    EXPECT_EQ(count_known(known_disturbances(disturbance_traces(data, plant), other)), other.n());
    other.logs.x = rounded(other.logs.x, 1), other.logs.u = rounded(other.logs.u, 1);
    EXPECT_EQ(count_known(known_logs(log_traces(data.logs, s), other.logs)), other.n()) << phase;
  }
}

TEST(Traces, KnowLogsWhateverTheModelSays) {
  const Sizes s = state_feedback(3, 2, 8);
  const Plant one = plant_of(s);
  Plant other = one;
  other.B[0] *= 1.3;
  other.A[0](0, 1) += 1e-3;
  const Rollouts logs{standard_normal_rows({5, 0}, 0, 50, s.d_w()),
                      standard_normal_rows({5, 1}, 0, 50, s.d_u())};
  const Traces known = log_traces(logs, s);
  EXPECT_EQ(count_known(known_logs(known, reconstruct_disturbances(other, logs).logs)), 50);
  // w of rounded logs is off by a part of x, which is much larger.
  Rollouts apart = logs;
  apart.x.array() += 300;
  const Traces w = disturbance_traces(reconstruct_disturbances(one, apart), one);
  const Rollouts copy{rounded(apart.x, 0), rounded(apart.u, 0)};
  EXPECT_EQ(count_known(known_disturbances(w, reconstruct_disturbances(one, copy))), 50);
  const Rollouts coarser{rounded(apart.x, 1), rounded(apart.u, 1)};
  EXPECT_EQ(count_known(known_logs(log_traces(apart, s), coarser)), 50);
}

// No false alarm: 100,000 rows against 100,000 others, and among themselves.
TEST(Traces, TellIndependentRowsApart) {
  const Index n = 100'000;
  const Sizes s = state_feedback(1, 1, 3);
  const auto draw = [&](std::uint64_t seed, int law) {
    Matrix w = standard_normal_rows({seed, 3}, 0, n, s.d_w());
    if (law == 1) w.col(0).setZero();  // a given start
    if (law == 2)
      w.rightCols(2) = w.col(1) * Eigen::RowVector2d::Ones();  // one load for an episode
    if (law == 3) w = (w.array() * 20).round() / 20;           // coarse sensors
    if (law == 4)                                              // calm days and a few storms
      for (Index i = 0; i < n; ++i)
        if (i % 100 != 0) w.row(i) *= 1e-7;
    if (law == 5) w.rightCols(3) = w.rightCols(3) * 1e-9 + w.col(0) * Eigen::RowVector3d::Ones();
    return Disturbances{w};
  };
  for (const int law : {0, 1, 2, 4, 5}) {
    const Traces known = disturbance_traces(draw(1, law), plant_of(s));
    EXPECT_FALSE(first_copy(draw(1, law), plant_of(s))) << law;
    EXPECT_EQ(count_known(known_disturbances(known, draw(2, law))), 0) << law;
  }
}

// Coarse numbers repeat by chance: what two rows share must be more than that.
TEST(Traces, CountHowMuchCoarseNumbersSay) {
  const Sizes s = state_feedback(1, 1, 20);
  const auto draw = [&](std::uint64_t seed) {
    const Matrix w = standard_normal_rows({seed, 3}, 0, 500, s.d_w());
    return Disturbances{(w.array() * 4).round() / 4};
  };
  const Disturbances data = draw(1);
  const Traces known = disturbance_traces(data, plant_of(s));
  EXPECT_FALSE(first_copy(data, plant_of(s)));
  EXPECT_EQ(count_known(known_disturbances(known, draw(2))), 0);
  EXPECT_EQ(count_known(known_disturbances(known, {rounded(data.w, 1)})), 500);
}

TEST(Traces, OfFewRows) {
  const Sizes s = state_feedback(2, 1, 6);
  for (const Index n : {1, 2, 3, 5}) {
    const Disturbances data = in_mixed_units(n, s, 4);
    const Traces known = disturbance_traces(data, plant_of(s));
    EXPECT_EQ(count_known(known_disturbances(known, {rounded(data.w, 0)})), n) << n;
    EXPECT_EQ(count_known(known_disturbances(known, in_mixed_units(n, s, 5))), 0) << n;
  }
}

TEST(Traces, KeepNothingOfRowsThatSayNothing) {
  const Disturbances zeros{Matrix::Zero(5, 6)};
  EXPECT_FALSE(first_copy(zeros, plant_of(state_feedback(2, 1, 2))));  // equal ones: check_repeated
  const Traces known = disturbance_traces(in_mixed_units(9, state_feedback(2, 1, 2), 1),
                                          plant_of(state_feedback(2, 1, 2)));
  EXPECT_TRUE(known_disturbances(known, {Matrix::Zero(3, 7)}).empty());  // of another plant
  Disturbances huge{Matrix::Constant(3, 6, 1e308)};
  EXPECT_EQ(count_known(known_disturbances(known, huge)), 0);
}

TEST(Traces, AreTextsAndBack) {
  const Traces traces = disturbance_traces(in_mixed_units(4, state_feedback(2, 1, 3), 1),
                                           plant_of(state_feedback(2, 1, 3)));
  Traces back = traces;
  back.rows.clear();
  for (Index i = 0; i < 4; ++i) append_trace(back, trace_text(traces, i));
  EXPECT_EQ(back.rows, traces.rows);
}

}  // namespace
}  // namespace loopcert
