#include "record.hpp"

#include <charconv>
#include <cmath>

#include "sha256.hpp"

namespace verify {

const json& need(const json& tree, const std::string& path, const std::string& file) {
  const json* at = &tree;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('.', begin), path.size());
    const std::string key = path.substr(begin, end - begin);
    if (!at->is_object() || !at->contains(key)) bad(file, path, "nothing", "this key");
    at = &(*at)[key];
    begin = end + 1;
  }
  return *at;
}

double number_at(const json& tree, const std::string& path, const std::string& file) {
  const json& value = need(tree, path, file);
  if (!value.is_number()) bad(file, path, value.dump().substr(0, 40), "a number");
  return value.get<double>();
}

std::string text_at(const json& tree, const std::string& path, const std::string& file) {
  const json& value = need(tree, path, file);
  if (!value.is_string()) bad(file, path, value.dump().substr(0, 40), "a text");
  return value.get<std::string>();
}

bool flag_at(const json& tree, const std::string& path, const std::string& file) {
  const json& value = need(tree, path, file);
  if (!value.is_boolean()) bad(file, path, value.dump().substr(0, 40), "true or false");
  return value.get<bool>();
}

Table matrix_of(const json& value, long rows, long cols, const std::string& place,
                const std::string& file) {
  const std::string expected = std::to_string(rows) + " x " + std::to_string(cols) + " numbers";
  Table table{rows, cols, {}};
  if (!value.is_array() || static_cast<long>(value.size()) != rows)
    bad(file, place, "another shape", expected);
  for (const json& row : value) {
    if (!row.is_array() || static_cast<long>(row.size()) != cols)
      bad(file, place, "another shape", expected);
    for (const json& entry : row) {
      if (!entry.is_number() || !std::isfinite(entry.get<double>()))
        bad(file, place, entry.dump().substr(0, 40), "a finite number");
      table.values.push_back(entry.get<double>());
    }
  }
  return table;
}

namespace {

long whole_at(const json& tree, const std::string& path, long largest, const std::string& file) {
  const json& value = need(tree, path, file);
  if (!value.is_number_integer() || value < 0 || value > largest)
    bad(file, path, value.dump().substr(0, 40), "a whole number up to " + std::to_string(largest));
  return value.get<long>();
}

// One matrix for all steps, or one for each.
std::vector<Table> steps(const json& tree, const std::string& path, long T, long rows, long cols,
                         const std::string& file) {
  const json& value = need(tree, path, file);
  const bool each = value.is_array() && !value.empty() && value[0].is_array() &&
                    !value[0].empty() && value[0][0].is_array();
  if (each && static_cast<long>(value.size()) != T) bad(file, path, "another count", "one a step");
  std::vector<Table> list;
  for (long t = 0; t < T; ++t) {
    if (t > 0 && !each)
      list.push_back(list[0]);
    else
      list.push_back(
          matrix_of(each ? value[static_cast<size_t>(t)] : value, rows, cols, path, file));
  }
  return list;
}

void check_symmetric(const Table& weight, const std::string& place, const std::string& file) {
  for (long i = 0; i < weight.rows; ++i)
    for (long j = 0; j < i; ++j)
      if (weight(i, j) != weight(j, i)) bad(file, place, "another matrix", "a symmetric one");
}

Problem parse_problem(const json& tree, const std::string& file) {
  Problem p;
  p.tree = tree;
  p.T = whole_at(tree, "horizon", 10000, file);
  const json& B = need(tree, "system.B", file);
  const json* first = &B;  // rows of the first matrix
  while (first->is_array() && !first->empty() && (*first)[0].is_array() && !(*first)[0].empty() &&
         (*first)[0][0].is_array())
    first = &(*first)[0];
  if (!first->is_array() || first->empty() || !(*first)[0].is_array())
    bad(file, "system.B", "no matrix", "a matrix");
  p.n_x = static_cast<long>(first->size());
  p.n_u = static_cast<long>((*first)[0].size());
  if (p.T < 1 || p.n_u < 1 || p.d_w() > 2000)
    bad(file, "problem", "its size", "(T + 1) n_x up to 2000");
  p.A = steps(tree, "system.A", p.T, p.n_x, p.n_x, file);
  p.B = steps(tree, "system.B", p.T, p.n_x, p.n_u, file);
  p.Q = steps(tree, "cost.Q", p.T, p.n_x, p.n_x, file);
  p.R = steps(tree, "cost.R", p.T, p.n_u, p.n_u, file);
  p.P = matrix_of(need(tree, "cost.P", file), p.n_x, p.n_x, "cost.P", file);
  for (const Table& Q : p.Q) check_symmetric(Q, "cost.Q", file);
  for (const Table& R : p.R) check_symmetric(R, "cost.R", file);
  check_symmetric(p.P, "cost.P", file);
  p.d = {p.T, p.n_x, std::vector<double>(static_cast<size_t>(p.T * p.n_x), 0.0)};
  if (need(tree, "system", file).contains("d"))
    p.d = matrix_of(tree["system"]["d"], p.T, p.n_x, "system.d", file);
  for (const double value : p.d.values) p.has_offset = p.has_offset || value != 0;
  p.affine = flag_at(tree, "response.affine", file);
  p.start = text_at(tree, "response.start", file);
  p.basis = text_at(tree, "response.basis", file);
  return p;
}

std::optional<double> optional_at(const json& tree, const std::string& key,
                                  const std::string& file) {
  if (need(tree, key, file).is_null()) return std::nullopt;
  return number_at(tree, key, file);
}

const json& list_at(const json& tree, const std::string& key, const std::string& file) {
  const json& value = need(tree, key, file);
  if (!value.is_array()) bad(file, key, value.dump().substr(0, 40), "a list");
  return value;
}

}  // namespace

double Record::delta(const std::string& event) const {
  for (const Event& e : events)
    if (e.name == event) return e.delta;
  throw Refuted{"event " + event + ": the record has none"};
}

double Record::total_delta() const {
  const json& options = need(problem.tree, "certificate", file);
  if (!options.contains("delta")) return 0.05;
  if (!options["delta"].is_object()) return number_at(options, "delta", file);
  double total = 0;
  for (const auto& [event, part] : options["delta"].items())
    total += number_at(options["delta"], event, file);
  return total;
}

Record read_record(const std::filesystem::path& path) {
  const std::string file = path.string();
  const json tree = parse_json(read_bytes(path), file);
  if (need(tree, "format", file) != "loopcert certificate 1")
    bad(file, "format", tree["format"].dump().substr(0, 40), "\"loopcert certificate 1\"");
  Record r;
  r.file = file;
  r.kind = text_at(tree, "kind", file);
  r.subject = text_at(tree, "subject", file);
  if (r.kind == "best") r.chosen = text_at(tree, "chosen", file);
  r.oracle = flag_at(tree, "oracle", file);
  r.value = number_at(tree, "value", file);
  r.confidence = number_at(tree, "confidence", file);
  r.kl = optional_at(tree, "kl", file);
  r.lambda = optional_at(tree, "lambda", file);
  r.n = whole_at(tree, "n", 1'000'000'000, file);
  for (const json& term : list_at(tree, "terms", file))
    r.terms.push_back({text_at(term, "name", file), number_at(term, "value", file)});
  for (const json& event : list_at(tree, "events", file))
    r.events.push_back({text_at(event, "name", file), text_at(event, "statement", file),
                        number_at(event, "delta", file)});
  for (const json& sentence : list_at(tree, "assumptions", file)) {
    if (!sentence.is_string()) bad(file, "assumptions", sentence.dump().substr(0, 40), "a text");
    r.assumptions.push_back(sentence.get<std::string>());
  }
  r.inputs = need(tree, "inputs", file);
  r.problem = parse_problem(need(r.inputs, "problem", file), file);
  return r;
}

Controller parse_controller(const std::string& bytes, const std::string& file,
                            const Problem& problem) {
  const json tree = parse_json(bytes, file);
  if (need(tree, "format", file) != "loopcert controller 1")
    bad(file, "format", tree["format"].dump().substr(0, 40), "\"loopcert controller 1\"");
  if (need(tree, "horizon", file) != problem.T || need(tree, "n_x", file) != problem.n_x ||
      need(tree, "n_u", file) != problem.n_u)
    bad(file, "horizon, n_x, n_u", "another size", "that of the problem");
  Controller c;
  c.K = matrix_of(need(tree, "K", file), problem.d_u(), problem.d_w(), "K", file);
  c.k = matrix_of(json::array({need(tree, "k", file)}), 1, problem.d_u(), "k", file);
  for (long i = 0; i < c.K.rows; ++i)
    for (long j = (i / problem.n_u + 1) * problem.n_x; j < c.K.cols; ++j)
      if (c.K(i, j) != 0) bad(file, "K", "an input that uses a later state", "zero there");
  if (tree.contains("learned_from") && tree["learned_from"].is_array())
    for (const json& row : tree["learned_from"])
      if (row.is_string()) c.learned_from.push_back(row.get<std::string>());
  return c;
}

std::string read_beside(const Record& record, const std::string& role) {
  const std::string name = text_at(record.inputs, role, record.file);
  if (name.empty() || name.find('/') != name.npos || name == "." || name == "..")
    bad(record.file, "inputs." + role, "'" + name + "'", "the name of a file beside it");
  std::string bytes = read_bytes(std::filesystem::path(record.file).parent_path() / name);
  check_hash(record, role, bytes);
  return bytes;
}

void check_hash(const Record& record, const std::string& role, const std::string& bytes) {
  if (sha256(bytes) != text_at(record.inputs, role + "_sha256", record.file))
    throw Refuted{role + ": the SHA-256 is not the recorded one"};
}

bool says(const std::string& text, const std::string& pattern, const std::vector<double>& numbers,
          double tolerance) {
  size_t at = 0, used = 0;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern.compare(i, 2, "{}") != 0) {
      if (at >= text.size() || text[at++] != pattern[i]) return false;
      continue;
    }
    double found = 0;
    const auto [rest, error] = std::from_chars(text.data() + at, text.data() + text.size(), found);
    const double wanted = numbers.at(used++);
    if (error != std::errc() || !(std::abs(found - wanted) <= tolerance * std::abs(wanted)))
      return false;
    at = static_cast<size_t>(rest - text.data());
    ++i;
    if (pattern[i + 1] == '.' && text[at - 1] == '.') --at;  // "1." at the end of a sentence
  }
  return at == text.size();
}

}  // namespace verify
