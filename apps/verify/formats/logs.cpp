#include "formats/logs.hpp"

#include <cmath>

namespace verify {
namespace {

Table rows_of(const Table& all, long first, long rows, long cols) {
  const auto begin = all.values.begin() + first * cols;
  return {rows, cols, std::vector<double>(begin, begin + rows * cols)};
}

Logs parse_logs(const std::string& bytes, const Problem& p) {
  const std::map<std::string, Table> arrays = parse_npz(bytes);
  if (!arrays.contains("x") || !arrays.contains("u")) bad("arrays", "others", "x and u");
  const Table &x = arrays.at("x"), &u = arrays.at("u");
  for (const Table* table : {&x, &u})
    for (const double value : table->values)
      if (!std::isfinite(value)) bad("content", "a number that is not finite", "finite ones");
  const bool one = x.cols == p.n_x;
  const long episodes = one ? 1 : x.rows, steps = (one ? x.rows : x.cols / p.n_x) - 1;
  if (episodes < 1 || steps < 1 || x.rows * x.cols != episodes * (steps + 1) * p.n_x)
    bad("x", "another shape", "episodes, steps and one more, " + std::to_string(p.n_x));
  if (u.rows * u.cols != episodes * steps * p.n_u || (!one && u.rows != episodes))
    bad("u", "another shape", "as many episodes as x, its steps, " + std::to_string(p.n_u));
  Logs logs;
  for (long i = 0; i < episodes; ++i)
    logs.push_back(
        {rows_of(x, i * (steps + 1), steps + 1, p.n_x), rows_of(u, i * steps, steps, p.n_u)});
  return logs;
}

}  // namespace

Logs read_logs(const std::vector<std::filesystem::path>& files, const Problem& problem) {
  Logs logs;
  for (const std::filesystem::path& file : files)
    in_file(file, [&] {
      if (file.extension() != ".npz")
        bad("name", word(file.extension().string()), ".npz with arrays x and u");
      for (Log& log : parse_logs(read_bytes(file), problem)) logs.push_back(std::move(log));
    });
  return logs;
}

std::string hash_of(const Logs& logs) {
  std::string bytes;
  for (const Log& log : logs) bytes += little_endian(log.y);
  for (const Log& log : logs) bytes += little_endian(log.u);
  return sha256(bytes);
}

}  // namespace verify
