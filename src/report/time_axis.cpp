#include "report/time_axis.hpp"

#include <algorithm>

#include "report/text.hpp"

namespace loopcert::report {

std::string TimeAxis::text(double t) const { return nice_number(at(t), 6); }

Scale time_scale(const TimeAxis& axis, double first, double last) {
  Range range;
  range.add(axis.at(first));
  range.add(axis.at(std::max(last, first + 1)));
  Scale scale = linear_scale(range);
  scale.low = range.low;
  scale.high = range.high;
  const bool whole = !(axis.step > 0);  // steps are
  const double slack = 1e-9 * (scale.high - scale.low);
  std::erase_if(scale.ticks, [&](const Tick& tick) {
    return tick.value < scale.low - slack || tick.value > scale.high + slack ||
           (whole && tick.value != static_cast<double>(static_cast<long>(tick.value)));
  });
  return scale;
}

}  // namespace loopcert::report
