#include "report/frame.hpp"

#include <algorithm>
#include <cmath>

namespace loopcert::report {
namespace {

constexpr double top = 26, right = 14, bottom = 42;

// Room for the widest label of the vertical axis.
double left_margin(const Scale& y) {
  double widest = 0;
  for (const Tick& tick : y.ticks) widest = std::max(widest, text_width(tick.label));
  return std::clamp(widest + 14, 34.0, 110.0);
}

}  // namespace

Frame::Frame(Scale x, Scale y, const std::string& x_label, const std::string& y_label,
             const std::string& description, FrameSize size)
    : size_(size), x_(std::move(x)), y_(std::move(y)), svg_(size.width, size.height, description) {
  x_.start = left_margin(y_);
  x_.end = size_.width - right;
  y_.start = size_.height - bottom;
  y_.end = y_label.empty() ? 8 : top;
  draw_axes(x_label, y_label);
}

void Frame::draw_axes(const std::string& x_label, const std::string& y_label) {
  for (const Tick& tick : y_.ticks) {
    const double y = y_.at(tick.value);
    svg_.element("path", {{"class", "gr"}, {"d", path_through({{x_.start, y}, {x_.end, y}})}});
    svg_.text(x_.start - 7, y + 4.5, "tk", Anchor::end, tick.label);
  }
  const double base = y_.start;
  for (const Tick& tick : x_.ticks) {
    const double x = x_.at(tick.value);
    svg_.element("path", {{"class", "ax"}, {"d", path_through({{x, base}, {x, base + 5}})}});
    svg_.text(x, base + 19, "tk", Anchor::middle, tick.label);
  }
  svg_.element("path", {{"class", "ax"}, {"d", path_through({{x_.start, base}, {x_.end, base}})}});
  svg_.text((x_.start + x_.end) / 2, size_.height - 6, "lb", Anchor::middle, x_label);
  if (!y_label.empty()) svg_.text(2, 13, "lb", Anchor::start, y_label);
}

bool Frame::visible(const Point& p) const {
  return std::isfinite(p.x) && std::isfinite(p.y) && !(x_.log && p.x <= 0) && !(y_.log && p.y <= 0);
}

Point Frame::place(const Point& p) const { return {x_.at(p.x), y_.at(p.y)}; }

void Frame::line(const std::vector<Point>& points, const std::string& css) {
  std::vector<Point> shown;
  for (const Point& p : points)
    if (visible(p)) shown.push_back(place(p));
  if (shown.size() > 1) svg_.element("path", {{"class", "ln " + css}, {"d", path_through(shown)}});
}

void Frame::band(const std::vector<double>& x, const std::vector<double>& low,
                 const std::vector<double>& high, const std::string& css) {
  std::vector<Point> outline;
  for (size_t i = 0; i < x.size(); ++i) outline.push_back(place({x[i], high[i]}));
  for (size_t i = x.size(); i-- > 0;) outline.push_back(place({x[i], low[i]}));
  svg_.element("path", {{"class", "bd " + css}, {"d", path_through(outline, true)}});
}

void Frame::marker(Point at, int shape, double radius, const std::string& css,
                   const std::string& tooltip, double shift) {
  if (!visible(at)) return;
  const Point p = place(at);
  svg_.element("path",
               {{"class", "mk " + css}, {"d", marker_path(shape, {p.x + shift, p.y}, radius)}},
               tooltip);
}

void Frame::horizontal(double y, const std::string& css) {
  if (y >= y_.low && y <= y_.high) line({{x_.low, y}, {x_.high, y}}, css);
}

void Frame::begin_series(int index) {
  svg_.open("g", {{"class", colour_class(index)}, {"data-series", std::to_string(index)}});
}

void Frame::end_series() { svg_.close(); }

std::string Frame::finish() { return svg_.finish(); }

}  // namespace loopcert::report
