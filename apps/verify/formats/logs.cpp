#include "formats/logs.hpp"

#include <algorithm>
#include <cmath>

namespace verify {
namespace {

json data_of(const Problem& p, const char* key, const json& usual) {
  return p.tree.value("data", json::object()).value(key, usual);
}

// An array as episodes: data.axes names its axes, slowest first. Two axes where three are named:
// those beside the episodes are one, the first of them slowest.
std::vector<Table> episodes_of(const Table& array, const Problem& p, long entries) {
  const std::vector<std::string> usual = {"episode", "step", "component"};
  const bool one_log = p.unknown->infinite && array.inner == 0;
  const std::vector<std::string> axes =
      data_of(p, "axes", one_log ? json::array({"step", "component"}) : json(usual));
  std::vector<long> shape = {array.rows, array.cols};
  if (array.inner > 0) shape = {array.rows, array.cols / array.inner, array.inner};
  if (array.inner == 0 && axes.size() == 2 && array.cols == 1 && axes[0] == "component")
    std::swap(shape[0], shape[1]);  // one entry needs no axis
  if (array.inner == 0 && axes.size() == 3) {
    const size_t merged = axes[0] == "episode" ? 1 : 0;
    const bool steps_first = axes[merged] == "step";
    if (axes[1] == "episode" || shape[merged] % entries != 0)
      bad("array", "another shape", "the axes of data.axes");
    const long steps = shape[merged] / entries;
    shape[merged] = steps_first ? entries : steps;
    shape.insert(shape.begin() + static_cast<long>(merged), steps_first ? steps : entries);
  }
  if (shape.size() != axes.size()) bad("array", "another shape", "the axes of data.axes");
  std::map<std::string, std::pair<long, long>> axis = {{"episode", {1, 0}}};  // size, stride
  long stride = 1;
  for (size_t i = axes.size(); i-- > 0; stride *= shape[i]) axis[axes[i]] = {shape[i], stride};
  const auto [n, next] = axis["episode"];
  const auto [steps, step] = axis["step"];
  const auto [count, entry] = axis["component"];
  if (count != entries || n < 1 || steps < 1)
    bad("array", "another shape", std::to_string(entries) + " entries a step");
  std::vector<Table> episodes(static_cast<size_t>(n), Table{steps, entries, {}});
  for (long i = 0; i < n; ++i)
    for (long t = 0; t < steps; ++t)
      for (long j = 0; j < entries; ++j)
        episodes[static_cast<size_t>(i)].values.push_back(
            array.values[static_cast<size_t>(i * next + t * step + j * entry)]);
  return episodes;
}

Episodes parse_arrays(const std::string& bytes, const Problem& p) {
  const std::map<std::string, Table> arrays = parse_npz(bytes);
  const json names = data_of(p, "variables", json::object());
  const auto read = [&](const char* name, long entries) {
    const auto found = arrays.find(names.value(name, name));
    if (found == arrays.end()) return std::vector<Table>();
    return in_file(Word{found->first}, [&] { return episodes_of(found->second, p, entries); });
  };
  Episodes found{read("x", p.n_x), read("u", p.n_u)};
  if (found.x.empty() && found.u.empty()) bad("arrays", "others", "x and u, or data.variables");
  return found;
}

// A file without names: states, or the inputs to those of the file before.
Episodes nameless(const Table& array, const Problem& p, bool after_states) {
  if (after_states) return {{}, episodes_of(array, p, p.n_u)};
  return {episodes_of(array, p, p.n_x), {}};
}

Episodes read_episodes(const std::filesystem::path& file, const Problem& p, bool after_states) {
  const std::string type = file.extension().string(), bytes = read_bytes(file);
  if (type == ".npz") return parse_arrays(bytes, p);
  if (type == ".npy") return nameless(parse_npy(bytes), p, after_states);
  if (type != ".csv") bad("name", word(type), ".npz, .npy or .csv");
  Episodes found = parse_log_table(bytes, p);
  if (!found.x.empty() || !found.u.empty()) return found;
  return nameless(parse_csv(bytes), p, after_states);
}

Table rows_of(const Table& all, long first, long rows) {
  const auto begin = all.values.begin() + first * all.cols;
  return {rows, all.cols, std::vector<double>(begin, begin + rows * all.cols)};
}

// An episode, or what data.longer leaves of it: pieces of T steps. An input at the last state is
// not used.
void add_pieces(Logs& logs, const Table& x, const Table& u, const Problem& p) {
  const long steps = x.rows - 1, length = p.unknown->infinite ? steps : p.T;
  const std::string longer = data_of(p, "longer", "refuse");
  if (steps < 1 || (u.rows != steps && u.rows != x.rows))
    bad("u", std::to_string(u.rows) + " steps", "one fewer than states, or as many");
  if (steps < length || (steps > length && longer == "refuse"))
    bad("x", std::to_string(steps) + " steps", std::to_string(length));
  const long gap = whole(data_of(p, "gap", 0), 1'000'000'000, "data.gap");
  for (long at = 0; at + length <= steps; at += length + gap) {
    logs.push_back({rows_of(x, at, length + 1), rows_of(u, at, length), std::ssize(logs) + 1});
    for (const Table* table : {&logs.back().y, &logs.back().u})
      for (const double value : table->values)
        if (!std::isfinite(value)) bad("content", "a number that is not finite", "finite ones");
    if (longer != "windows") return;
  }
}

std::vector<double> start_of(const Log& log) {
  std::vector<double> start(log.y.values.begin(), log.y.values.begin() + log.y.cols);
  start.insert(start.end(), log.u.values.begin(), log.u.values.begin() + log.u.cols);
  return start;
}

}  // namespace

Logs read_logs(const std::vector<std::filesystem::path>& files, const Problem& problem) {
  Logs logs;
  std::vector<Table> states;  // of the file before, still without inputs
  for (const std::filesystem::path& file : files)
    in_file(file, [&] {
      Episodes found = read_episodes(file, problem, !states.empty());
      if (states.empty() == found.x.empty())
        bad("states", found.x.empty() ? "none" : "more", "states, and then their inputs");
      if (!found.x.empty()) states = found.x;
      if (found.u.empty()) return;
      if (found.u.size() != states.size()) bad("u", "other episodes", "those of the states");
      for (size_t i = 0; i < states.size(); ++i) add_pieces(logs, states[i], found.u[i], problem);
      states.clear();
    });
  if (!states.empty()) bad("--rollouts", "states alone", "a file of their inputs after them");
  if (problem.unknown && !problem.unknown->infinite)
    std::stable_sort(logs.begin(), logs.end(),
                     [](const Log& a, const Log& b) { return start_of(a) < start_of(b); });
  return logs;
}

std::string hash_of(const Logs& logs) {
  std::string bytes;
  for (const Log& log : logs) bytes += little_endian(log.y);
  for (const Log& log : logs) bytes += little_endian(log.u);
  return sha256(bytes);
}

}  // namespace verify
