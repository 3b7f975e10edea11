// Poles with the places that other plants of a set move them to.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/frame.hpp"
#include "report/plots.hpp"
#include "report/text.hpp"

namespace loopcert::report {

Figure pole_plot(const std::vector<PolePlace>& poles) {
  constexpr int corners = 96;
  std::vector<Point> circle;
  Range x, y;
  for (int k = 0; k <= corners; ++k) {
    const double angle = 2 * std::numbers::pi * k / corners;
    circle.push_back({std::cos(angle), std::sin(angle)});
  }
  for (const double edge : {-1.0, 1.0}) {
    x.add(edge);
    y.add(edge);
  }
  for (const PolePlace& pole : poles) {
    x.add(pole.at.real());
    y.add(pole.at.imag());
    for (const std::complex<double>& place : pole.reached) {
      x.add(place.real());
      y.add(place.imag());
    }
  }
  // As wide as the drawing is for its height, so that the circle is one.
  constexpr double aspect = 1.8;
  const double half = aspect * std::max(std::abs(y.low), std::abs(y.high));
  x.add(-half);
  x.add(half);
  Frame frame(linear_scale(x), linear_scale(y), "real part", "imaginary part",
              "poles in the plane, with the unit circle");
  Figure figure;
  figure.table.header = {"pole", "modulus", "moved by at least"};
  frame.line(circle, "c6");
  for (const PolePlace& pole : poles) {
    double reach = 0;
    for (const std::complex<double>& place : pole.reached) {
      frame.marker({place.real(), place.imag()}, 0, 1.6, "c1 open", "");
      reach = std::max(reach, std::abs(place - pole.at));
    }
    const std::string text =
        nice_number(pole.at.real()) +
        (pole.at.imag() == 0
             ? ""
             : (pole.at.imag() < 0 ? " − " : " + ") + nice_number(std::abs(pole.at.imag())) + " i");
    frame.marker({pole.at.real(), pole.at.imag()}, 3, 4, "c0", text);
    figure.table.rows.push_back({text, nice_number(std::abs(pole.at)), nice_number(reach, 2)});
  }
  figure.legend = {{Key::marker, "c0", "estimate", 3},
                   {Key::marker, "c1", "plants on the edge of the set", 0},
                   {Key::line, "c6", "unit circle"}};
  figure.svg = frame.finish();
  return figure;
}

}  // namespace loopcert::report
