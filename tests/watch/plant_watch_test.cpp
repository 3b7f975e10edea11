#include "watch/plant_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "certificate/identified_cost.hpp"
#include "chance.hpp"
#include "identified_plant.hpp"
#include "input_error.hpp"
#include "temp_folder.hpp"
#include "watch/plant_watch_file.hpp"
#include "watch/watch_steps.hpp"

namespace loopcert::testing {
namespace {

// y+ = 0.9 y + 0.5 u + v as the estimate, the set of plants around it of radius beta.
PlantClaim scalar_claim(double beta, double alpha = 0.01) {
  PlantClaim claim;
  claim.model =
      model_of(identified_problem("infinite", {{"identify", true}, {"states", 2}, {"inputs", 1}}));
  claim.Theta = (Matrix(2, 3) << 0.9, 0.1, 0.5, 0, 0.8, 0.3).finished();
  claim.root = (Matrix(2, 2) << 0.2, 0, 0.6, 0.4).finished();
  claim.G = (Matrix(3, 3) << 0.05, 0.01, 0, 0, 0.04, 0.02, 0, 0, 0.06).finished();
  claim.beta = beta;
  claim.transitions = 500;
  claim.alpha = alpha;
  return claim;
}

// Steps of the plant Theta_hat + shift from any start, noise root g.
struct Plant {
  Matrix Theta, root;
  Vector offset = Vector::Zero(2);
  Vector y = Vector::Zero(2);

  Vector input(const Vector& noise) const {
    return (Vector(1) << -0.4 * y(0) - 0.2 * y(1) + noise(0)).finished();
  }
  void step(const Vector& u, const Vector& g) {
    Vector r(3);
    r << y, u;
    y = Theta * r + offset + root * g;
  }
};

bool run(PlantWatch& watch, Plant& plant, const Stream& stream, std::uint64_t first, Index steps) {
  const Matrix z = standard_normal_rows(stream, first, steps, 3);
  for (Index t = 0; t < steps; ++t) {
    const Vector u = plant.input(z.row(t).tail(1).transpose());
    if (watch.update(plant.y, u)) return true;
    plant.step(u, z.row(t).head(2).transpose());
  }
  return false;
}

// Plants on the edge of the set, with all the noise that is allowed.
TEST(PlantWatch, FalseAlarms) {
  const double alpha = 0.1, beta = 4;
  const Index runs = test_count(300, 30);
  Index alarms = 0;
  for (Index i = 0; i < runs; ++i) {
    const Stream stream = test_stream(21, static_cast<std::uint64_t>(i));
    const PlantClaim claim = scalar_claim(beta, alpha);
    Matrix F = standard_normal_rows(stream, 5000, 2, 3);
    F *= beta / F.norm();
    Plant plant{claim.Theta + claim.root * F * claim.G, claim.root};
    PlantWatch watch(claim);
    alarms += run(watch, plant, stream, 0, 300);
  }
  EXPECT_LE(alarms, most_of(runs, alpha));
}

// After any past: the mean of the evidence over the next noise, by quadrature, for the worst mean
// of z and the largest covariance, does not exceed the evidence now; and for the rises it reaches
// it.
TEST(PlantWatch, NextEvidenceIsNotLargerInTheMean) {
  PlantClaim claim = scalar_claim(2);
  claim.model = model_of(identified_problem(
      "infinite", {{"identify", {1}}, {"A", {{0.9, 0.1}, {0, 0.8}}}, {"B", {{0.5}, {0.3}}}}));
  claim.Theta = (Matrix(1, 3) << 0.9, 0.1, 0.5).finished();
  claim.root = Matrix::Constant(1, 1, 0.2);
  const Matrix z = standard_normal_rows(test_stream(22, 0), 0, 8, 2);
  for (const double past : {0.0, 3.0, -3.0}) {
    PlantWatch watch(claim);
    Vector y = Vector::Zero(2);
    const Vector u = Vector::Constant(1, 0.5);
    const auto mean_next = [&](double side) {
      Vector r(3);
      r << y, u;
      const double m = side * claim.beta * (claim.G * r).norm();
      double mean = 0;
      const double h = 0.02;
      for (double g = -70; g <= 70; g += h) {
        PlantWatch next = watch;
        Vector after(2);
        after << (claim.Theta * r)(0) + 0.2 * (m + g), 0.8 * y(1) + 0.3 * u(0);
        next.update(after, u);
        mean += h * next.state().evidence * std::exp(-0.5 * g * g) / std::sqrt(2 * M_PI);
      }
      return mean;
    };
    for (Index t = 0; t < 6; ++t) {
      watch.update(y, u);
      const double now = watch.state().evidence;
      for (const double side : {-1.0, 0.0, 1.0}) EXPECT_LE(mean_next(side), now * (1 + 1e-9));
      if (t == 0) {  // no drift is known yet: the rest is fair
        EXPECT_NEAR(mean_next(1), 1, 1e-9);
      }
      Vector r(3);
      r << y, u;
      y = (Vector(2) << (claim.Theta * r)(0) + 0.2 * (past + z(t, 0)), 0.8 * y(1) + 0.3 * u(0))
              .finished();
    }
  }
}

TEST(PlantWatch, ChangesAreFoundAndNamed) {
  const PlantClaim claim = scalar_claim(4);
  const auto cause = [&](const Plant& changed) {
    PlantWatch watch(claim);
    Plant plant{claim.Theta, claim.root};
    EXPECT_FALSE(run(watch, plant, test_stream(23, 1), 0, 1000));
    Plant next = changed;
    next.y = plant.y;
    EXPECT_TRUE(run(watch, next, test_stream(23, 1), 1000, 300));
    return watch.state().cause;
  };
  EXPECT_EQ(cause({claim.Theta, claim.root, claim.root * Vector::Ones(2)}), "drift");
  EXPECT_EQ(cause({claim.Theta, 3 * claim.root}), "spread");
}

// Identified from logs: as often as the events of the certificate and alpha allow, and not more.
TEST(PlantWatch, FromLogs) {
  const double delta = 0.1, alpha = 0.1;
  const Problem problem = unknown_plant("infinite", delta);
  const Index logs = test_count(150, 20);
  Index alarms = 0;
  for (Index i = 0; i < logs; ++i) {
    const Stream stream = test_stream(24, static_cast<std::uint64_t>(i));
    const IdentifiedPlant plant =
        identify_plant(problem, {draw_log(paper_plant(), stream, 0, 400)});
    PlantClaim claim;
    claim.model = plant.model;
    claim.Theta = plant.set.Theta_hat;
    claim.root = plant.set.root;
    claim.G = plant.set.G;
    claim.beta = plant.set.beta;
    claim.transitions = static_cast<double>(plant.set.transitions);
    claim.alpha = alpha;
    PlantWatch watch(claim);
    const LogEpisode log = draw_log(paper_plant(), stream, 1, 400);
    for (Index t = 0; t < log.steps() && !watch.rejected(); ++t)
      watch.update(log.y.row(t).transpose(), log.u.row(t).transpose());
    alarms += watch.rejected();
  }
  EXPECT_LE(alarms, most_of(logs, alpha + delta));
}

std::string log_text(const LogEpisode& log, const std::string& names) {
  std::string text = names;
  for (Index t = 0; t <= log.steps(); ++t) {
    const auto number = [&](double value) {
      char buffer[40];
      std::snprintf(buffer, sizeof buffer, "%.17g", value);
      return std::string(buffer);
    };
    text += number(log.y(t, 0)) + "," + number(log.y(t, 1)) + ",";
    text += (t < log.steps() ? number(log.u(t, 0)) : "") + "\n";
  }
  return text;
}

PlantWatch read_steps(const PlantWatch& before, const std::filesystem::path& path,
                      PlantWatchFile* file = nullptr) {
  PlantWatch watch = before;
  LineFeed lines(path, file ? file->bytes : 0);
  StepFeed feed;
  feed.whole_lines = file != nullptr;
  if (file) feed.columns = file->columns;
  if (file)
    feed.save = [&](const PlantWatchState& state, const StepColumns& columns, Index bytes) {
      *file = {watch.claim(), state, bytes, columns};
    };
  watch_steps(watch, lines, feed);
  return watch;
}

TEST(PlantWatch, LinesOfALog) {
  const TempFolder folder;
  const LogEpisode log = draw_log(paper_plant(), test_stream(25, 0), 0, 40);
  PlantClaim claim = scalar_claim(3, 1e-9);
  claim.Theta << paper_plant().A, paper_plant().B;
  claim.root = 0.5 * Matrix::Identity(2, 2);  // more than there is
  PlantWatch direct(claim);
  for (Index t = 0; t <= log.steps(); ++t)
    direct.update(log.y.row(t).transpose(),
                  t < log.steps() ? Vector(log.u.row(t).transpose()) : Vector(Vector::Zero(1)));
  EXPECT_EQ(direct.state().n, 40);
  const PlantWatch fresh(claim);
  for (const char* names : {"", "x0,x1,u0\n", "y0,y1,u0\n"})
    EXPECT_EQ(read_steps(fresh, folder.write("a", log_text(log, names))).state().evidence,
              direct.state().evidence)
        << names;
  // Two runs: nothing follows from the end of the first.
  const std::string twice = log_text(log, "") + log_text(log, "");
  EXPECT_EQ(read_steps(fresh, folder.write("a", twice)).state().n, 80);
  EXPECT_TRUE(
      contains(input_error([&] { read_steps(fresh, folder.write("a", "1,2\n1,2,3\n1,a,3\n")); }),
               "measured"));
  EXPECT_TRUE(
      contains(input_error([&] { read_steps(fresh, folder.write("a", "p,q,r\n")); }), "x0"));
}

TEST(PlantWatch, AnInterruptedLog) {
  const TempFolder folder;
  PlantClaim claim = scalar_claim(3, 1e-9);
  claim.Theta << paper_plant().A, paper_plant().B;
  claim.root = 0.5 * Matrix::Identity(2, 2);  // more than there is
  const std::string text =
      log_text(draw_log(paper_plant(), test_stream(26, 0), 0, 12), "x0,x1,u0\n");
  const PlantWatch whole = read_steps(PlantWatch(claim), folder.write("whole", text));
  for (size_t cut = 0; cut <= text.size(); cut += 41) {
    PlantWatchFile file{claim, PlantWatch(claim).state()};
    const auto path = folder.write("growing", text.substr(0, cut));
    read_steps(PlantWatch(claim), path, &file);
    write_plant_watch(folder / "state", file);
    file = read_plant_watch(folder / "state");
    folder.write("growing", text);
    const PlantWatch second = read_steps(PlantWatch(file.claim, file.state), path, &file);
    EXPECT_EQ(second.state().sums, whole.state().sums) << cut;
    EXPECT_EQ(second.state().n, 12);
  }
}

TEST(PlantWatch, WhatItRefuses) {
  PlantWatch watch(scalar_claim(1));
  const Vector y = Vector::Ones(2), u = Vector::Ones(1);
  EXPECT_NE(input_error([&] { watch.update(u, u); }), "");
  EXPECT_NE(input_error([&] { watch.update(y * NAN, u); }), "");
  EXPECT_NE(input_error([&] { PlantWatch(scalar_claim(1, 0)); }), "");
  PlantClaim known = scalar_claim(1);
  known.model = model_of(identified_problem(
      "infinite", {{"identify", {2}}, {"A", {{1, 1}, {0, 1}}}, {"B", {{0.5}, {1}}}}));
  known.Theta = (Matrix(1, 3) << 0, 1, 1).finished();
  known.root = Matrix::Identity(1, 1);
  PlantWatch rows(known);
  rows.update(y, u);
  EXPECT_TRUE(contains(input_error([&] { rows.update(y, u); }), "row 1"));
}

}  // namespace
}  // namespace loopcert::testing
