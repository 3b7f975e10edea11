#include "controller/c_clip.hpp"

#include <fmt/format.h>

#include <cmath>

#include "controller/c_text.hpp"
#include "controller/input_limits.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// In single precision the nearest number that is not beyond the limit.
double inward(const std::string& name, double value, CReal real) {
  if (!real.single) return value;
  const auto near = static_cast<float>(value);
  const bool beyond = name == "lowest" ? near < value : near > value;
  return beyond ? std::nextafter(near, name == "lowest" ? INFINITY : -INFINITY) : near;
}

// C has no portable constant for infinity in every library: where a side has no limit, a flag says
// so, and the number is not used.
std::string side_array(const std::string& name, const Vector& side, CReal real) {
  if (!side.array().isFinite().any()) return "";
  std::vector<double> values;
  std::string flags;
  for (const double value : side) {
    values.push_back(std::isfinite(value) ? inward(name, value, real) : 0.0);
    flags += std::isfinite(value) ? " 1," : " 0,";
  }
  std::string out =
      "static const @real@ " + name + "[@P@_INPUTS] = {" + c_numbers(values, real) + "};\n\n";
  if (!side.allFinite())
    out += "static const int has_" + name + "[@P@_INPUTS] = {" + flags + "};\n\n";
  return out;
}

std::string beyond(const std::string& name, const std::string& sign, const Vector& side) {
  const std::string flag = side.allFinite() ? "" : "has_" + name + "[i] && ";
  return flag + "sum " + sign + " " + name + "[i]";
}

}  // namespace

CClip c_clip(bool clip, const Matrix& limits, bool remembers_inputs, CReal real) {
  if (clip && !has_input_limits(limits))
    throw_input_error("input_limits", "none", "limits of the inputs to clip to");
  return {clip, limits, remembers_inputs, real};
}

std::string CClip::comment() const {
  if (!clip) return "";
  std::string out =
      " * clipping: every input is saturated to its limits after it is computed, and counted.\n";
  for (Index i = 0; i < limits.rows(); ++i)
    out += fmt::format(" *   input {}: from {} to {}\n", i, number_text(limits(i, 0)),
                       number_text(limits(i, 1)));
  out +=
      " * A certificate is about the controller without clipping; the two agree in every episode\n"
      " * in which no input is clipped. The probability of a violation in limits.json bounds that "
      "of\n"
      " * clipping, where its rows are these limits.\n";
  out +=
      remembers_inputs
          ? " * The memory holds inputs as they were applied, after clipping: later steps compute\n"
            " * with what the plant has seen.\n"
          : " * The memory holds measured states only: clipping does not change what later steps\n"
            " * compute from the states that they measure.\n";
  return out;
}

std::string CClip::member() const {
  return clip ? "  unsigned long clipped[@P@_INPUTS]; /* steps since the reset; stops at ULONG_MAX "
                "*/\n"
              : "";
}

std::string CClip::before() const { return clip ? " before clipping" : ""; }

std::string CClip::prototype() const {
  return clip ? R"(
/* At how many steps since the reset this input, 0 to INPUTS - 1, was clipped; 0 for any other
 * number. An input that is NaN stays NaN and does not count. */
unsigned long @p@_clipped(const @p@_memory *memory, int input);
)"
              : "";
}

std::string CClip::include() const { return clip ? "#include <limits.h>\n\n" : ""; }

std::string CClip::arrays() const {
  return clip ? side_array("lowest", limits.col(0), real) +
                    side_array("highest", limits.col(1), real)
              : "";
}

std::string CClip::reset() const {
  return clip ? "  for (j = 0; j < @P@_INPUTS; ++j) memory->clipped[j] = 0;\n" : "";
}

std::string CClip::saturate() const {
  if (!clip) return "";
  std::string out;
  const auto side = [&](const std::string& name, const std::string& sign, const Vector& ends) {
    if (!ends.array().isFinite().any()) return;
    out += out.empty() ? "    if (" : " else if (";
    out += beyond(name, sign, ends) + ") {\n      sum = " + name +
           "[i];\n      if (memory->clipped[i] < ULONG_MAX) ++memory->clipped[i];\n    }";
  };
  side("lowest", "<", limits.col(0));
  side("highest", ">", limits.col(1));
  return out + "\n";
}

std::string CClip::function() const {
  return clip ? R"(
unsigned long @p@_clipped(const @p@_memory *memory, int input) {
  if (input < 0 || input >= @P@_INPUTS) return 0;
  return memory->clipped[input];
}
)"
              : "";
}

}  // namespace loopcert
