#include "watch/plant_watch_file.hpp"

#include <nlohmann/json.hpp>

#include "core/file.hpp"
#include "core/json.hpp"
#include "core/json_fields.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

constexpr const char* plant_format = "loopcert plant-watch-state 1";
constexpr Index most_steps = Index{1} << 52, largest_side = 4096;

// Sizes apart: rows of an empty matrix do not say how many columns it has.
json matrix_json(const Matrix& matrix) {
  return {{"columns", matrix.cols()}, {"rows", rows_json(matrix)}};
}

Matrix matrix_field(const json& tree, const std::string& key) {
  return at_place(key, [&] {
    const json& rows = list_field(field(tree, key), "rows");
    const Index columns = whole_field(field(tree, key), "columns", 0, largest_side);
    Matrix matrix(static_cast<Index>(rows.size()), columns);
    for (size_t i = 0; i < rows.size(); ++i) {
      const std::vector<double> row = numbers_in(rows[i], "row");
      if (static_cast<Index>(row.size()) != columns)
        throw InputError("found rows of other lengths than columns says");
      for (Index j = 0; j < columns; ++j)
        matrix(static_cast<Index>(i), j) = row[static_cast<size_t>(j)];
    }
    return matrix;
  });
}

json claim_json(const PlantClaim& c) {
  return {{"outputs", c.model.n_y},
          {"inputs", c.model.n_u},
          {"lags", c.model.lags},
          {"constant", c.model.constant},
          {"A0", matrix_json(c.model.A0)},
          {"B0", matrix_json(c.model.B0)},
          {"E", matrix_json(c.model.E)},
          {"Cr", matrix_json(c.model.Cr)},
          {"Theta", matrix_json(c.Theta)},
          {"root", matrix_json(c.root)},
          {"G", matrix_json(c.G)},
          {"beta", c.beta},
          {"transitions", c.transitions},
          {"alpha", c.alpha},
          {"delta", c.delta},
          {"certificate", c.certificate}};
}

PlantClaim claim_of(const json& tree) {
  PlantClaim c;
  LinearModel& m = c.model;
  m.n_y = whole_field(tree, "outputs", 1, largest_side);
  m.n_u = whole_field(tree, "inputs", 0, largest_side);
  m.lags = whole_field(tree, "lags", 1, largest_side);
  m.constant = flag_field(tree, "constant");
  m.A0 = matrix_field(tree, "A0");
  m.B0 = matrix_field(tree, "B0");
  m.E = matrix_field(tree, "E");
  m.Cr = matrix_field(tree, "Cr");
  c.Theta = matrix_field(tree, "Theta");
  c.root = matrix_field(tree, "root");
  c.G = matrix_field(tree, "G");
  c.beta = number_field(tree, "beta");
  c.transitions = number_field(tree, "transitions");
  c.alpha = number_field(tree, "alpha");
  c.delta = number_field(tree, "delta");
  c.certificate = text_at(tree, "certificate");
  const Index n = m.first() + m.lags * m.n_y + (m.lags - 1) * m.n_u;
  const bool fits =
      m.A0.rows() == n && m.A0.cols() == n && m.B0.rows() == n && m.B0.cols() == m.n_u &&
      m.E.rows() == n && m.n_v() >= 1 && m.Cr.cols() == n + m.n_u && m.n_r() >= 1 &&
      c.Theta.rows() == m.n_v() && c.Theta.cols() == m.n_r() && c.root.rows() == m.n_v() &&
      c.root.cols() == m.n_v() && c.G.rows() == m.n_r() && c.G.cols() == m.n_r() && c.beta >= 0 &&
      c.transitions >= 1 && c.delta >= 0 && (c.root.diagonal().array() > 0).all();
  if (!fits) throw InputError("matrices that do not fit together");
  return c;
}

json state_json(const PlantWatchState& s) {
  return {{"y", matrix_json(s.y)},
          {"u", matrix_json(s.u)},
          {"episode", s.episode},
          {"step", s.step ? json(*s.step) : json()},
          {"n", s.n},
          {"sums", s.sums},
          {"information", matrix_json(s.information)},
          {"fitted", matrix_json(s.fitted)},
          {"evidence", s.evidence},
          {"largest", s.largest},
          {"rejected_at", s.rejected_at ? json(*s.rejected_at) : json()},
          {"cause", s.cause}};
}

PlantWatchState state_of(const json& tree) {
  PlantWatchState s;
  s.y = matrix_field(tree, "y");
  s.u = matrix_field(tree, "u");
  s.episode = text_field(tree, "episode");
  s.step = optional_number(tree, "step");
  s.n = whole_field(tree, "n", 0, most_steps);
  s.sums = numbers_in(list_field(tree, "sums"), "sums");
  s.information = matrix_field(tree, "information");
  s.fitted = matrix_field(tree, "fitted");
  s.evidence = number_field(tree, "evidence");
  s.largest = number_field(tree, "largest");
  if (!field(tree, "rejected_at").is_null())
    s.rejected_at = whole_field(tree, "rejected_at", 1, most_steps);
  s.cause = text_field(tree, "cause");
  return s;
}

json place_json(const std::optional<size_t>& place) { return place ? json(*place) : json(); }

std::optional<size_t> place_of(const json& tree, const char* key) {
  if (field(tree, key).is_null()) return std::nullopt;
  return static_cast<size_t>(whole_field(tree, key, 0, largest_side));
}

json columns_json(const std::optional<StepColumns>& columns) {
  if (!columns) return nullptr;
  return {{"places", columns->places},
          {"factors", columns->factors},
          {"zeros", columns->zeros},
          {"episode", place_json(columns->episode)},
          {"step", place_json(columns->step)}};
}

std::optional<StepColumns> columns_of(const json& tree, const LinearModel& model) {
  if (tree.is_null()) return std::nullopt;
  StepColumns columns;
  for (const int place : whole_numbers_in(list_field(tree, "places"), "places"))
    columns.places.push_back(static_cast<size_t>(std::max(place, 0)));
  columns.factors = numbers_in(list_field(tree, "factors"), "factors");
  columns.zeros = numbers_in(list_field(tree, "zeros"), "zeros");
  columns.episode = place_of(tree, "episode");
  columns.step = place_of(tree, "step");
  const auto count = static_cast<size_t>(model.n_y + model.n_u);
  if (columns.places.size() != count || columns.factors.size() != count ||
      columns.zeros.size() != count)
    throw InputError("another number of columns than the plant has signals");
  return columns;
}

}  // namespace

void write_plant_watch(const std::filesystem::path& path, const PlantWatchFile& file) {
  const json tree = {{"format", plant_format},
                     {"bytes", file.bytes},
                     {"columns", columns_json(file.columns)},
                     {"claim", claim_json(file.claim)},
                     {"state", state_json(file.state)}};
  write_file(path, tree.dump() + "\n");
}

PlantWatchFile read_plant_watch(const std::filesystem::path& path) {
  return at_place(path.string(), [&] {
    const json tree = parse_json(read_file(path, largest_record));
    require_format(tree, plant_format);
    PlantWatchFile file{at_place("claim", [&] { return claim_of(field(tree, "claim")); }),
                        at_place("state", [&] { return state_of(field(tree, "state")); }),
                        whole_field(tree, "bytes", 0, most_steps), std::nullopt};
    file.columns =
        at_place("columns", [&] { return columns_of(field(tree, "columns"), file.claim.model); });
    file.state = PlantWatch(file.claim, file.state).state();  // checked
    return file;
  });
}

}  // namespace loopcert
