#include "report/svg.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "loopcert/core/error.hpp"
#include "report/text.hpp"

namespace loopcert::report {

std::string svg_number(double value) {
  if (!std::isfinite(value)) throw NumericsError("report: a coordinate is not a finite number");
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

Svg::Svg(double width, double height, const std::string& label) {
  open("svg", {{"viewBox", "0 0 " + svg_number(width) + " " + svg_number(height)},
               {"role", "img"},
               {"aria-label", label},
               {"class", "plot"}});
}

void Svg::write_tag(std::string_view tag, Attributes attributes) {
  out_ += "<";
  out_ += tag;
  for (const Attribute& a : attributes) out_ += " " + a.name + "=\"" + html_escape(a.value) + "\"";
}

void Svg::open(std::string_view tag, Attributes attributes) {
  write_tag(tag, attributes);
  out_ += ">";
  open_.emplace_back(tag);
}

void Svg::close() {
  out_ += "</" + open_.back() + ">";
  open_.pop_back();
}

void Svg::element(std::string_view tag, Attributes attributes, const std::string& title) {
  write_tag(tag, attributes);
  if (title.empty())
    out_ += "/>";
  else
    out_ += "><title>" + html_escape(title) + "</title></" + std::string(tag) + ">";
}

void Svg::text(double x, double y, std::string_view css, Anchor anchor, const std::string& text) {
  const char* names[] = {"start", "middle", "end"};
  write_tag("text", {{"x", x},
                     {"y", y},
                     {"class", std::string(css)},
                     {"text-anchor", names[static_cast<int>(anchor)]}});
  out_ += ">" + html_escape(text) + "</text>";
}

std::string Svg::finish() {
  while (!open_.empty()) close();
  return std::move(out_);
}

double text_width(std::string_view text, double size) {
  double letters = 0;
  for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return 0.56 * size * letters;
}

std::string path_through(const std::vector<Point>& points, bool closed) {
  std::string path;
  for (const Point& p : points)
    path += (path.empty() ? "M" : "L") + svg_number(p.x) + " " + svg_number(p.y);
  return closed && !path.empty() ? path + "z" : path;
}

std::string marker_path(int shape, Point at, double r) {
  const auto polygon = [&](int corners, double first_angle, double radius) {
    std::vector<Point> points;
    for (int i = 0; i < corners; ++i) {
      const double angle = first_angle + 2 * std::numbers::pi * i / corners;
      points.push_back({at.x + radius * std::cos(angle), at.y + radius * std::sin(angle)});
    }
    return path_through(points, true);
  };
  // A plus, turned by `turn`: two bars with width.
  const auto cross = [&](double turn) {
    std::vector<Point> points;
    const double a = 1.25 * r, b = 0.4 * r;
    const double corner[12][2] = {{b, -a}, {b, -b}, {a, -b}, {a, b},   {b, b},   {b, a},
                                  {-b, a}, {-b, b}, {-a, b}, {-a, -b}, {-b, -b}, {-b, -a}};
    for (const auto& [x, y] : corner)
      points.push_back({at.x + x * std::cos(turn) - y * std::sin(turn),
                        at.y + x * std::sin(turn) + y * std::cos(turn)});
    return path_through(points, true);
  };
  constexpr double right = std::numbers::pi / 2;
  switch (shape % marker_shapes) {
    case 0:
      return fmt::format("M{0} {1}a{2} {2} 0 1 0 {3} 0a{2} {2} 0 1 0 -{3} 0z", svg_number(at.x - r),
                         svg_number(at.y), svg_number(r), svg_number(2 * r));
    case 1:
      return polygon(4, right / 2, 1.25 * r);
    case 2:
      return polygon(3, -right, 1.3 * r);
    case 3:
      return polygon(4, 0, 1.35 * r);
    case 4:
      return cross(0);
    case 5:
      return cross(right / 2);
    case 6:
      return polygon(3, right, 1.3 * r);
    default:
      return polygon(5, -right, 1.2 * r);
  }
}

std::string colour_class(int index) { return "c" + std::to_string(index % colour_count); }

}  // namespace loopcert::report
