// Writes one inline SVG drawing. Styles are classes: the policy of the page allows no style
// attribute.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loopcert::report {

// A coordinate with at most two digits. Throws NumericsError when it is not finite: a drawing with
// NaN in it is silently not drawn.
std::string svg_number(double value);

struct Attribute {
  Attribute(const char* key, double text) : name(key), value(svg_number(text)) {}
  Attribute(const char* key, std::string text) : name(key), value(std::move(text)) {}
  Attribute(const char* key, const char* text) : name(key), value(text) {}

  std::string name, value;
};
using Attributes = std::initializer_list<Attribute>;

enum class Anchor { start, middle, end };

class Svg {
 public:
  // `label` is what a screen reader says.
  Svg(double width, double height, const std::string& label);

  void open(std::string_view tag, Attributes attributes);
  void close();
  // With a tooltip when `title` is not empty.
  void element(std::string_view tag, Attributes attributes, const std::string& title = "");
  void text(double x, double y, std::string_view css, Anchor anchor, const std::string& text);

  std::string finish();

 private:
  void write_tag(std::string_view tag, Attributes attributes);

  std::string out_;
  std::vector<std::string> open_;
};

// Roughly how wide a text in the plots' font is.
double text_width(std::string_view text, double size = 13);

struct Point {
  double x = 0, y = 0;
};

// "M0 0L1 2…" ; closed with z when asked.
std::string path_through(const std::vector<Point>& points, bool closed = false);

// Marker number `shape` around a place, as a path: circle, square, triangle, diamond, …
std::string marker_path(int shape, Point at, double radius);
inline constexpr int marker_shapes = 8;

// The class that gives series `index` its colour: c0 … c7, in a palette for all eyes.
std::string colour_class(int index);
inline constexpr int colour_count = 8;

}  // namespace loopcert::report
