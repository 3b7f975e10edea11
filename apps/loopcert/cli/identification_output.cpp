#include "cli/identification_output.hpp"

#include <fmt/format.h>

#include "cli/check_output.hpp"
#include "cli/warning_output.hpp"
#include "loopcert/core/rounded.hpp"

namespace loopcert::app {
namespace {

constexpr Index most_columns = 8, most_poles = 8;

// Rows that are estimated; larger ones are in the record.
void add_rows(Table& table, const std::string& name, const Matrix& matrix, const Matrix& radius) {
  if (matrix.cols() > most_columns) {
    table.add(name, fmt::format("{} x {}: see --json", matrix.rows(), matrix.cols()));
    return;
  }
  for (Index i = 0; i < matrix.rows(); ++i)
    if ((radius.row(i).array() > 0).any())
      table.add(fmt::format("row {} of {}", i + 1, name), row_text(matrix, radius, i));
}

std::string certificate_text(const std::optional<double>& value, bool infinite) {
  return value ? bound_text(*value) + (infinite ? " a step" : "") : "none yet";
}

}  // namespace

std::string row_text(const Matrix& matrix, const Matrix& radius, Index row) {
  std::string text;
  for (Index j = 0; j < matrix.cols(); ++j)
    text += fmt::format("{}{:.4g}{}", j == 0 ? "" : ", ", matrix(row, j),
                        radius(row, j) > 0 ? fmt::format(" +- {:.2g}", radius(row, j)) : "");
  return text;
}

Table identification_summary(const Problem& problem, const Identification& found) {
  Table table;
  if (!found.colour) table.add("certificate", certificate_text(found.certificate, found.infinite));
  add_warnings(table, found.warnings);
  table.add("problem", problem.name);
  table.add("identified", found.colour ? fmt::format("the colour of the disturbance, {} lag{}",
                                                     found.lags, found.lags == 1 ? "" : "s")
                                       : fmt::format("the plant, {} lag{}", found.lags,
                                                     found.lags == 1 ? "" : "s"));
  table.add(found.infinite ? "logs" : "episodes", std::to_string(found.n));
  table.add("transitions", found.pilot > 0 ? fmt::format("{}, after {} that choose a scale",
                                                         found.transitions, found.pilot)
                                           : std::to_string(found.transitions));
  table.add("confidence",
            confidence_text(found.confidence) + " (all intervals and bounds together)");
  if (found.colour) {
    add_rows(table, "Phi", found.Phi, found.Phi_radius);
  } else {
    add_rows(table, "A", found.A, found.A_radius);
    add_rows(table, "B", found.B, found.B_radius);
  }
  if (found.offset.size() > 0) add_rows(table, "the offset", found.offset, found.offset_radius);
  table.add("radius", fmt::format("{:.4g}", found.radius));
  for (Index i = 0; i < std::min(found.noise.rows(), most_columns); ++i)
    table.add(
        fmt::format("variance of innovation {}", i),
        fmt::format("{:.4g}, at most {}", found.noise(i, i), bound_text(found.noise_bound(i, i))));
  for (Index i = 0; i < std::min<Index>(static_cast<Index>(found.poles.size()), most_poles); ++i) {
    const PoleReach& pole = found.poles[static_cast<size_t>(i)];
    table.add(fmt::format("pole {}", i + 1),
              pole.pole.imag() == 0
                  ? fmt::format("{:.4g}, moved by {:.2g}", pole.pole.real(), pole.reach)
                  : fmt::format("{:.4g} {} {:.4g} i, moved by {:.2g}", pole.pole.real(),
                                pole.pole.imag() < 0 ? '-' : '+', std::abs(pole.pole.imag()),
                                pole.reach));
  }
  if (!found.least_excited.empty()) table.add("least excited", found.least_excited);
  add_checks(table, found.tests.checks);
  for (const Forecast& f : found.forecasts)
    table.add(fmt::format("with {} {}", f.n, found.infinite ? "logs" : "episodes"),
              fmt::format("{} transitions, intervals times {:.3g}{}", f.transitions, f.width,
                          found.colour ? ""
                                       : ", certificate " +
                                             certificate_text(f.certificate, found.infinite)));
  return table;
}

}  // namespace loopcert::app
