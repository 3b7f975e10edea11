#include "report/plots.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "loopcert/core/error.hpp"
#include "loopcert/core/random.hpp"
#include "report/fan.hpp"
#include "report/frame.hpp"
#include "report/statistics.hpp"
#include "seed.hpp"

namespace loopcert::report {
namespace {

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

void expect_sound(const Figure& figure) {
  EXPECT_TRUE(figure.svg.starts_with("<svg ")) << figure.svg;
  EXPECT_TRUE(figure.svg.ends_with("</svg>"));
  EXPECT_EQ(count(figure.svg, "<g "), count(figure.svg, "</g>"));
  for (const char* bad : {"nan", "inf", "NaN", "style="})
    EXPECT_EQ(count(figure.svg, bad), 0u) << bad;
  for (const auto& row : figure.table.rows) EXPECT_EQ(row.size(), figure.table.header.size());
  EXPECT_FALSE(figure.table.rows.empty());
}

TEST(Svg, RefusesWhatABrowserWouldNotDraw) {
  EXPECT_THROW(svg_number(std::nan("")), NumericsError);
  EXPECT_THROW(svg_number(INFINITY), NumericsError);
  EXPECT_EQ(svg_number(-0.001), "0");
  EXPECT_EQ(svg_number(12.50), "12.5");
}

TEST(Plots, FiniteAndClosedWhateverTheNumbers) {
  const Matrix noise = standard_normal_rows(testing::test_stream(1, 0), 0, 30, 8);
  for (const Matrix& m : {noise, Matrix(Matrix::Zero(4, 4)), Matrix(Matrix::Constant(1, 1, -2.0)),
                          Matrix(1e300 * noise), Matrix(1e-300 * noise)}) {
    expect_sound(heat_map(m, Colours::diverging, "r", "c"));
    expect_sound(heat_map(m.cwiseAbs(), Colours::sequential, "r", "c"));
    expect_sound(fan_plot({"state", m}));
  }
  expect_sound(normal_quantiles(noise));
  expect_sound(spectrum({covariance_eigenvalues(noise), Vector(Vector::Ones(8)), 1.0, 30}));
  expect_sound(waterfall({{"a", 3, ""}, {"b", -1, ""}, {"c", 0, ""}}, "sum", {{"mark", 9, ""}}));
  for (const double size : {1.0, 0.0, 1e300, 1e-300})
    expect_sound(series_plot({{{"a", Vector::LinSpaced(5, 1, 5), size * noise.col(0).head(5), true},
                               {"b", Vector::Ones(1), Vector::Constant(1, size), false}},
                              Vector::Constant(5, 0.2),
                              "step",
                              "value"}));
  for (const double size : {1.0, 0.0, -1.0, 1e300, 1e-300}) {
    const Vector n = Vector::LinSpaced(4, 10, 400), y = size * noise.col(0).head(4).cwiseAbs();
    expect_sound(published_plot({{"a", 0, n, y, 2 * y}, {"b", 1, n, y, {}}}, "cost"));
    expect_sound(scatter_plot(y, n, "size", "sigma"));
  }
  expect_sound(bars({{"a", 3, "x"}, {"b", -1, "y"}}, "cost"));
}

TEST(Plots, FansShowOthersLimitsAndTime) {
  const Matrix paths = standard_normal_rows(testing::test_stream(1, 0), 0, 40, 6);
  FanPlot plot{"force [N]", paths, {{2.0, 1, 1}, {500.0, 0, 5}}};
  plot.beside = {{"LQR", 1.5 * paths, "c7"}, {"no input", 1000 * paths, "c2"}};
  plot.reference = Vector::Ones(6);
  plot.axis = {0.05, "s"};
  plot.held = true;
  const Figure figure = fan_plot(plot);
  expect_sound(figure);
  EXPECT_EQ(count(figure.svg, "class=\"ln path c0\""), 4u);
  EXPECT_EQ(count(figure.svg, "class=\"ln c7"), 3u);  // median, 5 % and 95 %
  EXPECT_EQ(count(figure.svg, "class=\"ln c2"), 0u);  // it would flatten everything else
  EXPECT_EQ(count(figure.svg, "class=\"ln c3 dash\""), 1u);
  EXPECT_EQ(count(figure.svg, "class=\"ln c4 dash\""), 1u);
  EXPECT_EQ(count(figure.caption, "the limit 500."), 1u);
  EXPECT_EQ(count(figure.caption, "no input, from "), 1u);
  EXPECT_EQ(count(figure.svg, ">time, s<"), 1u);
  EXPECT_EQ(figure.table.rows.back()[0], "0.25");
  plot.axis = {};
  EXPECT_EQ(fan_plot(plot).table.rows.back()[0], "5");
}

// Of normal numbers about one in a hundred is out of the band.
TEST(Plots, TheBandOfNormalQuantilesHolds) {
  size_t outside = 0, points = 0;
  for (std::uint64_t k = 0; k < 40; ++k)
    for (const auto& row :
         normal_quantiles(standard_normal_rows(testing::test_stream(7, k), 0, 100, 1)).table.rows) {
      const auto number = [&](size_t i) {
        return std::stod(row[i].starts_with("−") ? "-" + row[i].substr(3) : row[i]);
      };
      outside += number(1) < number(2) || number(1) > number(3);
      ++points;
    }
  EXPECT_EQ(points, 4000u);
  EXPECT_LT(outside, 200u);  // 40 in the mean; points of one plot go together
  Matrix heavy = standard_normal_rows(testing::test_stream(8, 0), 0, 100, 1);
  heavy = heavy.array().cube();
  const Figure figure = normal_quantiles(heavy);
  size_t out = 0;
  for (const auto& row : figure.table.rows) out += row[1].size() > 0 && row[1] > row[3];
  EXPECT_GT(out, 0u);
}

TEST(Plots, SpectraAreInDecibels) {
  const Figure figure = spectrum({Vector{{2.0, 1.0, 0.1, 0.0}}, Vector(Vector::Ones(4)), 1.0, 30});
  expect_sound(figure);
  EXPECT_EQ(figure.table.rows[0][2], "3.01 dB");
  EXPECT_EQ(figure.table.rows[1][2], "0 dB");
  EXPECT_EQ(figure.table.rows[2][2], "−10 dB");
  EXPECT_EQ(figure.table.rows[3][2], "–");
  EXPECT_EQ(count(figure.caption, "1 more than 80 dB below the largest, or zero"), 1u);
  expect_sound(spectrum({Vector::Zero(2), {}, {}, 5}));
}

// White noise is level; a sine is a peak at its own frequency, whatever the unit.
TEST(Plots, PowerIsWhereTheFrequencyIs) {
  const Index T = 40, n = 200;
  Matrix data = standard_normal_rows(testing::test_stream(3, 0), 0, n, 2 * T);
  for (Index i = 0; i < n; ++i)
    for (Index t = 0; t < T; ++t)
      data(i, 2 * t + 1) =
          1e6 * std::sin(2 * M_PI * (0.1 * static_cast<double>(t) + 0.01 * static_cast<double>(i)));
  const Figure figure = power_spectrum(data, 2, {"white", "sine"}, {0.5, "s"});
  expect_sound(figure);
  for (const auto& row : figure.table.rows) {
    const double level = std::stod(row[2].starts_with("−") ? "-" + row[2].substr(3) : row[2]);
    if (row[0] == "white") {
      EXPECT_LT(std::abs(level), 2);
    } else {  // a tenth of a turn in half a second
      EXPECT_EQ(level > 5, row[1] == "0.2") << row[1];
    }
  }
  EXPECT_TRUE(power_spectrum(data.topRows(1), 2, {}, {}).svg.empty());
  EXPECT_TRUE(power_spectrum(Matrix(), 0, {}, {}).svg.empty());
  EXPECT_EQ(count(figure.svg, ">frequency, Hz<"), 1u);
}

TEST(Plots, FrameLeavesOutWhatHasNoPlace) {
  Range range;
  range.add(1);
  range.add(100);
  Frame frame(log_scale(range), log_scale(range), "x", "y", "test");
  frame.marker({0, 1}, 0, 3, "there-not", "");
  frame.marker({1, std::nan("")}, 0, 3, "there-not", "");
  frame.marker({10, 10}, 0, 3, "there", "a < b");
  const std::string svg = frame.finish();
  EXPECT_EQ(count(svg, "there-not"), 0u);
  EXPECT_EQ(count(svg, "<title>a &lt; b</title>"), 1u);
}

TEST(Plots, EveryMarkerIsAClosedPath) {
  for (int shape = 0; shape < 2 * marker_shapes; ++shape)
    EXPECT_TRUE(marker_path(shape, {1, 2}, 3).ends_with("z"));
  EXPECT_NE(marker_path(0, {0, 0}, 3), marker_path(1, {0, 0}, 3));
}

TEST(HeatMap, BigOnesKeepTheirExtremesAndStaySmall) {
  Matrix big = Matrix::Zero(500, 700);
  big(499, 699) = -5;
  big(0, 0) = 2;
  const Matrix blocks = block_extremes(big, 120);
  EXPECT_EQ(blocks.rows(), 120);
  EXPECT_EQ(blocks.cols(), 120);
  EXPECT_EQ(blocks(119, 119), -5);
  EXPECT_EQ(blocks(0, 0), 2);
  EXPECT_EQ((blocks.array() != 0).count(), 2);
  EXPECT_LT(heat_map(big, Colours::diverging, "r", "c").svg.size(), 20'000u);
}

// Metres and newtons have colours of their own.
TEST(HeatMap, EachPairOfUnitsHasItsScale) {
  const Matrix values{{1.0, 0.5, 2000.0}, {0.001, 0.0005, 1.0}};
  const Figure figure =
      heat_map(values, Colours::diverging, "r", "c", {{"m", "N"}, {"m", "m", "N"}});
  expect_sound(figure);
  EXPECT_EQ(count(figure.svg, "class=\"d20\" d"), 4u);  // the largest of each pair
  EXPECT_EQ(count(figure.svg, "class=\"d15\" d"), 2u);  // half of it
  EXPECT_EQ(count(figure.caption, "2000 m per N"), 1u);
  EXPECT_EQ(count(figure.svg, "column 2: 2000<"), 1u);
  EXPECT_EQ(count(heat_map(values, Colours::diverging, "r", "c").svg, "class=\"d20\" d"), 1u);
}

// A ring where the paper's number is, a line through ours.
TEST(Plots, PublishedNumbersAreRings) {
  const Vector n{{10.0, 20.0, 40.0}}, ours{{9.0, 3.0, 1.0}}, paper{{8.0, 3.5, 1.0}};
  const Figure figure = published_plot({{"a", 0, n, ours, paper}, {"b", 1, n, ours, {}}}, "cost");
  EXPECT_EQ(count(figure.svg, " ring\""), 3u);
  EXPECT_EQ(count(figure.svg, "class=\"ln "), 2u);
  EXPECT_EQ(count(figure.svg, "8 in the paper"), 1u);
  EXPECT_EQ(figure.table.rows.size(), 6u);
  EXPECT_EQ(figure.legend.size(), 3u);
}

TEST(Statistics, AgreeWithTheirDefinitions) {
  EXPECT_DOUBLE_EQ(quantile({1, 2, 4}, 0.5), 2);
  EXPECT_DOUBLE_EQ(quantile({1, 2, 4}, 0.75), 3);
  EXPECT_DOUBLE_EQ(quantile({7}, 0.05), 7);
  const Summary s = summarize({4, 1, 1});
  EXPECT_DOUBLE_EQ(s.mean, 2);
  EXPECT_DOUBLE_EQ(s.median, 1);
  EXPECT_NEAR(s.standard_deviation, std::sqrt(3.0), 1e-15);

  for (const Index n : {4, 40}) {  // fewer and more rows than columns
    const Matrix data = standard_normal_rows(testing::test_stream(2, 0), 0, n, 7);
    const Vector direct = eigenvalues(sample_covariance(data));
    EXPECT_NEAR((covariance_eigenvalues(data) - direct).norm(), 0, 1e-12);
  }
  Matrix data = standard_normal_rows(testing::test_stream(3, 0), 0, 50, 3);
  data.col(2) = 5 * data.col(0);
  EXPECT_NEAR(sample_correlation(data)(2, 0), 1, 1e-12);
  data.col(2).setConstant(4);
  EXPECT_EQ(sample_correlation(data)(2, 2), 0);
  data.col(1) = 1000 * data.col(1).array() + 5;
  data.col(2).setConstant(4);  // says nothing
  const std::vector<double> z = standardized(data);
  EXPECT_EQ(z.size(), 100u);
  EXPECT_LT(z.back(), 5);
}

}  // namespace
}  // namespace loopcert::report
