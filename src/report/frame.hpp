// Axes with what is drawn between them: lines, bands, points.
#pragma once

#include <string>
#include <vector>

#include "report/scale.hpp"
#include "report/svg.hpp"

namespace loopcert::report {

struct FrameSize {
  double width = 460, height = 300;
};
inline constexpr FrameSize small_frame{360, 232};

class Frame {
 public:
  Frame(Scale x, Scale y, const std::string& x_label, const std::string& y_label,
        const std::string& description, FrameSize size = {});

  // Points that are not finite, or cannot be on a logarithmic axis, are left out.
  void line(const std::vector<Point>& points, const std::string& css);
  void band(const std::vector<double>& x, const std::vector<double>& low,
            const std::vector<double>& high, const std::string& css);
  // Moved right by `shift` so that series at the same x stay apart.
  void marker(Point at, int shape, double radius, const std::string& css,
              const std::string& tooltip, double shift = 0);
  void horizontal(double y, const std::string& css);

  // A group of marks that a toggle shows and hides.
  void begin_series(int index);
  void end_series();

  std::string finish();

 private:
  bool visible(const Point& point) const;
  Point place(const Point& point) const;
  void draw_axes(const std::string& x_label, const std::string& y_label);

  FrameSize size_;
  Scale x_, y_;
  Svg svg_;
};

}  // namespace loopcert::report
